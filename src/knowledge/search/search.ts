/**
 * Searching: parameters checked, the indexes asked, texts and snippets added (D44).
 *
 * @module
 */

import type {
  DocumentItem,
  SearchItem,
  SearchPage,
  SearchParams,
  SearchResultFor,
  StatsResult,
} from "../../rpc/searching.ts";
import { Budget, jsonBytes } from "../read/budget.ts";
import { makeCursor } from "../read/cursor.ts";
import { documentKey } from "../index/records.ts";
import { ItemMaker } from "./items.ts";
import { type CheckedSearch, checkedSearch } from "./params.ts";
import { type Found, type SearchParts, sourcesOf } from "./sources.ts";

type Item = SearchItem | DocumentItem;

/** What was found, as far as it fits into the page. */
interface Filled {
  readonly items: Item[];
  readonly total: number;
  readonly notes: readonly string[];
}

/**
 * Searches.
 *
 * @throws {KbdbError} for an empty or over-long query, a limit or offset that is no count, and a
 * cursor of another question
 */
export function search<const P extends SearchParams>(
  parts: SearchParts,
  params: P,
): SearchResultFor<P> {
  const start = performance.now();
  const asked = checkedSearch(params, parts.keeper.appliedSeq);
  const result = asked.mode === "stats"
    ? statsOf(parts, asked)
    : pageOf(filled(parts, asked), { asked, start });
  return result as unknown as SearchResultFor<P>;
}

/** Asks again whenever something found turns out to be lost, so that it is not counted either. */
function filled(parts: SearchParts, asked: CheckedSearch): Filled {
  while (true) {
    const maker = new ItemMaker(asked);
    const { total, found } = foundBy(parts, asked);
    const items = fitting(found, { parts, asked, maker });
    if (items !== null) return { items, total, notes: [...asked.notes, ...maker.notes] };
  }
}

/** One page of all sources, best first. */
function foundBy(parts: SearchParts, asked: CheckedSearch): { total: number; found: Found[] } {
  const { limit, offset } = asked;
  const [only, ...others] = sourcesOf(parts, asked);
  if (others.length === 0) return only.find(asked, { limit, offset });
  const pages = [only, ...others].map((source) =>
    source.find(asked, { limit: offset + limit, offset: 0 })
  );
  const found = pages.flatMap((page) => page.found);
  found.sort((a, b) => b.hit.score - a.hit.score || (a.id < b.id ? -1 : 1));
  return {
    total: pages.reduce((sum, page) => sum + page.total, 0),
    found: found.slice(offset, offset + limit),
  };
}

/** The items that fit, at least one; `null` where something turned out to be lost. */
function fitting(
  found: readonly Found[],
  facts: { parts: SearchParts; asked: CheckedSearch; maker: ItemMaker },
): Item[] | null {
  const { parts, asked, maker } = facts;
  const room = new Budget(asked.room);
  const items: Item[] = [];
  let lost = false;
  for (const one of found) {
    const item = maker.item(one);
    if (item === null) lost = true;
    if (item === null || lost) continue;
    const shown = asked.mode === "documents" ? documentItem(parts, one, item) : item;
    if (asked.isBounded && !room.take(jsonBytes(shown))) {
      if (items.length > 0) return items;
      maker.withoutContent(item);
    }
    items.push(shown);
  }
  return lost ? null : items;
}

function documentItem(parts: SearchParts, found: Found, best: SearchItem): DocumentItem {
  const { docid, sections } = found.document!;
  const record = parts.keeper.index.get(documentKey(docid));
  return {
    docid,
    title: record?.heading ?? null,
    type: record?.type ?? best.type,
    section_count: record?.flags ?? sections,
    best,
  };
}

function pageOf(
  { items, total, notes }: Filled,
  facts: { asked: CheckedSearch; start: number },
): SearchPage<Item> {
  const { limit, offset, owner, seq } = facts.asked;
  const end = offset + items.length;
  const has_more = end < total;
  return {
    items,
    total,
    offset,
    limit,
    has_more,
    ...(has_more ? { cursor: makeCursor(owner, { offset: end, seq }) } : {}),
    elapsed_ms: Math.round((performance.now() - facts.start) * 1000) / 1000,
    ...(notes.length > 0 ? { notes: [...notes] } : {}),
  };
}

function statsOf(parts: SearchParts, asked: CheckedSearch): StatsResult {
  const [first, ...others] = sourcesOf(parts, asked).map((source) => source.stats(asked));
  return others.reduce(addStats, first);
}

function addStats(sum: StatsResult, stats: StatsResult): StatsResult {
  return {
    total: sum.total + stats.total,
    documents: sum.documents + stats.documents,
    terms: sum.terms.map(({ term, sections }, i) => ({
      term,
      sections: sections + (stats.terms[i]?.sections ?? 0),
    })),
  };
}
