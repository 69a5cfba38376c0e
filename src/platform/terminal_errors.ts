/**
 * What a failed write to a standard stream means.
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

/** Answers `false` if the reader has gone, and throws a {@linkcode FileError} for anything else. */
export function closedOrThrow(error: unknown): false {
  const code = systemCode(error) ?? "";
  const name = error instanceof Error ? error.name : "";
  if (CLOSED.has(code) || name === "BrokenPipe" || name === "BadResource") return false;
  throw toFileError(error, { action: "write to", path: "standard output" });
}

/** Columns where no terminal tells. */
export const DEFAULT_COLUMNS = 80;
