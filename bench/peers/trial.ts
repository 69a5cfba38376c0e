/**
 * One trial: a fresh process of an engine with an empty folder, taken through everything once.
 *
 * @module
 */

import { closeSync, openSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { percentile } from "../figures.ts";
import { generate, type Section } from "../generate-corpus.ts";
import { Writer } from "../prose.ts";
import type { Command } from "./engines.ts";
import { EngineProcess, type SearchAnswer } from "./engine_process.ts";
import type { Trial } from "./results.ts";

/** What every engine has to do. */
export interface Workload {
  /** File of JSON lines. */
  readonly corpus: string;
  /** Its sections. */
  readonly sections: number;
  /** Searches that do not count. */
  readonly warmUp: readonly string[];
  /** Searches that count; no query is among the former. */
  readonly queries: readonly string[];
  /** What is inserted one by one. */
  readonly inserts: readonly Section[];
}

/** Seeds of all that is made up. */
export const SEEDS = { corpus: 42, queries: 7, inserts: 43 };
/** Words of a query; they follow the same law as those of the corpus. */
export const WORDS = 3;

/** What `stat` counts in. */
const BLOCK_BYTES = 512;
/** Lines that are written at once. */
const PENDING_LINES = 1000;

/** So many different queries. */
export function makeQueries(count: number): string[] {
  const writer = new Writer(SEEDS.queries);
  const queries = new Set<string>();
  while (queries.size < count) queries.add(writer.words(WORDS).join(" "));
  return [...queries];
}

/** So many sections that are not in the corpus. */
export function makeInserts(count: number): Section[] {
  return [...generate({ count, seed: SEEDS.inserts, refDensity: 0 })];
}

/**
 * Writes a corpus as JSON lines. No section is part of a document, as the peers know of none; the
 * batch file of `generate-corpus.ts` has ten to a document.
 */
export function writeSections(file: string, count: number): void {
  const output = openSync(file, "w");
  let pending: string[] = [];
  const flush = () => {
    writeFileSync(output, pending.join(""));
    pending = [];
  };
  for (const section of generate({ count, seed: SEEDS.corpus })) {
    pending.push(JSON.stringify(section) + "\n");
    if (pending.length === PENDING_LINES) flush();
  }
  flush();
  closeSync(output);
}

/** Runs a trial; the folder must be empty, and is not needed afterwards. */
export async function runTrial(
  work: Workload,
  engine: { command: Command; durable: boolean; data: string },
): Promise<Trial> {
  const load = Math.round(loadavg()[0] * 100) / 100;
  await using process = new EngineProcess(engine.command(engine.data));
  await process.request("describe", true);
  const { ms, sections } = await process.request("index", work.corpus);
  if (sections !== work.sections) {
    throw new Error(`Cannot compare: ${sections} of ${work.sections} sections were indexed`);
  }
  const { rss, client_rss } = await process.request("memory", true);
  await process.request("search", work.warmUp);
  const searched = await process.request("search", work.queries);
  const inserted = engine.durable ? (await process.request("insert", work.inserts)).ms : [];
  await process.close();
  return {
    figures: {
      index_ms: ms,
      ...searchFigures(searched),
      ...insertFigures(inserted),
      rss_bytes: rss,
      disk_bytes: engine.durable ? diskBytes(engine.data) : null,
    },
    ...(client_rss === undefined ? {} : { client_rss_bytes: client_rss }),
    results_mean: searched.results / work.queries.length,
    snippet_chars_mean: searched.results && searched.snippet_chars / searched.results,
    load,
  };
}

function searchFigures({ ms }: SearchAnswer) {
  return {
    search_p50_ms: percentile(ms, 0.5),
    search_p95_ms: percentile(ms, 0.95),
    search_p99_ms: percentile(ms, 0.99),
  };
}

function insertFigures(ms: readonly number[]) {
  return {
    insert_p50_ms: ms.length === 0 ? null : percentile(ms, 0.5),
    insert_p99_ms: ms.length === 0 ? null : percentile(ms, 0.99),
  };
}

/** What the files below a folder take up on the disk: whole blocks, where the system tells. */
export function diskBytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { size, blocks } = statSync(join(entry.parentPath, entry.name));
    bytes += blocks ? blocks * BLOCK_BYTES : size;
  }
  return bytes;
}

/** The list from another one on, so that no engine always runs first. */
export function rotated<Item>(list: readonly Item[], by: number): Item[] {
  const start = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
