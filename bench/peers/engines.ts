/**
 * The engines that are compared: what they are made of, and in what they differ.
 *
 * @module
 */

import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { root } from "../harness/product.ts";

/** An engine, and how its figures are to be read. */
export interface Engine {
  /** Its name on the command line and in result files. */
  readonly id: string;
  /** Its name in tables. */
  readonly name: string;
  /** File in `programs`. */
  readonly program: string;
  /** npm packages with their versions. */
  readonly packages: readonly string[];
  /** The package that has to be compiled, as its binary would be fetched from elsewhere. */
  readonly compiled?: string;
  /** Runtimes that are tried in this order; left out for kbdb, whose runtime is chosen. */
  readonly runtimes?: readonly ("node" | "deno")[];
  /** Further arguments of the program. */
  readonly args?: readonly string[];
  /** Whether what was indexed and inserted would survive a power cut. */
  readonly durable: boolean;
  /** Who makes the snippets. */
  readonly snippets: "engine" | "own cutter";
  /** How words are brought together. */
  readonly stemming: "Snowball English" | "Porter" | "none";
  /** What else differs. */
  readonly remark: string;
}

const STEMMER = "stemmer@2.0.1";

/** All engines; the first is what the others are compared with. */
export const ENGINES: readonly Engine[] = [
  {
    id: "kbdb",
    name: "kbdb, daemon",
    program: "kbdb.mjs",
    packages: [],
    durable: true,
    snippets: "engine",
    stemming: "Snowball English",
    remark: "every call crosses a socket, which no peer does; answers with the exact total; " +
      "keeps each section as a file besides the index; memory is the daemon's",
  },
  {
    id: "kbdb-in-process",
    name: "kbdb, in process",
    program: "kbdb.mjs",
    packages: [],
    args: ["--no-daemon"],
    durable: true,
    snippets: "engine",
    stemming: "Snowball English",
    remark: 'opened with `daemon: "never"`; otherwise the same',
  },
  {
    id: "fts5",
    name: "SQLite FTS5",
    program: "fts5.mjs",
    packages: ["better-sqlite3@12.11.1"],
    compiled: "better-sqlite3",
    runtimes: ["node", "deno"],
    durable: true,
    snippets: "engine",
    stemming: "Porter",
    remark: "write-ahead log, synchronous FULL, the corpus in one transaction",
  },
  {
    id: "tantivy",
    name: "tantivy in Turso",
    program: "turso.mjs",
    packages: ["@tursodatabase/database@0.7.2"],
    runtimes: ["node"],
    durable: true,
    snippets: "own cutter",
    stemming: "none",
    remark:
      "write-ahead log, synchronous FULL, the corpus in one transaction and the index after " +
      "it; its index is called experimental and offers no stemmer",
  },
  {
    id: "minisearch",
    name: "MiniSearch",
    program: "minisearch.mjs",
    packages: ["minisearch@7.2.0", STEMMER],
    runtimes: ["node"],
    durable: false,
    snippets: "own cutter",
    stemming: "Porter",
    remark: "finds and sorts all matches before it gives the first",
  },
  {
    id: "flexsearch",
    name: "FlexSearch",
    program: "flexsearch.mjs",
    packages: ["flexsearch@0.8.212", STEMMER],
    runtimes: ["node"],
    durable: false,
    snippets: "own cutter",
    stemming: "Porter",
    remark: "`suggest` stands for any word; ranks by place, without the rarity of words",
  },
];

/** Path of a program. */
export function programPath(program: string): string {
  return join(root, "bench/peers/programs", program);
}

/** The commands that may serve an engine, best first; the folder for data is to be added. */
export function commandsOf(
  engine: Engine,
  { packages, kbdb }: { packages: string; kbdb: "deno" | "node" },
): Command[] {
  const module = pathToFileURL(join(root, kbdb === "deno" ? "mod.ts" : "npm/mod.js")).href;
  const runtimes = engine.runtimes ?? [kbdb];
  const source = engine.runtimes === undefined ? module : packages;
  return runtimes.map((runtime) => (data) => [
    ...start(runtime),
    programPath(engine.program),
    data,
    source,
    ...engine.args ?? [],
  ]);
}

/** The command line of an engine with its data in a folder. */
export type Command = (data: string) => string[];

/** The beginning of a command: the runtime that this program runs on, or the other from the path. */
export function start(runtime: "node" | "deno"): string[] {
  const isOwn = (runtime === "deno") === (process.versions.deno !== undefined);
  const program = isOwn ? process.execPath : runtime;
  return runtime === "node" ? [program] : [program, "run", "-A", "--no-check"];
}
