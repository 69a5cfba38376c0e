/**
 * What the MCP server asks of a database, under the names that its documents use. Tools, prompts and
 * resources know no more of it, so they are tested without a process.
 *
 * @module
 */

import type { ChangeEvent } from "../rpc/changes.ts";
import type { AgentResult, AgentSummary, SkillArgument } from "../rpc/prompts.ts";
import type { CheckResult, Progress, RebuildResult, StatusResult } from "../rpc/protocol.ts";
import type {
  ContentParams,
  ContentResult,
  DocumentRecord,
  HistoryResult,
  RecallParams,
  RecallResult,
} from "../rpc/reading.ts";
import type { SearchParams, SearchResult } from "../rpc/searching.ts";
import type {
  AddSectionResult,
  GcParams,
  GcResult,
  ReviseParams,
  ReviseResult,
  UnlearnResult,
} from "../rpc/writing.ts";

/** How long work is made. */
export interface WorkOptions {
  /** Told how far it has come. */
  readonly onProgress?: (progress: Progress) => void;
}

/** A content to store. */
export interface AddSectionParams {
  /** Text, base64 of an image, or the JSON of a skill. */
  readonly content: string;
  /** MIME type, or `skill`. @default {"text/markdown"} */
  readonly sectionType?: string;
  readonly title?: string;
  readonly description?: string;
  readonly docid?: string;
  readonly tags?: string[];
  readonly replace?: boolean;
  readonly source?: string;
}

/** What became of it; of a skill also its name and arguments. */
export interface AddedSection extends AddSectionResult {
  name?: string;
  arguments?: SkillArgument[];
  /** The database was made for it (D61). */
  notice?: string;
}

/** What was taken out. */
export type RemoveSectionResult = UnlearnResult;

/** A section as it is stored. */
export interface Section {
  readonly kbid: string;
  /** MIME type, or `skill`. */
  readonly sectionType: string;
  /** Text, base64 of an image, or the JSON of a skill. */
  readonly content: string;
  /** Bytes of the content. */
  readonly size: number;
}

/** A section that could not be read. */
export interface MissingSection {
  readonly kbid: string;
  readonly error: { readonly code: string; readonly message: string };
}

/** Sections put together under a docid: an agent and its skills. */
export interface GroupSectionsParams {
  /** Always `agent`. */
  readonly type: "agent";
  /** Kbids in order. */
  readonly sections: string[];
  readonly agent: { readonly name: string; readonly description: string; readonly persona: string };
}

/** The database as the documents' functions know it. */
export interface McpWorkerClient {
  search(params: SearchParams): Promise<SearchResult>;
  addSection(params: AddSectionParams, options?: WorkOptions): Promise<AddedSection>;
  /** With `sectionType`, refuses a section of another type. */
  removeSection(kbid: string, options?: { sectionType?: string }): Promise<RemoveSectionResult>;
  /** In the order asked for. */
  readSections(kbids: string[]): Promise<(Section | MissingSection)[]>;
  retrieveDocument(docid: string): Promise<DocumentRecord>;
  recall(params: RecallParams): Promise<RecallResult>;
  content(ids: string[], options?: Omit<ContentParams, "ids">): Promise<ContentResult>;
  dbStatus(): Promise<StatusResult>;
  integrityCheck(options?: WorkOptions): Promise<CheckResult>;
  gc(params?: GcParams, options?: WorkOptions): Promise<GcResult>;
  rebuildIndexes(options?: WorkOptions): Promise<RebuildResult>;
  groupSections(params: GroupSectionsParams): Promise<AgentResult>;
  /** Takes an agent out; refuses what is none. */
  removeGrouping(docid: string): Promise<{ docid: string; removed: boolean }>;
  /** All sections of a type; skills by name, of one name the newest first. */
  listByType(sectionType: string): Promise<Section[]>;
  /** All documents of a type. */
  listDocumentsByType(type: string): Promise<AgentSummary[]>;
  disconnect(): Promise<void>;
}

/** Some ids that begin alike, and how many there are. */
export interface IdPage {
  readonly ids: readonly string[];
  readonly total: number;
}

/** What the server needs beyond the documents. */
export interface McpServerClient extends McpWorkerClient {
  revise(params: Omit<ReviseParams, "key">): Promise<ReviseResult>;
  history(kbid: string): Promise<HistoryResult>;
  /** Takes a document out, with the sections that only it holds. */
  removeDocument(docid: string): Promise<UnlearnResult>;
  /** Up to `limit` kbids that begin so, in order. */
  kbidsFrom(prefix: string, limit: number): Promise<IdPage>;
  /** Up to `limit` docids that begin so, in order. */
  docidsFrom(prefix: string, limit: number): Promise<IdPage>;
  /** Tells of changes, whoever makes them, until the returned function is called. */
  subscribe(onChange: (change: ChangeEvent) => void): Promise<() => void>;
  /** The most bytes of text in one reply (D28). */
  maxReplyBytes(): Promise<number>;
}

/** There is no database yet; the first write makes it (D61). */
export class AbsentDatabase extends Error {
  /** Always `AbsentDatabase`. */
  override readonly name = "AbsentDatabase";
}
