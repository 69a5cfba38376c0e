/**
 * The files follow the journal: what a durable transaction changes is written, unflushed, and flushed
 * later; what it removes goes to the trash. Reads see a transaction whole from the moment it counts,
 * whatever its files are like.
 *
 * @module
 */

import { join } from "node:path";
import type { Files } from "../platform/types.ts";
import { type DocumentManifest, DocumentStore, type StoredDocument } from "./document_store.ts";
import type { DatabasePaths } from "./paths.ts";
import { idsOf, Pending, type Put, type Step, type Waiting } from "./pending.ts";
import type { ReadOutcome } from "./read_outcome.ts";
import type { Removal } from "./removal.ts";
import type { ScanKind } from "./scan.ts";
import { endingOf } from "./section_files.ts";
import type { SectionMeta, StoredSection } from "./section_file.ts";
import { FileSectionStore, type SectionStore } from "./section_store.ts";
import { takeOut } from "./take_out.ts";

/** Ids whose files were touched and not flushed. */
interface Unflushed {
  readonly kbids: Set<string>;
  readonly docids: Set<string>;
}

/** Sections and documents as the transactions so far made them. */
export class WriteBehind {
  readonly #sections: FileSectionStore;
  readonly #documents: DocumentStore;
  readonly #pending = new Pending();
  readonly #removals = new Set<string>();
  /** By docid: manifests that are on their way into the journal. */
  readonly #expected = new Map<string, number>();
  #unflushed: Unflushed = newUnflushed();
  #fault: string | null = null;
  #settling: Promise<unknown> = Promise.resolve();
  /** One that has not begun yet. */
  #nextSettling: Promise<unknown> | null = null;

  constructor(private readonly files: Files, private readonly paths: DatabasePaths) {
    this.#sections = new FileSectionStore(files, paths);
    this.#documents = new DocumentStore(files, paths);
  }

  /** Why something could not be done yet, as a sentence. */
  get fault(): string | null {
    return this.#fault;
  }

  /** The section that counts. */
  readSection(kbid: string): ReadOutcome<StoredSection> {
    return overFile(this.#pending.section(kbid), () => this.#sections.read(kbid));
  }

  /** Whether a section counts. */
  hasSection(kbid: string): boolean {
    const pending = this.#pending.section(kbid);
    return pending === undefined ? this.#sections.has(kbid) : pending !== null;
  }

  /** All sections that count, and strays among the files. */
  listSections(): ReturnType<SectionStore["list"]> {
    const { kbids, strays } = this.#sections.list();
    if (this.#pending.isEmpty) return { kbids, strays };
    const all = new Set(kbids);
    for (const kbid of this.#pending.kbids()) {
      if (this.#pending.section(kbid) === null) all.delete(kbid);
      else all.add(kbid);
    }
    return { kbids: [...all], strays };
  }

  /** A folder of sections was listed. */
  listed(name: string, names: readonly string[]): void {
    this.#sections.listed(join(this.paths.sections, name), names);
  }

  /** The manifest that counts. */
  readDocument(docid: string): ReadOutcome<DocumentManifest> {
    return overFile(this.#pending.document(docid), () => this.#documents.read(docid));
  }

  /** Whether a manifest counts. */
  hasDocument(docid: string): boolean {
    const pending = this.#pending.document(docid);
    return pending === undefined ? this.#documents.has(docid) : pending !== null;
  }

  /** All manifests that count, and files that are none. */
  *allDocuments(): Generator<StoredDocument> {
    const pending = this.#pendingDocuments();
    for (const stored of this.#documents.all()) if (!pending.has(stored.name)) yield stored;
    for (const [name, value] of pending) {
      if (value !== null) yield { name, outcome: { state: "found", value } };
    }
  }

  /** The manifest in a file, named as {@linkcode StoredDocument} does. */
  readDocumentFile(name: string): ReadOutcome<DocumentManifest> {
    return overFile(this.#pendingDocuments().get(name), () => this.#documents.readFile(name));
  }

  /** Kbids, or names of manifests, whose files are not what counts. */
  pendingIds(kind: ScanKind): ReadonlySet<string> {
    return new Set(kind === "sections" ? this.#pending.kbids() : this.#pendingDocuments().keys());
  }

  /** Whether a removal still has to be carried out. */
  isRemovalPending(name: string): boolean {
    return this.#removals.has(name);
  }

  /**
   * Makes sure that a section can be written.
   *
   * @throws {RangeError} if its id is taken in another form
   */
  checkForm(meta: SectionMeta): void {
    const pending = this.#pending.section(meta.kbid);
    if (pending === undefined) return this.#sections.checkForm(meta);
    if (pending === null || endingOf(pending.meta.type) === endingOf(meta.type)) return;
    throw new RangeError(
      `Cannot store section ${meta.kbid} as ${meta.type}: it is stored as ${pending.meta.type}`,
    );
  }

  /**
   * Later versions of these manifests are on their way into the journal: until the returned function
   * is called, earlier ones need no file.
   */
  expect(documents: readonly DocumentManifest[]): () => void {
    for (const { docid } of documents) {
      this.#expected.set(docid, 1 + (this.#expected.get(docid) ?? 0));
    }
    return () => {
      for (const { docid } of documents) {
        const left = this.#expected.get(docid)! - 1;
        if (left > 0) this.#expected.set(docid, left);
        else this.#expected.delete(docid);
      }
    };
  }

  /** Writes a file; what fails is kept and tried again. */
  put(put: Put): void {
    this.touch(put);
    const later = put.kind === "document" && this.#expected.has(put.document.docid);
    if (later || this.#pending.mustWait(put)) return this.#pending.add(put);
    try {
      this.#write(put);
      this.#pending.written(put);
    } catch (error) {
      this.#pending.add(put);
      this.#warn("write", error);
    }
  }

  /** Keeps what cannot or must not be written for now. */
  keep(step: Step): void {
    this.touch(step);
    if (step.kind === "removal") this.#removals.add(step.removal.name);
    this.#pending.add(step);
  }

  /**
   * Takes sections and documents out and moves their files to the trash. They are out at once; this
   * resolves when the files were moved, or could not be for now.
   */
  remove(removal: Removal): Promise<void> {
    const step = { kind: "removal", removal } as const;
    this.#removals.add(removal.name);
    return new Promise((tried) => {
      this.#pending.add(step, tried);
      void this.settle();
    });
  }

  /** The files of a step have to be flushed, whoever wrote them. */
  touch(step: Step): void {
    const { kbids, docids } = idsOf(step);
    for (const kbid of kbids) this.#unflushed.kbids.add(kbid);
    for (const docid of docids) this.#unflushed.docids.add(docid);
  }

  /** Does what waits, as far as possible; resolves to the first fault, or `null`. */
  settle(): Promise<unknown> {
    return this.#nextSettling ??= this.#settling = this.#settling.then(() => {
      this.#nextSettling = null;
      return this.#settle();
    });
  }

  /** Waits until nothing is being done. */
  async rest(): Promise<void> {
    while (true) {
      const last = this.#settling;
      await last;
      if (last === this.#settling) return;
    }
  }

  /** Flushes the files of all transactions so far; rejects where any is not in the files. */
  async flush(): Promise<void> {
    const fault = await this.settle();
    if (fault !== null) throw fault;
    const { kbids, docids } = this.#unflushed;
    this.#unflushed = newUnflushed();
    try {
      await this.#sections.flush(kbids);
      await this.#documents.flush(docids);
    } catch (error) {
      for (const kbid of kbids) this.#unflushed.kbids.add(kbid);
      for (const docid of docids) this.#unflushed.docids.add(docid);
      throw error;
    }
  }

  async #settle(): Promise<unknown> {
    const stuck = new Stuck();
    let fault: unknown = null;
    for (const waiting of this.#pending.steps()) {
      if (!stuck.holds(waiting.step)) {
        try {
          await this.#do(waiting);
          continue;
        } catch (error) {
          fault ??= error;
          this.#warn(waiting.step.kind === "removal" ? "removal" : "write", error);
        }
      }
      stuck.add(waiting.step);
      waiting.tried();
    }
    if (fault === null) this.#fault = null;
    return fault;
  }

  async #do(waiting: Waiting): Promise<void> {
    const { step } = waiting;
    if (step.kind === "removal") {
      await takeOut(this.files, { removal: step.removal, paths: this.paths });
      this.#removals.delete(step.removal.name);
    } else {
      this.#write(step);
    }
    this.touch(step);
    this.#pending.done(waiting);
    waiting.tried();
  }

  #write(put: Put): void {
    if (put.kind === "section") this.#sections.write(put.section);
    else this.#documents.write(put.document);
  }

  #pendingDocuments(): Map<string, DocumentManifest | null> {
    const byName = new Map<string, DocumentManifest | null>();
    for (const docid of this.#pending.docids()) {
      byName.set(this.paths.documentName(docid), this.#pending.document(docid) ?? null);
    }
    return byName;
  }

  #warn(what: "write" | "removal", error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#fault = `${reason}. The ${what} is safe in the journal and will be tried again.`;
  }
}

/** Ids of steps that could not be done, which hold back later ones. */
class Stuck {
  readonly #kbids = new Set<string>();
  readonly #docids = new Set<string>();

  add(step: Step): void {
    const { kbids, docids } = idsOf(step);
    for (const kbid of kbids) this.#kbids.add(kbid);
    for (const docid of docids) this.#docids.add(docid);
  }

  holds(step: Step): boolean {
    const { kbids, docids } = idsOf(step);
    return kbids.some((kbid) => this.#kbids.has(kbid)) ||
      docids.some((docid) => this.#docids.has(docid));
  }
}

function newUnflushed(): Unflushed {
  return { kbids: new Set(), docids: new Set() };
}

/** `null` is removed, `undefined` leaves it to the file. */
function overFile<T>(
  pending: T | null | undefined,
  read: () => ReadOutcome<T>,
): ReadOutcome<T> {
  if (pending === undefined) return read();
  return pending === null ? { state: "missing" } : { state: "found", value: pending };
}
