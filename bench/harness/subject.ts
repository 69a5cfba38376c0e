/**
 * What the operations are run on: a corpus and a database that has learned it.
 *
 * @module
 */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type CorpusFormat, writeCorpus } from "../generate-corpus.ts";
import type { BenchmarkOptions } from "./options.ts";
import { kbdbCommand, kbdbJson, run } from "./product.ts";
import type { IndexSizes } from "./result_file.ts";
import type { Size } from "./sizes.ts";

/** A database under measurement. */
export interface Subject {
  /** The database. */
  readonly path: string;
  /** Folder of this size, for corpora and further databases. */
  readonly folder: string;
  readonly sections: number;
  /** Seed of the corpus. */
  readonly seed: number;
  /** Runs of each variant. */
  readonly n: number;
  /** Different queries of the variant `varied`. */
  readonly queries: number;
  /** Milliseconds that the database took to learn the corpus; `null` where it was kept. */
  readonly learnedMs: number | null;
  /** Seed of what is learned during the run: new every time, as a kept database knows the rest. */
  readonly freshSeed: number;
}

/** The folder of corpora and databases, which may be removed afterwards. */
export function workFolder(keep: string | undefined): { path: string; remove: () => void } {
  if (keep === undefined) {
    const path = mkdtempSync(join(tmpdir(), "kbdb-bench-"));
    return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
  }
  mkdirSync(keep, { recursive: true });
  return { path: resolve(keep), remove: () => {} };
}

/** Makes the corpus and the database of a size, or takes those that are there. */
export async function prepare(
  folder: string,
  { size, options }: { size: Size; options: BenchmarkOptions },
): Promise<Subject> {
  const own = join(folder, `${size.sections}-seed-${options.seed}`);
  const path = join(own, "batch/.kbdb");
  const done = join(own, "learned");
  const about = {
    path,
    folder: own,
    sections: size.sections,
    seed: options.seed,
    n: options.n,
    queries: options.queries,
    freshSeed: Date.now(),
  };
  if (existsSync(done)) return { ...about, learnedMs: null };
  rmSync(path, { recursive: true, force: true });
  const corpus = join(corpusOf(about, "ndjson"), "corpus.ndjson");
  const learnedMs = await learnInto(path, ["--batch", corpus]);
  mkdirSync(done);
  return { ...about, learnedMs };
}

/** The folder of the corpus in a form; generated if it is not there. */
export function corpusOf(
  { folder, sections, seed }: Pick<Subject, "folder" | "sections" | "seed">,
  format: CorpusFormat,
): string {
  const corpus = join(folder, `corpus-${format}`);
  const whole = join(folder, `corpus-${format}-whole`);
  if (existsSync(whole)) return corpus;
  writeCorpus(corpus, { count: sections, seed, format });
  mkdirSync(whole, { recursive: true });
  return corpus;
}

/** Makes a database and learns into it; milliseconds that the learning took. */
export async function learnInto(path: string, what: readonly string[]): Promise<number> {
  await run(kbdbCommand("db", "init", path));
  const { failed, elapsed_ms } = await kbdbJson<{ failed: unknown[]; elapsed_ms: number }>(
    "learn",
    ...what,
    "--db",
    path,
  );
  if (failed.length === 0) return elapsed_ms;
  throw new Error(`Cannot learn the corpus: ${JSON.stringify(failed[0])}`);
}

/** Files below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** Bytes of the index files, from the folder of the generation in use. */
export function indexSizes(database: string, generation: string | null): IndexSizes {
  const files = generation === null ? [] : filesBelow(join(database, "indexes", generation));
  const bytes = (name: string) =>
    files.filter((path) => path.endsWith(name))
      .reduce((sum, path) => sum + statSync(path).size, 0);
  return {
    terms_idx_bytes: bytes("terms.idx"),
    positions_idx_bytes: bytes("positions.idx"),
    corpus_dat_bytes: bytes("corpus.dat"),
    vectors_idx_bytes: null,
  };
}
