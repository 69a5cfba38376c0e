/**
 * A file of the index: one block of bytes and a footer that tells whether they are whole, and whose.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { Files } from "../platform/types.ts";
import type { Checksum } from "./checksum.ts";

/** Raised with every change of the form of the index's files; another number means rebuild. */
export const INDEX_FORMAT = 2;

/** Bytes of a footer. */
export const FOOTER_BYTES = 32;

const FOOTER_MAGIC = "kbdbidx2";
/**
 * Blocks are read and summed up in pieces: who serves searches meanwhile can pause in between, and
 * the search core, which computes the sums in memory that never shrinks, never holds more.
 */
const PIECE_BYTES = 1 << 20;
const encoder = new TextEncoder();

/** Which file a block is, and what reading and writing it takes. */
export interface BlockFile {
  readonly files: Files;
  readonly path: string;
  readonly checksum: Checksum;
  readonly generation: number;
  readonly segment: number;
}

/** Writes a new file, unflushed. */
export function writeBlock(file: BlockFile, bytes: Uint8Array): void {
  const sums = new Sums(file.checksum);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    sums.add(bytes.subarray(at, at + PIECE_BYTES));
  }
  file.files.write(file.path, bytes);
  const end = file.files.openAppend(file.path);
  try {
    end.write(footerOf(file, { sum: sums.total, length: bytes.length }));
  } finally {
    end.close();
  }
}

/**
 * A block of `length` bytes, read piece by piece.
 *
 * @param room Where it is put, if that has the size for it: many large arrays would be given back late
 */
export function* readBlock(
  file: BlockFile,
  length: number,
  room?: Uint8Array,
): Generator<void, Uint8Array> {
  needSize(file, length);
  const bytes = room && room.length >= length ? room.subarray(0, length) : new Uint8Array(length);
  const sums = new Sums(file.checksum);
  for (let at = 0; at < length; at += PIECE_BYTES) {
    const buffer = bytes.subarray(at, at + PIECE_BYTES);
    file.files.readInto(file.path, { offset: at, buffer });
    sums.add(buffer);
    yield;
  }
  const footer = new Uint8Array(FOOTER_BYTES);
  file.files.readInto(file.path, { offset: length, buffer: footer });
  if (Buffer.compare(footer, footerOf(file, { sum: sums.total, length })) !== 0) {
    throw new Error(`${file.path} is damaged`);
  }
  return bytes;
}

/** What work in pieces comes to, without a pause. */
export function wholly<T>(work: Generator<void, T>): T {
  while (true) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Tells by its size alone whether a block may be whole. */
export function needSize(file: BlockFile, length: number): void {
  const { size } = file.files.stat(file.path);
  const missing = length + FOOTER_BYTES - size;
  if (missing > 0) throw new Error(`${file.path} is shorter than it was`);
  if (missing < 0) throw new Error(`${file.path} is longer than it was`);
}

/** The sum of a block: that of the sums of its pieces. */
class Sums {
  readonly #sums: number[] = [];

  constructor(private readonly checksum: Checksum) {}

  add(piece: Uint8Array): void {
    this.#sums.push(this.checksum(piece));
  }

  get total(): number {
    const view = new DataView(new ArrayBuffer(4 * this.#sums.length));
    this.#sums.forEach((sum, i) => view.setUint32(4 * i, sum, true));
    return this.checksum(new Uint8Array(view.buffer));
  }
}

/** magic (8) | format u32 | sum u32 | length u64 | generation u32 | segment u32 */
function footerOf(
  { generation, segment }: BlockFile,
  { sum, length }: { sum: number; length: number },
): Uint8Array {
  const footer = new Uint8Array(FOOTER_BYTES);
  const view = new DataView(footer.buffer);
  footer.set(encoder.encode(FOOTER_MAGIC));
  view.setUint32(8, INDEX_FORMAT, true);
  view.setUint32(12, sum, true);
  view.setBigUint64(16, BigInt(length), true);
  view.setUint32(24, generation, true);
  view.setUint32(28, segment, true);
  return footer;
}
