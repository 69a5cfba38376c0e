/**
 * From results to the summary and the exit code.
 *
 * @module
 */

import { type Baseline, differences } from "./baseline.ts";
import { compare, type Comparison, sentence } from "./compare.ts";
import type { ResultFile } from "./result_file.ts";

/** What a run comes to. */
export interface Verdict {
  readonly passed: boolean;
  /** The summary, for standard error. */
  readonly lines: readonly string[];
}

/**
 * Judges results. Without a baseline, or where it lacks a size, the documented limits alone count.
 */
export function judge(results: readonly ResultFile[], baseline: Baseline | undefined): Verdict {
  const notices = new Set<string>();
  const comparisons = results.map((result) => {
    const before = baseline?.[result.corpus_size];
    if (before) differences(result, before).forEach((one) => notices.add(one));
    else if (baseline) notices.add(`The baseline has no size ${result.corpus_size}`);
    return compare(result, before);
  });
  const regressions = comparisons.flatMap((one) => one.regressions);
  const passed = regressions.length === 0;
  return {
    passed,
    lines: [
      ...[...notices].map((notice) => `Note: ${notice}`),
      ...regressions.map((one) => `REGRESSION: ${sentence(one)}`),
      `${passed ? "PASS" : "FAIL"}: ${summary(comparisons)}`,
    ],
  };
}

function summary(comparisons: readonly Comparison[]): string {
  const sum = (count: (one: Comparison) => number) =>
    comparisons.reduce((total, one) => total + count(one), 0);
  const regressions = sum((one) => one.regressions.length);
  return `${regressions} ${regressions === 1 ? "regression" : "regressions"}; ` +
    `${sum((one) => one.compared)} compared with the baseline, ` +
    `${sum((one) => one.limited)} with documented limits`;
}
