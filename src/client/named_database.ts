/**
 * A database that was named outright, which may not be there yet (D61), and what is known of it
 * without its daemon (D52).
 *
 * @module
 */

import { basename, dirname, join, resolve } from "node:path";
import { parse } from "smol-toml";
import type { Files, Platform } from "../platform/types.ts";
import { KbdbError } from "../rpc/errors.ts";
import { newDatabasePath, openable } from "./locate.ts";

/** What stands in the folder of a database before it is whole. */
const BEGINNING =
  /^(worker|sections|documents|journal|\.gitignore|\.gitattributes|\.kbdb\.toml\.\w+\.tmp|kbdb\.toml)$/;

/** Where a database is, or will be. */
export interface NamedDatabase {
  /** Its folder; links resolved where it is there. */
  readonly path: string;
  exists(): boolean;
  /** From `kbdb.toml`, else the name that its folder gives it. */
  name(): string;
}

/**
 * The database under a path that was named.
 *
 * @throws {KbdbError} `bad_request` if something else is there, `not_found` if the folder above is
 *   not there either
 */
export function namedDatabase(platform: Platform, named: string): NamedDatabase {
  const { files, host } = platform;
  const given = resolve(host.cwd(), named);
  const path = placeOf(platform, given);
  return {
    path,
    exists: () => isThere(platform, path),
    name: () => {
      try {
        const table = parse(new TextDecoder().decode(files.read(join(path, "kbdb.toml"))));
        if (typeof table.name === "string" && table.name.trim() !== "") return table.name;
      } catch {
        // Its daemon will say what is wrong with it.
      }
      return nameOfFolder(path);
    },
  };
}

function placeOf(platform: Platform, given: string): string {
  const { files } = platform;
  try {
    return files.realPath(openable(files, given));
  } catch (error) {
    if (!(error instanceof KbdbError)) throw error;
    const begun = [given, join(given, ".kbdb")].find((path) => isBegun(files, path));
    if (begun !== undefined) return files.realPath(begun);
    if (error.code !== "not_found") throw error;
  }
  const above = folderAt(files, dirname(given));
  if (above !== null) return newDatabasePath(join(above, basename(given)));
  throw new KbdbError(
    "not_found",
    `Cannot open ${given}: neither it nor the folder above is there. Make the folder, or name ` +
      "another database with --db.",
  );
}

/** Whether somebody is making a database there right now, or was cut off while making it. */
function isBegun(files: Files, path: string): boolean {
  try {
    const names = files.list(path).map(({ name }) => name);
    return names.includes("worker") && names.every((name) => BEGINNING.test(name));
  } catch {
    return false;
  }
}

/** The real path of a folder, or `null` where there is none that can be seen. */
function folderAt(files: Files, path: string): string | null {
  try {
    return files.stat(path).kind === "directory" ? files.realPath(path) : null;
  } catch {
    return null;
  }
}

/** A folder without its configuration is a database that somebody is making right now. */
function isThere({ files }: Platform, path: string): boolean {
  return files.exists(join(path, "kbdb.toml"));
}

function nameOfFolder(path: string): string {
  const own = basename(path);
  return own === ".kbdb" ? basename(dirname(path)) || "kbdb" : own.replace(/\.kbdb$/, "");
}
