/**
 * Frames: one JSON text a line, UTF-8, ended by `\n`. A frame is decoded only once it is whole, so
 * that a character split between two chunks survives (B19), and chunks are kept as a list, so that
 * a large frame costs no repeated copying.
 *
 * @module
 */

import { KbdbError } from "./errors.ts";

/** The largest frame, bytes without the line end (D57). */
export const MAX_FRAME_BYTES = 32 * 1024 * 1024;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const encoder = new TextEncoder();

/** A message as the bytes of one frame. */
export function encodeFrame(message: unknown): Uint8Array {
  const bytes = encoder.encode(JSON.stringify(message) + "\n");
  if (bytes.length > MAX_FRAME_BYTES) {
    throw new KbdbError(
      "too_large",
      `Cannot send a message of ${bytes.length} bytes: the limit is ${MAX_FRAME_BYTES}. ` +
        "Send less at a time.",
    );
  }
  return bytes;
}

/**
 * Cuts a byte stream into frames.
 *
 * @example A character split between chunks
 * ```ts
 * import { FrameSplitter } from "./framing.ts";
 * import assert from "node:assert/strict";
 *
 * const bytes = new TextEncoder().encode('"漢"\n');
 * const splitter = new FrameSplitter();
 * assert.deepEqual(splitter.push(bytes.slice(0, 2)), []);
 * assert.deepEqual(splitter.push(bytes.slice(2)), ['"漢"']);
 * ```
 */
export class FrameSplitter {
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(private readonly maxBytes = MAX_FRAME_BYTES) {}

  /** Whether the stream stands in the middle of a frame. */
  get inFrame(): boolean {
    return this.#size > 0;
  }

  /**
   * The frames that `chunk` completes; blank lines are left out. Keeps the chunk, so the caller
   * must not reuse its memory.
   *
   * @throws {KbdbError} `too_large` once a line exceeds the limit, `bad_request` where it is not
   * UTF-8.
   */
  push(chunk: Uint8Array): string[] {
    const frames: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      const frame = this.#take();
      if (frame.trim() !== "") frames.push(frame);
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return frames;
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size > this.maxBytes) {
      this.#parts = [];
      throw new KbdbError(
        "too_large",
        `Cannot read a line of more than ${this.maxBytes} bytes: send less at a time`,
      );
    }
    this.#parts.push(part);
  }

  #take(): string {
    const bytes = joinBytes(this.#parts, this.#size);
    this.#parts = [];
    this.#size = 0;
    const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, end));
    } catch (cause) {
      throw new KbdbError("bad_request", "Cannot read a line: it is not UTF-8", { cause });
    }
  }
}

/** Parts one after another as one; `size` is the sum of their lengths. */
export function joinBytes(parts: readonly Uint8Array[], size: number): Uint8Array {
  if (parts.length === 1) return parts[0];
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
