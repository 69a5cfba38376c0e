/**
 * Percentiles and how figures are printed.
 *
 * @module
 */

/**
 * The value below which a share of the samples lies (nearest rank).
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
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** Median and 99th percentile of milliseconds. */
export function spread(samples: readonly number[]): string {
  const ms = (share: number) => percentile(samples, share).toFixed(2);
  return `p50 ${ms(0.5)} ms, p99 ${ms(0.99)} ms (${samples.length} runs)`;
}

/** Bytes as megabytes of a million. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Prints one figure. */
export function print(name: string, figure: string): void {
  console.log(`${name.padEnd(44)} ${figure}`);
}
