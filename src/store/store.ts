/**
 * The store of one database: sections, documents and the journal in front of them.
 *
 * A transaction is durable once its journal record is flushed. Then its files are written, unflushed,
 * and flushed later, before the journal part that names them is dropped. Recovery writes again what
 * the journal names and the files lack.
 *
 * @module
 */

import { FileError, type Files } from "../platform/types.ts";
import { listIfThere } from "../platform/if_there.ts";
import { type Checksum, saltedChecksum } from "./checksum.ts";
import { createDatabase, type DatabaseConfig, readConfig } from "./database.ts";
import type { DocumentManifest, StoredDocument } from "./document_store.ts";
import { IndexFiles } from "./index_files.ts";
import { Journal } from "./journal.ts";
import type { JournalRecord, RequestMemory } from "./journal_record.ts";
import { DatabasePaths, isRemovalName } from "./paths.ts";
import type { ReadOutcome } from "./read_outcome.ts";
import { checkRemoval } from "./removal.ts";
import { replay } from "./replay.ts";
import { RequestMemories } from "./request_memory.ts";
import { folderTime, scanFolder, scanFolders, type ScanKind, type ScannedFile } from "./scan.ts";
import type { StoredSection } from "./section_file.ts";
import type { SectionStore } from "./section_store.ts";
import { wasTakenOut } from "./take_out.ts";
import { Trash } from "./trash.ts";
import { WriteBehind } from "./write_behind.ts";

/** A file may come from anybody: no number above this one is taken for that of a write. */
const MOST_SEQ = 1e11;

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

/** A removal that the journal names. */
interface JournaledRemoval {
  readonly name: string;
  /** The part that holds it, or a later one. */
  readonly part: number;
}

/** The store of an open database. */
export class Store {
  readonly indexFiles: IndexFiles;
  readonly trash: Trash;
  readonly #files: WriteBehind;
  readonly #requests = new RequestMemories();
  #removals: JournaledRemoval[] = [];
  #seq = 0;

  private constructor(private readonly parts: StoreParts) {
    const { files, paths, indexFiles } = parts;
    this.indexFiles = indexFiles;
    this.#files = new WriteBehind(files, paths);
    this.trash = new Trash({
      files,
      paths,
      isPending: (name) => this.#files.isRemovalPending(name),
      isInJournal: (name) => this.#removals.some((removal) => removal.name === name),
      flushFiles: () => this.flushFiles(),
      warn: (sentence) => this.#warn(sentence),
    });
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
    await store.#recover(content.records);
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
    const { fault } = this.#files;
    return fault === null ? warnings : [...warnings, fault];
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
    return this.#files.readSection(kbid);
  }

  /** Whether the section has a file, or will have. */
  hasSection(kbid: string): boolean {
    return this.#files.hasSection(kbid);
  }

  /** All sections that have a file or will have, and strays among the files. */
  listSections(): ReturnType<SectionStore["list"]> {
    return this.#files.listSections();
  }

  /** The manifest, also while its file is still to be written. */
  readDocument(docid: string): ReadOutcome<DocumentManifest> {
    return this.#files.readDocument(docid);
  }

  /** Whether the document has a manifest, or will have. */
  hasDocument(docid: string): boolean {
    return this.#files.hasDocument(docid);
  }

  /** All manifests that have a file or will have. */
  allDocuments(): Generator<StoredDocument> {
    return this.#files.allDocuments();
  }

  /** The manifest in a file that {@linkcode Store.scanFolder} named. */
  readDocumentFile(name: string): ReadOutcome<DocumentManifest> {
    return this.#files.readDocumentFile(name);
  }

  /** Names of the folders that {@linkcode Store.scanFolder} looks through. */
  scanFolders(kind: ScanKind): string[] {
    return scanFolders(this.parts.files, { kind, paths: this.paths });
  }

  /** When names were last added to such a folder or taken out: milliseconds since 1970, or `null`. */
  folderTime(kind: ScanKind, name: string): number | null {
    return folderTime(this.parts.files, { kind, paths: this.paths, name });
  }

  /**
   * Sizes and times of a folder's files, read from none of them, so that edits from outside are
   * noticed cheaply (D47). Left out is whatever the files do not tell: what is still to be written
   * or was removed, so ask {@linkcode Store.hasSection} before you call anything lost.
   */
  scanFolder(kind: ScanKind, name: string): ScannedFile[] {
    const { files, paths } = this.parts;
    const pending = this.#files.pendingIds(kind);
    const { names, scanned } = scanFolder(files, { kind, paths, name });
    if (kind === "sections") this.#files.listed(name, names);
    return scanned.filter(({ id }) => !pending.has(id));
  }

  /** The number that the next transaction will have; each call takes one. */
  takeSeq(): number {
    return ++this.#seq;
  }

  /** Numbers go on above `seq`, as found in a file where the journal is gone. */
  raiseSeq(seq: number): void {
    if (seq <= MOST_SEQ) this.#seq = Math.max(this.#seq, seq);
  }

  /**
   * Makes a transaction durable and then visible in the files. It counts once this resolves; if it
   * rejects, nothing of it counts. What it removes is out of every answer from the moment it counts;
   * files that could not be moved to the trash are moved later, and a warning says so.
   *
   * @throws {RangeError} if it asks for what cannot be: a removal of another name than its number
   * gives, or a section in another form than the one that is stored
   */
  async commit(record: JournalRecord): Promise<void> {
    const { sections, documents, requests, removal } = record;
    if (removal) checkRemoval(removal, record.seq);
    for (const { meta, content } of sections) if (content !== null) this.#files.checkForm(meta);
    this.#requests.add(requests);
    const arrived = this.#files.expect(documents);
    try {
      await this.parts.journal.append(record);
    } catch (error) {
      this.#requests.remove(requests);
      throw error;
    } finally {
      arrived();
    }
    for (const { meta, content } of sections) {
      if (content !== null) this.#files.put({ kind: "section", section: { meta, content } });
    }
    for (const document of documents) this.#files.put({ kind: "document", document });
    if (!removal) return;
    this.#journaled([record]);
    await this.#files.remove(removal);
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
  flushFiles(): Promise<void> {
    return this.#files.flush();
  }

  /**
   * Drops journal parts that nothing needs: their files are flushed and the index on disk holds
   * them. Requests that are still remembered are written into the new part first.
   */
  async dropJournal(through: number): Promise<void> {
    this.#requests.forgetOld(this.parts.now());
    const requests = this.#requests.all();
    if (requests.length > 0) {
      await this.parts.journal.append({ seq: this.#seq, sections: [], documents: [], requests });
    }
    await this.parts.journal.dropThrough(through);
    this.#removals = this.#removals.filter(({ part }) => part > through);
  }

  /** Waits for the journal, and for files that are being moved: the next process must not find them. */
  async close(): Promise<void> {
    await this.parts.journal.close();
    await this.#files.rest();
  }

  async #recover(records: readonly JournalRecord[]): Promise<void> {
    const { files, paths, indexFiles, writable } = this.parts;
    const { indexedSeq, flushedSeq } = indexFiles.peek();
    // Numbers are not used twice, even where the journal was removed.
    for (const seq of [indexedSeq, flushedSeq, ...removalsIn(files, paths)]) this.raiseSeq(seq);
    for (const { seq, requests } of records) {
      this.raiseSeq(seq);
      this.#requests.add(requests);
    }
    this.#journaled(records);
    const unflushed = records.filter(({ seq }) => seq > flushedSeq);
    if (writable && unflushed.length > 0) await this.#keepFound();
    await replay(unflushed, {
      files: this.#files,
      writable,
      wasTakenOut: (name) => wasTakenOut(files, { paths, name }),
      warn: (sentence) => this.#warn(sentence),
    });
    this.#requests.forgetOld(this.parts.now());
  }

  async #keepFound(): Promise<void> {
    try {
      await this.parts.journal.keepFound();
    } catch (error) {
      // Reading goes on; a write will fail for the same reason.
      this.#warn(error instanceof Error ? error.message : String(error));
    }
  }

  #journaled(records: readonly JournalRecord[]): void {
    const { part } = this.parts.journal;
    for (const { removal } of records) {
      if (removal) this.#removals.push({ name: removal.name, part });
    }
  }

  #warn(sentence: string): void {
    if (!this.warnings.includes(sentence)) this.parts.warnings.push(sentence);
  }
}

/** Numbers of the transactions that put something into the trash. */
function removalsIn(files: Files, paths: DatabasePaths): number[] {
  return listIfThere(files, paths.trash).map(({ name }) => name).filter(isRemovalName).map(Number);
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
