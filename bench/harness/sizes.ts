/**
 * Corpus sizes and the operations that are measured, by their documented names.
 *
 * @module
 */

/** A corpus size. */
export interface Size {
  /** `small`, `medium`, `large`, `xlarge`, or the number of sections. */
  readonly label: string;
  readonly sections: number;
}

/** The documented sizes, which are measured where none are named. */
export const SIZES: readonly Size[] = [
  { label: "small", sections: 1_000 },
  { label: "medium", sections: 10_000 },
  { label: "large", sections: 50_000 },
  { label: "xlarge", sections: 100_000 },
];

/** All operations: the documented ones, then what users also meet. */
export const OPERATIONS = [
  "search",
  "learn",
  "batch-learn",
  "rebuild",
  "gc",
  "check",
  "bulk-learn",
  "start",
] as const;

/** Name of an operation. */
export type Operation = (typeof OPERATIONS)[number];

/**
 * The size of a label or of a number such as `200`, `25k` or `1M`.
 *
 * @example A number that has a label
 * ```ts
 * import { sizeOf } from "./sizes.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(sizeOf("10k"), { label: "medium", sections: 10_000 });
 * assert.equal(sizeOf("1M")?.label, "1000000");
 * assert.equal(sizeOf("huge"), undefined);
 * ```
 */
export function sizeOf(text: string): Size | undefined {
  const byLabel = SIZES.find(({ label }) => label === text);
  if (byLabel) return byLabel;
  const [, digits, unit] = /^(\d{1,9})(k|m)?$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const sections = Number(digits) * ({ k: 1e3, m: 1e6 }[unit?.toLowerCase() ?? ""] ?? 1);
  if (sections === 0) return undefined;
  const labelled = SIZES.find((size) => size.sections === sections);
  return labelled ?? { label: String(sections), sections };
}
