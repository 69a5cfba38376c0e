/**
 * The library's view of a database.
 *
 * @module
 */

import type { Platform } from "../platform/types.ts";
import { toKbdbError, toldError } from "../rpc/errors.ts";
import type {
  AddSectionResult,
  CheckResult,
  RebuildResult,
  RecallItem,
  SearchParams,
  SearchResult,
  StatusResult,
} from "../rpc/protocol.ts";
import { Client, type ClientOptions, type OnProgress } from "./client.ts";
import type { LearnFilesOptions } from "./items.ts";
import { learnFiles, type LearnFilesResult } from "./learn_files.ts";

/** A content to store. */
export interface LearnOptions {
  /** Text. */
  content: string;
  /** MIME type: `text/*` or `application/json`. @default {"text/markdown"} */
  type?: string;
  /** Title of the section, if its first heading is not to be used. */
  title?: string;
  /** Searchable beside the content. */
  description?: string;
  /** Document that the content joins; without it the content stands alone. */
  docid?: string;
  /** Added to those that the section has. */
  tags?: string[];
  /** The content is the whole document `docid` and takes the place of what it held. @default {false} */
  document?: boolean;
}

/** An open database: the operations of the command line as typed methods. */
export class Database {
  readonly #client: Client;

  /** Use {@linkcode openDatabase}. */
  constructor(private readonly platform: Platform, options: ClientOptions) {
    this.#client = new Client(platform, options);
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
    const [answer] = await this.#client.learn([options]);
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
  async learnFiles(paths: string[], options: LearnFilesOptions = {}): Promise<LearnFilesResult> {
    try {
      return await learnFiles({ platform: this.platform, client: this.#client }, {
        paths,
        options,
      });
    } catch (error) {
      throw toKbdbError(error);
    }
  }

  /**
   * Finds sections that hold any of the words, best first.
   *
   * @throws {KbdbError} `bad_request` for an empty query or a limit that is no count
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * await db.learn({ content: "# Parcels\n\nBlue ones go left." });
   * const { items, total } = await db.search("blue parcel", { limit: 5 });
   * assert(total === 1 && items[0].heading === "Parcels");
   * ```
   */
  search(query: string, options: Omit<SearchParams, "query"> = {}): Promise<SearchResult> {
    return this.#client.search({ query, ...options });
  }

  /**
   * Reads sections by their ids, in the order asked for; an unknown id gives an item with `error`.
   *
   * @throws {KbdbError} `too_large` for more than 1,000 ids
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
   * const [item] = await db.recall([kbid]);
   * assert("content" in item && item.content === "Blue parcels go left.");
   * ```
   */
  recall(kbids: string[]): Promise<RecallItem[]> {
    return this.#client.recall(kbids);
  }

  /**
   * Counts, sizes and faults of the database and its daemon.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * assert.equal((await db.status()).sections, 0);
   * ```
   */
  status(): Promise<StatusResult> {
    return this.#client.status();
  }

  /**
   * Verifies every stored file; changes nothing.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const { ok, errors } = await db.check();
   * assert(ok && errors.length === 0);
   * ```
   */
  check(options: { onProgress?: OnProgress } = {}): Promise<CheckResult> {
    return this.#client.check(options.onProgress);
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
  rebuild(options: { onProgress?: OnProgress } = {}): Promise<RebuildResult> {
    return this.#client.rebuild(options.onProgress);
  }

  /** Ends the connection. A daemon stays for others and leaves by itself. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /** The same as {@linkcode Database.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
