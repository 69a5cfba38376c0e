/**
 * Which database is meant, and where it really lies.
 *
 * @module
 */

import { basename, dirname, join, resolve } from "node:path";
import { FileError, type Files, type Platform } from "../platform/types.ts";
import { KbdbError } from "../rpc/errors.ts";

/** Name of the folder that a database has beside other files. */
const DATABASE_FOLDER = ".kbdb";
const CONFIG = "kbdb.toml";

/**
 * The folder that a command line means (D5): `--db`, then `KBDB_DIR`, then the nearest `.kbdb` from
 * the working folder upwards.
 *
 * @throws {KbdbError} `not_found` if there is none
 */
export function findDatabase(platform: Platform, db: string | undefined): string {
  const named = db ?? (platform.host.env("KBDB_DIR") || undefined);
  if (named !== undefined) return openable(platform.files, resolve(platform.host.cwd(), named));
  const cwd = platform.host.cwd();
  for (let folder = cwd; true; folder = dirname(folder)) {
    if (isDatabase(platform.files, join(folder, DATABASE_FOLDER))) {
      return join(folder, DATABASE_FOLDER);
    }
    if (dirname(folder) === folder) break;
  }
  throw new KbdbError(
    "not_found",
    `Cannot find a database: no ${DATABASE_FOLDER} in ${cwd} or above. ` +
      "Run: kbdb db init, or name one with --db.",
  );
}

/**
 * The folder of an existing database: the given one, or the `.kbdb` in it.
 *
 * @throws {KbdbError} `not_found` if there is nothing, `bad_request` if it is something else
 */
export function openable(files: Files, path: string): string {
  if (isDatabase(files, path)) return path;
  const inside = join(path, DATABASE_FOLDER);
  if (isDatabase(files, inside)) return inside;
  if (exists(files, path)) {
    throw new KbdbError(
      "bad_request",
      `Cannot open ${path}: it is no kbdb database. Name one, or make one with: kbdb db init`,
    );
  }
  throw new KbdbError(
    "not_found",
    `Cannot open ${path}: there is no database. Make one with: kbdb db init ${path}`,
  );
}

/** The folder that a new database gets: `PATH` itself if it ends in `.kbdb`, else `PATH/.kbdb`. */
export function newDatabasePath(path: string): string {
  return basename(path).endsWith(DATABASE_FOLDER) ? path : join(path, DATABASE_FOLDER);
}

function isDatabase(files: Files, path: string): boolean {
  return exists(files, join(path, CONFIG));
}

/** The same where the folder may be closed to us; then it is not told to be one. */
export function holdsDatabase(files: Files, path: string): boolean {
  try {
    return isDatabase(files, path);
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** The database that a path lies in or is, if any. */
export function databaseAround(files: Files, path: string): string | null {
  for (let folder = path; true; folder = dirname(folder)) {
    if (holdsDatabase(files, folder)) return folder;
    if (dirname(folder) === folder) return null;
  }
}

function exists(files: Files, path: string): boolean {
  try {
    files.stat(path);
    return true;
  } catch (error) {
    const absent = error instanceof FileError &&
      (error.code === "not_found" || error.code === "not_directory");
    if (absent) return false;
    throw error;
  }
}
