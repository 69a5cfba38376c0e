/** The search index: entries go in, ranked sections come out. */

import { CoreError, translated } from "./core_error.ts";
import type {
  EntryFilter,
  ListOptions,
  ValueCount,
  ValueName,
  ValuesOptions,
} from "./entry_filter.ts";
import { wasm } from "./load.ts";
import type { DocumentsResponse, QueryStats } from "./query_answers.ts";
import { copied } from "./sealed_segment.ts";

/** What the index stores of an entry beside its words. */
export interface IndexRecord {
  /** Key of 26 base32 characters, as `kbid()` makes them. */
  kbid: string;
  /** `section` entries are analysed and searched; entries of other kinds are only stored and listed. */
  kind: string;
  /** Title, searched with twice the weight of the body. */
  heading: string | null;
  /** Searched like the body. */
  description: string | null;
  /** Media type, for filters. */
  type: string;
  /** Tags, for filters. */
  tags: string[];
  /** Documents that hold the section, for filters. */
  docids: string[];
  /** Keys of what the entry refers to, for filters; always there in what an index gives. @default [] */
  refs?: string[];
  /** 32 bits that mean something to the caller only. */
  flags: number;
  /** Size of the content. */
  bytes: number;
}

/** What to search for. */
export interface SearchRequest {
  /** Words in any form. */
  query: string;
  /** Whether a section must hold `any` of the words or `all` of them. @default "any" */
  match?: "any" | "all";
  /** Size of the page. */
  limit: number;
  /** How many results come before the page. */
  offset: number;
  /** Only sections with all of these tags. */
  tags?: string[];
  /** Only sections with one of these types; `image/*` stands for all that begin so. */
  types?: string[];
  /** Only sections in one of these documents. */
  docids?: string[];
}

/** One section found. */
export interface SearchHit {
  /** What was stored with the section. */
  record: IndexRecord;
  /** The query's own words, folded, that the section holds in some form. */
  matched_terms: string[];
  /** BM25 score, rounded to 1e-6. */
  score: number;
}

/** A page of results. */
export interface SearchResponse {
  /** Exact number of sections that match. */
  total: number;
  /** The page, best first; equal scores in kbid order. */
  items: SearchHit[];
}

/** A word of a text, as indexing sees it. */
export interface AnalyzedToken {
  /** The folded word. */
  term: string;
  /** What all forms of the word share: its stem without accents. */
  group: string;
  /** Place in the text; the whole of an identifier shares the place of its first part. */
  position: number;
  /** First byte in the text as UTF-8. */
  start: number;
  /** Byte behind the last one. */
  end: number;
}

/** The bytes of a sealed segment. `positions` are not needed to search. */
export interface Segment {
  /** Dictionaries of words, groups and filters. */
  terms: Uint8Array;
  /** Places of words inside their sections. */
  positions: Uint8Array;
  /** Entries, records and postings. */
  corpus: Uint8Array;
}

/** What `SearchIndex.load` needs of a segment. */
export interface LoadableSegment {
  /** As sealed. */
  terms: Uint8Array;
  /** As sealed. */
  corpus: Uint8Array;
  /** What `SearchIndex.dead` gave, or empty. */
  dead: Uint8Array;
}

/** How large a segment is. */
export interface SegmentSize {
  /** Entries, dead ones included. */
  entries: number;
  /** The dead among them. */
  dead: number;
  /** Bytes held in memory, which `positions` are not. */
  bytes: number;
}

/** Numbers about an index. */
export interface IndexStats {
  /** Live sections. */
  sections: number;
  /** Live entries by kind. */
  kinds: Record<string, number>;
  /** Different words; words that only dead entries hold may count. */
  terms: number;
  /** Immutable segments. */
  segments: number;
  /** Entries in the tail, dead ones included. */
  tail_entries: number;
  /** About how many bytes the tail takes. */
  tail_bytes: number;
  /** Bytes of the segments. */
  segment_bytes: number;
  /** Bytes of linear memory of the core, shared by all indexes. */
  memory_bytes: number;
}

/**
 * A searchable set of entries: a tail in memory that grows, and immutable segments.
 *
 * Every method may throw a `CoreError`: `bad_argument` for a key or language that is none,
 * `corrupt_index` or `version_mismatch` for segment bytes that cannot be read.
 *
 * @example
 * ```ts
 * import { SearchIndex } from "./search_index.ts";
 * import { kbid } from "./text.ts";
 * const index = new SearchIndex();
 * const body = new TextEncoder().encode("The parcel waits at the door.");
 * index.add({
 *   kbid: kbid(body), kind: "section", heading: "Post", description: null, type: "text/markdown",
 *   tags: [], docids: [], flags: 0, bytes: body.length,
 * }, body);
 * const { total, items } = index.search({ query: "parcels", limit: 10, offset: 0 });
 * if (total !== 1 || items[0].matched_terms[0] !== "parcels") throw new Error("not found");
 * index.free();
 * ```
 */
export class SearchIndex {
  #index: wasm.SearchIndex;

  /**
   * Makes an empty index.
   *
   * @param options.language Snowball language of the texts. @default "english"
   */
  constructor(options: { language?: string } = {}) {
    this.#index = translated(() => new wasm.SearchIndex(options.language ?? "english"));
  }

  /** Adds an entry in place of a live one with the same kbid; returns how many different words it holds. */
  add(record: IndexRecord, body: Uint8Array): number {
    return translated(() => this.#index.add(json(record), body));
  }

  /** Takes an entry out; `false` where no live one has this kbid. */
  remove(kbid: string): boolean {
    return translated(() => this.#index.remove(kbid));
  }

  /** The live entry with this kbid. */
  get(kbid: string): IndexRecord | null {
    return JSON.parse(translated(() => this.#index.get(kbid)));
  }

  /** Sections that hold words of the query, best first. A query without words finds nothing. */
  search(request: SearchRequest): SearchResponse {
    return JSON.parse(translated(() => this.#index.search(json(request))));
  }

  /**
   * Documents that hold matching sections, in the order of their best ones. Filters are for sections;
   * `limit` and `offset` count documents.
   */
  searchDocuments(request: SearchRequest): DocumentsResponse {
    return JSON.parse(translated(() => this.#index.searchDocuments(json(request))));
  }

  /** Numbers about what a query matches; `limit` and `offset` do not matter. */
  queryStats(request: SearchRequest): QueryStats {
    return JSON.parse(translated(() => this.#index.queryStats(json(request))));
  }

  /**
   * About `width` characters of `body` around its rarest word of the query, white space collapsed, `…`
   * where something was cut; the start of the body where it holds no such word.
   */
  snippet(query: string, body: Uint8Array, width = 150): string {
    return translated(() => this.#index.snippet(query, body, width));
  }

  /** The words of a text as indexing sees them. */
  analyze(text: string): AnalyzedToken[] {
    return JSON.parse(translated(() => this.#index.analyze(text)));
  }

  /**
   * Turns the tail into an immutable segment, leaving out what is dead; the index goes on searching it.
   * `null` where nothing lives in the tail.
   */
  seal(): Segment | null {
    return copied(translated(() => this.#index.seal()));
  }

  /** Appends a segment that was sealed before. */
  load(segment: LoadableSegment): void {
    translated(() => this.#index.load(segment.terms, segment.corpus, segment.dead));
  }

  /** The dead entries of a segment, counted from 0 in order of sealing and loading: one bit each, lowest first. */
  dead(segment: number): Uint8Array {
    return translated(() => this.#index.dead(segment));
  }

  /**
   * Puts a merged segment in the place of those it was merged from, or takes them out where it is `null`.
   * What died in them since the merge is dead in it too. On an error the index is as it was.
   *
   * @param first The first of `count` neighbouring segments, counted as in {@linkcode SearchIndex.dead}.
   * @param segment What `SegmentMerger` gave, `null` where nothing lived.
   * @param deadAtMerge For each segment replaced, the dead entries that its merging left out.
   */
  replaceSegments(
    first: number,
    count: number,
    segment: LoadableSegment | null,
    deadAtMerge: Uint8Array[],
  ): void {
    if (deadAtMerge.length !== count) {
      throw new CoreError(
        "bad_argument",
        `Cannot replace segments: there are ${deadAtMerge.length} sets of dead entries for ${count}`,
      );
    }
    const { terms, corpus, dead = new Uint8Array() } = segment ?? {};
    translated(() => this.#index.replaceSegments(first, deadAtMerge, terms, corpus, dead));
  }

  /** The segments in their order, for choosing what to merge. Cheap. */
  segments(): SegmentSize[] {
    return JSON.parse(translated(() => this.#index.segments()));
  }

  /** Live entries of a kind that have all that is asked for, in kbid order. */
  list(kind: string, options: ListOptions = {}): IndexRecord[] {
    const { limit = 1000, ...rest } = options;
    return JSON.parse(translated(() => this.#index.list(json({ ...rest, limit, kind }))));
  }

  /** How many live entries of a kind have all that is asked for. */
  count(kind: string, filter: EntryFilter = {}): number {
    return translated(() => this.#index.count(json({ ...filter, kind })));
  }

  /** The different values of live sections in byte order, each with the number of those that have it. */
  values(filter: ValueName, options: ValuesOptions = {}): ValueCount[] {
    const { limit = 1000, ...rest } = options;
    return JSON.parse(translated(() => this.#index.values(json({ ...rest, limit, filter }))));
  }

  /**
   * Entries in the tail, dead ones included, and about how many bytes they take. Cheap, unlike
   * {@linkcode SearchIndex.stats}, so that it may be asked after every entry.
   */
  tail(): { entries: number; bytes: number } {
    return { entries: this.#index.tailEntries(), bytes: this.#index.tailBytes() };
  }

  /** Numbers about the index. */
  stats(): IndexStats {
    const stats = JSON.parse(translated(() => this.#index.stats()));
    return { sections: stats.kinds.section ?? 0, ...stats, memory_bytes: wasm.memoryBytes() };
  }

  /** Gives the memory back; the index cannot be used afterwards. */
  free(): void {
    this.#index.free();
  }
}

/** JSON without lone surrogates, which have no form in UTF-8. */
function json(value: unknown): string {
  return JSON.stringify(value, (_, part) => typeof part === "string" ? part.toWellFormed() : part);
}
