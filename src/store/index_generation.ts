/**
 * One generation of the index: a folder of numbered segments, each a folder with three files. What
 * of them counts is for `CURRENT` to say; everything else is left over.
 *
 * @module
 */

import { join } from "node:path";
import type { Files } from "../platform/types.ts";
import type { Checksum } from "./checksum.ts";
import { type BlockFile, needSize, readBlock, writeBlock } from "./index_blocks.ts";
import type { SegmentEntry } from "./index_current.ts";

/** The bytes of a sealed segment, opaque to the store. */
export interface SegmentBytes {
  readonly terms: Uint8Array;
  readonly positions: Uint8Array;
  readonly corpus: Uint8Array;
}

const KINDS = { terms: "terms.idx", positions: "positions.idx", corpus: "corpus.dat" } as const;
type Kind = keyof typeof KINDS;
/** The kinds of files that a segment has. */
export const SEGMENT_KINDS = Object.keys(KINDS) as Kind[];

/** What it takes to search a segment; positions stay on disk (D60). */
export type SearchedBytes = Pick<SegmentBytes, "terms" | "corpus">;

/** Memory to read segments into, one after another. */
export type SegmentRoom = Readonly<Record<Kind, Uint8Array>>;

/** Room for any of these segments. */
export function roomFor(segments: readonly SegmentEntry[]): SegmentRoom {
  const room = (kind: Kind) =>
    new Uint8Array(segments.reduce((most, segment) => Math.max(most, segment[kind]), 0));
  return { terms: room("terms"), positions: room("positions"), corpus: room("corpus") };
}

/** Where a generation lies and how its files are checked. */
export interface GenerationParts {
  /** Eight digits. */
  readonly name: string;
  readonly folder: string;
  readonly checksum: Checksum;
  readonly settings: string;
}

/** A generation that segments are added to, and put in the place of others. */
export class Generation {
  #segments: readonly SegmentEntry[];
  /** Numbers of segments that are no longer wanted, until no `CURRENT` names them. */
  readonly #replaced = new Set<number>();
  readonly #unflushed = new Set<number>();
  /** The highest one that is taken. */
  #number: number;

  /** `named` are the segments that it has; their numbers and those up to `highest` are taken. */
  constructor(
    private readonly files: Files,
    private readonly parts: GenerationParts,
    existing: { named: readonly SegmentEntry[]; highest: number } = { named: [], highest: 0 },
  ) {
    this.#segments = existing.named;
    this.#number = Math.max(existing.highest, ...existing.named.map(({ number }) => number));
  }

  get name(): string {
    return this.parts.name;
  }

  get settings(): string {
    return this.parts.settings;
  }

  /** Its segments, in the order in which the index has them. */
  get segments(): readonly SegmentEntry[] {
    return this.#segments;
  }

  /** A number that no other segment has. */
  takeNumber(): number {
    return ++this.#number;
  }

  /** Adds a segment's bytes, unflushed. If it fails, the generation stays as it was. */
  add(segment: SegmentBytes): void {
    this.adopt([this.write(this.takeNumber(), segment)]);
  }

  /** Writes a segment's files, unflushed, without counting it among the segments. */
  write(number: number, segment: SegmentBytes): SegmentEntry {
    try {
      this.files.makeDir(this.#folder(number));
      for (const kind of SEGMENT_KINDS) writeBlock(this.#file(number, kind), segment[kind]);
    } catch (error) {
      this.drop(number);
      throw error;
    }
    const { terms, positions, corpus } = segment;
    return { number, terms: terms.length, positions: positions.length, corpus: corpus.length };
  }

  /** Takes up segments that were written for it, maybe by another thread. */
  adopt(entries: readonly SegmentEntry[]): void {
    for (const { number } of entries) this.#unflushed.add(number);
    this.#segments = [...this.#segments, ...entries];
    this.#number = Math.max(this.#number, ...entries.map(({ number }) => number));
  }

  /** Puts a segment that was written for it, or none, in the place of `count` others. */
  replace(first: number, count: number, entry: SegmentEntry | null): void {
    const segments = [...this.#segments];
    const gone = segments.splice(first, count, ...(entry ? [entry] : []));
    for (const { number } of gone) this.#replaced.add(number);
    if (entry) this.#unflushed.add(entry.number);
    this.#segments = segments;
  }

  /** Whether `CURRENT` still names what was replaced. */
  get hasReplaced(): boolean {
    return this.#replaced.size > 0;
  }

  /** One file of a segment, read piece by piece and checked; valid until the room is used again. */
  read(entry: SegmentEntry, kind: Kind, room?: SegmentRoom): Generator<void, Uint8Array> {
    return readBlock(this.#file(entry.number, kind), entry[kind], room?.[kind]);
  }

  /** What it takes to search a segment, read as {@linkcode Generation.read} does. */
  *readSearched(entry: SegmentEntry, room?: SegmentRoom): Generator<void, SearchedBytes> {
    const terms = yield* this.read(entry, "terms", room);
    const corpus = yield* this.read(entry, "corpus", room);
    return { terms, corpus };
  }

  /** Tells by its size alone whether a file may be whole. */
  needSize(entry: SegmentEntry, kind: Kind): void {
    needSize(this.#file(entry.number, kind), entry[kind]);
  }

  /** Makes the files of these segments durable. */
  async flush(entries: readonly SegmentEntry[]): Promise<void> {
    const due = entries.filter(({ number }) => this.#unflushed.has(number));
    if (due.length === 0) return;
    for (const { number } of due) {
      for (const kind of SEGMENT_KINDS) await this.files.flush(this.#file(number, kind).path);
      await this.files.flush(this.#folder(number));
    }
    await this.files.flush(this.parts.folder);
    for (const { number } of due) this.#unflushed.delete(number);
  }

  /** Removes what was replaced, except for `named`, which `CURRENT` names. */
  removeReplaced(named: readonly SegmentEntry[]): void {
    const kept = new Set(named.map(({ number }) => number));
    for (const number of this.#replaced) {
      if (kept.has(number)) continue;
      this.drop(number);
      this.#replaced.delete(number);
    }
  }

  /** Removes a segment's files as far as they will go. */
  drop(number: number): void {
    this.#remove(this.#folder(number));
  }

  /** Removes the files of a generation that will not come into use. */
  discard(): void {
    this.#remove(this.parts.folder);
  }

  #remove(folder: string): void {
    try {
      this.files.removeTree(folder);
    } catch {
      // It goes when the index is opened or made again.
    }
  }

  #folder(number: number): string {
    return join(this.parts.folder, String(number));
  }

  #file(segment: number, kind: Kind): BlockFile {
    const { files, parts: { name, checksum } } = this;
    const path = join(this.#folder(segment), KINDS[kind]);
    return { files, path, checksum, generation: Number(name), segment };
  }
}
