/**
 * The parameters of a search, checked.
 *
 * @module
 */

import { KbdbError } from "../../rpc/errors.ts";
import { MAX_QUERY_BYTES, MAX_SEARCH_LIMIT } from "../../rpc/protocol.ts";
import type { SearchMode, SearchParams } from "../../rpc/searching.ts";
import { answerRoom, refuseUnlessCount } from "../read/budget.ts";
import { countIn, type CursorOwner, readCursor } from "../read/cursor.ts";

/** How many results a page has unless asked otherwise. */
const DEFAULT_LIMIT = 20;
const MAX_OFFSET = 1_000_000;
const MODES: readonly SearchMode[] = ["sections", "documents", "stats"];
const MATCHES = ["any", "all"] as const;

/** What is asked of the indexes. */
export interface CheckedSearch {
  readonly mode: SearchMode;
  /** Well formed, like all texts here. */
  readonly query: string;
  readonly match: "any" | "all";
  readonly limit: number;
  readonly offset: number;
  readonly content: boolean;
  readonly tags?: string[];
  readonly types?: string[];
  readonly docids?: string[];
  /** Bytes that the items may have. */
  readonly room: number;
  /** Whether the bytes have to be counted. */
  readonly isBounded: boolean;
  /** State of the index. */
  readonly seq: number;
  /** Owns the cursors of this question. */
  readonly owner: CursorOwner;
  /** What the reader should know. */
  readonly notes: readonly string[];
}

/**
 * The parameters as they are used; `seq` is the state of the index.
 *
 * @throws {KbdbError} `bad_request` or `too_large`
 */
export function checkedSearch(params: SearchParams, seq: number): CheckedSearch {
  const query = checkedQuery(params.query);
  const mode = oneOf("mode", params.mode ?? "sections", MODES);
  const match = oneOf("match", params.match ?? "any", MATCHES);
  const { tag, type, docid } = params;
  const owner: CursorOwner = { action: "search", question: [query, mode, match, tag, type, docid] };
  const { limit, notes } = checkedLimit(params.limit ?? DEFAULT_LIMIT);
  const place = checkedPlace(params, { owner, seq });
  return {
    mode,
    query: query.toWellFormed(),
    match,
    limit,
    content: params.content === true,
    tags: wellFormed(tag),
    types: wellFormed(type),
    docids: wellFormed(docid),
    room: answerRoom("search", params.max_bytes),
    // A page of snippets alone is far below every limit of the wire.
    isBounded: params.max_bytes !== undefined || params.content === true,
    seq,
    owner,
    offset: place.offset,
    notes: [...notes, ...place.notes],
  };
}

function checkedQuery(query: unknown): string {
  if (typeof query !== "string" || query.trim() === "") {
    throw new KbdbError("bad_request", "Query must not be empty");
  }
  if (query.length <= MAX_QUERY_BYTES && utf8Length(query) <= MAX_QUERY_BYTES) return query;
  throw new KbdbError(
    "too_large",
    `Cannot search: the query is over the limit of ${MAX_QUERY_BYTES} bytes. Shorten it.`,
  );
}

/** Too much is lowered, not refused (D44). */
function checkedLimit(given: number): { limit: number; notes: string[] } {
  if (Number.isInteger(given) && given > MAX_SEARCH_LIMIT) {
    return { limit: MAX_SEARCH_LIMIT, notes: [`The limit was lowered to ${MAX_SEARCH_LIMIT}`] };
  }
  refuseUnlessCount("search", { name: "limit", value: given, least: 1, most: MAX_SEARCH_LIMIT });
  return { limit: given, notes: [] };
}

/** Where the page begins; a cursor counts before an offset. */
function checkedPlace(
  params: SearchParams,
  facts: { owner: CursorOwner; seq: number },
): { offset: number; notes: string[] } {
  const { owner, seq } = facts;
  const position = params.cursor === undefined ? null : readCursor(owner, params.cursor);
  const offset = position ? countIn(position, "offset", owner) : params.offset ?? 0;
  refuseUnlessCount("search", { name: "offset", value: offset, least: 0, most: MAX_OFFSET });
  const changed = position !== null && countIn(position, "seq", owner) !== seq;
  const note = "The index changed since the page before: results may be missing or come twice";
  return { offset, notes: changed ? [note] : [] };
}

function oneOf<T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  const shown = JSON.stringify(value)?.slice(0, 64);
  throw new KbdbError(
    "bad_request",
    `Cannot search: ${name} must be ${known.join(" or ")}, not ${shown}`,
  );
}

function wellFormed(texts: string[] | undefined): string[] | undefined {
  return texts?.map((text) => text.toWellFormed());
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
