/**
 * The folder as a whole: making one, telling one from another folder, and its configuration.
 *
 * @module
 */

import { basename, dirname, join, resolve } from "node:path";
import { parse, stringify } from "smol-toml";
import { FileError, type Files } from "../platform/types.ts";
import { DatabasePaths } from "./paths.ts";
import { listIfThere } from "../platform/if_there.ts";

/** Version of the folder's form that this program writes and reads. */
export const FORMAT_VERSION = 1;

/** What `kbdb.toml` says. */
export interface DatabaseConfig {
  readonly format: number;
  /** Random, for telling copies of a database from others. */
  readonly id: string;
  readonly name: string;
  readonly created: string;
  /** Snowball language of stemming. */
  readonly language: string;
}

/** A folder that cannot be opened as a database. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";

  constructor(
    readonly code: "not_found" | "bad_request" | "damaged" | "version_mismatch",
    message: string,
  ) {
    super(message);
  }
}

const encoder = new TextEncoder();

const GITIGNORE = "# Derived or transient: made again from the rest.\n" +
  "indexes/\njournal/\ntrash/\nworker/\n";

/** A section's id is that of its bytes, so that git must not turn line ends into those of the system. */
const GITATTRIBUTES = "# Files count byte for byte.\n* -text\n";

/** Files of a new database whose contents are always the same. */
const OWN_FILES: Readonly<Record<string, string>> = {
  ".gitignore": GITIGNORE,
  ".gitattributes": GITATTRIBUTES,
};

const OWN_FOLDERS = ["sections", "documents", "journal"];
/** What a kill leaves of writing `kbdb.toml`. */
const UNFINISHED_CONFIG = /^\.kbdb\.toml\.[a-z0-9]+\.tmp$/;

/**
 * Makes a database in a folder that is missing or empty; nothing is written into any other.
 *
 * @throws {DatabaseError} `bad_request` if the folder holds something else
 */
export async function createDatabase(
  files: Files,
  options: { root: string; name?: string; language?: string; now: Date },
): Promise<DatabaseConfig> {
  const root = resolve(options.root);
  refuseOccupied(files, root);
  const paths = new DatabasePaths(root);
  const config: DatabaseConfig = {
    format: FORMAT_VERSION,
    id: crypto.randomUUID(),
    name: options.name ?? defaultName(root),
    created: options.now.toISOString(),
    language: options.language ?? "english",
  };
  for (const folder of [paths.sections, paths.documents, paths.journal]) files.makeDir(folder);
  for (const [name, text] of Object.entries(OWN_FILES)) {
    files.write(join(root, name), encoder.encode(text));
    await files.flush(join(root, name));
  }
  // Last, and durable: the folder is a database from here on.
  await files.replaceDurably(paths.config, encodeConfig(config));
  await files.flush(dirname(root));
  return config;
}

/**
 * Reads the configuration of a database.
 *
 * @throws {DatabaseError} if the folder is missing, is no database, or is of a newer version
 */
export function readConfig(files: Files, root: string): DatabaseConfig {
  const bytes = readConfigBytes(files, root);
  let table: Record<string, unknown>;
  try {
    table = parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new DatabaseError("damaged", `Cannot open ${root}: kbdb.toml is damaged: ${reason}`);
  }
  const { format, id, name } = table;
  if (typeof format !== "number" || typeof id !== "string") {
    throw new DatabaseError("damaged", `Cannot open ${root}: kbdb.toml lacks format or id`);
  }
  if (format > FORMAT_VERSION) {
    throw new DatabaseError(
      "version_mismatch",
      `Cannot open ${root}: its format ${format} is newer than this program's ` +
        `${FORMAT_VERSION}. Update kbdb.`,
    );
  }
  return {
    format,
    id,
    name: typeof name === "string" ? name : defaultName(root),
    created: String(table.created ?? ""),
    language: typeof table.language === "string" ? table.language : "english",
  };
}

/** The name of the folder that the database stands in. */
function defaultName(root: string): string {
  const own = basename(root);
  return own === ".kbdb" ? basename(dirname(root)) || "kbdb" : own.replace(/\.kbdb$/, "");
}

/**
 * Makes sure that a database may be made in a folder.
 *
 * @throws {DatabaseError} `bad_request` if it holds a database or anything else
 */
export function refuseOccupied(files: Files, root: string): void {
  if (namesIn(files, root).includes("kbdb.toml")) {
    throw new DatabaseError("bad_request", `Cannot create ${root}: it is a database already`);
  }
  if (!isFree(files, root)) {
    throw new DatabaseError(
      "bad_request",
      `Cannot create ${root}: the folder is not empty. Choose a new or an empty folder.`,
    );
  }
}

/** Whether the folder is missing, empty, or holds no more than a creation that was cut off. */
function isFree(files: Files, root: string): boolean {
  return namesIn(files, root).every((name) => {
    // The lock is taken, and so its folder made, before the database is.
    if (name === "worker" || UNFINISHED_CONFIG.test(name)) return true;
    if (Object.hasOwn(OWN_FILES, name)) {
      return isOwnStart(files.read(join(root, name)), OWN_FILES[name]);
    }
    return OWN_FOLDERS.includes(name) && isEmptyFolder(files, join(root, name));
  });
}

/** A cut-off write may have left a part of the file. */
function isOwnStart(bytes: Uint8Array, whole: string): boolean {
  return whole.startsWith(new TextDecoder().decode(bytes));
}

function isEmptyFolder(files: Files, path: string): boolean {
  return files.lstat(path).kind === "directory" && files.list(path).length === 0;
}

function namesIn(files: Files, root: string): string[] {
  return listIfThere(files, root).map((entry) => entry.name);
}

function readConfigBytes(files: Files, root: string): Uint8Array {
  try {
    return files.read(new DatabasePaths(root).config);
  } catch (error) {
    if (!(error instanceof FileError) || error.code !== "not_found") throw error;
    throw isFree(files, root)
      ? new DatabaseError(
        "not_found",
        `Cannot open ${root}: there is no database. Run: kbdb db init`,
      )
      : new DatabaseError("bad_request", `Cannot open ${root}: it is no kbdb database`);
  }
}

function encodeConfig(config: DatabaseConfig): Uint8Array {
  const { format, id, name, created, language } = config;
  return encoder.encode(stringify({ format, id, name, created, language }) + "\n");
}
