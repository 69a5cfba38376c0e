/**
 * A database that was named outright, which may not be there yet (D61), and what is known of it
 * without its daemon (D52).
 *
 * @module
 */

import { basename, dirname, join, resolve } from "node:path";
import { parse } from "smol-toml";
import type { Platform } from "../platform/types.ts";
import { KbdbError } from "../rpc/errors.ts";
import { newDatabasePath, openable } from "./locate.ts";

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
        if (typeof table.name === "string") return table.name;
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
    if (!(error instanceof KbdbError) || error.code !== "not_found") throw error;
  }
  try {
    return newDatabasePath(join(files.realPath(dirname(given)), basename(given)));
  } catch {
    throw new KbdbError(
      "not_found",
      `Cannot open ${given}: neither it nor the folder above is there. Make the folder, or name ` +
        "another database with --db.",
    );
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
