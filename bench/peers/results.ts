/**
 * What a comparison comes to, and its file `bench/results/peers-<timestamp>.json`: one object of the
 * type {@linkcode PeerResults}. Times are milliseconds, memory and disk are bytes; what an engine
 * does not have (a durable insert, files) is `null`.
 *
 * @module
 */

import type { Machine } from "../harness/result_file.ts";

/** The figures of an engine, each the better the smaller it is. */
export const FIGURES = [
  "index_ms",
  "search_p50_ms",
  "search_p95_ms",
  "search_p99_ms",
  "insert_p50_ms",
  "insert_p99_ms",
  "rss_bytes",
  "disk_bytes",
] as const;

/** The name of a figure. */
export type Figure = typeof FIGURES[number];

/** What one process of an engine came to. */
export interface Trial {
  /**
   * `index_ms` is from a file of JSON lines to searchable, and durable where the engine is.
   * `search_*` are of warm searches for 20 results with snippets, no query twice. `insert_*` are of
   * single durable inserts. `rss_bytes` is taken after indexing, before the first search;
   * `disk_bytes` is what the files take up after the end of the process.
   */
  figures: Record<Figure, number | null>;
  /** Memory of the process that asks, where another one serves. */
  client_rss_bytes?: number;
  /** Results of a search, on average. */
  results_mean: number;
  /** Characters of a snippet, on average. */
  snippet_chars_mean: number;
  /** Processes that were running or waiting before the trial, on average of a minute. */
  load: number;
}

/** Median, least and most of all trials. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** What an engine came to on a corpus. */
export interface EngineResult {
  /** Its id. */
  engine: string;
  trials: Trial[];
  /** Of the trials' figures. */
  summary: Record<Figure, Spread | null>;
  /** Median divided by kbdb's (through its daemon): above 1 where kbdb is better. */
  times_kbdb: Record<Figure, number | null>;
  /** Why trials failed. */
  failures: string[];
}

/** What all engines came to on a corpus. */
export interface SizeResult {
  /** Sections of the corpus. */
  sections: number;
  /** Bytes of the corpus as a file of JSON lines. */
  corpus_bytes: number;
  engines: EngineResult[];
}

/** An engine as it was measured. */
export interface EngineFacts {
  id: string;
  name: string;
  /** Its version and what it ran on; `null` where it could not be had. */
  version: string | null;
  /** Why it could not be had. */
  missing?: string;
  packages: readonly string[];
  durable: boolean;
  snippets: string;
  stemming: string;
  remark: string;
}

/** The result file. */
export interface PeerResults {
  /** Version of this form. */
  format: 1;
  /** When the comparison began, ISO 8601. */
  timestamp: string;
  machine: Machine;
  /** How it was measured. */
  method: {
    seeds: { corpus: number; queries: number; inserts: number };
    /** Different queries of a trial, without those of the warm-up. */
    queries: number;
    words_per_query: number;
    warm_up: number;
    inserts: number;
    limit: number;
    trials: number;
    /** The data lay in memory: what is durable cost nothing. */
    in_memory_files: boolean;
  };
  engines: EngineFacts[];
  sizes: SizeResult[];
}

/**
 * Median and range of the trials, for each figure.
 *
 * @example
 * ```ts
 * import { spreadOf } from "./results.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(spreadOf([3, 1, 2]), { median: 2, min: 1, max: 3 });
 * ```
 */
export function spreadOf(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return {
    median: (sorted[Math.ceil(half) - 1] + sorted[Math.floor(half)]) / 2,
    min: sorted[0],
    max: sorted[sorted.length - 1],
  };
}

/** Sums up the trials of all engines; the one with the id `kbdb` is what they are compared with. */
export function summarize(
  measured: readonly { engine: string; trials: Trial[]; failures: string[] }[],
): EngineResult[] {
  const summaries = measured.map(({ trials }) => perFigure((figure) => spread(trials, figure)));
  const own = summaries[measured.findIndex(({ engine }) => engine === "kbdb")];
  return measured.map((one, i) => ({
    ...one,
    summary: summaries[i],
    times_kbdb: perFigure((figure) => ratio(summaries[i][figure], own?.[figure])),
  }));
}

function spread(trials: readonly Trial[], figure: Figure): Spread | null {
  const samples = trials.flatMap(({ figures }) => figures[figure] ?? []);
  return samples.length === 0 ? null : spreadOf(samples);
}

function ratio(one: Spread | null, own: Spread | null | undefined): number | null {
  return one && own ? one.median / own.median : null;
}

/** An object with a value for each figure. */
export function perFigure<Value>(value: (figure: Figure) => Value): Record<Figure, Value> {
  return Object.fromEntries(FIGURES.map((figure) => [figure, value(figure)])) as Record<
    Figure,
    Value
  >;
}
