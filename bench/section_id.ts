/**
 * Section ids, computed apart from kbdb so that generated references need no database and tests
 * have a second opinion.
 *
 * @module
 */

import { createHash } from "node:crypto";

const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * The id that kbdb gives a text: the first 128 bits of the SHA-256 of its preprocessed bytes, as
 * 26 characters of lower-case Crockford base32.
 *
 * @example Id of a word
 * ```ts
 * import assert from "node:assert/strict";
 * import { sectionId } from "./section_id.ts";
 *
 * assert.equal(sectionId("hello"), "1cy96vmqxgmc72dt1v5b2vkrmy");
 * ```
 */
export function sectionId(text: string): string {
  const digest = createHash("sha256").update(preprocess(text)).digest();
  // 26 digits hold 130 bits: the 128 bits stand at the low end, so the first digit has only three.
  let id = "";
  for (let digit = 25; digit >= 0; digit--) {
    const lowest = 128 - 5 * (digit + 1);
    id += BASE32[fiveBits(digest, lowest)];
  }
  return id;
}

/** Five bits of the first 128 whose highest is bit `start` from the left; bits before 0 are zero. */
function fiveBits(bytes: Uint8Array, start: number): number {
  let value = 0;
  for (let bit = start; bit < start + 5; bit++) {
    value = value << 1 | (bit < 0 ? 0 : bytes[bit >> 3] >> (7 - bit % 8) & 1);
  }
  return value;
}

function preprocess(text: string): string {
  return text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n").normalize("NFC")
    .replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
}
