/**
 * What came of reading something stored. Missing, damaged and unreadable are told apart
 * everywhere: missing is not empty, and unreadable is not missing.
 *
 * @module
 */

import { FileError } from "../platform/types.ts";

/** A value, or why there is none. */
export type ReadOutcome<T> =
  | { readonly state: "found"; readonly value: T }
  /** No such entry. */
  | { readonly state: "missing" }
  /** The bytes are there and are not what was written. */
  | { readonly state: "damaged"; readonly reason: string }
  /** The system would not give the bytes; they may be whole. */
  | { readonly state: "unreadable"; readonly reason: string };

/** Reads with `read` and understands with `parse`, which throws on damaged bytes. */
export function readOutcome<T>(
  read: () => Uint8Array,
  parse: (bytes: Uint8Array) => T,
): ReadOutcome<T> {
  let bytes: Uint8Array;
  try {
    bytes = read();
  } catch (error) {
    if (error instanceof FileError && error.code === "not_found") return { state: "missing" };
    return { state: "unreadable", reason: messageOf(error) };
  }
  try {
    return { state: "found", value: parse(bytes) };
  } catch (error) {
    return { state: "damaged", reason: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
