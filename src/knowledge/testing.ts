/**
 * What the tests of an open database share.
 *
 * @module
 */

import assert from "node:assert/strict";
import { after } from "node:test";
import { kbid, preprocess } from "../core/text.ts";
import type { Files } from "../platform/types.ts";
import type {
  AddSectionResult,
  LearnItem,
  LearnItemResult,
  SearchItem,
  SearchParams,
} from "../rpc/protocol.ts";
import { DatabasePaths } from "../store/paths.ts";
import { newDisk, NOON, ROOT } from "../store/testing.ts";
import { KnowledgeBase } from "./knowledge_base.ts";
import type { Sealing } from "./index_keeper.ts";

/** Segments after a few sections, so that small tests have several. */
export const SMALL: Sealing = { entries: 6, bytes: 1 << 24, keep: 3 };

export const paths = new DatabasePaths(ROOT);

/** Opens the database at {@linkcode ROOT}, making it where it is missing; closed after the tests. */
export async function openBase(
  files: Files,
  options: { writable?: boolean; root?: string; sealing?: Sealing; now?: () => Date } = {},
): Promise<KnowledgeBase> {
  const { writable = true, root = ROOT, sealing, now = () => NOON } = options;
  const create = exists(files, `${root}/kbdb.toml`) ? undefined : {};
  const base = await KnowledgeBase.open({ files, root, writable, create, now, sealing });
  after(() => base.close().catch(() => {}));
  return base;
}

/** A new database in memory. */
export async function newBase(sealing?: Sealing) {
  const files = await newDisk();
  return { files, base: await openBase(files, { sealing }) };
}

let keys = 0;

/** Learns one item under a key of its own. */
export async function learnItem(base: KnowledgeBase, item: LearnItem): Promise<LearnItemResult> {
  const { results } = await base.learn({ key: `key ${++keys}`, items: [item] }, () => {});
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

/** The kbid that a text gets. */
export function idOfText(text: string): string {
  return kbid(preprocess(new TextEncoder().encode(text)));
}

/** Ids that a query finds, best first. */
export async function find(
  base: KnowledgeBase,
  query: string,
  params: Partial<SearchParams> = {},
): Promise<string[]> {
  const { items } = await base.search({ query, limit: 100, ...params });
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
