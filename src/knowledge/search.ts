/**
 * Searching: parameters checked, the index asked, texts and snippets added.
 *
 * @module
 */

import type { SearchIndex, SearchResponse } from "../core/search_index.ts";
import {
  MAX_QUERY_BYTES,
  MAX_SEARCH_LIMIT,
  type SearchItem,
  type SearchParams,
  type SearchResult,
} from "../rpc/protocol.ts";
import { KbdbError } from "../rpc/errors.ts";
import type { SectionReader } from "./sections.ts";

/** How many results a page has unless asked otherwise. */
const DEFAULT_LIMIT = 20;
const MAX_OFFSET = 1_000_000;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What a search works with. */
export interface SearchParts {
  readonly index: SearchIndex;
  readonly reader: SectionReader;
  /** Called with a section that the index has and the disk no longer has whole. */
  lost(kbid: string, reason: string): void;
}

type Checked = Required<Pick<SearchParams, "query" | "limit" | "offset">> & { notes: string[] };

/**
 * Searches.
 *
 * @throws {KbdbError} for an empty or over-long query and for a limit or offset that is no count
 */
export function search(params: SearchParams, parts: SearchParts): SearchResult {
  const start = performance.now();
  const checked = checkedParams(params);
  const { response, items, unread } = found(params, { checked, parts });
  const { limit, offset } = checked;
  const notes = [...checked.notes, ...unread];
  return {
    items,
    total: response.total,
    offset,
    limit,
    has_more: offset + items.length < response.total,
    elapsed_ms: Math.round((performance.now() - start) * 1000) / 1000,
    ...(notes.length > 0 ? { notes } : {}),
  };
}

/** Asks again whenever a found section turns out to be lost, so that it is not counted either. */
function found(
  params: SearchParams,
  facts: { checked: Checked; parts: SearchParts },
): { response: SearchResponse; items: SearchItem[]; unread: string[] } {
  const { checked, parts } = facts;
  const wellFormed = (texts?: string[]) => texts?.map((text) => text.toWellFormed());
  while (true) {
    const response = parts.index.search({
      query: checked.query.toWellFormed(),
      limit: checked.limit,
      offset: checked.offset,
      tags: wellFormed(params.tag),
      types: wellFormed(params.type),
      docids: wellFormed(params.docid),
    });
    const unread: string[] = [];
    const items = response.items
      .map((hit) => itemOf(hit, { params, parts, unread }))
      .filter((item) => item !== null);
    if (items.length === response.items.length) return { response, items, unread };
  }
}

function itemOf(
  hit: SearchResponse["items"][number],
  facts: { params: SearchParams; parts: SearchParts; unread: string[] },
): SearchItem | null {
  const { params, parts, unread } = facts;
  const { kbid, heading, type, docids, tags } = hit.record;
  const content = parts.reader.content(kbid);
  if (content.state === "missing" || content.state === "damaged") {
    parts.lost(kbid, content.state === "missing" ? "its file is missing" : content.reason);
    return null;
  }
  if (content.state === "unreadable") {
    unread.push(`Section ${kbid} could not be read: ${content.reason}`);
  }
  const bytes = content.state === "found" ? content.value : new Uint8Array();
  return {
    kbid,
    heading,
    type,
    docids,
    snippet: parts.index.snippet(params.query, bytes),
    matched_terms: hit.matched_terms,
    ...(params.content ? { content: decoder.decode(bytes) } : {}),
    tags,
  };
}

function checkedParams(params: SearchParams): Checked {
  const query = params.query;
  if (typeof query !== "string" || query.trim() === "") {
    throw new KbdbError("bad_request", "Query must not be empty");
  }
  if (query.length > MAX_QUERY_BYTES || utf8Length(query) > MAX_QUERY_BYTES) {
    throw new KbdbError(
      "too_large",
      `Cannot search: the query is over the limit of ${MAX_QUERY_BYTES} bytes. Shorten it.`,
    );
  }
  const notes: string[] = [];
  const limit = params.limit ?? DEFAULT_LIMIT;
  // Too much is lowered, not refused (D44).
  const isTooMuch = Number.isInteger(limit) && limit > MAX_SEARCH_LIMIT;
  if (!isTooMuch) refuseUnlessCount(limit, { name: "limit", least: 1, most: MAX_SEARCH_LIMIT });
  if (limit > MAX_SEARCH_LIMIT) notes.push(`The limit was lowered to ${MAX_SEARCH_LIMIT}`);
  const offset = params.offset ?? 0;
  refuseUnlessCount(offset, { name: "offset", least: 0, most: MAX_OFFSET });
  return { query, limit: Math.min(limit, MAX_SEARCH_LIMIT), offset, notes };
}

function refuseUnlessCount(
  value: number,
  rule: { name: string; least: number; most: number },
): void {
  const { name, least, most } = rule;
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new KbdbError(
    "bad_request",
    `Cannot search: ${name} must be a whole number from ${least} to ${most}, not ${value}`,
  );
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
