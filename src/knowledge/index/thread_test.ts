import assert from "node:assert/strict";
import { test } from "node:test";
import { platform } from "../../platform/host.ts";
import { temporaryFolder } from "../../store/testing.ts";
import type { KnowledgeBase, KnowledgeOptions } from "../knowledge_base.ts";
import { checkOf, learn, openBase, pictureOf, SMALL } from "../testing.ts";

const ENTRY = new URL("../../../indexer.ts", import.meta.url).href;
const QUERIES = ["parcel", "number", "w3 w4", "during"];

async function openThreaded(
  root: string,
  options: Partial<KnowledgeOptions> = {},
): Promise<{ base: KnowledgeBase; starts: () => number }> {
  let starts = 0;
  const startIndexer = () => {
    starts += 1;
    return platform.threads.start(ENTRY);
  };
  const base = await openBase(platform.files, { root, sealing: SMALL, startIndexer, ...options });
  return { base, starts: () => starts };
}

async function fill(base: KnowledgeBase, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const docid = i % 3 === 0 ? { docid: `doc ${i % 5}` } : {};
    await learn(base, { content: `# Parcel ${i}\n\nnumber w${i % 7}`, ...docid });
  }
}

function isThere(path: string): boolean {
  return platform.files.list(`${path}/indexes`).length > 0;
}

test("a thread of its own makes the index again and merges", async () => {
  const root = `${temporaryFolder()}/.kbdb`;
  const { base, starts } = await openThreaded(root);
  await fill(base, 50);
  const before = await pictureOf(base, QUERIES);
  const { sections_reindexed, skipped } = await base.rebuild(() => {});
  assert.deepEqual([sections_reindexed, skipped], [50, undefined]);
  assert.ok(starts() > 0);
  assert.deepEqual(await pictureOf(base, QUERIES), before);
  for (let i = 0; i < 10; i++) await learn(base, { content: `during ${i}` });
  assert.deepEqual(base.status().warnings, []);
  assert.equal((await checkOf(base)).ok, true);
  const after = await pictureOf(base, QUERIES);
  await base.close();
  const plain = await openBase(platform.files, { root });
  assert.deepEqual(await pictureOf(plain, QUERIES), after);
  assert.deepEqual(plain.status().warnings, []);
});

test("a thread makes the first index, in memory where nothing may be written", async () => {
  const root = `${temporaryFolder()}/.kbdb`;
  const { base } = await openThreaded(root);
  await fill(base, 20);
  const before = await pictureOf(base, QUERIES);
  await base.close();
  for (const writable of [false, true]) {
    platform.files.removeTree(`${root}/indexes`);
    platform.files.makeDir(`${root}/indexes`);
    const again = await openThreaded(root, { writable });
    assert.deepEqual(await pictureOf(again.base, QUERIES), before);
    assert.equal(again.starts(), 1);
    await again.base.close();
    assert.equal(isThere(root), writable);
  }
});

test("close() ends a thread that builds", async () => {
  const root = `${temporaryFolder()}/.kbdb`;
  const { base } = await openThreaded(root);
  await fill(base, 20);
  const rebuilt = assert.rejects(base.rebuild(() => {}), { code: "leaving" });
  await base.close();
  await rebuilt;
  const again = await openBase(platform.files, { root });
  assert.equal((await again.search({ query: "parcel" })).total, 20);
});
