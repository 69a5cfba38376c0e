/**
 * Lines of standard input: one message each, UTF-8, ended by `\n` or `\r\n`. A line is decoded only
 * once it is whole, so that a character split between two chunks survives (B19); what cannot be read
 * is told as such, and reading goes on behind it.
 *
 * @module
 */

import { MAX_FRAME_BYTES } from "../../rpc/framing.ts";

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const FIRST_BUFFER_BYTES = 4096;

/** A line, or what stood in the place of one. */
export type Line =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "not_utf8" }
  | { readonly kind: "too_long" };

/**
 * Cuts a byte stream into lines. Blank lines are left out.
 *
 * @example A line that is too long is told once, and costs no memory
 * ```ts
 * import assert from "node:assert/strict";
 * import { LineReader } from "./lines.ts";
 *
 * const reader = new LineReader(4);
 * const bytes = new TextEncoder().encode("12345678\n{}\n");
 * assert.deepEqual(reader.push(bytes), [{ kind: "too_long" }, { kind: "text", text: "{}" }]);
 * ```
 */
export class LineReader {
  readonly #begun = new ByteBuffer();
  #skipping = false;

  constructor(private readonly maxBytes = MAX_FRAME_BYTES) {}

  /** The lines that `chunk` completes. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#take(chunk.subarray(start, end), lines);
      this.#endLine(lines);
      start = end + 1;
    }
    this.#take(chunk.subarray(start), lines);
    return lines;
  }

  /** What the input ended with, where it lacked its line end. */
  end(): Line[] {
    const lines: Line[] = [];
    this.#endLine(lines);
    return lines;
  }

  #take(part: Uint8Array, lines: Line[]): void {
    if (this.#skipping || part.length === 0) return;
    if (this.#begun.length + part.length <= this.maxBytes) return this.#begun.add(part);
    this.#begun.take();
    this.#skipping = true;
    lines.push({ kind: "too_long" });
  }

  #endLine(lines: Line[]): void {
    if (!this.#skipping) lines.push(...decode(this.#begun.take()));
    this.#skipping = false;
  }
}

function decode(bytes: Uint8Array): Line[] {
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, end));
    return text.trim() === "" ? [] : [{ kind: "text", text }];
  } catch {
    return [{ kind: "not_utf8" }];
  }
}

/** Grows by doubling, so that neither many small chunks nor a large line cost repeated copying. */
class ByteBuffer {
  #bytes = new Uint8Array(FIRST_BUFFER_BYTES);
  length = 0;

  add(part: Uint8Array): void {
    const length = this.length + part.length;
    if (length > this.#bytes.length) this.#grow(length);
    this.#bytes.set(part, this.length);
    this.length = length;
  }

  /** What was added; the memory may be written over by the next {@linkcode ByteBuffer.add}. */
  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.length);
    this.length = 0;
    if (bytes.length > FIRST_BUFFER_BYTES) this.#bytes = new Uint8Array(FIRST_BUFFER_BYTES);
    return bytes;
  }

  #grow(length: number): void {
    const bytes = new Uint8Array(Math.max(length, this.#bytes.length * 2));
    bytes.set(this.#bytes.subarray(0, this.length));
    this.#bytes = bytes;
  }
}
