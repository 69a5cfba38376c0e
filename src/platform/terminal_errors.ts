/**
 * What a failed write to a standard stream, or read from one, means.
 *
 * @module
 */
import { systemCode, toFileError } from "./file_errors.ts";

const CLOSED: ReadonlySet<string> = new Set([
  "EPIPE",
  "ECONNRESET",
  "EOF",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
]);

/** What reading a stream fails with when the other side is gone. */
const ENDED: ReadonlySet<string> = new Set([
  ...CLOSED,
  "EIO",
  "ENOTCONN",
  "EBADF",
  "ERR_STREAM_PREMATURE_CLOSE",
]);

/** Whether a failed read of standard input means that nothing more will come. */
export function isEndOfInput(error: unknown): boolean {
  const name = error instanceof Error ? error.name : "";
  return ENDED.has(systemCode(error) ?? "") ||
    ["BadResource", "BrokenPipe", "ConnectionReset", "NotConnected"].includes(name);
}

/** Answers `false` if the reader has gone, and throws a {@linkcode FileError} for anything else. */
export function closedOrThrow(error: unknown): false {
  const code = systemCode(error) ?? "";
  const name = error instanceof Error ? error.name : "";
  if (CLOSED.has(code) || name === "BrokenPipe" || name === "BadResource") return false;
  throw toFileError(error, { action: "write to", path: "standard output" });
}

/** Columns where no terminal tells. */
export const DEFAULT_COLUMNS = 80;
