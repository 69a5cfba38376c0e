/**
 * How much of an answer fits.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { KbdbError } from "../../rpc/errors.ts";

/** An answer has at most this many bytes whatever was asked for, so that it fits into a frame (D57). */
export const ANSWER_BYTES = 28 * 1024 * 1024;

/**
 * Bytes that a value takes in an answer: as JSON indented by two spaces, `depth` levels deep, with the
 * comma and line end behind it. Compact JSON is never longer.
 */
export function jsonBytes(value: unknown, depth = 2): number {
  const json = JSON.stringify(value, null, 2);
  let lines = 1;
  for (let at = json.indexOf("\n"); at >= 0; at = json.indexOf("\n", at + 1)) lines += 1;
  return Buffer.byteLength(json) + lines * 2 * depth + 2;
}

/** Room that is given away piece by piece. */
export class Budget {
  #left: number;

  /** Begins with this many bytes; fewer than none are none. */
  constructor(bytes: number) {
    this.#left = Math.max(0, bytes);
  }

  /** Bytes that are still free. */
  get left(): number {
    return this.#left;
  }

  /** Takes bytes if they fit. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/**
 * The bytes that an answer may have.
 *
 * @throws {KbdbError} `bad_request` for a number of bytes that is none
 */
export function answerRoom(action: string, maxBytes: number | undefined): number {
  const most = maxBytes ?? ANSWER_BYTES;
  refuseUnlessCount(action, { name: "max_bytes", value: most, least: 1 });
  return Math.min(most, ANSWER_BYTES);
}

/** What a number has to be. */
export interface CountRule {
  readonly name: string;
  readonly value: unknown;
  readonly least: number;
  readonly most?: number;
}

/**
 * Lets whole numbers inside their limits pass.
 *
 * @throws {KbdbError} `bad_request`, naming the limits and what came
 */
export function refuseUnlessCount(action: string, rule: CountRule): void {
  const { name, value, least, most = Number.MAX_SAFE_INTEGER } = rule;
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return;
  const limits = rule.most === undefined ? `of ${least} or more` : `from ${least} to ${most}`;
  throw new KbdbError(
    "bad_request",
    `Cannot ${action}: ${name} must be a whole number ${limits}, not ${String(value)}`,
  );
}
