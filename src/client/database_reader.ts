/**
 * What the library offers to those who only read a database.
 *
 * @module
 */

import type { ChangeEvent } from "../rpc/changes.ts";
import type {
  DocumentSummary,
  ListDocumentsParams,
  ListedSection,
  ListPage,
  ListSectionsParams,
  TagCount,
} from "../rpc/listing.ts";
import type { CheckResult, StatusResult } from "../rpc/protocol.ts";
import type {
  ContentParams,
  ContentResult,
  DocumentRecord,
  HistoryResult,
  ReadResult,
  RecallParams,
  RecallResult,
} from "../rpc/reading.ts";
import type { SearchParams, SearchResultFor } from "../rpc/searching.ts";
import type { OnProgress } from "./calls.ts";
import { ChangeStream } from "./change_stream.ts";
import type { OnChange } from "./change_watch.ts";
import type { Client } from "./client.ts";

/** How a search is made. */
export type SearchOptions = Omit<SearchParams, "query">;
/** How much is recalled. */
export type RecallOptions = Omit<RecallParams, "kbids">;
/** How much is composed. */
export type ContentOptions = Omit<ContentParams, "ids">;

/** An open database, for those who change nothing. */
export class DatabaseReader {
  readonly #client: Client;
  readonly #streams = new Set<ChangeStream>();

  /** Use {@linkcode openDatabase}. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Finds sections that hold any of the words, best first; documents or counts with `mode`.
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
   * await db.learn({ content: "# Parcels\n\nBlue ones go left.", docid: "handbook" });
   * const { items, total } = await db.search("blue parcel", { limit: 5 });
   * assert(total === 1 && items[0].heading === "Parcels");
   * const { items: documents } = await db.search("blue", { mode: "documents" });
   * assert(documents[0].docid === "handbook");
   * ```
   */
  search<const O extends SearchOptions = Record<never, never>>(
    query: string,
    options?: O,
  ): Promise<SearchResultFor<O & { query: string }>> {
    return this.#client.search({ query, ...options } as O & { query: string });
  }

  /**
   * Reads sections by their ids, in the order asked for, with as much around them as `depth` says; an
   * unknown id gives an item with `error`.
   *
   * @throws {KbdbError} `bad_request` for no id, `too_large` for more than 1,000
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
   * const { items } = await db.recall([kbid], { depth: 1 });
   * assert("content" in items[0] && items[0].content === "Blue parcels go left.");
   * ```
   */
  recall(kbids: string[], options: RecallOptions = {}): Promise<RecallResult> {
    return this.#client.recall({ kbids, ...options });
  }

  /**
   * Reads sections as they are stored.
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
   * const { sections: [section] } = await db.read([kbid]);
   * assert("size" in section && section.size === 21);
   * ```
   */
  read(kbids: string[]): Promise<ReadResult> {
    return this.#client.read(kbids);
  }

  /**
   * Reads a document as it is stored: its facts and its sections in order.
   *
   * @throws {KbdbError} `not_found` if there is none
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * await db.learn({ content: "# A\n\na\n\n# B\n\nb", docid: "letters" });
   * const { sections } = await db.document("letters");
   * assert.deepEqual(sections.map(({ heading }) => heading), ["A", "B"]);
   * ```
   */
  document(docid: string): Promise<DocumentRecord> {
    return this.#client.document(docid);
  }

  /**
   * Composes Markdown of sections and documents, with what their markers include. A part that does not
   * fit `max_bytes` is given by the next call, with `cursor`.
   *
   * @throws {KbdbError} `bad_request` for no id, `too_large` for more than 1,000
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * await db.learn({ content: "# A\n\na\n\n# B\n\nb", docid: "letters" });
   * const { data, total } = await db.content(["letters"]);
   * assert(data.startsWith("# A") && total === [...data].length);
   * ```
   */
  content(ids: string[], options: ContentOptions = {}): Promise<ContentResult> {
    return this.#client.content({ ids, ...options });
  }

  /**
   * All revisions of a section, oldest first, by the id of any of them.
   *
   * @throws {KbdbError} `not_found` if there is no such section
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
   * const corrected = await db.revise(kbid, { content: "Blue parcels go right." });
   * const { current, revisions } = await db.history(kbid);
   * assert(current === corrected.kbid && revisions.length === 2);
   * ```
   */
  history(kbid: string): Promise<HistoryResult> {
    return this.#client.history(kbid);
  }

  /**
   * Documents in the order of their docids, page by page.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * await db.learn({ content: "Blue parcels go left.", docid: "handbook" });
   * const { items } = await db.listDocuments({ prefix: "hand" });
   * assert(items[0].section_count === 1);
   * ```
   */
  listDocuments(options: ListDocumentsParams = {}): Promise<ListPage<DocumentSummary>> {
    return this.#client.listDocuments(options);
  }

  /**
   * Sections in the order of their ids, page by page.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * await db.learn({ content: "Blue parcels go left.", tags: ["work"] });
   * const { items } = await db.listSections({ tag: "work" });
   * assert(items.length === 1);
   * ```
   */
  listSections(options: ListSectionsParams = {}): Promise<ListPage<ListedSection>> {
    return this.#client.listSections(options);
  }

  /**
   * All tags with the number of their sections.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * await db.learn({ content: "Blue parcels go left.", tags: ["work"] });
   * assert.deepEqual(await db.listTags(), [{ tag: "work", sections: 1 }]);
   * ```
   */
  async listTags(): Promise<TagCount[]> {
    return (await this.#client.listTags()).tags;
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
   * Tells of changes, whoever makes them, until the returned function is called. It keeps telling when
   * the daemon is replaced, and keeps the process alive.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const changed = new Promise<string[]>((resolve) => {
   *   void db.subscribe(({ sections }) => resolve(sections.added));
   * });
   * const { kbid } = await db.learn({ content: "Blue parcels go left." });
   * assert.deepEqual(await changed, [kbid]);
   * ```
   */
  subscribe(onChange: OnChange): Promise<() => void> {
    return this.#client.subscribe(onChange);
  }

  /**
   * Changes from now on, one after another, until the loop is left or the database closed. Where
   * more happened than could be told, one says `incomplete`.
   *
   * @example
   * ```ts
   * import { openDatabase } from "@dikolab/kbdb";
   * import assert from "node:assert/strict";
   * import { mkdtempSync } from "node:fs";
   *
   * const folder = mkdtempSync("/tmp/kbdb-");
   * await using db = await openDatabase(folder, { create: true, daemon: "never" });
   * const changes = db.changes();
   * const { kbid } = await db.learn({ content: "Blue parcels go left." });
   * for await (const { sections } of changes) {
   *   assert.deepEqual(sections.added, [kbid]);
   *   break;
   * }
   * ```
   */
  changes(): AsyncIterableIterator<ChangeEvent> {
    const stream: ChangeStream = new ChangeStream(
      (onChange) => this.subscribe(onChange),
      () => this.#streams.delete(stream),
    );
    this.#streams.add(stream);
    return stream;
  }

  /** Ends the connection. A daemon stays for others and leaves by itself. */
  async close(): Promise<void> {
    for (const stream of this.#streams) stream.end();
    await this.#client.close();
  }

  /** The same as {@linkcode DatabaseReader.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
