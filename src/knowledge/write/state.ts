/**
 * The state that the next write builds on: what is stored, and on top of it the writes that are on
 * their way to the disk.
 *
 * @module
 */

import type { IndexRecord } from "../../core/search_index.ts";
import type { DocumentManifest } from "../../store/document_store.ts";
import type { JournalRecord } from "../../store/journal_record.ts";
import type { ReadOutcome } from "../../store/read_outcome.ts";
import type { SectionMeta } from "../../store/section_file.ts";
import type { Store } from "../../store/store.ts";
import { KbdbError } from "../../rpc/errors.ts";

/** A stored section as the next write finds it. */
export interface SectionState {
  readonly meta: SectionMeta;
  readonly docids: readonly string[];
  readonly content: Uint8Array;
}

interface PendingEntry<T> {
  readonly value: T;
  readonly seq: number;
}

/**
 * By key, in the order of arrival: where the last one fails, the one before it counts. `null` stands
 * for what is being removed.
 */
type Pending<T> = Map<string, PendingEntry<T | null>[]>;

/** Knows what the index has of a section. */
export interface SectionRecords {
  recordOf(kbid: string): IndexRecord | null;
}

/** Looks up what is stored or about to be. */
export class WriteState {
  readonly #sections: Pending<SectionState> = new Map();
  readonly #documents: Pending<DocumentManifest> = new Map();

  constructor(private readonly store: Store, private readonly index: SectionRecords) {}

  /**
   * The section, or `null` where its id is free.
   *
   * @throws {KbdbError} if something lies there that cannot be read: it must not be overwritten
   */
  section(kbid: string): SectionState | null {
    const pending = this.#sections.get(kbid)?.at(-1);
    if (pending) return pending.value;
    const known = this.index.recordOf(kbid);
    // A quick look cannot tell what is hidden from what is gone, so what is known is read.
    if (known === null && !this.store.hasSection(kbid)) return null;
    const stored = whole(this.store.readSection(kbid), `section ${kbid}`);
    if (stored === null) return null;
    return { meta: stored.meta, docids: known?.docids ?? [], content: stored.content };
  }

  /** What is known of a section whose id is free because its file was lost. */
  lost(kbid: string): IndexRecord | null {
    return this.#sections.has(kbid) ? null : this.index.recordOf(kbid);
  }

  /** Whether the section is stored and stays so. */
  hasSection(kbid: string): boolean {
    const pending = this.#sections.get(kbid)?.at(-1);
    return pending ? pending.value !== null : this.store.hasSection(kbid);
  }

  /** Whether the document is stored and stays so. */
  hasDocument(docid: string): boolean {
    const pending = this.#documents.get(docid)?.at(-1);
    return pending ? pending.value !== null : this.store.hasDocument(docid);
  }

  /** Whether a write of the section is on its way. */
  isPending(kbid: string): boolean {
    return this.#sections.has(kbid);
  }

  /** Whether a write on its way changes the section. */
  isSectionPending(kbid: string): boolean {
    return this.#sections.has(kbid);
  }

  /** Whether a write on its way changes the document. */
  isDocumentPending(docid: string): boolean {
    return this.#documents.has(docid);
  }

  /** Sections that writes on their way store or change, which the index does not have yet. */
  *pendingSections(): Generator<SectionState> {
    for (const entries of this.#sections.values()) {
      const { value } = entries.at(-1)!;
      if (value !== null) yield value;
    }
  }

  /**
   * The manifest, or `null` where the docid is free.
   *
   * @throws {KbdbError} if its file cannot be read: it must not be overwritten
   */
  document(docid: string): DocumentManifest | null {
    const pending = this.#documents.get(docid)?.at(-1);
    if (pending) return pending.value;
    return whole(this.store.readDocument(docid), `the manifest of ${docid}`);
  }

  /** A write is on its way. */
  begin(record: JournalRecord, contents: ReadonlyMap<string, Uint8Array>): void {
    for (const { meta, docids, content } of record.sections) {
      const value = { meta, docids, content: content ?? contents.get(meta.kbid)! };
      addPending(this.#sections, meta.kbid, { value, seq: record.seq });
    }
    for (const value of record.documents) {
      addPending(this.#documents, value.docid, { value, seq: record.seq });
    }
    const gone = { value: null, seq: record.seq };
    for (const { kbid } of record.removal?.sections ?? []) addPending(this.#sections, kbid, gone);
    for (const docid of record.removal?.documents ?? []) addPending(this.#documents, docid, gone);
  }

  /** A write has arrived, or failed. */
  end(record: JournalRecord): void {
    for (const { meta } of record.sections) forget(this.#sections, meta.kbid, record.seq);
    for (const { docid } of record.documents) forget(this.#documents, docid, record.seq);
    for (const { kbid } of record.removal?.sections ?? []) forget(this.#sections, kbid, record.seq);
    for (const docid of record.removal?.documents ?? []) {
      forget(this.#documents, docid, record.seq);
    }
  }
}

function addPending<T>(pending: Pending<T>, key: string, entry: PendingEntry<T | null>): void {
  const entries = pending.get(key);
  if (entries) entries.push(entry);
  else pending.set(key, [entry]);
}

function forget<T>(pending: Pending<T>, key: string, seq: number): void {
  const entries = pending.get(key) ?? [];
  const at = entries.findIndex((entry) => entry.seq === seq);
  if (at >= 0) entries.splice(at, 1);
  if (entries.length === 0) pending.delete(key);
}

function whole<T>(outcome: ReadOutcome<T>, what: string): T | null {
  if (outcome.state === "found") return outcome.value;
  if (outcome.state === "missing") return null;
  throw new KbdbError(
    outcome.state === "damaged" ? "damaged" : "permission",
    `Cannot write over ${what}: what is there is ${outcome.state}: ${outcome.reason}. ` +
      "Put the file right or remove it, then try again.",
  );
}
