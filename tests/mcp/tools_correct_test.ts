import assert from "node:assert/strict";
import { test } from "node:test";
import { handleToolCall } from "../../src/mcp/handle_tool_call.ts";
import { openSession } from "./session.ts";
import {
  ADDED,
  assertLayout,
  fakeClient,
  idOfText,
  NOBODY,
  textBytes,
  textsOf,
} from "./tools_support.ts";

test("revise stores a correction that takes the old one's place [ruling-d12-1 ruling-d43-6 ruling-d43-7 ruling-d43-9]", async () => {
  await using session = await openSession();
  const about = { title: "Weights", description: "Limits", tags: ["post"] };
  const old = await session.tool("learn", { content: "At most 5 kg.", docid: "d", ...about });
  const result = await session.result("revise", { kbid: old.kbid, content: "At most 6 kg." });
  const [text] = textsOf(result);
  assertLayout(text, 2);
  const revised = JSON.parse(text);
  assert.deepEqual(Object.keys(revised).filter((key) => ADDED.includes(key)), ADDED);
  assert.deepEqual([revised.kbid, revised.supersedes], [idOfText("At most 6 kg."), old.kbid]);
  const now = await session.tool("recall", { kbid: revised.kbid });
  assert.deepEqual([now.heading, now.description, now.tags, now.docids], [
    "Weights",
    "Limits",
    ["post"],
    ["d"],
  ]);
  const { sections } = await session.tool("retrieve", { docid: "d" });
  assert.deepEqual(sections.map(({ kbid }: { kbid: string }) => kbid), [revised.kbid]);
  const before = await session.tool("recall", { kbid: old.kbid });
  assert.deepEqual([before.content, before.superseded_by], ["At most 5 kg.", revised.kbid]);
  const found = await session.tool("search", { query: "most" });
  assert.deepEqual(found.items.map(({ kbid }: { kbid: string }) => kbid), [revised.kbid]);
  const { back_references } = await session.tool("recall", { kbid: old.kbid, depth: 1 });
  assert.deepEqual(back_references, []);
  assert.equal((await session.tool("history", { kbid: old.kbid })).current, revised.kbid);
});

test("revise takes title, description and tags, and wants kbid and content [ruling-d43-6]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("learn", { content: "one", title: "One", tags: ["a"] });
  const about = { title: "Two", description: "Second", tags: ["b"] };
  const revised = await session.tool("revise", { kbid, content: "two", ...about });
  const { heading, description, tags } = await session.tool("recall", { kbid: revised.kbid });
  assert.deepEqual({ title: heading, description, tags }, about);
  assert.match(await session.failure("revise", { content: "x" }), /kbid is missing/);
  assert.match(await session.failure("revise", { kbid }), /content is missing/);
  assert.match(await session.failure("revise", { kbid: NOBODY, content: "x" }), /not found/i);
});

test("revise of an older revision names the newest [ruling-d43-8]", async () => {
  await using session = await openSession();
  const { kbid: one } = await session.tool("learn", { content: "one" });
  const { kbid: two } = await session.tool("revise", { kbid: one, content: "two" });
  const { kbid: three } = await session.tool("revise", { kbid: two, content: "three" });
  for (const kbid of [one, two]) {
    assert.match(await session.failure("revise", { kbid, content: "four" }), new RegExp(three));
  }
});

test("unlearn takes a section out of search and every manifest [tool-unlearn-01 tool-unlearn-02 tool-unlearn-03 tool-unlearn-04 ruling-d49-1 missed-unlearn-1]", async () => {
  await using session = await openSession();
  for (const docid of ["d", "e"]) {
    for (const content of ["parcel", "letter"]) await session.tool("learn", { content, docid });
  }
  const kbid = idOfText("parcel");
  const result = await session.result("unlearn", { kbid });
  const [text] = textsOf(result);
  assertLayout(text, 0);
  const removed = JSON.parse(text);
  assert.deepEqual(Object.keys(removed).slice(0, 2), ["removed", "elapsed_ms"]);
  assert.deepEqual([removed.removed, typeof removed.elapsed_ms], [true, "number"]);
  assert.equal((await session.tool("search", { query: "parcel" })).total, 0);
  for (const docid of ["d", "e"]) {
    const { sections } = await session.tool("retrieve", { docid });
    assert.deepEqual(sections.map(({ kbid }: { kbid: string }) => kbid), [idOfText("letter")]);
  }
  assert.match(await session.failure("recall", { kbid }), new RegExp(`kbdb restore ${kbid}`));
});

test("unlearn of what is not there removes nothing, which is no error [missed-unlearn-1 ruling-d49-4]", async () => {
  await using session = await openSession();
  for (const args of [{ kbid: NOBODY }, { docid: "nothing" }]) {
    const { elapsed_ms, ...rest } = await session.tool("unlearn", args);
    assert.deepEqual([rest, typeof elapsed_ms], [{ removed: false }, "number"]);
  }
  assert.match(await session.failure("unlearn", { kbid: "../x" }), /not a kbid/);
  assert.equal(await session.failure("unlearn", {}), "Provide kbid or docid");
  assert.match(await session.failure("unlearn", { kbid: NOBODY, docid: "d" }), /not both/);
});

test("unlearn by docid takes the sections that no other document has [ruling-d15-1 ruling-d43-2]", async () => {
  await using session = await openSession();
  await session.tool("learn", { content: "# A\n\n# B", docid: "d", replace: true });
  await session.tool("learn", { content: "# B\n\n# C", docid: "e", replace: true });
  const { removed, sections } = await session.tool("unlearn", { docid: "d" });
  assert.deepEqual([removed, sections], [true, 1]);
  assert.match(await session.failure("retrieve", { docid: "d" }), /kbdb restore d/);
  assert.equal((await session.tool("retrieve", { docid: "e" })).sections.length, 2);
  assert.match(await session.failure("recall", { kbid: idOfText("# A") }), /restore/);
});

test("unlearn of the newest revision brings no older one back [ruling-d49-2]", async () => {
  await using session = await openSession();
  const { kbid: one } = await session.tool("learn", { content: "parcel one" });
  const { kbid: two } = await session.tool("revise", { kbid: one, content: "parcel two" });
  await session.tool("unlearn", { kbid: two });
  assert.equal((await session.tool("search", { query: "parcel" })).total, 0);
  assert.equal((await session.tool("history", { kbid: one })).current, null);
});

test("unlearn goes to client.removeSection() [tool-unlearn-05 func-call-04]", async () => {
  const { client, calls } = fakeClient({ removeSection: { removed: true, elapsed_ms: 1 } });
  const [text] = textsOf(await handleToolCall(client, "unlearn", { kbid: NOBODY }));
  assert.equal(text, '{"removed":true,"elapsed_ms":1}');
  assert.deepEqual(calls, [["removeSection", NOBODY]]);
});

test("unlearn of a section in hundreds of documents keeps to the room [ruling-d28-1]", async () => {
  const room = 4000;
  await using session = await openSession({ room });
  const docids = Array.from({ length: 60 }, (_, i) => `${"d".repeat(200)}${i}`);
  for (const docid of docids) await session.tool("learn", { content: "everywhere", docid });
  const result = await session.result("unlearn", { kbid: idOfText("everywhere") });
  assert(textBytes(result) <= room);
  const { documents, documents_omitted, notice } = JSON.parse(textsOf(result)[0]);
  assert.equal(documents.length + documents_omitted, 60);
  assert.match(notice, /kbdb trash/);
});
