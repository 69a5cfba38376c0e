import assert from "node:assert/strict";
import { test } from "node:test";
import { learn as learnItems } from "./learn_items.ts";
import { unlearn } from "./unlearn.ts";
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
  refusal,
  restoreIds,
  unlearnOne,
} from "../testing.ts";

const [ONE, TWO, THREE] = ["# One\n\nparcel", "# Two\n\nparcel", "# Three\n\nparcel"];
const [one, two, three] = [ONE, TWO, THREE].map(idOfText);

async function withDocument() {
  const { base, files } = await newBase();
  const content = [ONE, TWO, ONE, THREE].join("\n\n");
  await learn(base, { content, docid: "d", document: true });
  return { base, files };
}

test("unlearn() takes a section out of everything (D15, D49)", async () => {
  const { base, files } = await withDocument();
  await learn(base, { content: ONE, docid: "e" });
  await learn(base, { content: TWO, docid: "e" });
  const { elapsed_ms, ...rest } = await unlearnOne(base, { kbid: one });
  assert.ok(elapsed_ms >= 0);
  assert.deepEqual(rest, { removed: true, sections: 1 });
  for await (const opened of nowAndReopened(base, files)) {
    assert.deepEqual((await entriesOf(opened, "d"))?.map(({ kbid }) => kbid), [two, three]);
    assert.deepEqual((await entriesOf(opened, "e"))?.map(({ kbid }) => kbid), [two]);
    assert.deepEqual((await find(opened, "parcel")).toSorted(), [two, three].toSorted());
    const { items: [gone] } = await opened.recall({ kbids: [one] });
    assert("error" in gone && gone.error.code === "not_found");
    assert.match(gone.error.message, new RegExp(`kbdb restore ${one}$`));
    assert.equal((await checkOf(opened)).ok, true);
  }
});

test("unlearn() takes a document with its last section", async () => {
  const { base } = await newBase();
  await learn(base, { content: ONE, docid: "d" });
  const { documents, sections } = await unlearnOne(base, { kbid: one });
  assert.deepEqual([documents, sections], [["d"], 1]);
  assert.equal(await entriesOf(base, "d"), null);
  assert.equal(base.status().documents, 0);
});

test("unlearn() takes a document and what only it holds (D15)", async () => {
  const { base } = await withDocument();
  await learn(base, { content: TWO, docid: "e" });
  await learn(base, { content: THREE });
  const { removed, sections, documents } = await unlearnOne(base, { docid: "d" });
  assert.deepEqual([removed, sections, documents], [true, 1, ["d"]]);
  assert.deepEqual((await find(base, "parcel")).toSorted(), [two, three].toSorted());
  assert.deepEqual((await recalled(base, two)).docids, ["e"]);
  assert.deepEqual((await recalled(base, three)).docids, []);
  assert.equal((await checkOf(base)).ok, true);
});

test("unlearn() of an unknown id removes nothing, and is no error (D49)", async () => {
  const { base } = await newBase();
  for (const id of [{ kbid: one }, { docid: "nothing" }]) {
    const { elapsed_ms: _, ...rest } = await unlearnOne(base, id);
    assert.deepEqual(rest, { removed: false });
  }
});

test("unlearn() wants one well-formed id", async () => {
  const { base } = await newBase();
  const call = (ids: object) => base.run((parts) => unlearn(parts, { key: newKey(), ...ids }));
  const bad = { code: "bad_request" };
  await assert.rejects(call({}), { ...bad, message: "Cannot unlearn: give either kbid or docid" });
  await assert.rejects(call({ kbid: one, docid: "d" }), bad);
  await assert.rejects(call({ kbid: "x" }), { ...bad, message: /^Cannot unlearn "x": not a kbid/ });
});

test("unlearn() counts the sections that still name what is gone", async () => {
  const { base } = await withDocument();
  await learn(base, { content: `first $(link:${one}) and $(include:d)` });
  await learn(base, { content: `second $(link:${one})` });
  const { warnings } = await unlearnOne(base, { kbid: one });
  assert.deepEqual(warnings, [`2 sections name what is removed now, in markers: ${one}`]);
  const { warnings: ofDocument } = await unlearnOne(base, { docid: "d" });
  assert.deepEqual(ofDocument, ["1 section names what is removed now, in markers: d"]);
});

test("unlearn() takes a section whose file is damaged", async () => {
  const { base, files } = await withDocument();
  files.write(paths.section(one), new Uint8Array(20));
  const { removed } = await unlearnOne(base, { kbid: one });
  assert.equal(removed, true);
  assert.deepEqual((await entriesOf(base, "d"))?.map(({ kbid }) => kbid), [two, three]);
  assert.equal((await checkOf(base)).ok, true);
  await assert.rejects(restoreIds(base, one), { code: "damaged", message: /is not whole/ });
});

test("unlearn() takes a lost section out of its documents", async () => {
  for (const noticed of [false, true]) {
    const { base, files } = await withDocument();
    files.remove(paths.section(two));
    if (noticed) await find(base, "two");
    const { removed, sections } = await unlearnOne(base, { kbid: two });
    assert.deepEqual([removed, sections], [true, 0]);
    assert.deepEqual((await entriesOf(base, "d"))?.map(({ kbid }) => kbid), [one, one, three]);
  }
});

test("unlearn() makes way for learning the same again", async () => {
  const { base } = await withDocument();
  await unlearnOne(base, { kbid: one });
  const again = await learn(base, { content: ONE, title: "Other" });
  assert.deepEqual([again.existing, again.title], [undefined, "Other"]);
  const { items } = await restoreIds(base, one);
  assert.equal(items[0].state, "present");
});

test("unlearn() sent together with learn() applies in order", async () => {
  const { base, files } = await newBase();
  const results = await Promise.all([
    learn(base, { content: ONE, docid: "d" }),
    unlearnOne(base, { kbid: one }),
    learn(base, { content: ONE, docid: "d" }),
    unlearnOne(base, { docid: "d" }),
    learn(base, { content: ONE, docid: "e" }),
  ]);
  assert.deepEqual(results.map((result) => "removed" in result && result.removed), [
    false,
    true,
    false,
    true,
    false,
  ]);
  for await (const opened of nowAndReopened(base, files)) {
    assert.deepEqual(await find(opened, "parcel"), [one]);
    assert.deepEqual((await recalled(opened, one)).docids, ["e"]);
    assert.equal((await checkOf(opened)).ok, true);
  }
});

test("unlearn() takes back what failed (B05)", async () => {
  const { base, files } = await withDocument();
  files.failNext("no_space");
  await assert.rejects(unlearnOne(base, { kbid: one }), { code: "no_space" });
  assert.deepEqual((await find(base, "parcel")).toSorted(), [one, two, three].toSorted());
  assert.equal((await entriesOf(base, "d"))?.length, 4);
  assert.equal((await unlearnOne(base, { kbid: one })).removed, true);
});

test("unlearn() applies a request key once (D46)", async () => {
  const { base } = await withDocument();
  const params = { key: newKey(), kbid: one };
  const call = () => base.run((parts) => unlearn(parts, params));
  assert.equal((await call()).removed, true);
  await base.run((parts) =>
    learnItems(parts, { key: newKey(), items: [{ content: ONE }] }, () => {})
  );
  assert.equal((await call()).removed, true);
  assert.deepEqual(await find(base, "one"), [one]);
});

test("unlearn() is refused in a read-only database", async () => {
  const { base, files } = await withDocument();
  await base.close();
  const closed = await openBase(files, { writable: false });
  await assert.rejects(unlearnOne(closed, { kbid: one }), { code: "read_only" });
  assert.deepEqual(await refusal(closed, { content: "new" }).then(({ code }) => code), "read_only");
});
