/**
 * The documented limits of p99.
 *
 * @module
 */

import type { Measurement } from "./result_file.ts";

/** A limit: p99 must be below it. */
export interface Target {
  readonly operation: string;
  readonly variant: string;
  /** Label of the corpus size; every size where left out. */
  readonly size?: string;
  readonly ms: number;
}

/** The table of the document, row by row. */
export const TARGETS: readonly Target[] = [
  { operation: "search", variant: "warm", size: "small", ms: 5 },
  { operation: "search", variant: "warm", size: "medium", ms: 15 },
  { operation: "search", variant: "warm", size: "large", ms: 30 },
  { operation: "search", variant: "warm", size: "xlarge", ms: 50 },
  { operation: "search", variant: "cold", size: "xlarge", ms: 200 },
  { operation: "learn", variant: "without-embedding", ms: 100 },
  { operation: "rebuild", variant: "lexical", size: "small", ms: 2_000 },
  { operation: "rebuild", variant: "lexical", size: "medium", ms: 10_000 },
  { operation: "rebuild", variant: "lexical", size: "xlarge", ms: 30_000 },
  { operation: "gc", variant: "superseded-10-percent", size: "xlarge", ms: 10_000 },
  { operation: "check", variant: "full-scan", size: "xlarge", ms: 15_000 },
];

/**
 * The limit of a measurement in milliseconds, if the document names one.
 *
 * @example
 * ```ts
 * import { targetOf } from "./targets.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(targetOf("small", { operation: "search", variant: "warm" }), 5);
 * assert.equal(targetOf("large", { operation: "rebuild", variant: "lexical" }), undefined);
 * ```
 */
export function targetOf(
  size: string,
  { operation, variant }: Pick<Measurement, "operation" | "variant">,
): number | undefined {
  return TARGETS.find((target) =>
    target.operation === operation && target.variant === variant &&
    (target.size === undefined || target.size === size)
  )?.ms;
}
