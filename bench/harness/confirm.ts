/**
 * A second look at what seems to have become worse: what was a pause of the machine is gone then,
 * and what is slower by itself is slower again.
 *
 * @module
 */

import { compare } from "./compare.ts";
import type { Measurement, ResultFile } from "./result_file.ts";
import type { Operation } from "./sizes.ts";

/** How a result is confirmed. */
export interface Confirmation {
  readonly baseline: ResultFile | undefined;
  /** How often regressions are measured again, at most. */
  readonly retries: number;
  /** Measures some operations again. */
  readonly measure: (operations: readonly Operation[]) => Promise<ResultFile>;
}

/**
 * Measures again what is a regression. Of both figures the one with the lower p99 stays, marked with
 * the number of `attempts`; all others stay as they are.
 */
export async function confirmed(
  result: ResultFile,
  { baseline, retries, measure }: Confirmation,
): Promise<ResultFile> {
  let now = result;
  for (let attempt = 2; attempt <= retries + 1; attempt++) {
    const suspects = compare(now, baseline).regressions.map(({ measured }) => measured);
    if (suspects.length === 0) break;
    const again = await measure([...new Set(suspects.map(measuredBy))]);
    now = { ...now, results: now.results.map((one) => better(one, { suspects, again, attempt })) };
  }
  return now;
}

/** The operation in whose course a measurement is made. */
function measuredBy({ operation, variant }: Measurement): Operation {
  if (variant === "during-rebuild") return "rebuild";
  if (variant === "after-restart") return "start";
  return operation as Operation;
}

function better(
  one: Measurement,
  { suspects, again, attempt }: {
    suspects: readonly Measurement[];
    again: ResultFile;
    attempt: number;
  },
): Measurement {
  if (!suspects.includes(one)) return one;
  const other = again.results.find(({ operation, variant }) =>
    operation === one.operation && variant === one.variant
  );
  const chosen = other && other.p99_ms < one.p99_ms ? other : one;
  return { ...chosen, attempts: attempt };
}
