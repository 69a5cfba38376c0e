/**
 * The command line of the comparison.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { ENGINES } from "./engines.ts";

/** What is compared, and where things are kept. */
export interface PeerOptions {
  /** Sections of the corpora. */
  readonly sizes: readonly number[];
  /** Different queries of a trial. */
  readonly queries: number;
  /** Fresh processes of each engine. */
  readonly trials: number;
  /** Ids of the engines. */
  readonly engines: readonly string[];
  /** What kbdb runs on. */
  readonly kbdb: "deno" | "node";
  /** Folder of packages and corpora that stay. */
  readonly keep?: string;
  /** Folder of the result file. */
  readonly out: string;
  readonly help: boolean;
}

/** A command line that cannot be understood. */
export class UsageError extends Error {}

/** The help text. */
export const HELP = `Measures kbdb and other search engines on the same corpus and queries.

Usage: deno task bench:peers [FLAGS]

Flags:
  --sizes LIST      sections of the corpora; default: 1000,10000,100000
  --queries N       different queries, three words each; default: 1000
  --trials N        fresh processes of each engine; default: 3
  --engines LIST    ${ENGINES.map(({ id }) => id).join(",")}; default: all
  --kbdb RUNTIME    deno runs the sources, node the package that "deno task npm" built; default: deno
  --keep FOLDER     keep packages and corpora there, and use those that are there
  --out FOLDER      where the result file is written; default: bench/results
  --help            show this help

The peers are installed from npm into a temporary folder, and run on the Node of this machine.
Prints Markdown on standard output and progress on standard error.`;

const FLAGS = {
  "sizes": { type: "string", default: "1000,10000,100000" },
  "queries": { type: "string", default: "1000" },
  "trials": { type: "string", default: "3" },
  "engines": { type: "string", default: ENGINES.map(({ id }) => id).join(",") },
  "kbdb": { type: "string", default: "deno" },
  "keep": { type: "string" },
  "out": { type: "string", default: "bench/results" },
  "help": { type: "boolean", short: "h", default: false },
} as const;

/**
 * Reads the command line.
 *
 * @throws {UsageError} if a flag is not known or has no fitting value
 */
export function parseOptions(args: readonly string[]): PeerOptions {
  const values = parsed(args);
  const { kbdb, keep, out, help } = values;
  if (kbdb !== "deno" && kbdb !== "node") {
    throw new UsageError(`Cannot compare: --kbdb is "${kbdb}", it must be deno or node`);
  }
  return {
    sizes: values.sizes.split(",").map((text) => count("sizes", text)),
    queries: count("queries", values.queries),
    trials: count("trials", values.trials),
    engines: values.engines.split(",").map(engineId),
    kbdb,
    ...(keep === undefined ? {} : { keep }),
    out,
    help,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (cause) {
    throw new UsageError(`Cannot compare: ${(cause as Error).message}`, { cause });
  }
}

function count(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text.trim())) return Number(text);
  throw new UsageError(`Cannot compare: --${name} has "${text}", it must be a number from 1`);
}

function engineId(text: string): string {
  const id = text.trim();
  if (ENGINES.some((engine) => engine.id === id)) return id;
  throw new UsageError(`Cannot compare: --engines has "${id}", which is not known`);
}
