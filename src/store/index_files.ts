/**
 * The files of the index: derived, so that they may be deleted at any time, and served only if
 * their checksums hold.
 *
 * A generation is a folder of segments. `CURRENT` names the generation and which of its segments
 * count: replacing it whole is the one commit point, and what it does not name is left over from a
 * write that did not finish, or on its way.
 *
 * @module
 */

import { listIfThere, readIfThere } from "../platform/if_there.ts";
import type { Files } from "../platform/types.ts";
import type { Checksum } from "./checksum.ts";
import { FOOTER_BYTES, wholly } from "./index_blocks.ts";
import {
  type Current,
  decodeCurrent,
  encodeCurrent,
  type IndexState,
  type NamedSegment,
  type SegmentEntry,
} from "./index_current.ts";
import { Generation, roomFor, type SearchedBytes, type SegmentRoom } from "./index_generation.ts";
import type { DatabasePaths } from "./paths.ts";

/** A segment as the search core loads it. */
export interface LoadedSegment extends SearchedBytes {
  /** Bitmap of dead entries. */
  readonly dead: Uint8Array;
}

/** Whether the index on disk could be loaded; `missing` where there simply is none yet. */
export type LoadOutcome =
  | { readonly state: "loaded" | "missing" }
  | { readonly state: "unusable"; readonly reason: string };

/** What a commit makes the index on disk. */
export interface CommitState extends Omit<IndexState, "scannedMs"> {
  /** Left out, it stays as it was. */
  readonly scannedMs?: number;
  /** Of the generation, in its order. */
  readonly segments: readonly NamedSegment[];
}

/** Sizes of the files in use, bytes. */
export type IndexSizes = Record<"terms" | "positions" | "corpus", number>;

/** The index files of one database. */
export class IndexFiles {
  #current: Current | null = null;
  /** Number of the generation that was begun last. */
  #begun = 0;

  private readonly paths: DatabasePaths;
  private readonly checksum: Checksum;

  constructor(
    private readonly files: Files,
    parts: { paths: DatabasePaths; checksum: Checksum },
  ) {
    this.paths = parts.paths;
    this.checksum = parts.checksum;
  }

  /** Name of the generation in use. */
  get generation(): string | null {
    return this.#current?.generation ?? null;
  }

  /** State of what is on disk, or `null` before anything is. */
  get state(): IndexState | null {
    return this.#current;
  }

  /** Sizes of the files in use. */
  get sizes(): IndexSizes {
    const segments = this.#current?.segments ?? [];
    const size = (kind: keyof IndexSizes) =>
      segments.reduce((sum, segment) => sum + segment[kind] + FOOTER_BYTES, 0);
    return { terms: size("terms"), positions: size("positions"), corpus: size("corpus") };
  }

  /**
   * What the index on disk stands for, before it is loaded; zeros where it cannot be told. Journal
   * records up to these numbers need no work.
   */
  peek(): IndexState {
    try {
      return stateOf(decodeCurrent(this.files.read(this.paths.current), this.checksum));
    } catch {
      // Unreadable here is unreadable in load(), which names the reason.
      return { indexedSeq: 0, flushedSeq: 0, scannedMs: 0 };
    }
  }

  /**
   * Gives each segment of the current generation to `take`, valid until it returns. Unless the answer
   * is `loaded`, the index has to be made again, and what was taken is of no use.
   */
  load(settings: string, take: (segment: LoadedSegment) => void): LoadOutcome {
    this.#current = null;
    try {
      const bytes = readIfThere(this.files, this.paths.current);
      if (bytes === null) return { state: "missing" };
      const current = decodeCurrent(bytes, this.checksum);
      if (current.settings !== settings) throw new Error("its analysis settings differ");
      const generation = this.open(current.generation, settings);
      const room = roomFor(current.segments);
      for (const segment of current.segments) take(loaded(generation, segment, room));
      this.#current = current;
      return { state: "loaded" };
    } catch (error) {
      return { state: "unusable", reason: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Begins an empty generation; it is in use once {@linkcode IndexFiles.commit} names it. */
  begin(settings: string): Generation {
    this.files.makeDir(this.paths.indexes);
    // Above the one in use and those that were begun: their folders come with their first segment.
    const inUse = Number(this.#current?.generation ?? 0);
    const names = numberedFolders(this.files, this.paths.indexes);
    this.#begun = 1 + Math.max(this.#begun, inUse, ...names);
    return this.open(nameOf(this.#begun), settings);
  }

  /** A generation to read from and write to, nothing of which counts yet. */
  open(name: string, settings: string): Generation {
    const { files, paths, checksum } = this;
    return new Generation(files, { name, folder: paths.generation(name), checksum, settings });
  }

  /** Goes on with the generation in use, and removes what writes that were cut off left. */
  resume(): Generation {
    if (!this.#current) throw new Error("Cannot resume the index: no generation is in use");
    const { generation: name, settings, segments } = this.#current;
    this.#removeGenerations((other) => other > Number(name));
    const folder = this.paths.generation(name);
    const found = numberedFolders(this.files, folder);
    const named = new Set(segments.map(({ number }) => number));
    const generation = new Generation(
      this.files,
      { name, folder, checksum: this.checksum, settings },
      { named: segments.map(entryOf), highest: Math.max(0, ...found) },
    );
    for (const number of found) if (!named.has(number)) generation.drop(number);
    return generation;
  }

  /** Makes these segments the index in use, durably; then what they replace is removed. */
  async commit(generation: Generation, state: CommitState): Promise<void> {
    this.files.makeDir(this.paths.indexes);
    await generation.flush(state.segments);
    const { name, settings } = generation;
    const scannedMs = state.scannedMs ?? this.#current?.scannedMs ?? 0;
    const current: Current = { ...state, scannedMs, generation: name, settings };
    await this.files.replaceDurably(this.paths.current, encodeCurrent(current, this.checksum));
    this.#current = current;
    generation.removeReplaced(current.segments);
    // A higher number may belong to a rebuild that is under way.
    this.#removeGenerations((other) => other < Number(name));
  }

  #removeGenerations(isOver: (number: number) => boolean): void {
    for (const number of numberedFolders(this.files, this.paths.indexes)) {
      if (isOver(number)) this.open(nameOf(number), "").discard();
    }
  }
}

function nameOf(generation: number): string {
  return String(generation).padStart(8, "0");
}

function stateOf({ indexedSeq, flushedSeq, scannedMs }: IndexState): IndexState {
  return { indexedSeq, flushedSeq, scannedMs };
}

function entryOf({ number, terms, positions, corpus }: SegmentEntry): SegmentEntry {
  return { number, terms, positions, corpus };
}

/** Positions are not loaded, but must be there for who merges. */
function loaded(generation: Generation, named: NamedSegment, room: SegmentRoom): LoadedSegment {
  generation.needSize(named, "positions");
  return { ...wholly(generation.readSearched(named, room)), dead: named.dead };
}

function numberedFolders(files: Files, path: string): number[] {
  return listIfThere(files, path)
    .filter(({ kind, name }) => kind === "directory" && /^\d{1,8}$/.test(name))
    .map(({ name }) => Number(name));
}
