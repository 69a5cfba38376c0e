/**
 * File operations for which a missing file is as good as done. Any other failure is thrown.
 *
 * @module
 */

import { type DirEntry, FileError, type Files } from "./types.ts";

/** Removes a file that somebody else may have removed already. */
export function removeIfThere(files: Files, path: string): void {
  orMissing(() => files.remove(path), undefined);
}

/** The whole of a file, or `null` where there is none. */
export function readIfThere(files: Files, path: string): Uint8Array | null {
  return orMissing<Uint8Array | null>(() => files.read(path), null);
}

/** The entries of a folder; none where there is no such folder. */
export function listIfThere(files: Files, path: string): DirEntry[] {
  return orMissing(() => files.list(path), []);
}

/** Flushes a file or folder that may have been removed meanwhile; whether it was there. */
export async function flushIfThere(files: Files, path: string): Promise<boolean> {
  try {
    await files.flush(path);
    return true;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return false;
  }
}

function orMissing<T>(work: () => T, missing: T): T {
  try {
    return work();
  } catch (error) {
    if (isMissing(error)) return missing;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof FileError && error.code === "not_found";
}
