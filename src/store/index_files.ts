/**
 * The files of the index: derived, so that they may be deleted at any time, and served only if
 * their checksums hold.
 *
 * A generation is a folder with three files, `terms.idx`, `positions.idx` and `corpus.dat`. Each
 * holds one block a segment, one after another; a block ends in a footer. `CURRENT` names the
 * generation and what of its files counts: replacing it whole is the one commit point, and bytes
 * beyond what it names are left-overs of a write that did not finish.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { join } from "node:path";
import { FileError, type Files } from "../platform/types.ts";
import type { Checksum } from "./checksum.ts";
import type { DatabasePaths } from "./paths.ts";

/** Raised with every change of the form of these files; another number means rebuild. */
export const INDEX_FORMAT = 1;

/** The bytes of a sealed segment, opaque to the store. */
export interface SegmentBytes {
  readonly terms: Uint8Array;
  readonly positions: Uint8Array;
  readonly corpus: Uint8Array;
}

/** A segment as the search core loads it; positions stay on disk (D60). */
export interface LoadedSegment {
  readonly terms: Uint8Array;
  readonly corpus: Uint8Array;
  /** Bitmap of dead entries. */
  readonly dead: Uint8Array;
}

/** What the index on disk stands for. */
export interface IndexState {
  /** Records up to this sequence number are in the index. */
  readonly indexedSeq: number;
  /** The files of records up to this sequence number are flushed. */
  readonly flushedSeq: number;
}

interface Block {
  readonly offset: number;
  /** Bytes without the footer. */
  readonly length: number;
}

interface SegmentEntry {
  readonly terms: Block;
  readonly positions: Block;
  readonly corpus: Block;
  readonly dead: string;
}

interface Current extends IndexState {
  readonly format: number;
  readonly generation: string;
  /** What the search core needs to be the same, such as the language of stemming. */
  readonly settings: string;
  readonly segments: readonly SegmentEntry[];
}

const KINDS = { terms: "terms.idx", positions: "positions.idx", corpus: "corpus.dat" } as const;
type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** Sizes of the files in use, bytes. */
export type IndexSizes = Record<Kind, number>;

const FOOTER_MAGIC = "kbdbidx1";
const FOOTER_BYTES = 32;
const CURRENT_FOOTER = "kbdb-current";
const encoder = new TextEncoder();
const decoder = new TextDecoder();

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

  /**
   * What the index on disk stands for, before it is loaded; zeros where it cannot be told. Journal
   * records up to these numbers need no work.
   */
  peek(): IndexState {
    try {
      const current = decodeCurrent(this.files.read(this.paths.current), this.checksum);
      if (current) return { indexedSeq: current.indexedSeq, flushedSeq: current.flushedSeq };
    } catch {
      // Unreadable here is unreadable in load(), which names the reason.
    }
    return { indexedSeq: 0, flushedSeq: 0 };
  }

  /** Sizes of the files in use. */
  get sizes(): IndexSizes {
    const size = (kind: Kind) => this.#end(kind);
    return { terms: size("terms"), positions: size("positions"), corpus: size("corpus") };
  }

  /**
   * Loads the segments of the current generation, or says why it cannot be used; then the index has
   * to be rebuilt. `reason` is `null` where there simply is none yet.
   */
  load(settings: string): { segments: LoadedSegment[] } | { reason: string | null } {
    try {
      const current = this.#readCurrent(settings);
      if (typeof current === "string") return { reason: current };
      if (current === null) return { reason: null };
      const segments = current.segments.map((entry) => this.#readSegment(current, entry));
      this.#current = current;
      return { segments };
    } catch (error) {
      this.#current = null;
      return { reason: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Begins an empty generation; it is in use once {@linkcode IndexFiles.commit} names it. */
  begin(settings: string): Generation {
    this.files.makeDir(this.paths.indexes);
    // Above those that were begun, too: their folders come with their first segment.
    this.#begun = 1 + Math.max(this.#begun, ...this.#generationNames().map(Number));
    const name = String(this.#begun).padStart(8, "0");
    const current: Current = {
      format: INDEX_FORMAT,
      generation: name,
      settings,
      segments: [],
      indexedSeq: 0,
      flushedSeq: 0,
    };
    return this.#generationOf(current);
  }

  /** Goes on with the generation in use, and removes what rebuilds that were cut off left. */
  resume(): Generation {
    if (!this.#current) throw new Error("Cannot resume the index: no generation is in use");
    const { generation } = this.#current;
    for (const name of this.#generationNames()) {
      if (name > generation) this.files.removeTree(this.paths.generation(name));
    }
    return this.#generationOf(this.#current);
  }

  /** Makes what the generation holds the index in use, durably; then older ones are removed. */
  async commit(
    generation: Generation,
    state: IndexState & { dead: readonly Uint8Array[] },
  ): Promise<void> {
    this.files.makeDir(this.paths.indexes);
    await generation.flush();
    const { dead, ...seqs } = state;
    const current: Current = {
      ...generation.current,
      ...seqs,
      segments: generation.current.segments.map((entry, i) => ({
        ...entry,
        dead: Buffer.from(dead[i]).toString("base64"),
      })),
    };
    await this.files.replaceDurably(this.paths.current, encodeCurrent(current, this.checksum));
    this.#current = current;
    generation.current = current;
    this.#removeOlder(current.generation);
  }

  #end(kind: Kind): number {
    const last = this.#current?.segments.at(-1)?.[kind];
    return last ? last.offset + last.length + FOOTER_BYTES : 0;
  }

  #readCurrent(settings: string): Current | string | null {
    let bytes: Uint8Array;
    try {
      bytes = this.files.read(this.paths.current);
    } catch (error) {
      if (error instanceof FileError && error.code === "not_found") return null;
      throw error;
    }
    const current = decodeCurrent(bytes, this.checksum);
    if (current === null) return "CURRENT is damaged";
    if (current.format !== INDEX_FORMAT) return `its format is ${current.format}`;
    if (current.settings !== settings) return "its analysis settings differ";
    return current;
  }

  #readSegment(current: Current, entry: SegmentEntry): LoadedSegment {
    const read = (kind: Kind) =>
      readBlock(this.files, {
        path: join(this.paths.generation(current.generation), KINDS[kind]),
        block: entry[kind],
        generation: current.generation,
        checksum: this.checksum,
      });
    const dead = new Uint8Array(Buffer.from(entry.dead, "base64"));
    this.#needPositions(current, entry.positions);
    return { terms: read("terms"), corpus: read("corpus"), dead };
  }

  /** Positions are not loaded, but what follows them is written where they end. */
  #needPositions(current: Current, block: Block): void {
    const path = join(this.paths.generation(current.generation), KINDS.positions);
    if (this.files.stat(path).size >= block.offset + block.length + FOOTER_BYTES) return;
    throw new Error(`${path} is shorter than it was`);
  }

  #generationOf(current: Current): Generation {
    const folder = this.paths.generation(current.generation);
    return new Generation(this.files, { folder, checksum: this.checksum, current });
  }

  #generationNames(): string[] {
    return this.files.list(this.paths.indexes)
      .filter((entry) => entry.kind === "directory" && /^\d{8}$/.test(entry.name))
      .map((entry) => entry.name);
  }

  /** A higher number may belong to a rebuild that is under way. */
  #removeOlder(generation: string): void {
    for (const name of this.#generationNames()) {
      if (name < generation) this.files.removeTree(this.paths.generation(name));
    }
  }
}

/** A generation that segments are being added to. */
export class Generation {
  /** What the next commit will name. */
  current: Current;
  private readonly folder: string;
  private readonly checksum: Checksum;

  constructor(
    private readonly files: Files,
    parts: { folder: string; checksum: Checksum; current: Current },
  ) {
    this.folder = parts.folder;
    this.checksum = parts.checksum;
    this.current = parts.current;
  }

  /** Adds a segment's bytes, unflushed. If it fails, the generation stays as it was. */
  add(segment: SegmentBytes): void {
    this.files.makeDir(this.folder);
    const last = this.current.segments.at(-1);
    const entry = {} as Record<Kind, Block>;
    for (const kind of KIND_NAMES) {
      const before = last?.[kind];
      const offset = before ? before.offset + before.length + FOOTER_BYTES : 0;
      this.#append(join(this.folder, KINDS[kind]), { offset, bytes: segment[kind] });
      entry[kind] = { offset, length: segment[kind].length };
    }
    const segments = [...this.current.segments, { ...entry, dead: "" }];
    this.current = { ...this.current, segments };
  }

  /** Removes the files of a generation that will not come into use. */
  discard(): void {
    try {
      this.files.removeTree(this.folder);
    } catch {
      // It goes when the index is opened or made again.
    }
  }

  /** Makes the files durable. */
  async flush(): Promise<void> {
    if (this.current.segments.length === 0) return;
    for (const kind of KIND_NAMES) await this.files.flush(join(this.folder, KINDS[kind]));
    await this.files.flush(this.folder);
  }

  #append(path: string, block: { offset: number; bytes: Uint8Array }): void {
    const file = this.files.openAppend(path);
    try {
      if (file.size < block.offset) throw new Error(`${path} is shorter than it was`);
      if (file.size > block.offset) file.truncate(block.offset);
      file.write(block.bytes);
      const { generation } = this.current;
      file.write(footerOf(block.bytes, { generation, checksum: this.checksum }));
    } finally {
      file.close();
    }
  }
}

/** magic (8) | format u32 | checksum u32 | length u64 | generation u64 */
function footerOf(
  bytes: Uint8Array,
  facts: { generation: string; checksum: Checksum },
): Uint8Array {
  const footer = new Uint8Array(FOOTER_BYTES);
  const view = new DataView(footer.buffer);
  footer.set(encoder.encode(FOOTER_MAGIC));
  view.setUint32(8, INDEX_FORMAT, true);
  view.setUint32(12, facts.checksum(bytes), true);
  view.setBigUint64(16, BigInt(bytes.length), true);
  view.setBigUint64(24, BigInt(facts.generation), true);
  return footer;
}

function readBlock(
  files: Files,
  what: { path: string; block: Block; generation: string; checksum: Checksum },
): Uint8Array {
  const { path, block } = what;
  const whole = files.readPart(path, {
    offset: block.offset,
    length: block.length + FOOTER_BYTES,
  });
  const bytes = whole.subarray(0, block.length);
  const footer = whole.subarray(block.length);
  if (Buffer.compare(footer, footerOf(bytes, what)) !== 0) {
    throw new Error(`${path} is damaged at byte ${block.offset}`);
  }
  return bytes;
}

function encodeCurrent(current: Current, checksum: Checksum): Uint8Array {
  const json = JSON.stringify(current);
  return encoder.encode(`${json}\n${CURRENT_FOOTER} ${INDEX_FORMAT} ${digits(json, checksum)}\n`);
}

function decodeCurrent(bytes: Uint8Array, checksum: Checksum): Current | null {
  const [json, footer, ...rest] = decoder.decode(bytes).split("\n");
  const [magic, format, sum] = (footer ?? "").split(" ");
  if (magic !== CURRENT_FOOTER || sum !== digits(json, checksum) || rest.join() !== "") return null;
  const current: Current = JSON.parse(json);
  return format === String(current.format) && isPlausible(current) ? current : null;
}

/** The name becomes a path and the numbers places in files, and the folder may come from anybody. */
function isPlausible({ generation, segments }: Current): boolean {
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
  return /^\d{8}$/.test(generation) && Array.isArray(segments) &&
    segments.every((entry) =>
      KIND_NAMES.every((kind) => isCount(entry?.[kind]?.offset) && isCount(entry[kind].length))
    );
}

function digits(text: string, checksum: Checksum): string {
  return checksum(encoder.encode(text)).toString(16).padStart(8, "0");
}
