/**
 * What the tests of an open database share.
 *
 * @module
 */

import assert from "node:assert/strict";
import { after } from "node:test";
import { kbid, preprocess } from "../core/text.ts";
import { ThreadInbox } from "../platform/thread_inbox.ts";
import { type Files, type Thread, ThreadError } from "../platform/types.ts";
import type { SearchItem, SearchParams } from "../rpc/searching.ts";
import type { HistoryResult, RecalledSection } from "../rpc/reading.ts";
import type {
  AddSectionResult,
  GcParams,
  GcResult,
  LearnItem,
  LearnItemResult,
  RestoreResult,
  ReviseParams,
  ReviseResult,
  UnlearnResult,
} from "../rpc/writing.ts";
import type { ManifestEntry } from "../store/document_store.ts";
import { DatabasePaths } from "../store/paths.ts";
import { newDisk, NOON, ROOT } from "../store/testing.ts";
import { gc } from "./write/gc.ts";
import { history } from "./write/history.ts";
import { KnowledgeBase, type KnowledgeOptions } from "./knowledge_base.ts";
import { restore } from "./write/restore.ts";
import { revise } from "./write/revise.ts";
import { unlearn } from "./write/unlearn.ts";
import type { Sealing } from "./index/keeper.ts";
import { serveIndexCalls } from "./index/thread.ts";

/** Segments after a few sections, so that small tests have several. */
export const SMALL: Sealing = { entries: 6, bytes: 1 << 24, keep: 3 };

export const paths = new DatabasePaths(ROOT);

/** Opens the database at {@linkcode ROOT}, making it where it is missing; closed after the tests. */
export async function openBase(
  files: Files,
  options: Partial<Omit<KnowledgeOptions, "files" | "create">> = {},
): Promise<KnowledgeBase> {
  const { writable = true, root = ROOT, now = () => NOON, ...rest } = options;
  const create = exists(files, `${root}/kbdb.toml`) ? undefined : {};
  const base = await KnowledgeBase.open({ files, root, writable, create, now, ...rest });
  after(() => base.close().catch(() => {}));
  return base;
}

/** Starts what an indexer does beside this program, on its files; ended, it gets no more to do. */
export function indexerOn(files: Files): () => Thread {
  return () => {
    const [asked, answered] = [new ThreadInbox(), new ThreadInbox()];
    const port = {
      post: (message: unknown) => answered.put(structuredClone(message)),
      receive: () => asked.take(),
    };
    serveIndexCalls(files, port).catch(() => {});
    return {
      post: (message) => asked.put(structuredClone(message)),
      receive: () => answered.take(),
      end() {
        const over = new ThreadError("ended", "it was ended");
        asked.close(over);
        answered.close(over);
      },
    };
  };
}

/** A thread that never answers. */
export function silentThread(): Thread {
  const inbox = new ThreadInbox();
  return {
    post: () => {},
    receive: () => inbox.take(),
    end: () => inbox.close(new ThreadError("ended", "it was ended")),
  };
}

/** A database as it is, and once more after a restart. */
export async function* nowAndReopened(base: KnowledgeBase, files: Files) {
  yield base;
  await base.close();
  yield await openBase(files);
}

/** A new database in memory. */
export async function newBase(
  sealing?: Sealing,
  options: Partial<Pick<KnowledgeOptions, "now" | "settings">> = {},
) {
  const files = await newDisk();
  return { files, base: await openBase(files, { sealing, ...options }) };
}

/** Whole numbers below a limit, the same ones for the same seed. */
export function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % limit;
  };
}

let keys = 0;

/** A request key that was not used before. */
export function newKey(): string {
  return `key ${++keys}`;
}

/** Learns one item under a key of its own. */
export async function learnItem(base: KnowledgeBase, item: LearnItem): Promise<LearnItemResult> {
  const { results } = await base.learn({ key: newKey(), items: [item] }, () => {});
  return results[0];
}

/** Learns one item that has to be taken. */
export async function learn(base: KnowledgeBase, item: LearnItem): Promise<AddSectionResult> {
  const answer = await learnItem(base, item);
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.result;
}

/** The error of an item that has to be refused. */
export async function refusal(
  base: KnowledgeBase,
  item: LearnItem,
): Promise<{ code: string; message: string }> {
  const answer = await learnItem(base, item);
  assert.ok(!answer.ok, JSON.stringify(answer));
  return answer.error;
}

/** Puts `content` in the place of a section. */
export function reviseText(
  base: KnowledgeBase,
  kbid: string,
  correction: Omit<ReviseParams, "key" | "kbid">,
): Promise<ReviseResult> {
  return base.run((parts) => revise(parts, { key: newKey(), kbid, ...correction }));
}

/** Takes out a section or a document. */
export function unlearnOne(
  base: KnowledgeBase,
  id: { kbid: string } | { docid: string },
): Promise<UnlearnResult> {
  return base.run((parts) => unlearn(parts, { key: newKey(), ...id }));
}

/** Brings things back from the trash. */
export function restoreIds(base: KnowledgeBase, ...ids: string[]): Promise<RestoreResult> {
  return base.run((parts) => restore(parts, { key: newKey(), ids }));
}

/** Takes out what nothing needs. */
export function sweep(base: KnowledgeBase, params: GcParams = {}): Promise<GcResult> {
  return base.run((parts) => gc(parts, params, () => {}));
}

/** The revisions of a section. */
export function historyOf(base: KnowledgeBase, kbid: string): Promise<HistoryResult> {
  return base.run((parts) => history(parts, { kbid }));
}

/** A recalled section that has to be there. */
export async function recalled(base: KnowledgeBase, kbid: string): Promise<RecalledSection> {
  const { items: [item] } = await base.recall({ kbids: [kbid] });
  assert("content" in item, JSON.stringify(item));
  return item;
}

/** The sections of a document in order, or `null` where there is none. */
export function entriesOf(base: KnowledgeBase, docid: string): Promise<ManifestEntry[] | null> {
  return base.run(({ store }) => {
    const stored = store.readDocument(docid);
    return stored.state === "found" ? [...stored.value.sections] : null;
  });
}

/** The kbid that a text gets. */
export function idOfText(text: string): string {
  return kbid(preprocess(new TextEncoder().encode(text)));
}

/** Ids that a query finds, best first. */
export async function find(
  base: KnowledgeBase,
  query: string,
  params: Partial<Omit<SearchParams, "mode">> = {},
): Promise<string[]> {
  const { items } = await base.search({ limit: 100, ...params, query });
  return items.map((item) => item.kbid);
}

/** Everything that queries show of a database. */
export async function pictureOf(
  base: KnowledgeBase,
  queries: readonly string[],
): Promise<{ sections: number; documents: number; pages: [total: number, items: SearchItem[]][] }> {
  const pages: [number, SearchItem[]][] = [];
  for (const query of queries) {
    const { total, items } = await base.search({ query, limit: 100 });
    pages.push([total, items]);
  }
  const { sections, documents } = base.status();
  return { sections, documents, pages };
}

/** What a check finds, without its time. */
export async function checkOf(base: KnowledgeBase) {
  const { elapsed_ms, ...rest } = await base.check(() => {});
  assert.ok(elapsed_ms >= 0);
  return rest;
}

function exists(files: Files, path: string): boolean {
  try {
    files.stat(path);
    return true;
  } catch {
    return false;
  }
}
