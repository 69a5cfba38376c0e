/**
 * What crosses the wire when something is searched.
 *
 * @module
 */

/** What a search answers with: sections, the documents that hold them, or counts (D44). */
export type SearchMode = "sections" | "documents" | "stats";

/** A ranked search. */
export interface SearchParams {
  /** Words; a section that holds any of them is found. */
  query: string;
  /** What is found. @default {"sections"} */
  mode?: SearchMode;
  /** `all`: only sections that hold every word. @default {"any"} */
  match?: "any" | "all";
  /** 1 to 100; above becomes 100. @default {20} */
  limit?: number;
  /** Results to pass over. @default {0} */
  offset?: number;
  /** From the page before, instead of `offset`; the other parameters must be the same. */
  cursor?: string;
  /** Whether items carry the full text. @default {false} */
  content?: boolean;
  /** Sections that have all of these tags. */
  tag?: string[];
  /** Sections of one of these types; `image/*` stands for all images, `skill` and `agent` for those. */
  type?: string[];
  /** Sections of one of these documents. */
  docid?: string[];
  /** The page ends before the items have more bytes of JSON than this. @default {no limit} */
  max_bytes?: number;
}

/** One found section. */
export interface SearchItem {
  /** The section's id; of an agent, its docid. */
  kbid: string;
  /** The section's title, or `null` where it has none. */
  heading: string | null;
  /** MIME type. */
  type: string;
  /** Documents that hold the section. */
  docids: string[];
  /** About 150 characters around the best match; empty for images. */
  snippet: string;
  /** Words of the query that the section holds. */
  matched_terms: string[];
  /** The whole section, where it was asked for: text, or base64 of an image. */
  content?: string;
  /** Set where `content` is base64. */
  encoding?: "base64";
  /** The section's tags. */
  tags: string[];
}

/** One found document. */
export interface DocumentItem {
  /** The document. */
  docid: string;
  /** Its title, or `null` where it has none. */
  title: string | null;
  /** MIME type. */
  type: string;
  /** Sections that it holds. */
  section_count: number;
  /** Its best match. */
  best: SearchItem;
}

/** A page of results. */
export interface SearchPage<Item> {
  /** Best first. */
  items: Item[];
  /** All matches, exactly. */
  total: number;
  /** Results that were passed over. */
  offset: number;
  /** The most items of this page. */
  limit: number;
  /** More follow after this page. */
  has_more: boolean;
  /** For the next page, where there is one. */
  cursor?: string;
  /** Milliseconds that it took. */
  elapsed_ms: number;
  /** What the reader should know, such as a limit that was lowered. */
  notes?: string[];
}

/** Found sections. */
export type SectionsResult = SearchPage<SearchItem>;
/** Found documents; `total` counts documents. */
export type DocumentsResult = SearchPage<DocumentItem>;

/** How much a query finds. */
export interface StatsResult {
  /** Sections that match. */
  total: number;
  /** Documents that hold them. */
  documents: number;
  /** For each word of the query, the sections that hold it in any form. */
  terms: { term: string; sections: number }[];
}

/** The answer in the mode that was asked for. */
export type SearchResult = SectionsResult | DocumentsResult | StatsResult;

/** The answer to parameters whose mode the compiler knows. */
export type SearchResultFor<P> = P extends { query: string; mode?: undefined | "sections" }
  ? SectionsResult
  : P extends { mode: "documents" } ? DocumentsResult
  : P extends { mode: "stats" } ? StatsResult
  : SearchResult;
