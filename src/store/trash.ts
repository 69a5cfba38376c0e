/**
 * The trash: what was removed, and can come back. Putting something back is a transaction like any
 * other; what was put back is then dropped here.
 *
 * @module
 */

import { join } from "node:path";
import { flushIfThere, listIfThere, removeIfThere } from "../platform/if_there.ts";
import type { Files } from "../platform/types.ts";
import { decodeDocumentOf, type DocumentManifest } from "./document_store.ts";
import { inParallel } from "./parallel.ts";
import { type DatabasePaths, isKbid, isRemovalName } from "./paths.ts";
import { type ReadOutcome, readOutcome } from "./read_outcome.ts";
import { readPlainFile, readSectionAt, sectionFilesAt } from "./section_files.ts";
import type { StoredSection } from "./section_file.ts";
import { encodeEntry, readEntry, type TrashEntry } from "./trash_entry.ts";

/** Knows what is in use: a {@linkcode Store}, or what stands above one. */
export interface LiveItems {
  /** Whether the section is in use. */
  hasSection(kbid: string): boolean;
  /** Whether the document is in use. */
  hasDocument(docid: string): boolean;
}

/** What a trash works with. */
export interface TrashParts {
  readonly files: Files;
  readonly paths: DatabasePaths;
  /** Whether the removal of this name is still on its way into the trash. */
  isPending(name: string): boolean;
  /** Whether the journal still names the removal, so that a restart would carry it out again. */
  isInJournal(name: string): boolean;
  /** Makes durable that the files of what was removed are gone. */
  flushFiles(): Promise<void>;
  warn(sentence: string): void;
}

/** Items of an entry. */
export interface TrashItems {
  readonly kbids?: readonly string[];
  readonly docids?: readonly string[];
}

/** What {@linkcode Trash.empty} did. */
export interface Emptied {
  /** Sections and documents. */
  readonly removed: number;
  readonly freedBytes: number;
}

/** The trash of an open database. Reading writes nothing. */
export class Trash {
  /** What was read of the entries; only this process changes them. */
  readonly #known = new Map<string, TrashEntry>();
  #changes: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: TrashParts) {}

  /**
   * Entries, newest first. With `live`, items that are in use are left out, and entries of nothing
   * else. An entry that cannot be read costs itself and a warning.
   */
  list(live?: LiveItems): TrashEntry[] {
    const entries = this.#names().map((name) => this.#read(name)).filter((entry) => entry !== null);
    return entries.map((entry) => live ? withoutLive(entry, live) : entry).filter(hasItems);
  }

  /** The newest entry that holds a section or document of this id, which is not in use. */
  find(id: string, live?: LiveItems): TrashEntry | null {
    const isSection = isKbid(id) && !live?.hasSection(id);
    const isDocument = !live?.hasDocument(id);
    for (const name of this.#names()) {
      const entry = this.#read(name);
      if (entry === null) continue;
      const holds = isSection && entry.sections.some(({ kbid }) => kbid === id) ||
        isDocument && entry.documents.some(({ docid }) => docid === id);
      if (holds) return live ? withoutLive(entry, live) : entry;
    }
    return null;
  }

  /** A section as it was removed. */
  readSection(entry: TrashEntry, kbid: string): ReadOutcome<StoredSection> {
    const folder = this.parts.paths.trashEntry(entry.name);
    return readSectionAt(this.parts.files, { folder, kbid });
  }

  /** A manifest as it was removed. */
  readDocument(entry: TrashEntry, docid: string): ReadOutcome<DocumentManifest> {
    const path = this.parts.paths.trashDocument(entry.name, docid);
    return readOutcome(
      () => readPlainFile(this.parts.files, path),
      (bytes) => decodeDocumentOf(docid, bytes),
    );
  }

  /**
   * Takes sections and documents out of an entry for good: the transaction that put them back is
   * durable.
   */
  drop(entry: TrashEntry, items: TrashItems): Promise<void> {
    return this.#inOrder(async () => {
      const now = this.#read(entry.name);
      if (now !== null) await this.#shrink(now, items);
    });
  }

  /** Removes entries for good: those removed before a time, or all, also those it cannot read. */
  empty(before?: Date): Promise<Emptied> {
    return this.#inOrder(() => this.#empty(before));
  }

  async #empty(before?: Date): Promise<Emptied> {
    // A full disk must not keep anybody from emptying the trash.
    await this.parts.flushFiles().catch(() => {});
    let removed = 0;
    let freedBytes = 0;
    await inParallel(this.#names(), async (name) => {
      const entry = this.#read(name);
      if (entry === null) {
        if (!before) this.#forget(name);
        return;
      }
      const stays = hasItems(entry)
        ? before && !(Date.parse(entry.at) < before.getTime())
        : this.parts.isInJournal(name);
      if (stays) return;
      await this.#shrink(entry, itemsOf(entry));
      removed += entry.sections.length + entry.documents.length;
      for (const { bytes } of [...entry.sections, ...entry.documents]) freedBytes += bytes;
    });
    await flushIfThere(this.parts.files, this.parts.paths.trash);
    return { removed, freedBytes };
  }

  /** The listing goes first: what it does not name is not in the trash. */
  async #shrink(entry: TrashEntry, items: TrashItems): Promise<void> {
    const { files, paths, isInJournal } = this.parts;
    const { name } = entry;
    const kbids = new Set(items.kbids);
    const docids = new Set(items.docids);
    const left: TrashEntry = {
      ...entry,
      sections: entry.sections.filter(({ kbid }) => !kbids.has(kbid)),
      documents: entry.documents.filter(({ docid }) => !docids.has(docid)),
    };
    await files.replaceDurably(paths.trashListing(name), encodeEntry(left));
    this.#known.set(name, left);
    // A restart that finds no listing would carry the removal out again.
    if (!hasItems(left) && !isInJournal(name)) return this.#forget(name);
    for (const path of this.#pathsOf(name, items)) removeIfThere(files, path);
  }

  #pathsOf(name: string, { kbids = [], docids = [] }: TrashItems): string[] {
    const { files, paths } = this.parts;
    const folder = paths.trashEntry(name);
    const names = kbids.flatMap((kbid) => sectionFilesAt(files, { folder, kbid }));
    return [
      ...names.map((name) => join(folder, name)),
      ...docids.map((docid) => paths.trashDocument(name, docid)),
    ];
  }

  #forget(name: string): void {
    this.parts.files.removeTree(this.parts.paths.trashEntry(name));
    this.#known.delete(name);
  }

  /** Names of entries, newest first. */
  #names(): string[] {
    const { files, paths, isPending } = this.parts;
    return listIfThere(files, paths.trash)
      .filter(({ kind, name }) => kind === "directory" && isRemovalName(name) && !isPending(name))
      .map(({ name }) => name)
      .reverse();
  }

  #read(name: string): TrashEntry | null {
    const known = this.#known.get(name);
    if (known) return known;
    const { files, paths } = this.parts;
    try {
      const entry = readEntry(files, { path: paths.trashListing(name), name });
      if (entry === null) throw new Error("removal.toml is missing");
      this.#known.set(name, entry);
      return entry;
    } catch (error) {
      const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
      this.parts.warn(`The trash's entry ${name} is left out: ${reason}`);
      return null;
    }
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changes.then(work);
    this.#changes = done.catch(() => {});
    return done;
  }
}

function withoutLive(entry: TrashEntry, live: LiveItems): TrashEntry {
  return {
    ...entry,
    sections: entry.sections.filter(({ kbid }) => !live.hasSection(kbid)),
    documents: entry.documents.filter(({ docid }) => !live.hasDocument(docid)),
  };
}

function hasItems({ sections, documents }: TrashEntry): boolean {
  return sections.length + documents.length > 0;
}

function itemsOf({ sections, documents }: TrashEntry): TrashItems {
  return {
    kbids: sections.map(({ kbid }) => kbid),
    docids: documents.map(({ docid }) => docid),
  };
}
