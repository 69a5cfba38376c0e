import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_IDS } from "../../rpc/protocol.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { NOON } from "../../store/testing.ts";
import { document, read } from "./read.ts";
import { entriesOf, idOfText, learn, newBase, paths, restoreIds, unlearnOne } from "../testing.ts";

const readAll = (base: KnowledgeBase, ...kbids: string[]) =>
  base.run(async (parts) => (await read(parts, { kbids })).sections);

const documentOf = (base: KnowledgeBase, docid: string) =>
  base.run((parts) => document(parts, { docid }));

test("read() gives sections as they are stored, with their bytes", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "é 🐘", type: "text/plain" });
  assert.deepEqual(await readAll(base, kbid), [
    { kbid, sectionType: "text/plain", content: "é 🐘", size: 7 },
  ]);
});

test("read() lets an id that is none cost only itself", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "one" });
  const { kbid: removed } = await learn(base, { content: "two" });
  await unlearnOne(base, { kbid: removed });
  const sections = await readAll(base, "../x", idOfText("other"), removed, kbid);
  const errors = sections.map((item) => "error" in item ? item.error : null);
  assert.deepEqual(errors.map((error) => error?.code), [
    "bad_request",
    "not_found",
    "not_found",
    undefined,
  ]);
  assert.match(errors[0]!.message, /^Cannot read "..\/x": not a kbid\./);
  assert.equal(errors[1]!.message, `Section not found: ${idOfText("other")}`);
  assert.match(errors[2]!.message, /^Section .* was removed. Bring it back with: kbdb restore /);
});

test("read() refuses no ids and too many (D57)", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "one" });
  await assert.rejects(readAll(base), /^KbdbError: Cannot read: give at least one kbid$/);
  const all = new Array<string>(MAX_IDS).fill(kbid);
  assert.equal((await readAll(base, ...all)).length, MAX_IDS);
  await assert.rejects(readAll(base, ...all, kbid), /Cannot read 1001 sections at once/);
});

test("read() names what no longer fits into an answer", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: `# Big\n\n${"\u0001".repeat(4 << 20)}` });
  const sections = await readAll(base, kbid, kbid);
  assert.equal("content" in sections[0], true);
  assert("error" in sections[1]);
  assert.equal(sections[1].error.code, "too_large");
});

test("document() gives the record of a document", async () => {
  const { base } = await newBase();
  const content = "# One\n\n1\n\n\n\n# Two\n\n2";
  await learn(base, { content, docid: "a/b.md", source: "/n/b.md", document: true });
  assert.deepEqual(await documentOf(base, "a/b.md"), {
    docid: "a/b.md",
    title: "One",
    type: "text/markdown",
    source: "/n/b.md",
    created_at: NOON.toISOString(),
    updated_at: NOON.toISOString(),
    sections: [
      { kbid: idOfText("# One\n\n1"), heading: "One", type: "text/markdown" },
      { kbid: idOfText("# Two\n\n2"), heading: "Two", type: "text/markdown", gap: "\n\n\n\n" },
    ],
  });
});

test("document() names what is unknown, removed or damaged", async () => {
  const { base, files } = await newBase();
  const refused = async (docid: string) => {
    const error = await documentOf(base, docid).then(() => assert.fail(), (error) => error);
    return [error.code, error.message];
  };
  assert.deepEqual(await refused("no such"), ["not_found", "Document not found: no such"]);
  await learn(base, { content: "# One", docid: "my notes", document: true });
  await unlearnOne(base, { docid: "my notes" });
  assert.deepEqual(await refused("my notes"), [
    "not_found",
    'Document my notes was removed. Bring it back with: kbdb restore "my notes"',
  ]);
  await restoreIds(base, "my notes");
  assert.equal((await entriesOf(base, "my notes"))?.length, 1);
  files.write(paths.document("my notes"), new Uint8Array(40));
  assert.equal((await refused("my notes"))[0], "damaged");
});
