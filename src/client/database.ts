/**
 * The library's view of a database.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { Platform } from "../platform/types.ts";
import { toKbdbError, toldError } from "../rpc/errors.ts";
import type { RebuildParams, RebuildResult } from "../rpc/protocol.ts";
import type {
  AddSectionResult,
  EmptyTrashParams,
  EmptyTrashResult,
  GcParams,
  GcResult,
  RestoreResult,
  ReviseResult,
  TrashParams,
  TrashResult,
  UnlearnResult,
} from "../rpc/writing.ts";
import type { OnProgress } from "./calls.ts";
import { Client, type ClientOptions } from "./client.ts";
import { DatabaseReader } from "./database_reader.ts";
import { contentOf, type LearnFilesOptions } from "./items.ts";
import type { BatchSource, LearnBatchResult } from "./learn_batch.ts";
import { learnFiles, type LearnFilesResult } from "./learn_files.ts";
import { Agents, Skills } from "./prompts.ts";

/** A content to store. */
export interface LearnOptions {
  /** Text, or bytes: of an image, or of a text in another encoding. */
  content: string | Uint8Array;
  /** MIME type: `text/*`, `application/json` or `image/*`. @default {"text/markdown"} */
  type?: string;
  /** How to decode bytes without a byte order mark. @default {"utf-8"} */
  encoding?: "utf-8" | "latin1";
  /** Title of the section, if its first heading is not to be used. */
  title?: string;
  /** Searchable beside the content. */
  description?: string;
  /** Document that the content joins; without it the content stands alone. */
  docid?: string;
  /** Added to those that the section has. */
  tags?: string[];
  /** Where the content came from. */
  source?: string;
  /** The content is the whole document `docid` and takes the place of what it held. @default {false} */
  document?: boolean;
  /** Takes the place of document `docid` whoever it was learned from. @default {false} */
  replace?: boolean;
}

/** What takes the place of a section. */
export interface Correction {
  /** The new text, or bytes of the new image. */
  content: string | Uint8Array;
  /** What is left out is kept from the old section. */
  title?: string;
  /** Likewise. */
  description?: string;
  /** Likewise. */
  tags?: string[];
}

/** An open database: the operations of the command line as typed methods. */
export class Database extends DatabaseReader {
  readonly #parts: { platform: Platform; client: Client };
  /** Reusable prompts. */
  readonly skills: Skills;
  /** Personas with skills. */
  readonly agents: Agents;

  /** Use {@linkcode openDatabase}. */
  constructor(platform: Platform, options: ClientOptions) {
    const client = new Client(platform, options);
    super(client);
    this.#parts = { platform, client };
    this.skills = new Skills(client);
    this.agents = new Agents(client);
  }

  /**
   * Stores a content. It is durable and searchable once this resolves. A content with several
   * headings becomes a document with a docid made from its title.
   *
   * @throws {KbdbError} `bad_request`, `too_large` or `conflict` for content that cannot be stored,
   * `no_space` or `read_only` where the disk does not take it
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { kbid } = await db.learn({ content: "# Parcels\n\nBlue ones go left.", tags: ["work"] });
   * assert(kbid.length === 26);
   * ```
   */
  async learn(options: LearnOptions): Promise<AddSectionResult> {
    const { content, ...rest } = options;
    const given = content instanceof Uint8Array ? contentOf(content, rest) : { content };
    const [answer] = await this.#parts.client.learn([{ ...rest, ...given }]);
    if (answer.ok) return answer.result;
    throw toldError(answer.error);
  }

  /**
   * Stores files and folders as documents. A file that cannot be learned costs only itself and is
   * named in `failed`.
   *
   * @throws {KbdbError} `not_found` if a path is not there
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { added, failed } = await db.learnFiles(["docs"], { tags: ["manual"] });
   * assert(added > 0 && failed.length === 0);
   * ```
   */
  learnFiles(paths: string[], options: LearnFilesOptions = {}): Promise<LearnFilesResult> {
    return told(learnFiles(this.#parts, { paths, options }));
  }

  /**
   * Stores a content for each line of JSON, `{content, type?, title?, description?, docid?, tags?,
   * source?}`: lines, or the path of a file of them. A line that cannot be learned costs only itself
   * and is named in `failed`.
   *
   * @throws {KbdbError} `not_found` if the file is not there
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const lines = ['{"content": "Blue parcels go left."}', '{"content": 5}'];
   * const { added, failed } = await db.learnBatch(lines);
   * assert(added === 1 && failed[0].line === 2);
   * ```
   */
  async learnBatch(
    source: BatchSource,
    options: { onProgress?: OnProgress } = {},
  ): Promise<LearnBatchResult> {
    // Only where it is asked for.
    const { learnBatch } = await import("./learn_batch.ts");
    return await told(learnBatch(this.#parts, { source, ...options }));
  }

  /**
   * Stores a correction: a new section takes the place of an old one, which leaves search and stays
   * readable. What is left out is kept from the old one.
   *
   * @throws {KbdbError} `not_found` if there is no such section, `conflict` if it is not the current one
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { kbid } = await db.learn({ content: "Blue parcels go left." });
   * const { supersedes } = await db.revise(kbid, { content: "Blue parcels go right." });
   * assert(supersedes === kbid && (await db.search("left")).total === 0);
   * ```
   */
  revise(kbid: string, correction: Correction): Promise<ReviseResult> {
    const { content, ...rest } = correction;
    const text = content instanceof Uint8Array ? base64(content) : content;
    return this.#parts.client.revise({ kbid, ...rest, content: text });
  }

  /**
   * Takes a section out, or a document and the sections that only it holds; they go to the trash.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { kbid } = await db.learn({ content: "Blue parcels go left." });
   * assert((await db.unlearn({ kbid })).removed);
   * assert(!(await db.unlearn({ kbid })).removed);
   * ```
   */
  unlearn(target: { kbid: string } | { docid: string }): Promise<UnlearnResult> {
    return this.#parts.client.unlearn(target);
  }

  /**
   * Takes out what nothing needs any more: superseded sections, and those that a removed or replaced
   * document left behind. They go to the trash.
   *
   * @throws {KbdbError} `damaged` if a document cannot be read: then nothing is taken out
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { kbid } = await db.learn({ content: "Blue parcels go left." });
   * await db.revise(kbid, { content: "Blue parcels go right." });
   * const { sections = [] } = await db.gc({ dry_run: true });
   * assert(sections[0].kbid === kbid && sections[0].reason === "superseded");
   * ```
   */
  gc(options: GcParams & { onProgress?: OnProgress } = {}): Promise<GcResult> {
    const { onProgress, ...params } = options;
    return this.#parts.client.gc(params, onProgress);
  }

  /**
   * What lies in the trash, latest removals first, page by page.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { kbid } = await db.learn({ content: "Blue parcels go left." });
   * await db.unlearn({ kbid });
   * assert.equal((await db.trash()).items[0].id, kbid);
   * ```
   */
  trash(options: TrashParams = {}): Promise<TrashResult> {
    return this.#parts.client.trash(options);
  }

  /**
   * Brings sections and documents back from the trash, to the places that they had.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { kbid } = await db.learn({ content: "Blue parcels go left." });
   * await db.unlearn({ kbid });
   * assert.equal((await db.restore([kbid])).restored, 1);
   * ```
   */
  restore(ids: string[]): Promise<RestoreResult> {
    return this.#parts.client.restore(ids);
  }

  /**
   * Removes for good what lies in the trash.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { kbid } = await db.learn({ content: "Blue parcels go left." });
   * await db.unlearn({ kbid });
   * assert.equal((await db.emptyTrash()).removed, 1);
   * ```
   */
  emptyTrash(options: EmptyTrashParams = {}): Promise<EmptyTrashResult> {
    return this.#parts.client.emptyTrash(options);
  }

  /**
   * Makes the index again from the stored files; searches are answered meanwhile.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * await db.learn({ content: "Blue parcels go left." });
   * assert((await db.rebuild()).sections_reindexed === 1);
   * ```
   */
  rebuild(options: RebuildParams & { onProgress?: OnProgress } = {}): Promise<RebuildResult> {
    const { onProgress, ...params } = options;
    return this.#parts.client.rebuild(params, onProgress);
  }
}

/** An error of the file layer, too, is told with a code. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toKbdbError(error);
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}
