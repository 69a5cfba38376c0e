/**
 * Fresh results against the baseline and the documented limits.
 *
 * @module
 */

import { milliseconds } from "../figures.ts";
import type { Measurement, ResultFile } from "./result_file.ts";
import { targetOf } from "./targets.ts";

/** How much a p99 may exceed the baseline's. */
const TOLERANCE = 0.2;

/**
 * What a p99 must exceed the baseline's by besides. The p99 of ten runs is the slowest of them, and
 * one pause of a garbage collector or of the disk is worth a millisecond or two; from many samples
 * it is steadier. A search of 0.4 ms that takes 30 stands out in any case.
 */
const FLOOR_MS = { few: 2, many: 0.5 };
const MANY = 100;

/** Not kbdb, but what it is compared with. */
const YARDSTICKS = ["least-pair"];

/** Fewer runs are no sample: what is done once, such as learning the whole corpus, is told only. */
const LEAST_RUNS = 2;

/** A p99 that is too high. */
export interface Regression {
  readonly size: string;
  readonly measured: Measurement;
  readonly against: "baseline" | "target";
  /** The baseline's p99, or the documented limit. */
  readonly limit_ms: number;
}

/** What the comparison of one result found. */
export interface Comparison {
  readonly regressions: readonly Regression[];
  /** Measurements that the baseline had, too. */
  readonly compared: number;
  /** Measurements that have a documented limit. */
  readonly limited: number;
}

/**
 * Compares a result with the baseline of its size, if there is one, and with the documented limits.
 */
export function compare(result: ResultFile, baseline?: ResultFile): Comparison {
  const size = result.corpus_size;
  const counted = result.results.filter(({ variant }) => !YARDSTICKS.includes(variant));
  const regressions: Regression[] = [];
  let compared = 0;
  let limited = 0;
  for (const measured of counted) {
    const before = measured.n < LEAST_RUNS ? undefined : baseline && find(baseline, measured);
    const target = targetOf(size, measured);
    if (before) compared++;
    if (target !== undefined) limited++;
    if (before && isWorse(measured, before)) {
      regressions.push({ size, measured, against: "baseline", limit_ms: before.p99_ms });
    }
    if (target !== undefined && measured.p99_ms >= target) {
      regressions.push({ size, measured, against: "target", limit_ms: target });
    }
  }
  return { regressions, compared, limited };
}

/** The measurement of a result that has the same operation and variant. */
export function find(
  { results }: ResultFile,
  { operation, variant }: Measurement,
): Measurement | undefined {
  return results.find((one) => one.operation === operation && one.variant === variant);
}

function isWorse(now: Measurement, before: Measurement): boolean {
  const floor = Math.min(now.n, before.n) < MANY ? FLOOR_MS.few : FLOOR_MS.many;
  const more = now.p99_ms - before.p99_ms;
  return more > TOLERANCE * before.p99_ms && more > floor;
}

/** A regression as a sentence. */
export function sentence({ size, measured, against, limit_ms }: Regression): string {
  const { operation, variant, p99_ms } = measured;
  const what = `${operation}, ${variant}, ${size}: p99 ${milliseconds(p99_ms)} ms`;
  if (against === "target") return `${what} is not below the limit of ${milliseconds(limit_ms)} ms`;
  const percent = Math.round(100 * (p99_ms / limit_ms - 1));
  return `${what} is ${percent} % over the baseline's ${milliseconds(limit_ms)} ms`;
}
