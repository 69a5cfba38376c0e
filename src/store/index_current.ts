/**
 * The form of `CURRENT`: one line of JSON that names what of the index counts, and a line with its
 * checksum.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { Checksum } from "./checksum.ts";
import { INDEX_FORMAT } from "./index_blocks.ts";

/** What the index on disk stands for. */
export interface IndexState {
  /** Records up to this sequence number are in the index. */
  readonly indexedSeq: number;
  /** The files of records up to this sequence number are flushed. */
  readonly flushedSeq: number;
  /** When the files were last looked through for edits from outside: milliseconds since 1970, or 0. */
  readonly scannedMs: number;
}

/** A segment of a generation: the number of its folder, and the lengths of its blocks. */
export interface SegmentEntry {
  readonly number: number;
  readonly terms: number;
  readonly positions: number;
  readonly corpus: number;
}

/** A segment as `CURRENT` names it. */
export interface NamedSegment extends SegmentEntry {
  /** Bitmap of dead entries; may be empty where there are none. */
  readonly dead: Uint8Array;
}

/** What `CURRENT` says. */
export interface Current extends IndexState {
  readonly generation: string;
  /** What the search core needs to be the same, such as the language of stemming. */
  readonly settings: string;
  readonly segments: readonly NamedSegment[];
}

const FOOTER = "kbdb-current";
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The bytes of `CURRENT`. */
export function encodeCurrent(current: Current, checksum: Checksum): Uint8Array {
  const segments = current.segments.map((segment) => ({ ...segment, dead: pack(segment.dead) }));
  const json = JSON.stringify({ format: INDEX_FORMAT, ...current, segments });
  return encoder.encode(`${json}\n${FOOTER} ${INDEX_FORMAT} ${digits(json, checksum)}\n`);
}

/**
 * What the bytes of `CURRENT` say.
 *
 * @throws {Error} if they are damaged or of another format
 */
export function decodeCurrent(bytes: Uint8Array, checksum: Checksum): Current {
  const [json, footer = "", ...rest] = decoder.decode(bytes).split("\n");
  const [magic, format, sum] = footer.split(" ");
  const isEnd = rest.length === 1 && rest[0] === "";
  if (magic !== FOOTER || sum !== digits(json, checksum) || !isEnd) throw damaged();
  if (format !== String(INDEX_FORMAT)) throw new Error(`its format is ${format}`);
  const { generation, settings, indexedSeq, flushedSeq, scannedMs, segments } = JSON.parse(json);
  const isWhole = /^\d{8}$/.test(generation) && Array.isArray(segments) &&
    [indexedSeq, flushedSeq, scannedMs].every(isCount) && segments.every(isPlausible);
  if (!isWhole) throw damaged();
  return { generation, settings, indexedSeq, flushedSeq, scannedMs, segments: segments.map(named) };
}

type WrittenSegment = SegmentEntry & { readonly dead: string };

/** The numbers become names and lengths of files, and the folder may come from anybody. */
function isPlausible(segment: Partial<WrittenSegment> | null): boolean {
  if (segment === null || typeof segment !== "object") return false;
  const { number, terms, positions, corpus, dead } = segment;
  return [number, terms, positions, corpus].every(isCount) && number! < 1e8 &&
    typeof dead === "string";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function named({ number, terms, positions, corpus, dead }: WrittenSegment): NamedSegment {
  // There are fewer entries than bytes that tell of them.
  return { number, terms, positions, corpus, dead: unpack(dead, corpus) };
}

/** Base64 with runs of zeros as a zero and their number: few entries are dead, as a rule. */
function pack(bitmap: Uint8Array): string {
  if (bitmap.every((byte) => byte === 0)) return "";
  const packed: number[] = [];
  for (let at = 0; at < bitmap.length;) {
    const start = at;
    packed.push(bitmap[at++]);
    if (bitmap[start] !== 0) continue;
    while (at < bitmap.length && bitmap[at] === 0 && at - start < 255) at++;
    packed.push(at - start);
  }
  return Buffer.from(packed).toString("base64");
}

function unpack(text: string, limit: number): Uint8Array {
  const packed = Buffer.from(text, "base64");
  const bytes: number[] = [];
  for (let at = 0; at < packed.length;) {
    const byte = packed[at++];
    const count = byte === 0 ? packed[at++] ?? 0 : 1;
    if (bytes.length + count > limit) throw damaged();
    for (let i = 0; i < count; i++) bytes.push(byte);
  }
  return new Uint8Array(bytes);
}

function damaged(): Error {
  return new Error("CURRENT is damaged");
}

function digits(text: string, checksum: Checksum): string {
  return checksum(encoder.encode(text)).toString(16).padStart(8, "0");
}
