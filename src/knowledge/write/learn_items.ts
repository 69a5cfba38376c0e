/**
 * Learning several items in one call.
 *
 * @module
 */

import { toKbdbError } from "../../rpc/errors.ts";
import type { Progress } from "../../rpc/protocol.ts";
import type { LearnItem, LearnItemResult, LearnParams, LearnResult } from "../../rpc/writing.ts";
import type { BaseParts } from "../base_parts.ts";
import { planLearn } from "./learn.ts";
import { Slices } from "../slices.ts";

/** Stores contents; each is a transaction of its own, and all share a flush (D46). */
export async function learn(
  parts: BaseParts,
  params: LearnParams,
  report: (progress: Progress) => void,
): Promise<LearnResult> {
  const gathered = parts.store.gather();
  const results: Promise<LearnItemResult>[] = [];
  try {
    await beginItems(params, { parts, results, report });
  } finally {
    gathered();
  }
  return { results: await Promise.all(results) };
}

async function beginItems(
  params: LearnParams,
  to: {
    parts: BaseParts;
    results: Promise<LearnItemResult>[];
    report: (progress: Progress) => void;
  },
): Promise<void> {
  const slices = new Slices();
  const total = params.items.length;
  let done = 0;
  for (const [i, item] of params.items.entries()) {
    const result = learnItem(item, `${params.key}/${i}`, to.parts);
    to.results.push(
      result.finally(() => to.report({ done: ++done, total, message: "learning" })),
    );
    await slices.breathe();
  }
}

/** A refused item costs only itself. */
async function learnItem(
  item: LearnItem,
  key: string,
  parts: BaseParts,
): Promise<LearnItemResult> {
  try {
    return await parts.writer.write(key, (context) => planLearn(item, context));
  } catch (error) {
    return { ok: false, error: toKbdbError(error).toJSON() };
  }
}
