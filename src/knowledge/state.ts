/**
 * The state that the next write builds on: what is stored, and on top of it the writes that are on
 * their way to the disk.
 *
 * @module
 */

import type { SearchIndex } from "../core/search_index.ts";
import type { DocumentManifest } from "../store/document_store.ts";
import type { JournalRecord } from "../store/journal_record.ts";
import type { ReadOutcome } from "../store/read_outcome.ts";
import type { SectionMeta } from "../store/section_file.ts";
import type { Store } from "../store/store.ts";
import { KbdbError } from "../rpc/errors.ts";

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

/** Looks up what is stored or about to be. */
export class WriteState {
  readonly #sections = new Map<string, PendingEntry<SectionState>>();
  readonly #documents = new Map<string, PendingEntry<DocumentManifest>>();

  constructor(private readonly store: Store, private readonly index: () => SearchIndex) {}

  /**
   * The section, or `null` where its id is free.
   *
   * @throws {KbdbError} if something lies there that cannot be read: it must not be overwritten
   */
  section(kbid: string): SectionState | null {
    const pending = this.#sections.get(kbid);
    if (pending) return pending.value;
    if (!this.store.hasSection(kbid)) return null;
    const stored = whole(this.store.readSection(kbid), `section ${kbid}`);
    if (stored === null) return null;
    const docids = this.index().get(kbid)?.docids ?? [];
    return { meta: stored.meta, docids, content: stored.content };
  }

  /**
   * The manifest, or `null` where the docid is free.
   *
   * @throws {KbdbError} if its file cannot be read: it must not be overwritten
   */
  document(docid: string): DocumentManifest | null {
    const pending = this.#documents.get(docid);
    if (pending) return pending.value;
    return whole(this.store.readDocument(docid), `the manifest of ${docid}`);
  }

  /** A write is on its way. */
  begin(record: JournalRecord, contents: ReadonlyMap<string, Uint8Array>): void {
    for (const { meta, docids, content } of record.sections) {
      const value = { meta, docids, content: content ?? contents.get(meta.kbid)! };
      this.#sections.set(meta.kbid, { value, seq: record.seq });
    }
    for (const value of record.documents) {
      this.#documents.set(value.docid, { value, seq: record.seq });
    }
  }

  /** A write has arrived, or failed. */
  end(record: JournalRecord): void {
    for (const { meta } of record.sections) forget(this.#sections, meta.kbid, record.seq);
    for (const { docid } of record.documents) forget(this.#documents, docid, record.seq);
  }
}

function forget<T>(entries: Map<string, PendingEntry<T>>, key: string, seq: number): void {
  if (entries.get(key)?.seq === seq) entries.delete(key);
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
