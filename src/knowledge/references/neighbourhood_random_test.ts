import assert from "node:assert/strict";
import { test } from "node:test";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { backReferences, forwardReferences } from "./neighbourhood.ts";
import { recordsOf } from "../prompts/stored_skills.ts";
import { learn, newBase, openBase, restoreIds, reviseText, SMALL, unlearnOne } from "../testing.ts";

/** A repeatable source of numbers below `end`. */
function generator(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

const DOCIDS = ["a.md", "n/b.md", "n/c d.md", "n/m/e.md", "C#/f.md"];
const HEADINGS = ["One", "Two", "Two", "Part three"];

/** Markdown with references to some of the documents and sections, or to nothing. */
function randomText(below: (end: number) => number, kbids: readonly string[]): string {
  const path = () =>
    encodeURI(["", "../", "../../", "n/", "m/"][below(5)]) +
    encodeURIComponent(DOCIDS[below(DOCIDS.length)].split("/").at(-1)!);
  const anchor = () => ["", "", "#one", "#two", "#two-1", "#part-three", "#gone"][below(7)];
  const reference = () =>
    [
      () => `[x](${path()}${anchor()})`,
      () => `$(link:${DOCIDS[below(DOCIDS.length)]}${anchor()})`,
      () => `$(include:${kbids.length > 0 ? kbids[below(kbids.length)] : "none"})`,
    ][below(3)]();
  const section = (heading: string) =>
    `# ${heading}\n\n${below(1000)} ${Array.from({ length: below(4) }, reference).join(" ")}`;
  return HEADINGS.slice(0, 1 + below(HEADINGS.length)).map(section).join("\n\n");
}

async function randomWrite(base: KnowledgeBase, below: (end: number) => number): Promise<void> {
  const kbids = await liveIds(base);
  const content = randomText(below, kbids);
  const docid = DOCIDS[below(DOCIDS.length)];
  switch (below(7)) {
    case 0:
      return void await unlearnOne(base, { docid });
    case 1:
      return void await restoreIds(base, docid);
    case 2:
      if (kbids.length === 0) return;
      return void await reviseText(base, kbids[below(kbids.length)], {
        content: content.split("\n\n# ")[0],
      }).catch(() => {});
    default:
      return void await learn(base, { content, docid, document: true });
  }
}

function liveIds(base: KnowledgeBase): Promise<string[]> {
  return base.run(({ keeper }) => [...recordsOf(keeper.index, "section")].map(({ kbid }) => kbid));
}

/** Every pair of sections of which one refers to the other, from both sides. */
async function pairs(base: KnowledgeBase): Promise<{ forward: string[]; back: string[] }> {
  const forward: string[] = [];
  const back: string[] = [];
  await base.run(async (parts) => {
    const current = new Map<string, string>();
    for (const { kbid } of recordsOf(parts.keeper.index, "section")) {
      const stored = parts.store.readSection(kbid);
      assert(stored.state === "found");
      for (const older of stored.value.meta.supersedes) current.set(older, kbid);
    }
    for (const { kbid } of recordsOf(parts.keeper.index, "section")) {
      for (const found of await forwardReferences(parts, kbid)) {
        const to = current.get(found.kbid!) ?? found.kbid;
        if (to !== null && to !== kbid) forward.push(`${kbid} ${found.marker_type} ${to}`);
      }
      for (const found of await backReferences(parts, kbid)) {
        back.push(`${found.kbid} ${found.marker_type} ${kbid}`);
      }
    }
    const live = new Set([...recordsOf(parts.keeper.index, "section")].map(({ kbid }) => kbid));
    const toLive = forward.filter((pair) => live.has(pair.split(" ")[2]));
    forward.splice(0, forward.length, ...toLive);
  });
  return { forward: [...new Set(forward)].sort(), back: [...new Set(back)].sort() };
}

for (const seed of [1, 2, 3]) {
  test(`backReferences() mirrors forwardReferences() whatever was written, seed ${seed}`, async () => {
    const below = generator(seed);
    const { base, files } = await newBase(SMALL);
    let count = 0;
    for (let round = 0; round < 12; round++) {
      for (let i = 0; i < 4; i++) await randomWrite(base, below);
      const { forward, back } = await pairs(base);
      assert.deepEqual(back, forward, `round ${round}`);
      count += back.length;
    }
    assert.ok(count > 30, `${count}`);
    const before = await pairs(base);
    await base.rebuild(() => {});
    assert.deepEqual(await pairs(base), before);
    await base.close();
    assert.deepEqual(await pairs(await openBase(files)), before);
  });
}
