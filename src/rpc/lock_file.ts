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
  /** The folder that the lock was taken in: its path, and its identity where folders have one. */
  readonly folder: { readonly path: string; readonly identity: string | null };
  /** Random; shutdown removes only what carries it. */
  readonly token: string;
  /** Set by the holder when it leaves. */
  readonly released?: boolean;
}

/** Path of one of the numbered lock files. */
export function lockPath(folder: string, number: number): string {
  return join(folder, `lock.${number}`);
}

/** Numbers of all lock files; none where there is no folder yet. */
export function lockNumbers(files: Files, folder: string): number[] {
  return namesIn(files, folder)
    .map((name) => /^lock\.(\d+)$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number);
}

function namesIn(files: Files, folder: string): string[] {
  try {
    return files.list(folder).map((entry) => entry.name);
  } catch (error) {
    if (error instanceof FileError && error.code === "not_found") return [];
    throw error;
  }
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
 * Both path and identity must differ: a second path of one folder keeps the identity, and on some
 * file systems the identity of a folder changes while it stays where it is. Of another machine's lock
 * nobody can tell.
 */
export function isCopied(
  platform: Pick<Platform, "files" | "host">,
  lock: { folder: string; holder: LockHolder },
): boolean {
  const { folder, holder } = lock;
  if (holder.host !== platform.host.hostName() || !holder.folder?.identity) return false;
  if (holder.folder.path === folder) return false;
  const { identity } = platform.files.stat(folder);
  return identity !== null && identity !== holder.folder.identity;
}

/** The holder that counts, or `null` where there was never a lock or it is being written. */
export function currentHolder(files: Files, folder: string): LockHolder | null {
  const number = highestLock(files, folder);
  return number === null ? null : readHolder(files, lockPath(folder, number));
}
