/**
 * The database behind the MCP server: the client of its daemon, under the documents' names. A
 * database that is not there yet is made by the first write (D61).
 *
 * @module
 */

import type { Client } from "../client/client.ts";
import type { ChangeEvent } from "../rpc/changes.ts";
import { KbdbError, toldError } from "../rpc/errors.ts";
import type { ListPage } from "../rpc/listing.ts";
import type { AgentResult, AgentSummary } from "../rpc/prompts.ts";
import { DEFAULT_REPLY_BYTES } from "../rpc/protocol.ts";
import type { ContentParams, ReadResult, RecallParams } from "../rpc/reading.ts";
import type { SearchParams } from "../rpc/searching.ts";
import { parseSkillContent } from "../rpc/skill_text.ts";
import type { GcParams, ReviseParams, UnlearnResult } from "../rpc/writing.ts";
import {
  AbsentDatabase,
  type AddedSection,
  type AddSectionParams,
  type GroupSectionsParams,
  type IdPage,
  type McpServerClient,
  type MissingSection,
  type Section,
  type WorkOptions,
} from "./worker_client.ts";

/** Where the database lies, and how it is reached. */
export interface DatabasePlace {
  /** Whether it is there by now; looked at again while it is not. */
  exists(): boolean;
  /** Makes it. */
  create(): Promise<void>;
  /** The client of a database that is there. */
  connect(): Client;
  /** Called once it was made; gives what the first writer is told. */
  onCreated(): string;
}

/** The most kbids of one call. */
const IDS_AT_ONCE = 1000;
const PAGE = 1000;
/** How long another process may take to make the database. */
const LOOKS = 20;
const LOOK_MS = 50;

/** A {@linkcode McpServerClient} over the client of the daemon. */
export class DatabaseClient implements McpServerClient {
  #client: Client | null = null;
  #creating: Promise<string | null> | null = null;
  /** That the database was made, as long as no write has told it. */
  #untold: string | null = null;

  constructor(private readonly place: DatabasePlace) {}

  search(params: SearchParams) {
    return this.#open().search(params);
  }

  async addSection(params: AddSectionParams, options: WorkOptions = {}): Promise<AddedSection> {
    const { sectionType, ...item } = params;
    if (sectionType === "skill") {
      const skill = parseSkillContent(item.content);
      return await this.#writing((client) => client.skillLearn(skill));
    }
    const typed = sectionType === undefined ? item : { ...item, type: sectionType };
    return await this.#writing(async (client) => {
      const [answer] = await client.learn([typed], options.onProgress);
      if (answer.ok) return answer.result;
      throw toldError(answer.error);
    });
  }

  async removeSection(
    kbid: string,
    options: { sectionType?: string } = {},
  ): Promise<UnlearnResult> {
    const client = this.#open();
    if (options.sectionType !== "skill") return await client.unlearn({ kbid });
    return { removed: (await client.skillDelete(kbid)).removed, elapsed_ms: 0 };
  }

  async removeDocument(docid: string): Promise<UnlearnResult> {
    return await this.#open().unlearn({ docid });
  }

  async readSections(kbids: string[]): Promise<(Section | MissingSection)[]> {
    const client = this.#open();
    const all: ReadResult["sections"] = [];
    for (let at = 0; at < kbids.length; at += IDS_AT_ONCE) {
      all.push(...(await client.read(kbids.slice(at, at + IDS_AT_ONCE))).sections);
    }
    return all;
  }

  async retrieveDocument(docid: string) {
    return await this.#open().document(docid);
  }

  async recall(params: RecallParams) {
    return await this.#open().recall(params);
  }

  async content(ids: string[], options: Omit<ContentParams, "ids"> = {}) {
    return await this.#open().content({ ids, ...options });
  }

  async dbStatus() {
    return await this.#open().status();
  }

  async integrityCheck(options: WorkOptions = {}) {
    return await this.#open().check(options.onProgress);
  }

  async gc(params: GcParams = {}, options: WorkOptions = {}) {
    return await this.#open().gc(params, options.onProgress);
  }

  async rebuildIndexes(options: WorkOptions = {}) {
    return await this.#open().rebuild({}, options.onProgress);
  }

  async groupSections({ agent, sections }: GroupSectionsParams): Promise<AgentResult> {
    return await this.#writing((client) => client.agentCreate({ ...agent, skills: sections }));
  }

  async removeGrouping(docid: string) {
    return await this.#open().agentDelete(docid);
  }

  async listByType(sectionType: string): Promise<Section[]> {
    if (sectionType !== "skill") return await this.#sectionsOf(sectionType);
    const { skills } = await this.#open().skillList();
    return readable(await this.readSections(skills.map(({ kbid }) => kbid)));
  }

  async listDocumentsByType(type: string): Promise<AgentSummary[]> {
    if (type === "agent") return (await this.#open().agentList()).agents;
    throw new KbdbError("bad_request", `Cannot list documents of type ${type}: use "agent"`);
  }

  async revise(params: Omit<ReviseParams, "key">) {
    return await this.#open().revise(params);
  }

  async history(kbid: string) {
    return await this.#open().history(kbid);
  }

  async kbidsFrom(prefix: string, limit: number): Promise<IdPage> {
    const client = this.#open();
    const total = prefix === "" ? (await client.status()).sections : undefined;
    const page = (cursor?: string) =>
      client.listSections({ prefix, limit: PAGE, ...cursorOf(cursor) });
    return await idPage(page, { id: ({ kbid }) => kbid, limit, total });
  }

  async docidsFrom(prefix: string, limit: number): Promise<IdPage> {
    const client = this.#open();
    const total = prefix === "" ? (await client.status()).documents : undefined;
    const page = (cursor?: string) =>
      client.listDocuments({ prefix, limit: PAGE, ...cursorOf(cursor) });
    return await idPage(page, { id: ({ docid }) => docid, limit, total });
  }

  async subscribe(onChange: (change: ChangeEvent) => void): Promise<() => void> {
    return await this.#open().subscribe(onChange);
  }

  async maxReplyBytes(): Promise<number> {
    if (!this.#client && !this.place.exists()) return DEFAULT_REPLY_BYTES;
    return (await this.#open().settings()).max_reply_bytes;
  }

  async disconnect(): Promise<void> {
    await this.#creating?.catch(() => {});
    await this.#client?.close();
  }

  async #sectionsOf(type: string): Promise<Section[]> {
    const client = this.#open();
    const kbids: string[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await client.listSections({ type, limit: PAGE, ...cursorOf(cursor) });
      kbids.push(...page.items.map(({ kbid }) => kbid));
      cursor = page.cursor;
    }
    return readable(await this.readSections(kbids));
  }

  /** @throws {AbsentDatabase} while there is none */
  #open(): Client {
    if (this.#client) return this.#client;
    if (!this.#creating && this.place.exists()) return this.#client = this.place.connect();
    throw new AbsentDatabase(
      "There is no database yet, so nothing is known. The first thing that is learned makes it.",
    );
  }

  /** Writes, into a database that is made where there is none; what succeeds says so (D61). */
  async #writing<T extends object>(
    write: (client: Client) => Promise<T>,
  ): Promise<T & { notice?: string }> {
    const isThere = this.#client !== null || (!this.#creating && this.place.exists());
    const made = isThere ? null : await (this.#creating ??= this.#create());
    this.#untold ??= made;
    const written = await write(this.#open());
    const notice = made ?? this.#untold;
    this.#untold = null;
    return { ...written, ...(notice === null ? {} : { notice }) };
  }

  async #create(): Promise<string | null> {
    try {
      await this.place.create();
    } catch (error) {
      // Several clients may make it at once; who comes later uses it.
      if (!await this.#madeByAnother()) throw error;
      return null;
    } finally {
      this.#creating = null;
    }
    return this.place.onCreated();
  }

  async #madeByAnother(): Promise<boolean> {
    for (let looks = 0; looks < LOOKS && !this.place.exists(); looks++) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return this.place.exists();
  }
}

function readable(sections: readonly (Section | MissingSection)[]): Section[] {
  return sections.filter((section): section is Section => !("error" in section));
}

function cursorOf(cursor: string | undefined): { cursor?: string } {
  return cursor === undefined ? {} : { cursor };
}

/** The first ids, and the number of all: counted page by page where it is not known. */
async function idPage<Item>(
  page: (cursor?: string) => Promise<ListPage<Item>>,
  options: { id: (item: Item) => string; limit: number; total: number | undefined },
): Promise<IdPage> {
  const { id, limit, total } = options;
  let { items, cursor } = await page();
  const ids = items.slice(0, limit).map(id);
  let count = items.length;
  while (cursor !== undefined && total === undefined) {
    ({ items, cursor } = await page(cursor));
    count += items.length;
  }
  return { ids, total: total ?? count };
}
