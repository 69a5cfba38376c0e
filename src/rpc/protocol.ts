/**
 * What crosses the wire between a client and the daemon: one map from method to parameters and
 * result, imported by both ends. Messages are JSON-RPC 2.0, framed as `framing.ts` says.
 *
 * The first request on a connection is `hello`; anything else before it is refused. Long work sends
 * `progress` notifications that name the request.
 *
 * @module
 */

import type { ChangeEvent, SubscribeParams, SubscribeResult } from "./changes.ts";
import type {
  DocumentSummary,
  ListDocumentsParams,
  ListedSection,
  ListPage,
  ListSectionsParams,
  TagCount,
} from "./listing.ts";
import type {
  AgentCreateParams,
  AgentDefinition,
  AgentResult,
  AgentSummary,
  BuiltinSkill,
  SkillDefinition,
  SkillGetParams,
  SkillLearnParams,
  SkillRenderParams,
  SkillResult,
  SkillSummary,
} from "./prompts.ts";
import type {
  ContentParams,
  ContentResult,
  DocumentParams,
  DocumentRecord,
  HistoryParams,
  HistoryResult,
  ReadParams,
  ReadResult,
  RecallParams,
  RecallResult,
} from "./reading.ts";
import type { SearchParams, SearchResult } from "./searching.ts";
import type {
  EmptyTrashParams,
  EmptyTrashResult,
  GcParams,
  GcResult,
  LearnParams,
  LearnResult,
  RestoreParams,
  RestoreResult,
  ReviseParams,
  ReviseResult,
  TrashParams,
  TrashResult,
  UnlearnParams,
  UnlearnResult,
} from "./writing.ts";

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
/** The most bytes of text in one reply to an MCP client, where nothing is set (D28). */
export const DEFAULT_REPLY_BYTES = 80_000;

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
  settings?: ClientSettings;
}

/** Settings that front ends need (D52). */
export interface ClientSettings {
  /** The most bytes of text in one reply to an MCP client. */
  max_reply_bytes: number;
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
  /** The look for edits from outside (D47). */
  scan: ScanStatus;
  /** Skills. */
  skills: number;
  /** Agents. */
  agents: number;
  /** Memory of the search core. */
  wasm_memory_bytes: number;
  /** Resident memory of the process. */
  daemon_rss_bytes: number;
  /** The folder cannot be written. */
  read_only: boolean;
  /** Faults that were noticed: damaged files, settings that are not known. */
  warnings: string[];
}

/** How far the look for edits from outside has come. */
export interface ScanStatus {
  /** `waiting` until the first answer has gone out. */
  state: "waiting" | "running" | "done";
  /** Files looked at. */
  done: number;
  /** All files, or `null` while they are not counted. */
  total: number | null;
  /** Files that were found to be added, changed or removed from outside since the start. */
  found: number;
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
  /** Places in documents that name a section, and markers in texts that name something. */
  references_checked: number;
  /** Markdown and wiki links that lead nowhere; they are no fault (D48). */
  unresolved_links: number;
  /** Milliseconds that it took. */
  elapsed_ms: number;
  /** Strays and other things that are no fault. */
  warnings?: string[];
}

/** How the index is made again. */
export interface RebuildParams {
  /** Stores sections that were edited outside as revisions (D47). @default {false} */
  adopt?: boolean;
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
  /** Edits from outside that became revisions. */
  adopted?: { kbid: string; supersedes: string }[];
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
  revise: { params: ReviseParams; result: ReviseResult };
  unlearn: { params: UnlearnParams; result: UnlearnResult };
  gc: { params: GcParams; result: GcResult };
  trash: { params: TrashParams; result: TrashResult };
  restore: { params: RestoreParams; result: RestoreResult };
  emptyTrash: { params: EmptyTrashParams; result: EmptyTrashResult };

  search: { params: SearchParams; result: SearchResult };
  recall: { params: RecallParams; result: RecallResult };
  read: { params: ReadParams; result: ReadResult };
  document: { params: DocumentParams; result: DocumentRecord };
  content: { params: ContentParams; result: ContentResult };
  history: { params: HistoryParams; result: HistoryResult };
  listDocuments: { params: ListDocumentsParams; result: ListPage<DocumentSummary> };
  listSections: { params: ListSectionsParams; result: ListPage<ListedSection> };
  listTags: { params: Nothing; result: { tags: TagCount[] } };

  skillLearn: { params: SkillLearnParams; result: SkillResult };
  skillList: { params: Nothing; result: { skills: SkillSummary[] } };
  skillGet: { params: SkillGetParams; result: SkillDefinition };
  /** The template with the values in place; optional ones left out become empty. */
  skillRender: { params: SkillRenderParams; result: { text: string } };
  skillDelete: {
    params: { key: string; kbid: string };
    result: { kbid: string; removed: boolean };
  };
  /** Stores a skill that comes with the program. */
  skillInstall: { params: { key: string; name: string }; result: SkillResult };
  /** The skills that come with the program. */
  skillBuiltins: { params: Nothing; result: { skills: BuiltinSkill[] } };
  agentCreate: { params: AgentCreateParams; result: AgentResult };
  agentList: { params: Nothing; result: { agents: AgentSummary[] } };
  agentGet: { params: { docid: string }; result: AgentDefinition };
  agentDelete: {
    params: { key: string; docid: string };
    result: { docid: string; removed: boolean };
  };

  status: { params: Nothing; result: StatusResult };
  check: { params: Nothing; result: CheckResult };
  rebuild: { params: RebuildParams; result: RebuildResult };

  /** Asks for `changed` notifications on this connection. */
  subscribe: { params: SubscribeParams; result: SubscribeResult };
  unsubscribe: { params: Nothing; result: Nothing };
  /** Finish what was begun and leave. */
  stop: { params: Nothing; result: { stopping: boolean; pid: number } };
}

/** Notifications that a daemon sends without being asked in between. */
export interface Notifications {
  changed: ChangeEvent;
}

/** Name of a method. */
export type Method = keyof Methods;
/** Methods that serve a database, as against those of the connection itself. */
export type ServiceMethod = Exclude<Method, "hello" | "subscribe" | "unsubscribe" | "stop">;
/** Parameters of a method. */
export type Params<M extends Method> = Methods[M]["params"];
/** Result of a method. */
export type Result<M extends Method> = Methods[M]["result"];
