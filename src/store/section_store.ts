/**
 * Where sections lie. The interface is the contract; its test
 * (`section_store_contract_test.ts`) is passed by every implementation.
 *
 * @module
 */

import { flushIfThere, listIfThere } from "../platform/if_there.ts";
import { FileError, type Files } from "../platform/types.ts";
import type { DatabasePaths } from "./paths.ts";
import { isKbid } from "./paths.ts";
import { type ReadOutcome, readOutcome } from "./read_outcome.ts";
import { decodeSection, encodeSection, type StoredSection } from "./section_file.ts";

/** One name in the store that is no section, such as a stray file. */
export interface StrayEntry {
  /** Relative to the store's folder. */
  readonly name: string;
}

/** Sections by kbid. Writes are not durable before {@linkcode SectionStore.flush}. */
export interface SectionStore {
  /** The section; a file whose kbid differs from its name is damaged. */
  read(kbid: string): ReadOutcome<StoredSection>;
  /** Whether something lies under the id, whole or not. */
  has(kbid: string): boolean;
  /** Stores a section; another one of the same id is replaced whole. */
  write(section: StoredSection): void;
  /** Makes the given sections durable; ids that are gone are passed over. */
  flush(kbids: Iterable<string>): Promise<void>;
  /** All ids that have a file, in no set order, and the strays among them. */
  list(): { kbids: string[]; strays: StrayEntry[] };
}

/** One file a section, under `sections/ab/<kbid>.md`. */
export class FileSectionStore implements SectionStore {
  constructor(private readonly files: Files, private readonly paths: DatabasePaths) {}

  read(kbid: string): ReadOutcome<StoredSection> {
    return readOutcome(
      () => this.#readFile(this.paths.section(kbid)),
      (bytes) => ownSection(decodeSection(bytes), kbid),
    );
  }

  has(kbid: string): boolean {
    try {
      this.files.lstat(this.paths.section(kbid));
      return true;
    } catch (error) {
      if (error instanceof FileError && error.code === "not_found") return false;
      throw error;
    }
  }

  write(section: StoredSection): void {
    const bytes = encodeSection(section);
    try {
      this.#put(section.meta.kbid, bytes);
    } catch (error) {
      if (!(error instanceof FileError) || error.code !== "not_found") throw error;
      this.files.makeDir(this.paths.sectionFolder(section.meta.kbid));
      this.#put(section.meta.kbid, bytes);
    }
  }

  async flush(kbids: Iterable<string>): Promise<void> {
    const folders = new Set<string>();
    await inParallel(kbids, async (kbid) => {
      folders.add(this.paths.sectionFolder(kbid));
      await flushIfThere(this.files, this.paths.section(kbid));
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
      for (const entry of this.files.list(`${this.paths.sections}/${folder.name}`)) {
        const kbid = entry.name.slice(0, -".md".length);
        const own = entry.kind === "file" && entry.name.endsWith(".md") && isKbid(kbid) &&
          kbid.slice(0, 2) === folder.name;
        if (own) kbids.push(kbid);
        else strays.push({ name: `${folder.name}/${entry.name}` });
      }
    }
    return { kbids, strays };
  }

  /** A link may lead to anything, such as a device that never ends; so may what somebody else made. */
  #readFile(path: string): Uint8Array {
    const { kind } = this.files.lstat(path);
    if (kind === "symlink" || kind === "other") {
      throw new FileError("other", "read", path, "it is a link, pipe, socket or device");
    }
    return this.files.read(path);
  }

  #put(kbid: string, bytes: Uint8Array): void {
    const path = this.paths.section(kbid);
    try {
      this.files.write(path, bytes, { exclusive: true });
    } catch (error) {
      if (!(error instanceof FileError) || error.code !== "exists") throw error;
      this.files.replace(path, bytes);
    }
  }
}

/** Keeps sections in memory, for tests of what stands above a store. */
export class MemorySectionStore implements SectionStore {
  readonly #files = new Map<string, Uint8Array>();

  read(kbid: string): ReadOutcome<StoredSection> {
    const bytes = this.#files.get(kbid);
    if (!bytes) return { state: "missing" };
    return readOutcome(() => bytes, (bytes) => ownSection(decodeSection(bytes), kbid));
  }

  has(kbid: string): boolean {
    return this.#files.has(kbid);
  }

  write(section: StoredSection): void {
    this.#files.set(section.meta.kbid, encodeSection(section));
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  list(): { kbids: string[]; strays: StrayEntry[] } {
    return { kbids: [...this.#files.keys()], strays: [] };
  }
}

const FLUSHES_AT_ONCE = 16;

/** Runs `work` over all items, a bounded number at a time; the first failure is thrown. */
export async function inParallel<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const lane = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: FLUSHES_AT_ONCE }, lane));
}

function ownSection(section: StoredSection, kbid: string): StoredSection {
  if (section.meta.kbid === kbid) return section;
  throw new SyntaxError(
    `Cannot read the section file: it names kbid ${section.meta.kbid.slice(0, 64)}`,
  );
}
