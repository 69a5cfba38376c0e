/**
 * Percentiles and how figures are printed.
 *
 * @module
 */

/**
 * The value below which a share of the samples lies (nearest rank): of ten samples, the 95th and
 * the 99th percentile are the largest.
 *
 * @throws {RangeError} if there are no samples
 *
 * @example
 * ```ts
 * import { percentile } from "./figures.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(percentile([4, 1, 3, 2], 0.5), 2);
 * ```
 */
export function percentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new RangeError("Cannot take a percentile: there are no samples");
  const sorted = [...samples].sort((a, b) => a - b);
  // A product such as 0.07 * 100 may lie a hair above the whole number that it stands for.
  const rank = Math.ceil(share * sorted.length - 1e-9);
  return sorted[Math.max(0, rank - 1)];
}

/** Median and 99th percentile of milliseconds. */
export function spread(samples: readonly number[]): string {
  const ms = (share: number) => percentile(samples, share).toFixed(2);
  return `p50 ${ms(0.5)} ms, p99 ${ms(0.99)} ms (${samples.length} runs)`;
}

/** Milliseconds with about three digits. */
export function milliseconds(ms: number): string {
  return ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0);
}

/** Bytes as megabytes of a million. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Prints one figure. */
export function print(name: string, figure: string): void {
  console.log(`${name.padEnd(44)} ${figure}`);
}
