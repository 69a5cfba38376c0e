/**
 * What is searched: the index of sections, and apart from it, where a search asks for them, skills and
 * agents.
 *
 * @module
 */

import type { SearchHit, SearchIndex, SearchRequest } from "../../core/search_index.ts";
import type { StatsResult } from "../../rpc/searching.ts";
import type { ReadOutcome } from "../../store/read_outcome.ts";
import type { BaseParts } from "../base_parts.ts";
import { promptIndexOf } from "./prompt_index.ts";
import type { CheckedSearch } from "./params.ts";

/** Types that are searched only where a search names them. */
const PROMPT_TYPES: readonly string[] = ["skill", "agent"];

/** What a search works with. */
export type SearchParts = Pick<BaseParts, "keeper" | "reader" | "store" | "lost">;

/** Something found: a section, or a document with its best section. */
export interface Found {
  readonly source: SearchSource;
  readonly hit: SearchHit;
  /** Where documents were searched: the document, and how many of its sections were found. */
  readonly document?: { readonly docid: string; readonly sections: number };
  /** Orders what has equal scores. */
  readonly id: string;
}

/** Texts of what an index found. */
export interface SourceTexts {
  /** What a search shows instead of the index's key. */
  idOf(key: string): string;
  /** The whole content. */
  content(key: string): ReadOutcome<Uint8Array>;
  /** The part of it that people read, for snippets. */
  readable(key: string, content: Uint8Array): Uint8Array;
  /** Whether the content is still there, without reading it. */
  has(key: string): boolean;
  lost(key: string, reason: string): void;
}

/** An index, and how what it finds is read. */
export class SearchSource {
  /** Searches `index` for entries of `types`, or of all. */
  constructor(
    readonly index: SearchIndex,
    readonly texts: SourceTexts,
    private readonly types: string[] | undefined,
  ) {}

  /** A page of sections or documents, as the mode says. */
  find(
    asked: CheckedSearch,
    page: { limit: number; offset: number },
  ): { total: number; found: Found[] } {
    const request = this.#request(asked, page);
    if (asked.mode === "documents") return this.#documents(request);
    const { total, items } = this.index.search(request);
    return { total, found: items.map((hit) => ({ source: this, hit, id: hit.record.kbid })) };
  }

  /** How much there is to find. */
  stats(asked: CheckedSearch): StatsResult {
    return this.index.queryStats(this.#request(asked, { limit: 1, offset: 0 }));
  }

  #documents(request: SearchRequest): { total: number; found: Found[] } {
    const { total, items } = this.index.searchDocuments(request);
    const found = items.map(({ docid, sections, best }) => ({
      source: this,
      hit: best,
      document: { docid, sections },
      id: docid,
    }));
    return { total, found };
  }

  #request(asked: CheckedSearch, page: { limit: number; offset: number }): SearchRequest {
    const { query, match, tags, docids } = asked;
    return { query, match, ...page, tags, docids, types: this.types };
  }
}

/** The sources that a search asks; at least one. */
export function sourcesOf(parts: SearchParts, { types }: CheckedSearch): SearchSource[] {
  const prompts = types?.filter((type) => PROMPT_TYPES.includes(type)) ?? [];
  const others = types?.filter((type) => !PROMPT_TYPES.includes(type));
  if (prompts.length === 0) return [sectionSource(parts, types)];
  const { index, texts } = promptIndexOf(parts);
  const source = new SearchSource(index, texts, prompts);
  return others!.length === 0 ? [source] : [sectionSource(parts, others), source];
}

function sectionSource(parts: SearchParts, types: string[] | undefined): SearchSource {
  const { keeper, reader, store } = parts;
  const texts: SourceTexts = {
    idOf: (key) => key,
    content: (key) => reader.content(key),
    readable: (_, content) => content,
    has: (key) => store.hasSection(key),
    lost: (key, reason) => parts.lost(key, reason),
  };
  return new SearchSource(keeper.index, texts, types);
}
