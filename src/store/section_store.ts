/**
 * Where sections lie. The interface is the contract; its test
 * (`section_store_contract_test.ts`) is passed by every implementation.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { join } from "node:path";
import { flushIfThere, listIfThere } from "../platform/if_there.ts";
import { FileError, type Files } from "../platform/types.ts";
import { ImageFolders } from "./image_folders.ts";
import type { DatabasePaths } from "./paths.ts";
import type { ReadOutcome } from "./read_outcome.ts";
import { inParallel } from "./parallel.ts";
import type { SectionMeta, StoredSection } from "./section_file.ts";
import {
  encodeFiles,
  endingOf,
  isThereAt,
  readPlainFile,
  readSectionAt,
  readSectionFiles,
  readSidecar,
  type SectionFile,
  sectionFilesAt,
  type SectionPlace,
  sidecarName,
  sortNames,
  textName,
} from "./section_files.ts";

/** One name in the store that is no section, such as a stray file. */
export interface StrayEntry {
  /** Relative to the store's folder. */
  readonly name: string;
}

/** Sections by kbid. Writes are not durable before {@linkcode SectionStore.flush}. */
export interface SectionStore {
  /** The section; a file whose kbid differs from its name is damaged, as is an image without bytes. */
  read(kbid: string): ReadOutcome<StoredSection>;
  /** Whether something lies under the id, whole or not. */
  has(kbid: string): boolean;
  /**
   * Stores a section; another one of the same id is replaced whole. That it has the same form was
   * made sure with {@linkcode SectionStore.checkForm}.
   */
  write(section: StoredSection): void;
  /**
   * Makes sure that the id is free or taken in the same form.
   *
   * @throws {RangeError} if a text would become an image, or an image one of another type
   */
  checkForm(meta: SectionMeta): void;
  /** Makes the given sections durable; ids that are gone are durably gone. */
  flush(kbids: Iterable<string>): Promise<void>;
  /** All ids that have a file, in no set order, and the strays among them. */
  list(): { kbids: string[]; strays: StrayEntry[] };
}

/** Files under `sections/ab/`. */
export class FileSectionStore implements SectionStore {
  readonly #images: ImageFolders;

  constructor(private readonly files: Files, private readonly paths: DatabasePaths) {
    this.#images = new ImageFolders(files);
  }

  read(kbid: string): ReadOutcome<StoredSection> {
    // A kbid that is none has no folder, and is refused by the first name.
    return readSectionAt(this.files, { folder: this.#folderOf(kbid), kbid });
  }

  has(kbid: string): boolean {
    const folder = this.#folderOf(kbid);
    return this.files.exists(join(folder, textName(kbid))) || this.#isImage({ folder, kbid });
  }

  write(section: StoredSection): void {
    const { kbid } = section.meta;
    const folder = this.paths.sectionFolder(kbid);
    const written = encodeFiles(section);
    for (const file of written) {
      try {
        this.#put(folder, file);
      } catch (error) {
        if (!(error instanceof FileError) || error.code !== "not_found") throw error;
        this.files.makeDir(folder);
        this.#images.made(folder);
        this.#put(folder, file);
      }
    }
    if (written.length > 1) this.#images.stored({ folder, kbid });
  }

  checkForm(meta: SectionMeta): void {
    const { kbid } = meta;
    const folder = this.paths.sectionFolder(kbid);
    if (endingOf(meta.type) === "md") {
      if (this.#isImage({ folder, kbid })) throw otherForm(meta, sidecarName(kbid));
      return;
    }
    if (isThereAt(this.files, join(folder, textName(kbid)))) throw otherForm(meta, textName(kbid));
    const read = (name: string) => readPlainFile(this.files, join(folder, name));
    checkImage(meta, readSidecar(kbid, read));
  }

  async flush(kbids: Iterable<string>): Promise<void> {
    const folders = new Set<string>();
    await inParallel(kbids, async (kbid) => {
      const folder = this.paths.sectionFolder(kbid);
      folders.add(folder);
      if (await flushIfThere(this.files, join(folder, textName(kbid)))) return;
      for (const name of sectionFilesAt(this.files, { folder, kbid })) {
        await flushIfThere(this.files, join(folder, name));
      }
    });
    await inParallel(folders, (folder) => flushIfThere(this.files, folder));
    if (folders.size > 0) await this.files.flush(this.paths.sections);
  }

  list(): { kbids: string[]; strays: StrayEntry[] } {
    const kbids: string[] = [];
    const strays: StrayEntry[] = [];
    for (const folder of listIfThere(this.files, this.paths.sections)) {
      if (folder.kind !== "directory") {
        strays.push({ name: folder.name });
        continue;
      }
      const path = join(this.paths.sections, folder.name);
      const entries = this.files.list(path);
      this.listed(path, entries.map(({ name }) => name));
      const isFile = (kind: string) => kind === "file";
      const names = entries.filter(({ kind }) => isFile(kind)).map(({ name }) => name);
      const sorted = sortNames(names, folder.name);
      const others = entries.filter(({ kind }) => !isFile(kind)).map(({ name }) => name);
      kbids.push(...sorted.sections.keys());
      for (const name of [...sorted.strays, ...others]) {
        strays.push({ name: `${folder.name}/${name}` });
      }
    }
    return { kbids, strays };
  }

  /** A folder of sections was listed by somebody else. */
  listed(folder: string, names: readonly string[]): void {
    this.#images.listed(folder, names);
  }

  #folderOf(kbid: string): string {
    return join(this.paths.sections, kbid.slice(0, 2));
  }

  #isImage(place: SectionPlace): boolean {
    if (!this.#images.mayHold(place)) return false;
    return isThereAt(this.files, join(place.folder, sidecarName(place.kbid)));
  }

  #put(folder: string, file: SectionFile): void {
    const path = join(folder, file.name);
    try {
      this.files.write(path, file.bytes, { exclusive: true });
    } catch (error) {
      const isFile = error instanceof FileError && error.code === "exists" &&
        this.files.lstat(path).kind === "file";
      if (!isFile) throw error;
      // An image's bytes stay when only what is known of it changes.
      if (!this.#holds(path, file.bytes)) this.files.replace(path, file.bytes);
    }
  }

  #holds(path: string, bytes: Uint8Array): boolean {
    try {
      return Buffer.compare(readPlainFile(this.files, path), bytes) === 0;
    } catch {
      return false;
    }
  }
}

/** Keeps sections in memory, for tests of what stands above a store. */
export class MemorySectionStore implements SectionStore {
  readonly #files = new Map<string, Uint8Array>();

  read(kbid: string): ReadOutcome<StoredSection> {
    return readSectionFiles(kbid, this.#read);
  }

  has(kbid: string): boolean {
    return this.#files.has(textName(kbid)) || this.#files.has(sidecarName(kbid));
  }

  write(section: StoredSection): void {
    for (const { name, bytes } of encodeFiles(section)) this.#files.set(name, bytes.slice());
  }

  checkForm(meta: SectionMeta): void {
    const other = endingOf(meta.type) === "md" ? sidecarName(meta.kbid) : textName(meta.kbid);
    if (this.#files.has(other)) throw otherForm(meta, other);
    if (other === textName(meta.kbid)) checkImage(meta, readSidecar(meta.kbid, this.#read));
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  list(): { kbids: string[]; strays: StrayEntry[] } {
    const { sections, strays } = sortNames([...this.#files.keys()]);
    return { kbids: [...sections.keys()], strays: strays.map((name) => ({ name })) };
  }

  readonly #read = (name: string): Uint8Array => {
    const bytes = this.#files.get(name);
    if (bytes) return bytes;
    throw new FileError("not_found", "read", name, "no such file");
  };
}

/** An image of another type would lie in another file beside the old one. */
function checkImage(meta: SectionMeta, stored: ReadOutcome<SectionMeta>): void {
  if (stored.state !== "found") return;
  const { type } = stored.value;
  if (endingOf(type) !== endingOf(meta.type)) throw otherForm(meta, type);
}

function otherForm(meta: SectionMeta, there: string): RangeError {
  return new RangeError(
    `Cannot store section ${meta.kbid} as ${meta.type}: it is stored as ${there}`,
  );
}
