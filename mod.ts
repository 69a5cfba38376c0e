/**
 * kbdb as a library: open a database and learn, search and recall.
 *
 * @example
 * ```ts
 * import { openDatabase } from "@dikolab/kbdb";
 * import assert from "node:assert/strict";
 * import { mkdtempSync } from "node:fs";
 *
 * const folder = mkdtempSync("/tmp/kbdb-");
 * await using db = await openDatabase(folder, { create: true, daemon: "never" });
 * await db.learn({ content: "# Parcels\n\nBlue ones go left.", docid: "handbook" });
 * const { items } = await db.search("blue parcel");
 * assert(items[0].docids[0] === "handbook");
 * ```
 *
 * @module
 */

import { Database } from "./src/client/database.ts";
import { newDatabasePath, openable } from "./src/client/locate.ts";
import { platform } from "./src/platform/host.ts";
import { KbdbError, toKbdbError } from "./src/rpc/errors.ts";
import { resolve } from "node:path";

export { type Correction, Database, type LearnOptions } from "./src/client/database.ts";
export {
  type ContentOptions,
  DatabaseReader,
  type RecallOptions,
  type SearchOptions,
} from "./src/client/database_reader.ts";
export { Agents, Skills } from "./src/client/prompts.ts";
export type { OnProgress } from "./src/client/calls.ts";
export type { OnChange } from "./src/client/change_watch.ts";
export type { LearnFilesOptions } from "./src/client/items.ts";
export type {
  BatchLine,
  BatchSource,
  FailedLine,
  LearnBatchResult,
} from "./src/client/learn_batch.ts";
export type { FailedFile, LearnFilesResult } from "./src/client/learn_files.ts";
export type { SkipReason } from "./src/client/walk.ts";
export type { ChangedIds, ChangeEvent } from "./src/rpc/changes.ts";
export { type ErrorCode, type ErrorJson, KbdbError } from "./src/rpc/errors.ts";
export type {
  DocumentSummary,
  ListDocumentsParams,
  ListedSection,
  ListPage,
  ListSectionsParams,
  TagCount,
} from "./src/rpc/listing.ts";
export type {
  AgentDefinition,
  AgentResult,
  AgentSummary,
  BuiltinSkill,
  NewAgent,
  NewSkill,
  SkillArgument,
  SkillDefinition,
  SkillResult,
  SkillSummary,
} from "./src/rpc/prompts.ts";
export type {
  CheckError,
  CheckErrorType,
  CheckResult,
  Progress,
  RebuildParams,
  RebuildResult,
  ScanStatus,
  StatusResult,
} from "./src/rpc/protocol.ts";
export type {
  ContentParams,
  ContentResult,
  DocumentOutline,
  DocumentRecord,
  HistoryResult,
  LeftOut,
  MarkerType,
  OmittedSection,
  ReadResult,
  RecalledSection,
  RecallItem,
  RecallParams,
  RecallResult,
  Reference,
  Revision,
  SectionSummary,
  Sibling,
  StoredSectionItem,
  UnreadSection,
} from "./src/rpc/reading.ts";
export type {
  DocumentItem,
  DocumentsResult,
  SearchItem,
  SearchMode,
  SearchPage,
  SearchParams,
  SearchResult,
  SearchResultFor,
  SectionsResult,
  StatsResult,
} from "./src/rpc/searching.ts";
export type {
  AddSectionResult,
  EmptyTrashParams,
  EmptyTrashResult,
  GcParams,
  GcReason,
  GcResult,
  GcSection,
  RemovalReason,
  RestoredItem,
  RestoreResult,
  ReviseResult,
  TrashItem,
  TrashParams,
  TrashResult,
  UnlearnResult,
} from "./src/rpc/writing.ts";

/** How a database is opened. */
export interface OpenOptions {
  /** Makes the database if it is not there. @default {false} */
  create?: boolean;
  /** Name of a new database. @default {the name of the folder} */
  name?: string;
  /** `never` opens the database in this process, which then holds its lock. @default {"auto"} */
  daemon?: "auto" | "never";
  /** Told once if no daemon could be used and the database was opened in this process. */
  onNotice?: (sentence: string) => void;
}

/**
 * Opens a database: the folder itself, or the `.kbdb` in it. Its daemon is started with the first
 * call and serves all processes of this user.
 *
 * @throws {KbdbError} `not_found` if there is none and `create` is not set, `bad_request` if the
 * folder is something else
 *
 * @example
 * ```ts
 * import { openDatabase } from "@dikolab/kbdb";
 * import assert from "node:assert/strict";
 * import { mkdtempSync } from "node:fs";
 *
 * const folder = mkdtempSync("/tmp/kbdb-");
 * const db = await openDatabase(folder, { create: true, daemon: "never" });
 * assert.equal((await db.status()).read_only, false);
 * await db.close();
 * ```
 */
export async function openDatabase(path: string, options: OpenOptions = {}): Promise<Database> {
  const { create, name, ...rest } = options;
  return new Database(platform, {
    path: await locate(path, { create, name }),
    workerEntry: new URL("./worker.ts", import.meta.url).href,
    openInProcess,
    ...rest,
  });
}

async function locate(path: string, options: OpenOptions): Promise<string> {
  try {
    const given = resolve(platform.host.cwd(), path);
    if (options.create) return await findOrCreate(given, options.name);
    return openable(platform.files, given);
  } catch (error) {
    throw toKbdbError(error);
  }
}

async function findOrCreate(path: string, name: string | undefined): Promise<string> {
  try {
    return openable(platform.files, path);
  } catch (error) {
    if (!(error instanceof KbdbError)) throw error;
    const fresh = newDatabasePath(path);
    const isNew = error.code === "not_found" || fresh !== path;
    if (!isNew) throw error;
    await createDatabase(fresh, name);
    return fresh;
  }
}

/** Several processes may make a database at once; who comes later uses it. */
async function createDatabase(path: string, name: string | undefined): Promise<void> {
  try {
    const create = name === undefined ? {} : { name };
    await (await openInProcess({ path, create })).close();
  } catch (thrown) {
    try {
      openable(platform.files, path);
    } catch {
      throw toKbdbError(thrown);
    }
  }
}

async function openInProcess(options: { path: string; create?: { name?: string } }) {
  const { openInProcess } = await import("./src/daemon/in_process.ts");
  const indexerEntry = new URL("./indexer.ts", import.meta.url).href;
  return await openInProcess(platform, { ...options, indexerEntry });
}

// Run as a program, as in `deno run jsr:@dikolab/kbdb mcp`, the package is the command. Computed, so
// that nobody who imports the library loads it.
if (import.meta.main) await import(new URL("./cli.ts", import.meta.url).href);
