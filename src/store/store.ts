/**
 * The store of one database: sections, documents and the journal in front of them.
 *
 * A transaction is durable once its journal record is flushed. Then its files are written, unflushed,
 * and flushed later, before the journal part that names them is dropped. Recovery writes again what
 * the journal names and the files lack.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { relative } from "node:path";
import { FileError, type Files } from "../platform/types.ts";
import { type Checksum, saltedChecksum } from "./checksum.ts";
import { createDatabase, type DatabaseConfig, readConfig } from "./database.ts";
import { type DocumentManifest, DocumentStore, type StoredDocument } from "./document_store.ts";
import { IndexFiles, type IndexState } from "./index_files.ts";
import { Journal } from "./journal.ts";
import type { JournalRecord, RequestMemory, SectionChange } from "./journal_record.ts";
import { DatabasePaths } from "./paths.ts";
import type { ReadOutcome } from "./read_outcome.ts";
import type { StoredSection } from "./section_file.ts";
import { FileSectionStore, type SectionStore } from "./section_store.ts";

/** A request's answer counts as remembered for this long (D46). */
export const REQUEST_MEMORY_MS = 10 * 60 * 1000;
/** More are not remembered: all of them are written again at every checkpoint. */
const REQUEST_MEMORY_COUNT = 8192;

/** What a transaction changes. */
export type Transaction = Omit<JournalRecord, "seq">;

/** How a store is opened. */
export interface StoreOptions {
  readonly files: Files;
  readonly checksum: Checksum;
  readonly root: string;
  /** Whether the folder may be written; reads work without. */
  readonly writable: boolean;
  /** Makes the database if it is not there. */
  readonly create?: { readonly name?: string; readonly language?: string };
  now(): Date;
}

interface StoreParts {
  readonly files: Files;
  readonly paths: DatabasePaths;
  readonly config: DatabaseConfig;
  readonly writable: boolean;
  readonly journal: Journal;
  readonly indexFiles: IndexFiles;
  readonly warnings: string[];
  now(): Date;
}

/** Files of records that were written but not flushed. */
interface Unflushed {
  readonly kbids: Set<string>;
  readonly docids: Set<string>;
}

/** The store of an open database. */
export class Store {
  readonly indexFiles: IndexFiles;
  readonly #sections: SectionStore;
  readonly #documents: DocumentStore;
  readonly #requests = new Map<string, RequestMemory>();
  /** Durable in the journal, not in files yet. */
  readonly #unwritten = new Map<string, StoredSection>();
  readonly #unwrittenDocuments = new Map<string, DocumentManifest>();
  #unflushed: Unflushed = { kbids: new Set(), docids: new Set() };
  #writeFault: string | null = null;
  #seq = 0;

  private constructor(private readonly parts: StoreParts) {
    const { files, paths, indexFiles } = parts;
    this.#documents = new DocumentStore(files, paths);
    this.indexFiles = indexFiles;
    this.#sections = new FileSectionStore(files, paths);
  }

  /**
   * Opens a database and makes its files whole again from the journal.
   *
   * @returns the store, and the journal's records, for the index to catch up with
   * @throws {DatabaseError} if the folder is no database that can be opened
   */
  static async open(
    options: StoreOptions,
  ): Promise<{ store: Store; records: readonly JournalRecord[] }> {
    const { files, root, writable, create, checksum, now } = options;
    const paths = new DatabasePaths(root);
    if (create) await createDatabase(files, { root, ...create, now: now() });
    const config = readConfig(files, root);
    if (writable) await makeFolders(files, paths);
    const salted = saltedChecksum(checksum, config.id);
    const { journal, content } = Journal.open(files, {
      folder: paths.journal,
      writable,
      checksum: salted,
    });
    const warnings = [...content.warnings];
    const indexFiles = new IndexFiles(files, { paths, checksum });
    const store = new Store({ files, paths, config, writable, journal, indexFiles, warnings, now });
    store.#replay(content.records, indexFiles.peek());
    return { store, records: content.records };
  }

  /** What `kbdb.toml` says. */
  get config(): DatabaseConfig {
    return this.parts.config;
  }

  get paths(): DatabasePaths {
    return this.parts.paths;
  }

  /** Whether the folder may be written. */
  get writable(): boolean {
    return this.parts.writable;
  }

  /** Faults noticed while opening and working, as sentences. */
  get warnings(): readonly string[] {
    const { warnings } = this.parts;
    return this.#writeFault === null ? warnings : [...warnings, this.#writeFault];
  }

  /** Whether the folder still holds this database: it may have been removed or replaced. */
  exists(): boolean {
    try {
      this.parts.files.lstat(this.paths.sections);
      return readConfig(this.parts.files, this.paths.root).id === this.config.id;
    } catch {
      return false;
    }
  }

  /** Sequence number of the last transaction. */
  get seq(): number {
    return this.#seq;
  }

  /** Bytes of the journal. */
  get journalBytes(): number {
    return this.parts.journal.bytes;
  }

  /** The answer that a request with this key got, if it is remembered. */
  remembered(key: string): RequestMemory | undefined {
    return this.#requests.get(key);
  }

  /** The section, also while its file is still to be written. */
  readSection(kbid: string): ReadOutcome<StoredSection> {
    const unwritten = this.#unwritten.get(kbid);
    return unwritten ? { state: "found", value: unwritten } : this.#sections.read(kbid);
  }

  /** Whether the section has a file, or will have. */
  hasSection(kbid: string): boolean {
    return this.#unwritten.has(kbid) || this.#sections.has(kbid);
  }

  /** All sections that have a file or will have, and strays among the files. */
  listSections(): ReturnType<SectionStore["list"]> {
    const { kbids, strays } = this.#sections.list();
    if (this.#unwritten.size === 0) return { kbids, strays };
    return { kbids: [...new Set([...kbids, ...this.#unwritten.keys()])], strays };
  }

  /** The manifest, also while its file is still to be written. */
  readDocument(docid: string): ReadOutcome<DocumentManifest> {
    const unwritten = this.#unwrittenDocuments.get(docid);
    return unwritten ? { state: "found", value: unwritten } : this.#documents.read(docid);
  }

  /** All manifests that have a file or will have. */
  *allDocuments(): Generator<StoredDocument> {
    const unwritten = new Map<string, DocumentManifest>();
    for (const document of this.#unwrittenDocuments.values()) {
      const path = this.paths.document(document.docid);
      unwritten.set(relative(this.paths.documents, path), document);
    }
    for (const stored of this.#documents.all()) if (!unwritten.has(stored.name)) yield stored;
    for (const [name, value] of unwritten) yield { name, outcome: { state: "found", value } };
  }

  /** The number that the next transaction will have; each call takes one. */
  takeSeq(): number {
    return ++this.#seq;
  }

  /** Numbers go on above `seq`, as found in a file where the journal is gone. */
  raiseSeq(seq: number): void {
    this.#seq = Math.max(this.#seq, seq);
  }

  /**
   * Makes a transaction durable and then visible in the files. It counts once this resolves; if it
   * rejects, nothing of it counts.
   */
  async commit(record: JournalRecord): Promise<void> {
    for (const request of record.requests) this.#remember(request);
    try {
      await this.parts.journal.append(record);
    } catch (error) {
      for (const request of record.requests) this.#requests.delete(request.key);
      throw error;
    }
    this.#writeFiles(record);
  }

  /** Lets the transactions until the returned function is called share a flush. */
  gather(): () => void {
    return this.parts.journal.gather();
  }

  /**
   * Begins a new journal part; resolves to the number of the last one before it. What was committed
   * before the call is in that part or an earlier one.
   */
  rotateJournal(): Promise<number> {
    return this.parts.journal.rotate();
  }

  /** Flushes the files of everything committed so far. */
  async flushFiles(): Promise<void> {
    this.#writeAgain();
    const { kbids, docids } = this.#unflushed;
    this.#unflushed = { kbids: new Set(), docids: new Set() };
    try {
      await this.#sections.flush(kbids);
      await this.#documents.flush(docids);
    } catch (error) {
      for (const kbid of kbids) this.#unflushed.kbids.add(kbid);
      for (const docid of docids) this.#unflushed.docids.add(docid);
      throw error;
    }
  }

  /**
   * Drops journal parts that nothing needs: their files are flushed and the index on disk holds
   * them. Requests that are still remembered are written into the new part first.
   */
  async dropJournal(through: number): Promise<void> {
    this.#forgetOld();
    const requests = [...this.#requests.values()];
    if (requests.length > 0) {
      await this.parts.journal.append({ seq: this.#seq, sections: [], documents: [], requests });
    }
    this.parts.journal.dropThrough(through);
  }

  /** Waits for the journal. */
  async close(): Promise<void> {
    await this.parts.journal.close();
  }

  #writeFiles(record: JournalRecord): void {
    for (const { meta, content } of record.sections) {
      if (content !== null) this.#writeSection({ meta, content });
    }
    for (const document of record.documents) this.#writeDocument(document);
  }

  #writeSection(section: StoredSection): void {
    const { kbid } = section.meta;
    this.#unflushed.kbids.add(kbid);
    try {
      this.#sections.write(section);
      this.#unwritten.delete(kbid);
    } catch (error) {
      this.#unwritten.set(kbid, section);
      this.#warnUnwritten(error);
    }
  }

  #writeDocument(document: DocumentManifest): void {
    this.#unflushed.docids.add(document.docid);
    try {
      this.#documents.write(document);
      this.#unwrittenDocuments.delete(document.docid);
    } catch (error) {
      this.#unwrittenDocuments.set(document.docid, document);
      this.#warnUnwritten(error);
    }
  }

  /** Tries once more what could not be written; throws where it still cannot. */
  #writeAgain(): void {
    for (const section of [...this.#unwritten.values()]) {
      this.#sections.write(section);
      this.#unwritten.delete(section.meta.kbid);
    }
    for (const document of [...this.#unwrittenDocuments.values()]) {
      this.#documents.write(document);
      this.#unwrittenDocuments.delete(document.docid);
    }
    this.#writeFault = null;
  }

  #replay(records: readonly JournalRecord[], state: IndexState): void {
    // Numbers are not used twice, even where the journal was removed.
    this.raiseSeq(Math.max(state.indexedSeq, state.flushedSeq));
    for (const record of records) {
      this.raiseSeq(record.seq);
      for (const request of record.requests) this.#remember(request);
      if (record.seq <= state.flushedSeq) continue;
      for (const change of record.sections) this.#replaySection(change);
      for (const document of record.documents) this.#replayDocument(document);
    }
    this.#forgetOld();
  }

  /** A newer file stays; one that is missing, torn or older is written again. */
  #replaySection({ meta, content }: SectionChange): void {
    if (content === null) return;
    // Also what is whole: whoever wrote it may have been killed before flushing it.
    this.#unflushed.kbids.add(meta.kbid);
    const section = { meta, content };
    const stored = this.readSection(meta.kbid);
    if (stored.state === "found" && isCurrent(stored.value, section)) return;
    if (stored.state === "unreadable") this.#warn(stored.reason);
    else if (this.writable) return this.#writeSection(section);
    this.#unwritten.set(meta.kbid, section);
  }

  #replayDocument(document: DocumentManifest): void {
    this.#unflushed.docids.add(document.docid);
    const stored = this.readDocument(document.docid);
    if (stored.state === "found" && stored.value.seq >= document.seq) return;
    if (stored.state === "unreadable") this.#warn(stored.reason);
    else if (this.writable) return this.#writeDocument(document);
    this.#unwrittenDocuments.set(document.docid, document);
  }

  #remember(request: RequestMemory): void {
    this.#requests.set(request.key, request);
    if (this.#requests.size <= REQUEST_MEMORY_COUNT) return;
    const [oldest] = this.#requests.keys();
    this.#requests.delete(oldest);
  }

  #forgetOld(): void {
    const oldest = this.parts.now().getTime() - REQUEST_MEMORY_MS;
    for (const request of this.#requests.values()) {
      if (request.at < oldest) this.#requests.delete(request.key);
    }
  }

  #warnUnwritten(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#writeFault = `${reason}. The write is safe in the journal and will be tried again.`;
  }

  #warn(sentence: string): void {
    if (!this.warnings.includes(sentence)) this.parts.warnings.push(sentence);
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

/** Git keeps no empty folders, and none of those that it is told to ignore. */
async function makeFolders(files: Files, paths: DatabasePaths): Promise<void> {
  let made = false;
  for (const folder of [paths.sections, paths.documents, paths.journal]) {
    try {
      files.lstat(folder);
    } catch (error) {
      if (!(error instanceof FileError) || error.code !== "not_found") throw error;
      files.makeDir(folder);
      made = true;
    }
  }
  if (made) await files.flush(paths.root);
}
