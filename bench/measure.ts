/**
 * Measures what a user meets: learning a folder, searching through the daemon, starting from cold,
 * memory and index size. Everything goes through the command and the library.
 *
 * `deno task bench [--sizes 1000,10000,100000] [--keep FOLDER]`
 *
 * @module
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase, type StatusResult } from "../mod.ts";
import { megabytes, print, spread } from "./figures.ts";
import { writeCorpus } from "./generate-corpus.ts";
import { Writer } from "./prose.ts";

const SEARCHES = 1000;
const WARM_UP = 100;
const LEARNS = 200;
const STARTS = 10;
const CLI = new URL("../cli.ts", import.meta.url).href;

interface Options {
  readonly sizes: readonly number[];
  readonly folder: string;
  readonly keep: boolean;
}

function parseOptions(args: readonly string[]): Options {
  const value = (name: string) => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args[at + 1];
  };
  const keep = value("--keep");
  return {
    sizes: (value("--sizes") ?? "10000,100000").split(",").map(Number),
    folder: keep ?? Deno.makeTempDirSync({ prefix: "kbdb-bench-" }),
    keep: keep !== undefined,
  };
}

function run(args: readonly string[]): string {
  const { code, stdout, stderr } = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", CLI, ...args],
  }).outputSync();
  if (code !== 0) throw new Error(`kbdb ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

function learnCorpus(size: number, options: Options): string {
  const corpus = join(options.folder, `corpus-${size}`);
  const base = join(options.folder, `base-${size}`, ".kbdb");
  if (!existsSync(corpus)) writeCorpus(corpus, { count: size, format: "files" });
  if (existsSync(base)) Deno.removeSync(base, { recursive: true });
  run(["db", "init", base]);
  const learned = JSON.parse(run(["learn", corpus, "--db", base, "--json"]));
  const seconds = learned.elapsed_ms / 1000;
  print(
    "bulk learn, durable",
    `${Math.round(learned.sections / seconds)} sections/s ` +
      `(${learned.sections} sections, ${learned.files} files, ${seconds.toFixed(1)} s)`,
  );
  return base;
}

async function measureSearch(db: Database, name: string): Promise<void> {
  const writer = new Writer(7);
  const samples: number[] = [];
  for (let i = 0; i < SEARCHES + WARM_UP; i++) {
    const query = writer.words(3).join(" ");
    const start = performance.now();
    await db.search(query);
    if (i >= WARM_UP) samples.push(performance.now() - start);
  }
  print(name, spread(samples));
}

async function measureLearn(db: Database): Promise<void> {
  const writer = new Writer(8);
  const samples: number[] = [];
  for (let i = 0; i < LEARNS; i++) {
    const content = writer.words(250).join(" ");
    const start = performance.now();
    await db.learn({ content });
    samples.push(performance.now() - start);
  }
  print("one durable learn", spread(samples));
}

/** Searches one after another for as long as a rebuild takes. */
async function measureRebuild(db: Database): Promise<void> {
  const before = (await db.status()).daemon_rss_bytes;
  const writer = new Writer(9);
  const samples: number[] = [];
  let running = true;
  const rebuilding = db.rebuild().finally(() => running = false);
  while (running) {
    const query = writer.words(3).join(" ");
    const start = performance.now();
    await db.search(query);
    samples.push(performance.now() - start);
  }
  const { elapsed_ms } = await rebuilding;
  print("rebuild", `${(elapsed_ms / 1000).toFixed(1)} s`);
  print("search while it runs, top 20", `${spread(samples)}, longest ${longest(samples)} ms`);
  const after = (await db.status()).daemon_rss_bytes;
  print("daemon RSS before and after it", `${megabytes(before)}, ${megabytes(after)}`);
}

function longest(samples: readonly number[]): string {
  return samples.reduce((most, one) => Math.max(most, one), 0).toFixed(0);
}

/** What a tenth of all sections superseded or left behind costs to take out. */
async function measureGc(base: string, size: number): Promise<void> {
  await using db = await openDatabase(base);
  const documents = await db.listDocuments({ limit: 1000 });
  const gone = documents.items.slice(0, Math.min(1000, size / 100));
  for (const { docid } of gone) {
    await db.learn({ content: `Emptied ${docid}.`, docid, replace: true });
  }
  const { removed_sections, elapsed_ms } = await db.gc();
  print("gc", `${(elapsed_ms / 1000).toFixed(1)} s for ${removed_sections} sections`);
}

function indexBytes({ index }: StatusResult): number {
  return index.terms_idx_bytes + index.positions_idx_bytes + index.corpus_dat_bytes;
}

function timed(args: readonly string[]): number {
  const start = performance.now();
  const { success } = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", ...args],
    stdout: "null",
    stderr: "inherit",
  }).outputSync();
  if (!success) throw new Error(`deno run ${args.join(" ")} failed`);
  return performance.now() - start;
}

/** The files that a daemon loads: those of positions stay on disk. */
function indexFiles(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (isDirectory) return indexFiles(path);
    return name === "positions.idx" ? [] : [path];
  });
}

/** Cold starts of kbdb and of the least pair in turn, so that both meet the same machine. */
function measureStart(base: string, generation: string): void {
  const pair = new URL("./start_pair/client.ts", import.meta.url).href;
  const files = indexFiles(join(base, "indexes", generation));
  const own: number[] = [];
  const least: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    run(["worker", "stop", "--db", base]);
    own.push(timed([CLI, "search", "parcel", "--db", base]));
    const address = join(base, "worker", `pair-${i}`);
    least.push(timed([pair, address, ...files]));
    Deno.removeSync(address);
  }
  print("cold start to first answer, whole process", spread(own));
  print("  the least client and daemon, files read", spread(least));
}

async function measureSize(size: number, options: Options): Promise<void> {
  console.log(`\n${size} sections`);
  const base = learnCorpus(size, options);
  await using db = await openDatabase(base);
  print("daemon RSS after bulk learn", megabytes((await db.status()).daemon_rss_bytes));
  await measureSearch(db, "search through the daemon, warm, top 20");
  await measureLearn(db);
  await measureRebuild(db);
  const status = await db.status();
  print(
    "index on disk",
    `${megabytes(indexBytes(status))} (terms ${megabytes(status.index.terms_idx_bytes)}, ` +
      `positions ${megabytes(status.index.positions_idx_bytes)}, ` +
      `corpus ${megabytes(status.index.corpus_dat_bytes)})`,
  );
  measureStart(base, status.index.generation!);
  await measureSearch(db, "search after restart, top 20");
  print("daemon RSS after restart", megabytes((await db.status()).daemon_rss_bytes));
  const { elapsed_ms, ok } = await db.check();
  print("check", `${(elapsed_ms / 1000).toFixed(1)} s, ${ok ? "no faults" : "FAULTS"}`);
  await measureGc(base, size);
  run(["worker", "stop", "--db", base]);
}

const options = parseOptions(Deno.args);
const wasm = new URL("../wasm/pkg/kbdb_wasm_bg.wasm", import.meta.url);
console.log(
  `Deno ${Deno.version.deno}, ${Deno.build.target}, ${navigator.hardwareConcurrency} cores`,
);
print("wasm/pkg", megabytes(Deno.statSync(wasm).size));
try {
  for (const size of options.sizes) await measureSize(size, options);
} finally {
  if (!options.keep) Deno.removeSync(options.folder, { recursive: true });
}
