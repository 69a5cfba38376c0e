/**
 * What crosses the wire when something is stored, corrected, removed or brought back.
 *
 * @module
 */

import type { SectionSummary } from "./reading.ts";

/** One content to store. */
export interface LearnItem {
  /** Text, or base64 where `base64` is set or the type is an image's. */
  content: string;
  /** `content` is base64 of a text's bytes: UTF-8, UTF-16 with BOM, or Latin-1. */
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
  /** Takes the place of document `docid` whoever it was learned from (D11). @default {false} */
  replace?: boolean;
}

/** Store contents; each item is one transaction. */
export interface LearnParams {
  /** Makes a repeated request harmless: an item already applied under this key is not applied twice. */
  key: string;
  items: LearnItem[];
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

/** A correction: a new section takes the place of an old one, which stays readable (D12). */
export interface ReviseParams {
  /** Makes a repeated request harmless. */
  key: string;
  /** The section to correct; it must be the current one. */
  kbid: string;
  /** The new text, or base64 of the new image. */
  content: string;
  /** What is left out is kept from the old section. */
  title?: string;
  /** Likewise. */
  description?: string;
  /** Likewise. */
  tags?: string[];
}

/** What became of a correction. */
export interface ReviseResult extends AddSectionResult {
  /** The section that it took the place of. */
  supersedes: string;
}

/** Take a section or a document out; both go to the trash (D15, D49). Exactly one id is given. */
export interface UnlearnParams {
  /** Makes a repeated request harmless. */
  key: string;
  /** The section. */
  kbid?: string;
  /** The document and the sections that only it holds. */
  docid?: string;
}

/** What was taken out. */
export interface UnlearnResult {
  /** Something was there and is gone. */
  removed: boolean;
  /** Milliseconds that it took. */
  elapsed_ms: number;
  /** Sections that went to the trash. */
  sections?: number;
  /** Documents that went to the trash, such as one whose last section it was. */
  documents?: string[];
  /** Remarks, such as markers that still name what was removed. */
  warnings?: string[];
}

/** Take out what nothing needs any more (D13). */
export interface GcParams {
  /** Only tells what would be taken out. @default {false} */
  dry_run?: boolean;
  /** Takes standalone sections, too: all that no document lists. @default {false} */
  include_standalone?: boolean;
}

/** Why a section is not needed. */
export type GcReason = "superseded" | "retired" | "standalone";

/** A section that is or would be taken out. */
export interface GcSection extends SectionSummary {
  /** Size of its content. */
  bytes: number;
  /** Why it is not needed. */
  reason: GcReason;
}

/** What was, or would be, taken out. */
export interface GcResult {
  /** How many sections. */
  removed_sections: number;
  /** Bytes of their contents. */
  removed_bytes: number;
  /** Milliseconds that it took. */
  elapsed_ms: number;
  /** Nothing was removed: the question was what would be. */
  dry_run?: boolean;
  /** The sections, in kbid order; the first 10,000 of them. */
  sections?: GcSection[];
  /** How many more there are. */
  sections_omitted?: number;
  /** Unneeded sections that are still inside their grace period. */
  waiting?: number;
}

/** A page of the trash. */
export interface TrashParams {
  /** 1 to 1000. @default {100} */
  limit?: number;
  /** From the page before. */
  cursor?: string;
}

/** Why something is in the trash. */
export type RemovalReason = "unlearn" | "gc" | "skill-delete" | "agent-delete";

/** Something in the trash. */
export interface TrashItem {
  /** A kbid or a docid; `restore` takes it. */
  id: string;
  /** What it is. */
  kind: "section" | "document";
  /** Title, or `null` where it has none. */
  heading: string | null;
  /** MIME type, or `skill` or `agent`. */
  type: string;
  /** Bytes on disk. */
  bytes: number;
  /** Documents that held the section. */
  docids: string[];
  /** When it was removed. */
  removed_at: string;
  /** What removed it. */
  reason: RemovalReason;
}

/** A page of the trash, latest removals first. */
export interface TrashResult {
  /** The page. */
  items: TrashItem[];
  /** How many there are. */
  total: number;
  /** Bytes of all of them. */
  bytes: number;
  /** For the next page, where there is one. */
  cursor?: string;
}

/** Bring things back from the trash. */
export interface RestoreParams {
  /** Makes a repeated request harmless. */
  key: string;
  /** Kbids and docids. */
  ids: string[];
}

/** What became of one id. */
export interface RestoredItem {
  /** As given. */
  id: string;
  /** `restored`, `present` where it was not in the trash but is stored, `unknown` otherwise. */
  state: "restored" | "present" | "unknown";
  /** Documents that hold the section again, or sections that came back with the document. */
  with?: string[];
}

/** What came back. */
export interface RestoreResult {
  /** In the order of the ids. */
  items: RestoredItem[];
  /** How many were restored. */
  restored: number;
  /** Milliseconds that it took. */
  elapsed_ms: number;
}

/** Remove for good what lies in the trash. */
export interface EmptyTrashParams {
  /** Only what was removed at least this many days ago. @default {0} */
  older_than_days?: number;
}

/** What was removed for good. */
export interface EmptyTrashResult {
  /** Sections and documents. */
  removed: number;
  /** Bytes that were freed. */
  freed_bytes: number;
}
