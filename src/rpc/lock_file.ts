/**
 * The lock files of a database, as everybody may read them. Taking the lock is the daemon's business.
 *
 * @module
 */

import { join } from "node:path";
import { FileError, type Files, type Platform } from "../platform/types.ts";

/** Who holds a lock. */
export interface LockHolder {
  readonly pid: number;
  /** Tells the process from a later one of the same id; `null` where the system does not say. */
  readonly started: string | null;
  readonly host: string;
  /** Identity of the folder that the lock was taken in; `null` where folders have none. */
  readonly folder: string | null;
  /** Random; shutdown removes only what carries it. */
  readonly token: string;
  /** Set by the holder when it leaves. */
  readonly released?: boolean;
}

/** Path of one of the numbered lock files. */
export function lockPath(folder: string, number: number): string {
  return join(folder, `lock.${number}`);
}

/** Numbers of all lock files. */
export function lockNumbers(files: Files, folder: string): number[] {
  return files.list(folder)
    .map((entry) => /^lock\.(\d+)$/.exec(entry.name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number);
}

/** The number that counts, or `null` where there was never a lock. */
export function highestLock(files: Files, folder: string): number | null {
  const numbers = lockNumbers(files, folder);
  return numbers.length === 0 ? null : Math.max(...numbers);
}

/** What a lock file says; `null` if it is gone or not yet written. */
export function readHolder(files: Files, path: string): LockHolder | null {
  try {
    const holder = JSON.parse(new TextDecoder().decode(files.read(path)));
    return typeof holder?.pid === "number" && typeof holder.token === "string" ? holder : null;
  } catch (error) {
    const absent = error instanceof FileError && error.code === "not_found";
    if (absent || error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Whether a lock came along when the database was copied on this machine: then nobody holds the copy.
 * Of another machine's lock nobody can tell, since a folder that both see has another identity there.
 */
export function isCopied(
  platform: Pick<Platform, "files" | "host">,
  lock: { folder: string; holder: LockHolder },
): boolean {
  const { folder, holder } = lock;
  if (holder.host !== platform.host.hostName() || !holder.folder) return false;
  const { identity } = platform.files.stat(folder);
  return identity !== null && identity !== holder.folder;
}

/** The holder that counts, or `null` where there was never a lock or it is being written. */
export function currentHolder(files: Files, folder: string): LockHolder | null {
  const number = highestLock(files, folder);
  return number === null ? null : readHolder(files, lockPath(folder, number));
}
