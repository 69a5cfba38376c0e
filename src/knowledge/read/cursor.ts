/**
 * Cursors: where a page ended, as a word that the caller sends back unchanged. A cursor is bound to
 * the question that it belongs to, so that one of another question is refused instead of misread.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { kbid } from "../../core/text.ts";
import { KbdbError } from "../../rpc/errors.ts";

const HASH_DIGITS = 12;
const encoder = new TextEncoder();

/** What a cursor belongs to. */
export interface CursorOwner {
  /** The verb of the operation, for errors: `search`. */
  readonly action: string;
  /** Whatever makes another question. */
  readonly question: unknown;
}

/** Where a page ended: whole numbers by name, or a text or a list of numbers. */
export type CursorPosition = Readonly<Record<string, number | string | readonly number[]>>;

/** A cursor for a position. */
export function makeCursor(owner: CursorOwner, position: CursorPosition): string {
  const json = JSON.stringify({ of: hashOf(owner), ...position });
  return Buffer.from(json).toString("base64url");
}

/**
 * The position that a cursor names.
 *
 * @throws {KbdbError} `bad_request` for a cursor of something else, or for none at all
 */
export function readCursor(owner: CursorOwner, cursor: string): CursorPosition {
  const position = parsed(cursor);
  if (position === null) throw refused(owner, "it is none of this database");
  const { of, ...rest } = position;
  if (of !== hashOf(owner)) throw refused(owner, "it belongs to another question");
  return rest;
}

/**
 * A whole number of a position.
 *
 * @throws {KbdbError} `bad_request` where it is none
 */
export function countIn(position: CursorPosition, name: string, owner: CursorOwner): number {
  const value = position[name];
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw refused(owner, "it is none of this database");
}

/**
 * A text of a position.
 *
 * @throws {KbdbError} `bad_request` where it is none
 */
export function textIn(position: CursorPosition, name: string, owner: CursorOwner): string {
  const value = position[name];
  if (typeof value === "string") return value;
  throw refused(owner, "it is none of this database");
}

/**
 * A list of indexes of a position, each below a limit.
 *
 * @throws {KbdbError} `bad_request` where it is none
 */
export function countsIn(
  position: CursorPosition,
  wanted: { name: string; below: number },
  owner: CursorOwner,
): number[] {
  const value = position[wanted.name];
  const isIndex = (one: unknown) =>
    Number.isInteger(one) && Number(one) >= 0 && Number(one) < wanted.below;
  if (Array.isArray(value) && value.every(isIndex)) return value;
  throw refused(owner, "it is none of this database");
}

function hashOf({ action, question }: CursorOwner): string {
  return kbid(encoder.encode(JSON.stringify([action, question]))).slice(0, HASH_DIGITS);
}

function parsed(cursor: string): CursorPosition | null {
  try {
    const value = JSON.parse(Buffer.from(String(cursor), "base64url").toString());
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function refused({ action }: CursorOwner, reason: string): KbdbError {
  return new KbdbError(
    "bad_request",
    `Cannot ${action}: the cursor cannot be used: ${reason}. ` +
      "Send the one of the answer before with the same parameters, or none to begin again.",
  );
}
