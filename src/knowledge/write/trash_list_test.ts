import assert from "node:assert/strict";
import { test } from "node:test";
import type { Files } from "../../platform/types.ts";
import type { TrashItem } from "../../rpc/writing.ts";
import { ROOT } from "../../store/testing.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { idOfText, learn, newBase, openBase, restoreIds, unlearnOne } from "../testing.ts";
import { emptyTrash, listTrash } from "./trash_list.ts";

const DAY = 24 * 60 * 60 * 1000;

async function filled() {
  let now = new Date("2026-03-04T12:00:00.000Z");
  const { base, files } = await newBase(undefined, { now: () => now });
  await learn(base, { content: "# One", docid: "d" });
  await learn(base, { content: "# Two\n\n# Three", docid: "e", document: true });
  await unlearnOne(base, { kbid: idOfText("# One") });
  now = new Date(now.getTime() + DAY);
  await unlearnOne(base, { docid: "e" });
  const wait = (days: number) => void (now = new Date(now.getTime() + days * DAY));
  return { base, files, wait };
}

const trashOf = (base: KnowledgeBase, params = {}) => base.run((parts) => listTrash(parts, params));

/** All files of a folder as texts. */
function textsBelow(files: Files, folder: string): string[] {
  return files.list(folder).flatMap(({ name, kind }) => {
    const path = `${folder}/${name}`;
    return kind === "directory"
      ? textsBelow(files, path)
      : [new TextDecoder().decode(files.read(path))];
  });
}

test("listTrash() lists removals, the latest first", async () => {
  const { base } = await filled();
  const { items, total, bytes, cursor } = await trashOf(base);
  const [two, three] = [idOfText("# Two"), idOfText("# Three")].sort();
  assert.deepEqual(items.map(({ id }) => id), ["e", two, three, "d", idOfText("# One")]);
  assert.deepEqual([total, cursor], [5, undefined]);
  assert.equal(bytes, items.reduce((sum, item) => sum + item.bytes, 0));
  const { bytes: _, ...one } = items[4];
  assert.deepEqual(one, {
    id: idOfText("# One"),
    kind: "section",
    heading: "One",
    type: "text/markdown",
    docids: ["d"],
    removed_at: "2026-03-04T12:00:00.000Z",
    reason: "unlearn",
  });
  assert.deepEqual([items[0].kind, items[0].removed_at], [
    "document",
    "2026-03-05T12:00:00.000Z",
  ]);
});

test("listTrash() gives pages that fit together", async () => {
  const { base } = await filled();
  const { items: all } = await trashOf(base);
  const pages: TrashItem[] = [];
  for (let cursor: string | undefined, i = 0; i === 0 || cursor; i++) {
    const page = await trashOf(base, { limit: 2, cursor });
    pages.push(...page.items);
    cursor = page.cursor;
  }
  assert.deepEqual(pages, all);
  const { cursor } = await trashOf(base, { limit: 2 });
  await restoreIds(base, all[1].id);
  assert.deepEqual((await trashOf(base, { cursor })).items, all.slice(2));
});

test("listTrash() refuses bad limits and cursors", async () => {
  const { base } = await newBase();
  assert.deepEqual(await trashOf(base), { items: [], total: 0, bytes: 0 });
  for (const limit of [0, 1.5, 1001, NaN]) {
    await assert.rejects(trashOf(base, { limit }), { code: "bad_request" });
  }
  await assert.rejects(trashOf(base, { cursor: "x" }), { code: "bad_request" });
});

test("listTrash() leaves out what is in use again", async () => {
  const { base } = await filled();
  await learn(base, { content: "# One", docid: "d" });
  assert.deepEqual((await trashOf(base)).items.map(({ id }) => id).includes("d"), false);
  assert.equal((await trashOf(base)).total, 3);
});

test("emptyTrash() removes for good", async () => {
  const { base } = await filled();
  const { removed, freed_bytes } = await base.run((parts) => emptyTrash(parts, {}));
  assert.equal(removed, 5);
  assert.ok(freed_bytes > 300);
  assert.equal((await trashOf(base)).total, 0);
  assert.equal((await restoreIds(base, "e")).items[0].state, "unknown");
});

test("emptyTrash() leaves no text of it on the disk", async () => {
  const { base, files } = await newBase();
  const { kbid } = await learn(base, { content: "whisper of a secret" });
  await unlearnOne(base, { kbid });
  assert.ok(textsBelow(files, ROOT).some((text) => text.includes("whisper of")));
  await base.run((parts) => emptyTrash(parts, {}));
  assert.deepEqual(textsBelow(files, ROOT).filter((text) => text.includes("whisper of")), []);
});

test("emptyTrash() takes what has lain for some days", async () => {
  const { base, wait } = await filled();
  wait(1);
  const { removed } = await base.run((parts) => emptyTrash(parts, { older_than_days: 1.5 }));
  assert.equal(removed, 2);
  assert.equal((await trashOf(base)).total, 3);
  for (const older_than_days of [-1, NaN]) {
    const call = base.run((parts) => emptyTrash(parts, { older_than_days }));
    await assert.rejects(call, { code: "bad_request" });
  }
});

test("emptyTrash() is refused in a read-only database", async () => {
  const { base, files } = await filled();
  await base.close();
  const closed = await openBase(files, { writable: false });
  assert.equal((await trashOf(closed)).total, 5);
  const call = closed.run((parts) => emptyTrash(parts, {}));
  await assert.rejects(call, { code: "read_only" });
});

test("an open database empties its trash of what is old (D13)", async () => {
  const { base, files } = await filled();
  await base.close();
  const now = () => new Date(Date.parse("2026-03-04T12:00:00.000Z") + 30.5 * DAY);
  const opened = await openBase(files, { now });
  assert.equal((await trashOf(opened)).total, 5);
  await new Promise((resolve) => setTimeout(resolve, 2300)); // Until it is idle.
  assert.deepEqual((await trashOf(opened)).items.map(({ reason }) => reason).length, 3);
});
