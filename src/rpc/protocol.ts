/**
 * What crosses the wire between a client and the daemon: one map from method to parameters and
 * result, imported by both ends. Messages are JSON-RPC 2.0, framed as `framing.ts` says.
 *
 * The first request on a connection is `hello`; anything else before it is refused. Long work sends
 * `progress` notifications that name the request.
 *
 * @module
 */

/** Raised whenever a message changes in a way that an older peer would misread. */
export const PROTOCOL_VERSION = 1;

/** A section's content may have at most this many bytes (D57). */
export const MAX_SECTION_BYTES = 16 * 1024 * 1024;
/** A query may have at most this many bytes of UTF-8 (D57). */
export const MAX_QUERY_BYTES = 64 * 1024;
/** At most this many ids in one call (D57). */
export const MAX_IDS = 1000;
/** The most results of one search (D44). */
export const MAX_SEARCH_LIMIT = 100;
/** A docid may have at most this many bytes of UTF-8 (D7). */
export const MAX_DOCID_BYTES = 512;
/** Bulk learning sends batches of about this many bytes of content (D57). */
export const BATCH_BYTES = 1024 * 1024;

/** First words of a client. */
export interface HelloParams {
  protocol: number;
  /** Package version of the client. */
  version: string;
  /** {@linkcode contextId} of the database that the client means. */
  context: string;
  /** From the endpoint file: shows that the client may read the database. */
  token: string;
}

/** The daemon's answer to {@linkcode HelloParams}. */
export interface HelloResult {
  protocol: number;
  version: string;
  pid: number;
}

/** One content to store. */
export interface LearnItem {
  /** Text, or base64 where `base64` is set. */
  content: string;
  /** `content` is base64 of the bytes; they are decoded as UTF-8, as UTF-16 with BOM, or as Latin-1. */
  base64?: boolean;
  /** How to decode bytes that carry no BOM. */
  encoding?: "utf-8" | "latin1";
  /** @default {"text/markdown"} */
  type?: string;
  title?: string;
  description?: string;
  docid?: string;
  tags?: string[];
  /** Where the content came from, such as a file's real path. */
  source?: string;
  /** The content is the whole of document `docid` and takes the place of what it held. */
  document?: boolean;
}

/** Store contents; each item is one transaction. */
export interface LearnParams {
  /** Makes a repeated request harmless: an item already applied under this key is not applied twice. */
  key: string;
  items: LearnItem[];
}

/** A section as lists show it. */
export interface SectionSummary {
  /** The section's id. */
  kbid: string;
  /** The section's title, or `null` where it has none. */
  heading: string | null;
  /** MIME type. */
  type: string;
}

/** What became of one content. */
export interface AddSectionResult {
  /** The section's id; of a document, its first section's. */
  kbid: string;
  /** MIME type. */
  type: string;
  /** Title of the document or section, or `null` where it has none. */
  title: string | null;
  /** The description that was given. */
  description: string | null;
  /** Distinct terms that this call added to the index; 0 where nothing had to be indexed. */
  indexed_terms_count: number;
  /** Milliseconds that it took. */
  elapsed_ms: number;
  /** This call put the section into the document. */
  attached: boolean;
  /** The content was stored before. */
  existing?: boolean;
  /** The document that holds it. */
  docid?: string;
  /** All sections of the document, in order. */
  sections?: SectionSummary[];
  /** Remarks, such as a title that differs from the stored one. */
  warnings?: string[];
}

/** What became of a document as a whole. */
export type LearnOutcome = "added" | "unchanged" | "replaced";

/**
 * The fate of one item: stored, with the number of its sections, or refused with the reason. The
 * answer to a repeated request counts the sections and does not list them.
 */
export type LearnItemResult =
  | { ok: true; outcome: LearnOutcome; sections: number; result: AddSectionResult }
  | { ok: false; error: { code: string; message: string } };

/** Results in the order of the items. */
export interface LearnResult {
  results: LearnItemResult[];
}

/** A ranked search. */
export interface SearchParams {
  /** Words; a section that holds any of them is found. */
  query: string;
  /** 1 to 100; above becomes 100. @default {20} */
  limit?: number;
  /** Results to pass over. @default {0} */
  offset?: number;
  /** Whether items carry the full text. @default {false} */
  content?: boolean;
  /** Sections that have all of these tags. */
  tag?: string[];
  /** Sections of one of these types; `image/*` stands for all images. */
  type?: string[];
  /** Sections of one of these documents. */
  docid?: string[];
}

/** One found section. */
export interface SearchItem {
  /** The section's id. */
  kbid: string;
  /** The section's title, or `null` where it has none. */
  heading: string | null;
  /** MIME type. */
  type: string;
  /** Documents that hold the section. */
  docids: string[];
  /** About 150 characters around the best match. */
  snippet: string;
  /** Words of the query that the section holds. */
  matched_terms: string[];
  /** The whole section, where it was asked for. */
  content?: string;
  /** The section's tags. */
  tags: string[];
}

/** A page of results. */
export interface SearchResult {
  /** Sections, best first. */
  items: SearchItem[];
  /** All matching sections, exactly. */
  total: number;
  /** Results that were passed over. */
  offset: number;
  /** The most items of this page. */
  limit: number;
  /** More follow after this page. */
  has_more: boolean;
  /** Milliseconds that it took. */
  elapsed_ms: number;
  /** What the reader should know, such as a limit that was lowered. */
  notes?: string[];
}

/** Sections by id. */
export interface RecallParams {
  kbids: string[];
}

/** A section read by its id, or why it could not be read. */
export type RecallItem =
  | {
    kbid: string;
    heading: string | null;
    type: string;
    content: string;
    docids: string[];
    tags: string[];
    /** When the section left its last document; it is out of search. */
    retired?: string;
  }
  | { kbid: string; error: { code: string; message: string } };

/** Items in the order asked for. */
export interface RecallResult {
  items: RecallItem[];
}

/** The state of database and daemon. */
export interface StatusResult {
  /** The index is loaded, searches answer at once. */
  initialized: boolean;
  /** The database's real path. */
  contextPath: string;
  /** Contents in memory, and sections and documents in the index. */
  cacheStats: { contentCount: number; indexCount: number };
  /** Name of the database. */
  name: string;
  /** Version of the program that serves it. */
  version: string;
  /** The process that serves it. */
  pid: number;
  /** Milliseconds since it was opened. */
  uptime_ms: number;
  /** Sections that can be found. */
  sections: number;
  /** Documents. */
  documents: number;
  /** Distinct terms in the index. */
  terms: number;
  /** The index: its files in bytes, and the sections and documents that are in memory only. */
  index: {
    generation: string | null;
    segments: number;
    terms_idx_bytes: number;
    positions_idx_bytes: number;
    corpus_dat_bytes: number;
    unsealed_entries: number;
  };
  /** Bytes of the journal. */
  journal_bytes: number;
  /** Memory of the search core. */
  wasm_memory_bytes: number;
  /** Resident memory of the process. */
  daemon_rss_bytes: number;
  /** The folder cannot be written. */
  read_only: boolean;
  /** Faults that were noticed: damaged files, settings that are not known. */
  warnings: string[];
}

/** The kinds of fault that a check can find. */
export type CheckErrorType =
  | "checksum_mismatch"
  | "orphan_section"
  | "orphan_document"
  | "broken_reference"
  | "type_mismatch"
  | "circular_reference";

/** One fault. */
export interface CheckError {
  /** The kind of fault. */
  type: CheckErrorType;
  /** A kbid, a docid or a file inside the database. */
  entity: string;
  /** What is wrong with it. */
  detail: string;
}

/** What a check found. */
export interface CheckResult {
  /** No fault was found. */
  ok: boolean;
  /** All faults. */
  errors: CheckError[];
  /** Sections that were read. */
  sections_checked: number;
  /** Documents that were read. */
  documents_checked: number;
  /** Places in documents that name a section. */
  references_checked: number;
  /** Milliseconds that it took. */
  elapsed_ms: number;
  /** Strays and other things that are no fault. */
  warnings?: string[];
}

/** What a rebuild made. */
export interface RebuildResult {
  /** Sections in the new index. */
  sections_reindexed: number;
  /** Distinct terms in the new index. */
  terms_indexed: number;
  /** Milliseconds that it took. */
  elapsed_ms: number;
  /** Files that could not be read and were left out, each named. */
  skipped?: string[];
}

/** How far long work has come. */
export interface Progress {
  /** Pieces of work that are done. */
  done: number;
  /** All pieces, or `null` while they are not counted. */
  total: number | null;
  /** What is being done. */
  message: string;
}

/** No parameters. */
export type Nothing = Record<string, never>;

/** Method to parameters and result. */
export interface Methods {
  hello: { params: HelloParams; result: HelloResult };
  learn: { params: LearnParams; result: LearnResult };
  search: { params: SearchParams; result: SearchResult };
  recall: { params: RecallParams; result: RecallResult };
  status: { params: Nothing; result: StatusResult };
  check: { params: Nothing; result: CheckResult };
  rebuild: { params: Nothing; result: RebuildResult };
  /** Finish what was begun and leave. */
  stop: { params: Nothing; result: { stopping: boolean; pid: number } };
}

/** Name of a method. */
export type Method = keyof Methods;
/** Methods that serve a database, as against those of the connection itself. */
export type ServiceMethod = Exclude<Method, "hello" | "stop">;
/** Parameters of a method. */
export type Params<M extends Method> = Methods[M]["params"];
/** Result of a method. */
export type Result<M extends Method> = Methods[M]["result"];
