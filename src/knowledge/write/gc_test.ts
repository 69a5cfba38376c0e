import assert from "node:assert/strict";
import { test } from "node:test";
import type { MemoryFiles } from "../../platform/memory_files.ts";
import { gc } from "./gc.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import {
  checkOf,
  find,
  idOfText,
  learn,
  newBase,
  openBase,
  paths,
  recalled,
  restoreIds,
  reviseText,
  sweep,
} from "../testing.ts";

const DAY = 24 * 60 * 60 * 1000;
const [OLD, NEW, GONE] = ["# Old\n\nparcel", "# New\n\nparcel", "# Gone\n\nparcel"];
const [oldId, newId, goneId] = [OLD, NEW, GONE].map(idOfText);

/** One superseded and one retired section beside what is needed. */
async function littered(settings = { graceDays: 0, trashDays: 30 }) {
  let now = new Date("2026-03-04T12:00:00.000Z");
  const { base, files } = await newBase(undefined, { now: () => now, settings });
  await learn(base, { content: OLD, docid: "d" });
  await reviseText(base, oldId, { content: NEW });
  await learn(base, { content: GONE, docid: "e", document: true });
  await learn(base, { content: "# Kept", docid: "e", document: true });
  await learn(base, { content: "alone on purpose" });
  const wait = (days: number) => void (now = new Date(now.getTime() + days * DAY));
  return { base, files, wait };
}

async function sweptIds(base: KnowledgeBase, params: Parameters<typeof gc>[1] = {}) {
  return (await sweep(base, params)).sections!.map(({ kbid }) => kbid);
}

test("gc() takes what was superseded or left its last document (D13)", async () => {
  const { base } = await littered();
  const { elapsed_ms, ...rest } = await sweep(base);
  assert.ok(elapsed_ms >= 0);
  const sections = [
    { kbid: oldId, heading: "Old", type: "text/markdown", bytes: 13, reason: "superseded" },
    { kbid: goneId, heading: "Gone", type: "text/markdown", bytes: 14, reason: "retired" },
  ].sort((a, b) => (a.kbid < b.kbid ? -1 : 1));
  assert.deepEqual(rest, { removed_sections: 2, removed_bytes: 27, sections });
  assert.deepEqual(await find(base, "parcel"), [newId]);
  assert.equal((await checkOf(base)).ok, true);
  const { items: [old] } = await base.recall({ kbids: [oldId] });
  assert("error" in old && old.error.message.includes(`kbdb restore ${oldId}`));
  assert.equal((await sweep(base)).removed_sections, 0);
});

test("gc() with dry_run tells what it would take, and takes nothing", async () => {
  const { base } = await littered();
  const { dry_run, sections, removed_sections } = await sweep(base, { dry_run: true });
  assert.deepEqual([dry_run, removed_sections], [true, 2]);
  assert.equal((await recalled(base, oldId)).content, OLD);
  assert.deepEqual((await sweep(base)).sections, sections);
});

test("gc() leaves what its grace period protects", async () => {
  const { base, wait } = await littered({ graceDays: 7, trashDays: 30 });
  const { removed_sections, waiting } = await sweep(base);
  assert.deepEqual([removed_sections, waiting], [0, 2]);
  wait(6.9);
  assert.equal((await sweep(base)).removed_sections, 0);
  wait(0.2);
  const due = await sweep(base);
  assert.deepEqual([due.removed_sections, due.waiting], [2, undefined]);
});

test("gc() leaves what a marker of a live section names", async () => {
  const { base } = await littered();
  await learn(base, { content: `see $(link:${oldId})`, docid: "f" });
  assert.deepEqual(await sweptIds(base, { dry_run: true }), [goneId]);
  await reviseText(base, idOfText(`see $(link:${oldId})`), { content: "see nothing" });
  const ids = await sweptIds(base);
  assert.deepEqual(ids, [oldId, goneId, idOfText(`see $(link:${oldId})`)].sort());
});

test("gc() with include_standalone takes all that no document lists", async () => {
  const { base } = await littered();
  await learn(base, { content: "named by a marker" });
  await learn(base, { content: `see $(include:${idOfText("named by a marker")})`, docid: "f" });
  const { sections } = await sweep(base, { include_standalone: true });
  const standalone = sections!.filter(({ reason }) => reason === "standalone");
  assert.deepEqual(standalone.map(({ kbid }) => kbid), [idOfText("alone on purpose")]);
  assert.equal(sections!.length, 3);
  assert.deepEqual(await find(base, "purpose"), []);
});

test("gc() takes sections of a document that was removed by hand", async () => {
  const { base, files } = await littered();
  files.remove(paths.document("e"));
  assert.deepEqual(await sweptIds(base), [oldId, goneId, idOfText("# Kept")].sort());
  assert.equal((await checkOf(base)).ok, true);
});

test("gc() gives sections of a removed document their grace period", async () => {
  const { base, files, wait } = await littered({ graceDays: 7, trashDays: 30 });
  files.remove(paths.document("e"));
  const kept = idOfText("# Kept");
  wait(8);
  assert.deepEqual(await sweptIds(base, { dry_run: true }), [oldId, goneId].sort());
  const { waiting } = await sweep(base);
  assert.equal(waiting, 1);
  assert.equal(typeof (await recalled(base, kept)).retired, "string");
  assert.deepEqual(await sweptIds(base), []);
  wait(8);
  assert.deepEqual(await sweptIds(base), [kept]);
});

test("gc() removes nothing where a manifest cannot be read (D13)", async () => {
  const { base, files } = await littered();
  files.write(paths.document("e"), new Uint8Array(9));
  for (const dry_run of [true, false]) {
    await assert.rejects(sweep(base, { dry_run }), {
      code: "damaged",
      message: /^Cannot sweep: the manifest documents\/.*\.toml is damaged: .*Nothing was removed/,
    });
  }
  assert.equal((await recalled(base, oldId)).content, OLD);
});

test("gc() does not take what cannot be read", async () => {
  const { base, files } = await littered();
  files.write(paths.section(oldId), new Uint8Array(9));
  assert.deepEqual(await sweptIds(base), [goneId]);
  assert.equal(files.read(paths.section(oldId)).length, 9);
});

test("gc() leaves what came to be needed while it ran", async () => {
  const { base } = await littered();
  const sweeping = sweep(base);
  const learned = learn(base, { content: OLD });
  const marked = learn(base, { content: `see $(link:${goneId})` });
  const { sections } = await sweeping;
  await Promise.all([learned, marked]);
  const { items } = await base.recall({ kbids: [oldId, goneId] });
  for (const [i, kbid] of [oldId, goneId].entries()) {
    const isSwept = sections!.some((section) => section.kbid === kbid);
    assert.equal("error" in items[i], isSwept && kbid !== oldId);
  }
  assert.deepEqual(await find(base, "old"), [oldId]);
  assert.equal(
    (await checkOf(base)).errors.filter(({ type }) => type !== "broken_reference").length,
    0,
  );
});

test("gc() sweeps many sections in batches and reports them", async () => {
  const { base, files } = await newBase();
  const items = Array.from({ length: 1000 }, (_, i) => `# Section ${i}\n\nnumber ${i}`);
  await learn(base, { content: items.join("\n\n"), docid: "d", document: true });
  await learn(base, { content: "# Other", docid: "d", document: true });
  const seen: number[] = [];
  const { removed_sections } = await base.run((parts) =>
    gc(parts, {}, ({ done, total }) => seen.push(done) && assert.equal(total, 1000))
  );
  assert.equal(removed_sections, 1000);
  assert.ok(seen.length > 1 && seen.at(-1) === 1000);
  assert.equal(sectionFiles(files), 1);
  await restoreIds(base, idOfText(items[5]));
  assert.equal(sectionFiles(files), 2);
});

function sectionFiles(files: MemoryFiles): number {
  const folders = files.list(paths.sections);
  return folders.reduce((sum, { name }) => sum + files.list(`${paths.sections}/${name}`).length, 0);
}

test("gc() only tells in a read-only database", async () => {
  const { base, files } = await littered();
  await base.close();
  const closed = await openBase(files, { writable: false });
  assert.equal((await sweep(closed, { dry_run: true })).removed_sections, 2);
  await assert.rejects(sweep(closed), { code: "read_only" });
});
