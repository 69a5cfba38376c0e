import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_IDS } from "../../rpc/protocol.ts";
import { agentCreate, agentDelete } from "../prompts/agents.ts";
import { restore } from "./restore.ts";
import { skillDelete, skillLearn } from "../prompts/skills.ts";
import {
  checkOf,
  entriesOf,
  find,
  idOfText,
  learn,
  newBase,
  newKey,
  nowAndReopened,
  openBase,
  paths,
  recalled,
  restoreIds,
  reviseText,
  sweep,
  unlearnOne,
} from "../testing.ts";
import { listTrash } from "./trash_list.ts";

const [ONE, TWO, THREE] = ["# One\n\nparcel", "# Two\n\nparcel", "# Three\n\nparcel"];
const [one, two, three] = [ONE, TWO, THREE].map(idOfText);

async function withDocument() {
  const { base, files } = await newBase();
  const content = [ONE, TWO, ONE].join("\n\n") + `\n\n\n${THREE}`;
  await learn(base, { content, docid: "d", document: true, tags: ["t"], source: "/d.md" });
  return { base, files };
}

test("restore() puts a section back where it stood (D49)", async () => {
  const { base, files } = await withDocument();
  const before = await entriesOf(base, "d");
  await unlearnOne(base, { kbid: one });
  const { items, restored } = await restoreIds(base, one);
  assert.deepEqual([items, restored], [[{ id: one, state: "restored", with: ["d"] }], 1]);
  for await (const opened of nowAndReopened(base, files)) {
    assert.deepEqual(await entriesOf(opened, "d"), before);
    assert.deepEqual(await find(opened, "one", { tag: ["t"], docid: ["d"] }), [one]);
    assert.equal((await checkOf(opened)).ok, true);
  }
});

test("restore() undoes several removals, the last one first", async () => {
  const { base } = await withDocument();
  const before = await entriesOf(base, "d");
  for (const kbid of [two, one, three]) await unlearnOne(base, { kbid });
  assert.equal(await entriesOf(base, "d"), null);
  const { items } = await restoreIds(base, one, two, three);
  assert.deepEqual(items.map(({ state }) => state), ["restored", "restored", "restored"]);
  assert.deepEqual(await entriesOf(base, "d"), before);
});

test("restore() brings a document back with its sections", async () => {
  const { base, files } = await withDocument();
  const before = await entriesOf(base, "d");
  await learn(base, { content: TWO });
  await unlearnOne(base, { docid: "d" });
  const { items, restored } = await restoreIds(base, "d");
  assert.deepEqual([items, restored], [[{ id: "d", state: "restored", with: [one, three] }], 1]);
  for await (const opened of nowAndReopened(base, files)) {
    assert.deepEqual(await entriesOf(opened, "d"), before);
    for (const kbid of [one, two, three]) {
      assert.deepEqual((await recalled(opened, kbid)).docids, ["d"]);
    }
    assert.equal((await checkOf(opened)).ok, true);
  }
});

test("restore() of one section of a removed document lets it stand alone", async () => {
  const { base } = await withDocument();
  await unlearnOne(base, { docid: "d" });
  const { items } = await restoreIds(base, two);
  assert.deepEqual(items, [{ id: two, state: "restored" }]);
  assert.deepEqual((await recalled(base, two)).docids, []);
  assert.equal((await checkOf(base)).ok, true);
  assert.equal((await sweep(base)).removed_sections, 0);
});

test("restore() puts a section at the end of what is shorter now", async () => {
  const { base } = await withDocument();
  await unlearnOne(base, { kbid: three });
  await learn(base, { content: TWO, docid: "d", document: true, source: "/d.md" });
  await restoreIds(base, three);
  assert.deepEqual(await entriesOf(base, "d"), [
    { kbid: two, gap: "" },
    { kbid: three, gap: "\n\n\n" },
  ]);
});

test("restore() before the first section keeps them apart", async () => {
  const { base } = await withDocument();
  await unlearnOne(base, { kbid: one });
  await learn(base, { content: TWO, docid: "d", document: true, source: "/d.md" });
  await restoreIds(base, one);
  assert.deepEqual(await entriesOf(base, "d"), [
    { kbid: one, gap: "" },
    { kbid: two, gap: "\n\n" },
    { kbid: one, gap: "\n\n" },
  ]);
});

test("restore() brings back what gc took as it was", async () => {
  const { base } = await withDocument();
  await reviseText(base, one, { content: "# New" });
  await sweep(base);
  const { items } = await restoreIds(base, one);
  assert.deepEqual(items, [{ id: one, state: "restored" }]);
  const { retired, superseded_by } = await recalled(base, one);
  assert.deepEqual([typeof retired, superseded_by], ["string", idOfText("# New")]);
  assert.deepEqual(await find(base, "one"), []);
});

test("restore() tells what is present and what is unknown", async () => {
  const { base } = await withDocument();
  await unlearnOne(base, { kbid: three });
  const { items, restored } = await restoreIds(base, three, one, "d", "nothing", three);
  assert.deepEqual(items.map(({ state }) => state), [
    "restored",
    "present",
    "present",
    "unknown",
    "restored",
  ]);
  assert.equal(restored, 2);
  const { items: again } = await restoreIds(base, three);
  assert.equal(again[0].state, "present");
});

test("restore() empties the trash of what came back", async () => {
  const { base } = await withDocument();
  await unlearnOne(base, { docid: "d" });
  const totalOf = () => base.run((parts) => listTrash(parts, {}).total);
  assert.equal(await totalOf(), 4);
  await restoreIds(base, "d");
  assert.equal(await totalOf(), 0);
  await unlearnOne(base, { kbid: two });
  assert.equal(await totalOf(), 1);
});

test("restore() brings skills and agents back to each other", async () => {
  const { base } = await newBase();
  const { kbid } = await base.run((parts) =>
    skillLearn(parts, { key: newKey(), name: "sort", description: "Sorts", body: "Sort" })
  );
  const agent = { name: "clerk", description: "d", persona: "p", skills: [kbid] };
  const { docid } = await base.run((parts) => agentCreate(parts, { key: newKey(), ...agent }));
  const docids = () => base.run(({ keeper }) => keeper.recordOf(kbid)?.docids);
  await base.run((parts) => skillDelete(parts, { key: newKey(), kbid }));
  assert.deepEqual((await restoreIds(base, kbid)).items, [{ id: kbid, state: "restored" }]);
  assert.deepEqual(await docids(), [docid]);
  await base.run((parts) => agentDelete(parts, { key: newKey(), docid }));
  assert.deepEqual(await docids(), []);
  await base.run((parts) => skillDelete(parts, { key: newKey(), kbid }));
  const { items } = await restoreIds(base, docid, kbid);
  assert.deepEqual(items.map(({ state }) => state), ["restored", "restored"]);
  assert.deepEqual(await docids(), [docid]);
  await base.rebuild(() => {});
  assert.deepEqual(await docids(), [docid]);
  assert.deepEqual([base.status().skills, base.status().agents], [1, 1]);
});

test("restore() refuses no ids and too many (D57)", async () => {
  const { base } = await newBase();
  await assert.rejects(restoreIds(base), { code: "bad_request" });
  const ids = new Array(MAX_IDS + 1).fill(one);
  await assert.rejects(restoreIds(base, ...ids), { code: "too_large" });
});

test("restore() applies a request key once (D46)", async () => {
  const { base } = await withDocument();
  await unlearnOne(base, { kbid: one });
  const params = { key: newKey(), ids: [one] };
  const call = () => base.run((parts) => restore(parts, params));
  assert.equal((await call()).restored, 1);
  await unlearnOne(base, { kbid: one });
  assert.equal((await call()).restored, 1);
  assert.deepEqual(await find(base, "one"), []);
});

test("restore() leaves the trash as it is where it fails (B05)", async () => {
  const { base, files } = await withDocument();
  await unlearnOne(base, { kbid: one });
  files.failNext("no_space");
  await assert.rejects(restoreIds(base, one), { code: "no_space" });
  assert.equal((await restoreIds(base, one)).restored, 1);
});

test("restore() is refused in a read-only database", async () => {
  const { base, files } = await withDocument();
  await unlearnOne(base, { kbid: one });
  await base.close();
  const closed = await openBase(files, { writable: false });
  await assert.rejects(restoreIds(closed, one), { code: "read_only" });
});

test("restore() names what lies damaged in the trash", async () => {
  const { base, files } = await withDocument();
  await unlearnOne(base, { kbid: one });
  const [{ name }] = files.list(paths.trash);
  files.remove(`${paths.trash}/${name}/${one}.md`);
  await assert.rejects(restoreIds(base, one), {
    code: "damaged",
    message: new RegExp(`^Cannot restore ${one}: what lies in trash/${name} is not whole`),
  });
});
