/**
 * Names that nobody can guess or has used.
 *
 * @module
 */

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

/** `length` random lower-case letters and digits, five bits each. */
export function randomName(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => LETTERS[byte & 31]).join("");
}
