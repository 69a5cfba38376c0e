/**
 * What a recall left out, in words.
 *
 * @module
 */

import type { LeftOut, OmittedSection, RecalledSection, RecallItem } from "../../rpc/reading.ts";
import { isImage } from "../index/records.ts";

/** How many sections are named. */
const NAMED = 2;

/** What came of a recall. */
export interface RecallOutcome {
  readonly items: readonly RecallItem[];
  /** Stubs that the cursor gives. */
  readonly later: number;
  /** Stubs that are larger than any answer. */
  readonly large: readonly OmittedSection[];
}

/** Sentences about what was left out and how to get it; `null` where nothing was. */
export function recallNotice({ items, later, large }: RecallOutcome): string | null {
  const around = items.reduce((sum, item) => sum + omittedAround(item), 0);
  const sentences = [
    ...(later > 0
      ? [`${later} sections are left out as stubs: send the cursor with the same parameters.`]
      : []),
    ...large.slice(0, NAMED).map(tooLarge),
    ...(large.length > NAMED ? [`So are ${large.length - NAMED} more.`] : []),
    ...(around > 0
      ? [
        `Around the sections ${around} entries are left out or without text: recall what is ` +
        "marked omitted by itself, or fewer sections at a time.",
      ]
      : []),
  ];
  return sentences.length === 0 ? null : sentences.join(" ");
}

function tooLarge({ kbid, type, bytes }: OmittedSection): string {
  const way = isImage(type)
    ? `read it as resource kbdb://section/${kbid}`
    : "content gives it in parts, with a cursor";
  return `Section ${kbid} of ${bytes} bytes is too large for an answer: ${way}.`;
}

function omittedAround(item: RecallItem): number {
  if (!("content" in item)) return 0;
  const { siblings = [], references = [], left_out = {} } = item as RecalledSection;
  const counts = Object.values(left_out satisfies LeftOut).map(Number);
  const omitted = [...siblings, ...references].filter((entry) => entry.omitted);
  const behind = references.map((entry) => entry.left_out?.back_references ?? 0);
  return [...counts, ...behind].reduce((sum, count) => sum + count, omitted.length);
}
