/**
 * The result file: what one run over one corpus size found, as documented; keys beyond the document
 * follow the documented ones.
 *
 * @module
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { percentile } from "../figures.ts";

/** What one variant of an operation took. */
export interface Measurement {
  operation: string;
  variant: string;
  /** Runs, each one sample. */
  n: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  /** After the operation; `null` where the process measured is not kbdb's daemon. */
  wasm_memory_bytes: number | null;
  daemon_rss_bytes: number | null;
  min_ms: number;
  mean_ms: number;
  max_ms: number;
  /** Standard deviation of the samples. */
  stddev_ms: number;
  /** Sections a second, where an operation stores many. */
  throughput_ops_per_s?: number;
  /** Sections stored, indexed, checked or removed, in all runs together. */
  sections?: number;
  /** Resident memory of the daemon before the first run. */
  rss_before_bytes?: number;
  /** How often it was measured, where the first figures were a regression. */
  attempts?: number;
}

/** The part of a measurement that is not computed from its samples. */
export type About = Omit<
  Measurement,
  "n" | "p50_ms" | "p95_ms" | "p99_ms" | "min_ms" | "mean_ms" | "max_ms" | "stddev_ms"
>;

/** Where the figures come from. */
export interface Machine {
  cpu: string;
  cores: number;
  memory_bytes: number;
  os: string;
  runtime_version: string;
  /** Processes that were running or waiting, on average of the last minute before the end. */
  load: number;
}

/** Bytes of the index files. */
export interface IndexSizes {
  terms_idx_bytes: number;
  positions_idx_bytes: number;
  corpus_dat_bytes: number;
  /** `null` where no embedding provider is configured. */
  vectors_idx_bytes: number | null;
}

/** One run over one corpus size. */
export interface ResultFile {
  timestamp: string;
  platform: string;
  runtime: string;
  corpus_size: string;
  results: Measurement[];
  index_sizes: IndexSizes;
  sections: number;
  /** Seed of the corpus. */
  seed: number;
  /** Whether the database was made for this run. */
  database: "fresh" | "kept";
  kbdb_version: string;
  /** Size of the search core's WebAssembly file. */
  core_bytes: number;
  machine: Machine;
}

/** Computes percentiles and spread of samples in milliseconds. */
export function measurement(about: About, samples: readonly number[]): Measurement {
  const { operation, variant, wasm_memory_bytes, daemon_rss_bytes, ...more } = about;
  const n = samples.length;
  const mean = samples.reduce((sum, one) => sum + one, 0) / n;
  const variance = samples.reduce((sum, one) => sum + (one - mean) ** 2, 0) / n;
  return {
    operation,
    variant,
    n,
    p50_ms: rounded(percentile(samples, 0.5)),
    p95_ms: rounded(percentile(samples, 0.95)),
    p99_ms: rounded(percentile(samples, 0.99)),
    wasm_memory_bytes,
    daemon_rss_bytes,
    min_ms: rounded(percentile(samples, 0)),
    mean_ms: rounded(mean),
    max_ms: rounded(percentile(samples, 1)),
    stddev_ms: rounded(Math.sqrt(variance)),
    ...more,
  };
}

/**
 * Throughput as documented: sections of all runs by the time of all runs.
 *
 * @example Two batches of 100 in a quarter of a second each
 * ```ts
 * import { throughput } from "./result_file.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(throughput(100, [250, 250]), 400);
 * ```
 */
export function throughput(sectionsPerBatch: number, samples: readonly number[]): number {
  const seconds = samples.reduce((sum, one) => sum + one, 0) / 1000;
  return Math.round(10 * sectionsPerBatch * samples.length / seconds) / 10;
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** The name that the result file of a run has. */
export function resultFileName(result: ResultFile): string {
  const { platform, runtime, corpus_size, timestamp } = result;
  return `${platform}-${runtime}-${corpus_size}-${timestamp.replace(/[-:]/g, "")}.json`;
}

/** Writes a result file into a folder, which is made if missing; its path. */
export function writeResult(folder: string, result: ResultFile): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, resultFileName(result));
  writeFileSync(path, JSON.stringify(result, null, 2) + "\n");
  return path;
}

/**
 * Reads a result file.
 *
 * @throws {Error} if it is not there or is something else
 */
export function readResult(path: string): ResultFile {
  const value = JSON.parse(readFileSync(path, "utf8"));
  if (Array.isArray(value?.results) && typeof value.corpus_size === "string") return value;
  throw new Error(`Cannot read ${path}: it is no result of a benchmark`);
}
