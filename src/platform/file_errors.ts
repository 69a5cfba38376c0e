/**
 * What the system's error codes mean for a file, in kbdb's words.
 *
 * @module
 */
import { FileError, type FileErrorCode } from "./types.ts";

const CODES: Readonly<Record<string, FileErrorCode>> = {
  ENOENT: "not_found",
  EEXIST: "exists",
  EACCES: "permission",
  EPERM: "permission",
  EROFS: "read_only",
  ENOSPC: "no_space",
  EDQUOT: "no_space",
  EISDIR: "is_directory",
  ENOTDIR: "not_directory",
  ENOTEMPTY: "not_empty",
  EBUSY: "busy",
  ETXTBSY: "busy",
  EMFILE: "too_many_open",
  ENFILE: "too_many_open",
  ENAMETOOLONG: "name_too_long",
};

const REASONS: Readonly<Record<Exclude<FileErrorCode, "other">, string>> = {
  not_found: "no such file or folder",
  exists: "there is something of that name already",
  permission: "permission denied; check who owns it and its mode",
  read_only: "the file system is read-only",
  no_space: "no space left on the disk",
  is_directory: "it is a folder",
  not_directory: "a part of the path is not a folder",
  not_empty: "the folder is not empty",
  busy: "another program has it in use",
  too_many_open: "too many open files; raise the limit or close programs",
  name_too_long: "the name is too long for the file system",
};

const RARE_REASONS: Readonly<Record<string, string>> = {
  EIO: "the disk reported an input/output error",
  ELOOP: "too many symbolic links, or links in a circle",
  EXDEV: "the two names are on different file systems",
  EFBIG: "the file would be too large for the file system",
  EINVAL: "the name or the operation is not valid here",
};

/** The system's code of a failure, such as `ENOENT`, or `undefined` if it has none. */
export function systemCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

/** The flag that Deno asks for, such as `--allow-read`, if it refused something for want of it. */
export function missingFlag(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== "NotCapable") return undefined;
  const kind = /Requires (\w+) access/.exec(error.message)?.[1] ?? "all";
  return `--allow-${kind}`;
}

/** What to say of a refusal for want of `flag`. */
export function flagReason(flag: string): string {
  return `Deno was started without the right to; run it with ${flag}`;
}

/** A runtime's failure as a {@linkcode FileError}; one that already is comes back as it is. */
export function toFileError(error: unknown, attempt: { action: string; path: string }): FileError {
  if (error instanceof FileError) return error;
  const { action, path } = attempt;
  const flag = missingFlag(error);
  if (flag) return new FileError("permission", action, path, flagReason(flag), { cause: error });
  const system = systemCode(error);
  const code = CODES[system ?? ""] ?? "other";
  const reason = code === "other" ? otherReason(error, system) : REASONS[code];
  return new FileError(code, action, path, reason, { cause: error });
}

/** A {@linkcode FileError} that no runtime raised, in the same words. */
export function fileError(
  code: Exclude<FileErrorCode, "other">,
  attempt: { action: string; path: string },
): FileError {
  return new FileError(code, attempt.action, attempt.path, REASONS[code]);
}

function otherReason(error: unknown, system: string | undefined): string {
  if (system) return RARE_REASONS[system] ?? `the system answered ${system}`;
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ \(os error \d+\)/, "");
}
