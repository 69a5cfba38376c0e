import assert from "node:assert/strict";
import { test } from "node:test";
import type { KnowledgeBase } from "../knowledge_base.ts";
import {
  historyOf,
  idOfText,
  learn,
  newBase,
  nowAndReopened,
  recalled,
  restoreIds,
  reviseText,
  sweep,
  unlearnOne,
} from "../testing.ts";
import { emptyTrash } from "./trash_list.ts";

const version = (n: number) => `# Version ${n}\n\nparcels`;
const id = (n: number) => idOfText(version(n));

/** A document whose only section was corrected again and again. */
async function corrected(versions: number) {
  const { base, files } = await newBase();
  await learn(base, { content: version(1), docid: "d" });
  for (let n = 2; n <= versions; n++) {
    await reviseText(base, id(n - 1), { content: version(n) });
  }
  return { base, files };
}

/** Ids, `*` behind the current one and `-` behind removed ones. */
async function shortHistory(base: KnowledgeBase, kbid: string): Promise<string[]> {
  const { current, revisions } = await historyOf(base, kbid);
  for (const revision of revisions) assert.equal(revision.current, revision.kbid === current);
  return revisions.map(({ kbid, current, removed }) =>
    kbid + (current ? "*" : "") + (removed ? "-" : "")
  );
}

test("history() lists revisions by the id of any of them, oldest first (D43)", async () => {
  const { base, files } = await corrected(3);
  for await (const opened of nowAndReopened(base, files)) {
    for (const n of [1, 2, 3]) {
      const { current, revisions } = await historyOf(opened, id(n));
      assert.equal(current, id(3));
      assert.deepEqual(revisions.map(({ kbid }) => kbid), [id(1), id(2), id(3)]);
      assert.deepEqual(revisions.map(({ heading }) => heading), [
        "Version 1",
        "Version 2",
        "Version 3",
      ]);
      assert.equal(revisions[0].created_at, "2026-03-04T12:00:00.000Z");
    }
  }
});

test("history() of a section that was never corrected is itself", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "alone" });
  assert.deepEqual(await shortHistory(base, kbid), [`${kbid}*`]);
});

test("history() refuses unknown ids", async () => {
  const { base } = await newBase();
  await assert.rejects(historyOf(base, id(1)), {
    code: "not_found",
    message: `Section not found: ${id(1)}`,
  });
  await assert.rejects(historyOf(base, "x"), { code: "bad_request", message: /not a kbid/ });
});

test("history() marks what gc took, in the trash and for good (D49)", async () => {
  const { base, files } = await corrected(3);
  assert.equal((await sweep(base)).removed_sections, 2);
  const swept = [`${id(1)}-`, `${id(2)}-`, `${id(3)}*`];
  for (const n of [1, 2, 3]) assert.deepEqual(await shortHistory(base, id(n)), swept);
  const { revisions } = await historyOf(base, id(3));
  assert.deepEqual(revisions.map(({ heading }) => heading), [
    "Version 1",
    "Version 2",
    "Version 3",
  ]);
  await base.run((parts) => emptyTrash(parts, {}));
  for await (const opened of nowAndReopened(base, files)) {
    for (const n of [1, 2, 3]) assert.deepEqual(await shortHistory(opened, id(n)), swept);
    const { revisions: [first] } = await historyOf(opened, id(3));
    assert.deepEqual([first.heading, first.created_at], [null, null]);
  }
});

test("history() has no current revision where that one was removed", async () => {
  const { base } = await corrected(3);
  await unlearnOne(base, { kbid: id(3) });
  const removed = [id(1), id(2), `${id(3)}-`];
  for (const n of [1, 2, 3]) assert.deepEqual(await shortHistory(base, id(n)), removed);
  await base.run((parts) => emptyTrash(parts, {}));
  for (const n of [1, 2]) assert.deepEqual(await shortHistory(base, id(n)), removed);
});

test("history() is whole again after restoring", async () => {
  const { base } = await corrected(3);
  await sweep(base);
  await unlearnOne(base, { kbid: id(3) });
  await restoreIds(base, id(1), id(3));
  const { superseded_by, retired } = await recalled(base, id(1));
  assert.deepEqual([superseded_by, typeof retired], [id(2), "string"]);
  assert.deepEqual(await shortHistory(base, id(2)), [id(1), `${id(2)}-`, `${id(3)}*`]);
});

test("history() knows what was learned again after it was superseded", async () => {
  const { base } = await corrected(2);
  const { warnings } = await learn(base, { content: version(1) });
  assert.deepEqual(warnings, [
    `Section ${id(1)} was superseded by ${id(2)} and is in use again beside it`,
  ]);
  assert.equal((await recalled(base, id(1))).superseded_by, undefined);
  assert.deepEqual(await shortHistory(base, id(1)), [`${id(1)}*`]);
  assert.deepEqual(await shortHistory(base, id(2)), [id(1), `${id(2)}*`]);
});

test("history() goes back further than one section names (D43)", async () => {
  const { base } = await corrected(130);
  const all = await shortHistory(base, id(130));
  assert.equal(all.length, 130);
  assert.deepEqual([all[0], all[129]], [id(1), `${id(130)}*`]);
  assert.deepEqual(await shortHistory(base, id(1)), all);
});
