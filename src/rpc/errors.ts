/**
 * The errors that callers can tell apart. A code is a stable string; what it means on the wire and
 * as an exit code stands in one table, so that no front end parses a sentence.
 *
 * @module
 */

import { SocketError, SpawnError } from "../platform/types.ts";

/** What kind of failure it was. */
export type ErrorCode =
  /** The request itself is wrong: a missing, malformed or contradictory argument. */
  | "bad_request"
  /** A database, section or document that is not there. */
  | "not_found"
  /** The request contradicts what is stored, such as a docid held by another source. */
  | "conflict"
  /** Beyond a stated limit. */
  | "too_large"
  /** Another process holds the database. */
  | "locked"
  /** The daemon is there but does not answer in time. */
  | "busy"
  /** The daemon takes no more calls; nothing of this one was done, so it may be sent again. */
  | "leaving"
  /** No daemon could be reached or started. */
  | "unreachable"
  /** Client and daemon, or program and files, are of versions that do not fit. */
  | "version_mismatch"
  /** Stored bytes are not what they were when they were written. */
  | "damaged"
  /** The system refuses access. */
  | "permission"
  /** The folder cannot be written. */
  | "read_only"
  /** The disk is full. */
  | "no_space"
  /** This build or this machine cannot do it. */
  | "unsupported"
  /** Stopped by the caller or by a signal. */
  | "interrupted"
  /** A fault in kbdb. */
  | "internal";

/** The error as it crosses the wire and as JSON output shows it. */
export interface ErrorJson {
  /** What kind of failure it was. */
  readonly code: ErrorCode;
  /** What failed, why, and the way out. */
  readonly message: string;
}

/**
 * A failure that a caller may want to tell apart. The message says what failed, why, and the way
 * out.
 *
 * @example Telling a missing database from other failures
 * ```ts
 * import { KbdbError } from "./errors.ts";
 * import assert from "node:assert/strict";
 *
 * const error = new KbdbError("not_found", "Cannot open /x/.kbdb: no such folder");
 * assert.equal(error.code, "not_found");
 * ```
 */
export class KbdbError extends Error {
  /** Always `KbdbError`. */
  override readonly name = "KbdbError";

  /** An error of a kind, with its sentence. */
  constructor(readonly code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
  }

  /** The form that crosses the wire. */
  toJSON(): ErrorJson {
    return { code: this.code, message: this.message };
  }
}

interface CodeRow {
  /** JSON-RPC error number. */
  readonly rpc: number;
  /** Exit code of the command line (D35). */
  readonly exit: number;
}

const CODES: Record<ErrorCode, CodeRow> = {
  bad_request: { rpc: -32602, exit: 2 },
  not_found: { rpc: -32002, exit: 3 },
  conflict: { rpc: -32003, exit: 1 },
  too_large: { rpc: -32004, exit: 1 },
  locked: { rpc: -32005, exit: 5 },
  busy: { rpc: -32006, exit: 5 },
  unreachable: { rpc: -32007, exit: 5 },
  version_mismatch: { rpc: -32008, exit: 5 },
  damaged: { rpc: -32009, exit: 4 },
  permission: { rpc: -32010, exit: 1 },
  read_only: { rpc: -32011, exit: 1 },
  no_space: { rpc: -32012, exit: 1 },
  unsupported: { rpc: -32013, exit: 1 },
  interrupted: { rpc: -32014, exit: 130 },
  leaving: { rpc: -32015, exit: 5 },
  internal: { rpc: -32603, exit: 1 },
};

/** The JSON-RPC number of a code. */
export function rpcNumber(code: ErrorCode): number {
  return CODES[code].rpc;
}

/** The exit code of a code (D35). */
export function exitCodeOf(code: ErrorCode): number {
  return CODES[code].exit;
}

/** Whether a string from the wire is a code that this version knows. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(CODES, code);
}

/** The error that the other side told of; a code that this version does not know is `internal`. */
export function toldError({ code, message }: { code: string; message: string }): KbdbError {
  return new KbdbError(isErrorCode(code) ? code : "internal", message);
}

/**
 * Any thrown value as a {@linkcode KbdbError}: errors of the file layer keep their code where it
 * means the same here, a socket that cannot be used is `unreachable`, and everything else becomes
 * `internal` with its message.
 */
export function toKbdbError(error: unknown): KbdbError {
  if (error instanceof KbdbError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = (error as { code?: unknown } | null)?.code;
  const other = error instanceof SocketError || error instanceof SpawnError
    ? "unreachable"
    : "internal";
  return new KbdbError(isErrorCode(code) ? code : other, message, { cause: error });
}
