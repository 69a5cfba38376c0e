/**
 * Markers that name sections and documents: `$(link:ID)` and its like (D16).
 *
 * @module
 */

import type { BaseParts } from "../base_parts.ts";
import { idKey } from "./references.ts";

/** More sections that name one id are not counted. */
const MOST_REFERRING = 10_000;
/** More ids are not named in a warning. */
const NAMED_IDS = 5;

/** Whether a marker of a live section names the id. */
export function isMarked({ keeper }: Pick<BaseParts, "keeper">, id: string): boolean {
  return keeper.index.list("section", { ref: idKey(id), limit: 1 }).length > 0;
}

/**
 * Says how many live sections name any of these ids in markers, if any does.
 *
 * @param what.is What the ids are from now on, such as `removed`
 * @param what.leaving Sections that do not count, because they are being removed themselves
 */
export function markerWarnings(
  { keeper }: Pick<BaseParts, "keeper">,
  what: { ids: readonly string[]; is: string; leaving?: ReadonlySet<string> },
): string[] {
  const referring = new Set<string>();
  const named = what.ids.filter((id) => {
    const found = keeper.index.list("section", { ref: idKey(id), limit: MOST_REFERRING })
      .map(({ kbid }) => kbid)
      .filter((kbid) => !what.leaving?.has(kbid));
    for (const kbid of found) referring.add(kbid);
    return found.length > 0;
  });
  if (named.length === 0) return [];
  const sections = referring.size === 1 ? "1 section names" : `${referring.size} sections name`;
  const more = named.length > NAMED_IDS ? ` and ${named.length - NAMED_IDS} more` : "";
  const ids = named.slice(0, NAMED_IDS).join(", ") + more;
  return [`${sections} what is ${what.is} now, in markers: ${ids}`];
}
