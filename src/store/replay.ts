/**
 * Recovery: doing again what the journal holds and the files lack. Everything here may be repeated.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { DocumentManifest } from "./document_store.ts";
import type { JournalRecord } from "./journal_record.ts";
import { idsOf, type Put } from "./pending.ts";
import type { ReadOutcome } from "./read_outcome.ts";
import type { Removal } from "./removal.ts";
import type { StoredSection } from "./section_file.ts";
import type { WriteBehind } from "./write_behind.ts";

/** What a replay works with. */
export interface ReplayParts {
  readonly files: WriteBehind;
  readonly writable: boolean;
  /** Whether all of a removal is in the trash, or was and has left it. */
  wasTakenOut(name: string): boolean;
  warn(sentence: string): void;
}

/** Makes the files what these records say; what comes later in the journal is done later. */
export async function replay(
  records: readonly JournalRecord[],
  parts: ReplayParts,
): Promise<void> {
  const work = new Replay(records, parts);
  for (const record of records) work.replay(record);
  const removes = records.some(({ removal }) => removal);
  if (parts.writable && removes) await parts.files.settle();
}

class Replay {
  /** What is in the trash for good: no file comes back. */
  readonly #takenOut = new LastOf();
  readonly #written = new LastOf();

  constructor(records: readonly JournalRecord[], private readonly parts: ReplayParts) {
    for (const { seq, sections, documents, removal } of records) {
      const written = sections.filter(({ content }) => content !== null);
      this.#written.set(seq, {
        kbids: written.map(({ meta }) => meta.kbid),
        docids: documents.map(({ docid }) => docid),
      });
      if (!removal || !parts.wasTakenOut(removal.name)) continue;
      this.#takenOut.set(seq, idsOf({ kind: "removal", removal }));
    }
  }

  replay(record: JournalRecord): void {
    for (const { meta, content } of record.sections) {
      if (content !== null) this.#section({ meta, content });
    }
    for (const document of record.documents) this.#document(document);
    if (record.removal) this.#removal(record.removal, record.seq);
  }

  /** A newer file stays; one that is missing, torn or older is written again. */
  #section(section: StoredSection): void {
    const { kbid, seq } = section.meta;
    if (seq <= this.#takenOut.kbid(kbid)) return;
    const stored = this.parts.files.readSection(kbid);
    this.#put({ kind: "section", section }, stored, (there) => isCurrent(there, section));
  }

  #document(document: DocumentManifest): void {
    const { docid, seq } = document;
    if (seq <= this.#takenOut.docid(docid)) return;
    const stored = this.parts.files.readDocument(docid);
    this.#put({ kind: "document", document }, stored, (there) => there.seq >= seq);
  }

  /** What was written again after its removal stays; if that file is torn, it will be mended. */
  #removal(removal: Removal, seq: number): void {
    const { files } = this.parts;
    const sections = removal.sections.filter(({ kbid }) => {
      const stored = files.readSection(kbid);
      if (stored.state === "found") return stored.value.meta.seq <= seq;
      return this.#written.kbid(kbid) <= seq;
    });
    const documents = removal.documents.filter((docid) => {
      const stored = files.readDocument(docid);
      if (stored.state === "found") return stored.value.seq <= seq;
      return this.#written.docid(docid) <= seq;
    });
    files.keep({ kind: "removal", removal: { ...removal, sections, documents } });
  }

  #put<T>(put: Put, stored: ReadOutcome<T>, stays: (there: T) => boolean): void {
    const { files, writable, warn } = this.parts;
    // Also what is whole: whoever wrote it may have been killed before flushing it.
    files.touch(put);
    if (stored.state === "found" && stays(stored.value)) return;
    if (stored.state === "unreadable") warn(stored.reason);
    if (stored.state === "unreadable" || !writable) files.keep(put);
    else files.put(put);
  }
}

/** Number of the last transaction that did something to an id, or 0. */
class LastOf {
  readonly #kbids = new Map<string, number>();
  readonly #docids = new Map<string, number>();

  set(seq: number, ids: { kbids: readonly string[]; docids: readonly string[] }): void {
    for (const kbid of ids.kbids) this.#kbids.set(kbid, seq);
    for (const docid of ids.docids) this.#docids.set(docid, seq);
  }

  kbid(kbid: string): number {
    return this.#kbids.get(kbid) ?? 0;
  }

  docid(docid: string): number {
    return this.#docids.get(docid) ?? 0;
  }
}

/** Whether a stored file is as new as a section of the journal and was written whole. */
function isCurrent(stored: StoredSection, section: StoredSection): boolean {
  return stored.meta.seq >= section.meta.seq && !isTorn(stored.content, section.content);
}

/**
 * A file that a power cut tore lacks its end or holds zero bytes; one that differs otherwise was
 * edited by a person and is not the journal's to mend.
 */
function isTorn(stored: Uint8Array, whole: Uint8Array): boolean {
  if (stored.length > whole.length || Buffer.compare(stored, whole) === 0) return false;
  return stored.every((byte, i) => byte === whole[i] || byte === 0);
}
