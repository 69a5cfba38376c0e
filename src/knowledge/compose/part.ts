/**
 * Cutting a text at bytes.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { graphemeEnd } from "../references/excerpt.ts";

/** Bytes before a cut that are looked at for where a grapheme begins, and behind it for its end. */
const REACH = { before: 4096, behind: 256 };

/** How much of a text may be taken. */
export interface PartLimit {
  /** Bytes of the text. */
  readonly bytes: number;
  /** Bytes of the text as JSON. */
  readonly json: number;
  /** Nothing was taken before, so that something has to be taken now. */
  readonly first: boolean;
}

/** A stretch of a text. */
export interface TextPart {
  readonly text: string;
  /** Byte behind it. */
  readonly end: number;
  /** Bytes that it takes as JSON. */
  readonly json: number;
}

/** As much of a text from a byte on as may be taken, cut between graphemes where one fits. */
export function partOf(bytes: Buffer, from: number, limit: PartLimit): TextPart {
  const start = characterAt(bytes, Math.min(from, bytes.length));
  let most = Math.min(bytes.length - start, Math.max(0, limit.bytes));
  while (true) {
    const end = cutAt(bytes, { start, end: start + most, first: limit.first });
    const text = bytes.toString("utf8", start, end);
    const json = Buffer.byteLength(JSON.stringify(text)) - 2;
    if (json <= limit.json) return { text, end, json };
    most = Math.floor(most / 2);
  }
}

/** The last place at or before `end` where the text may be cut. */
function cutAt(bytes: Buffer, part: { start: number; end: number; first: boolean }): number {
  const { start, first } = part;
  if (part.end >= bytes.length) return bytes.length;
  const end = characterAt(bytes, part.end);
  const from = characterAt(bytes, Math.max(start, end - REACH.before));
  const to = characterAt(bytes, Math.min(bytes.length, end + REACH.behind));
  const window = bytes.toString("utf8", from, to);
  const units = graphemeEnd(window, bytes.toString("utf8", from, end).length);
  if (units > 0) return from + Buffer.byteLength(window.slice(0, units));
  // A grapheme that fits into no part is cut.
  return first || from > start ? end : start;
}

/** The first byte of the character at `at`. */
function characterAt(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && start < bytes.length && (bytes[start] & 0xc0) === 0x80) start -= 1;
  return start;
}
