/**
 * Moving what was removed into the trash, so that no power cut loses it: files are copied, the
 * copies and `removal.toml` made durable, and only then the files go. It may be cut off anywhere and
 * done again.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { join } from "node:path";
import { flushIfThere, removeIfThere } from "../platform/if_there.ts";
import { FileError, type Files } from "../platform/types.ts";
import { decodeDocumentOf } from "./document_store.ts";
import { inParallel } from "./parallel.ts";
import type { DatabasePaths } from "./paths.ts";
import { readOutcome } from "./read_outcome.ts";
import type { Removal, RemovedSection } from "./removal.ts";
import { isThereAt, readPlainFile, readSectionFiles, sectionFilesAt } from "./section_files.ts";
import {
  encodeEntry,
  readEntry,
  type TrashedDocument,
  type TrashedSection,
  type TrashEntry,
} from "./trash_entry.ts";

/** Whether all of a removal is in the trash, or was and has left it. */
export function wasTakenOut(files: Files, place: { paths: DatabasePaths; name: string }): boolean {
  try {
    return entryAt(files, place) !== null;
  } catch {
    return false;
  }
}

/**
 * Moves the files of a removal into its folder of the trash. What has no file is passed over; a
 * damaged file is moved as it is. That the files are gone is not durable yet.
 *
 * @throws {FileError} if anything could not be moved; then it has to be done again
 */
export async function takeOut(
  files: Files,
  what: { removal: Removal; paths: DatabasePaths },
): Promise<void> {
  const work = new TakingOut(files, what);
  await work.copy();
  await work.list();
  await work.removeSources();
}

/** Then others get their turn. */
const REMOVALS_AT_ONCE = 100;

/** A file and its place in the trash. */
interface Move {
  readonly from: string;
  readonly to: string;
}

class TakingOut {
  readonly #before: TrashEntry | null;
  readonly #sections = new Map<string, TrashedSection>();
  readonly #documents = new Map<string, TrashedDocument>();
  /** Files that have a durable copy. */
  readonly #copied: string[] = [];
  /** Files that nothing but the system can move, such as one that may not be read. */
  readonly #toRename: Move[] = [];
  readonly #folder: string;

  constructor(
    private readonly files: Files,
    private readonly given: { removal: Removal; paths: DatabasePaths },
  ) {
    const { removal, paths } = given;
    this.#folder = paths.trashEntry(removal.name);
    this.#before = entryAt(files, { paths, name: removal.name });
    for (const section of this.#before?.sections ?? []) this.#sections.set(section.kbid, section);
    for (const document of this.#before?.documents ?? []) {
      this.#documents.set(document.docid, document);
    }
  }

  async copy(): Promise<void> {
    const { sections, documents } = this.given.removal;
    await inParallel(sections, (section) => this.#copySection(section));
    await inParallel(documents, (docid) => this.#copyDocument(docid));
  }

  /** Writes what is in the trash, once all of it is. */
  async list(): Promise<void> {
    const { paths, removal } = this.given;
    const { name, at, reason } = removal;
    const entry: TrashEntry = {
      name,
      at,
      reason,
      sections: inOrder(removal.sections.map(({ kbid }) => kbid), this.#sections),
      documents: inOrder(removal.documents, this.#documents),
    };
    if (countOf(entry) > countOf(this.#before)) {
      this.files.makeDir(entry.documents.length > 0 ? paths.trashDocuments(name) : this.#folder);
      await this.files.replaceDurably(paths.trashListing(name), encodeEntry(entry));
    }
    // Also where nothing is new: an attempt before this one may have come no further.
    if (this.#copied.length + this.#toRename.length > 0) await this.#flushFolders();
  }

  async removeSources(): Promise<void> {
    for (const [i, path] of this.#copied.entries()) {
      removeIfThere(this.files, path);
      if (i % REMOVALS_AT_ONCE === REMOVALS_AT_ONCE - 1) await turn();
    }
    for (const { from, to } of this.#toRename) this.files.rename(from, to);
    if (this.#toRename.length > 0) await this.#flushFolders();
  }

  async #flushFolders(): Promise<void> {
    const { paths, removal } = this.given;
    const folders = [paths.trashDocuments(removal.name), this.#folder, paths.trash, paths.root];
    await inParallel(folders, (path) => flushIfThere(this.files, path));
  }

  async #copySection({ kbid, places }: RemovedSection): Promise<void> {
    const folder = this.given.paths.sectionFolder(kbid);
    const names = sectionFilesAt(this.files, { folder, kbid }, { halves: true });
    if (names.length === 0) return;
    const known = this.#sections.has(kbid);
    const contents = new Map<string, Uint8Array>();
    let bytes = 0;
    for (const name of names) {
      const move = { from: join(folder, name), to: join(this.#folder, name) };
      const copied = await this.#copyFile(move, { known });
      if (copied.content) contents.set(name, copied.content);
      bytes += copied.bytes;
    }
    if (known) return;
    const stored = readSectionFiles(kbid, (name) => contentOf(contents, name));
    const { title = null, type = null } = stored.state === "found" ? stored.value.meta : {};
    this.#sections.set(kbid, { kbid, title, type, bytes, places });
  }

  async #copyDocument(docid: string): Promise<void> {
    const { paths, removal } = this.given;
    const move = { from: paths.document(docid), to: paths.trashDocument(removal.name, docid) };
    if (!isThereAt(this.files, move.from)) return;
    const known = this.#documents.has(docid);
    const { content, bytes } = await this.#copyFile(move, { known });
    if (known) return;
    const stored = readOutcome(
      () => content ?? new Uint8Array(),
      (bytes) => decodeDocumentOf(docid, bytes),
    );
    const { title = null, type = null } = stored.state === "found" ? stored.value : {};
    this.#documents.set(docid, { docid, title, type, bytes });
  }

  /** What an earlier attempt listed is in the trash; the file may be torn or put back by now. */
  async #copyFile(
    { from, to }: Move,
    options: { known: boolean },
  ): Promise<{ content: Uint8Array | null; bytes: number }> {
    const content = readable(this.files, from);
    if (options.known && isThereAt(this.files, to)) {
      if (isSame(content, readable(this.files, to))) this.#copied.push(from);
      else this.#toRename.push({ from, to: this.#freeName(to) });
      return { content: null, bytes: 0 };
    }
    if (content === null) {
      this.#toRename.push({ from, to });
      return { content, bytes: this.files.lstat(from).size };
    }
    this.#write(to, content);
    await this.files.flush(to);
    this.#copied.push(from);
    return { content, bytes: content.length };
  }

  #freeName(path: string): string {
    for (let n = 2;; n++) if (!isThereAt(this.files, `${path}.${n}`)) return `${path}.${n}`;
  }

  #write(to: string, content: Uint8Array): void {
    try {
      this.files.write(to, content);
    } catch (error) {
      if (!(error instanceof FileError) || error.code !== "not_found") throw error;
      this.files.makeDir(join(to, ".."));
      this.files.write(to, content);
    }
  }
}

/**
 * A damaged listing does not count: nothing is gone before it is whole.
 *
 * @throws {FileError} if the system does not give it
 */
function entryAt(
  files: Files,
  place: { paths: DatabasePaths; name: string },
): TrashEntry | null {
  const { paths, name } = place;
  try {
    return readEntry(files, { path: paths.trashListing(name), name });
  } catch (error) {
    if (error instanceof FileError) throw error;
    return null;
  }
}

/** The bytes, or `null` where there is a file and the system does not give them. */
function readable(files: Files, path: string): Uint8Array | null {
  try {
    return readPlainFile(files, path);
  } catch (error) {
    if (error instanceof FileError && error.code !== "not_found") return null;
    throw error;
  }
}

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a !== null && b !== null && Buffer.compare(a, b) === 0;
}

function contentOf(contents: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const bytes = contents.get(name);
  if (bytes) return bytes;
  throw new FileError("not_found", "read", name, "no such file");
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function inOrder<T>(ids: readonly string[], items: ReadonlyMap<string, T>): T[] {
  const own = ids.flatMap((id) => items.get(id) ?? []);
  return [...new Set([...own, ...items.values()])];
}

function countOf(entry: TrashEntry | null): number {
  return entry === null ? 0 : entry.sections.length + entry.documents.length;
}
