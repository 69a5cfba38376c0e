/**
 * What the system's error codes mean for a local socket, in kbdb's words.
 *
 * @module
 */
import { flagReason, missingFlag, systemCode } from "./file_errors.ts";
import { SocketError, type SocketErrorCode } from "./types.ts";

const CODES: Readonly<Record<string, SocketErrorCode>> = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  ECONNREFUSED: "refused",
  EADDRINUSE: "in_use",
  EEXIST: "in_use",
  EACCES: "permission",
  EROFS: "permission",
  ENOTSOCK: "not_a_socket",
  EPROTOTYPE: "not_a_socket",
  // A sandbox answers EPERM to the call itself, a file system without sockets to the bind.
  EPERM: "unsupported",
  ENOTSUP: "unsupported",
  EOPNOTSUPP: "unsupported",
  EAFNOSUPPORT: "unsupported",
  ENOSYS: "unsupported",
  EPIPE: "closed",
  ECONNRESET: "closed",
  ECONNABORTED: "closed",
  ENOTCONN: "closed",
  ECANCELED: "closed",
  ERR_STREAM_DESTROYED: "closed",
  ERR_STREAM_WRITE_AFTER_END: "closed",
  ERR_STREAM_PREMATURE_CLOSE: "closed",
};

const REASONS: Readonly<Record<Exclude<SocketErrorCode, "other" | "too_long">, string>> = {
  missing: "there is no such socket",
  refused: "nobody listens there",
  in_use: "there is a socket of that name already",
  permission: "permission denied; check who owns it and its mode",
  not_a_socket: "there is something else of that name; move it away",
  unsupported: "this system or sandbox does not allow local sockets here",
  closed: "the connection is closed",
};

const RARE_REASONS: Readonly<Record<string, string>> = {
  EAGAIN: "the other side is too busy to accept; try again",
  EMFILE: "too many open files; raise the limit or close programs",
  ENFILE: "too many open files; raise the limit or close programs",
};

/** Names of Deno's error classes for which it gives no system code. */
const CLASS_CODES: Readonly<Record<string, SocketErrorCode>> = {
  BadResource: "closed",
  Interrupted: "closed",
};

/** What was attempted with which socket. */
export interface SocketAttempt {
  readonly action: string;
  readonly address: string;
}

/** A runtime's failure as a {@linkcode SocketError}; one that already is comes back as it is. */
export function toSocketError(error: unknown, attempt: SocketAttempt): SocketError {
  if (error instanceof SocketError) return error;
  const { action, address } = attempt;
  const flag = missingFlag(error);
  if (flag) {
    return new SocketError("unsupported", action, address, flagReason(flag), { cause: error });
  }
  const code = codeOf(error);
  const reason = code === "other" || code === "too_long" ? otherReason(error) : REASONS[code];
  return new SocketError(code, action, address, reason, { cause: error });
}

/** A {@linkcode SocketError} that no runtime raised, in the same words. */
export function socketError(
  code: Exclude<SocketErrorCode, "other" | "too_long">,
  attempt: SocketAttempt,
): SocketError {
  return new SocketError(code, attempt.action, attempt.address, REASONS[code]);
}

function codeOf(error: unknown): SocketErrorCode {
  const system = systemCode(error);
  if (system && system in CODES) return CODES[system];
  return CLASS_CODES[error instanceof Error ? error.name : ""] ?? "other";
}

function otherReason(error: unknown): string {
  const system = systemCode(error);
  if (system) return RARE_REASONS[system] ?? `the system answered ${system}`;
  return error instanceof Error ? error.message : String(error);
}
