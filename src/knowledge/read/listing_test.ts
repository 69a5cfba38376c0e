import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListDocumentsParams, ListSectionsParams } from "../../rpc/listing.ts";
import { agentCreate } from "../prompts/agents.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { listDocuments, listSections, listTags } from "./listing.ts";
import { skillLearn } from "../prompts/skills.ts";
import { idOfText, learn, newBase, newKey, openBase, unlearnOne } from "../testing.ts";

const documents = (base: KnowledgeBase, params: ListDocumentsParams = {}) =>
  base.run((parts) => listDocuments(parts, params));

const sections = (base: KnowledgeBase, params: ListSectionsParams = {}) =>
  base.run((parts) => listSections(parts, params));

async function withAgent(base: KnowledgeBase): Promise<string> {
  const skill = { name: "sum-up", description: "Sums up", body: "Sum up" };
  const { kbid } = await base.run((parts) => skillLearn(parts, { key: newKey(), ...skill }));
  const agent = { name: "reader", description: "Reads", persona: "You read." };
  await base.run((parts) => agentCreate(parts, { key: newKey(), ...agent, skills: [kbid] }));
  return kbid;
}

/** All pages of a list. */
async function pages<T>(
  next: (cursor?: string) => Promise<{ items: T[]; cursor?: string }>,
): Promise<T[][]> {
  const all: T[][] = [];
  let cursor: string | undefined;
  do {
    const page = await next(cursor);
    all.push(page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}

test("listDocuments() shows what is known of each", async () => {
  const { base } = await newBase();
  const content = "# One\n\n# Two";
  await learn(base, { content, docid: "a/b.md", source: "/n/b.md", document: true });
  await withAgent(base);
  assert.deepEqual(await documents(base), {
    items: [{
      docid: "a/b.md",
      title: "One",
      type: "text/markdown",
      section_count: 2,
      source: "/n/b.md",
    }],
  });
  const { items } = await documents(base, { type: "agent" });
  assert.deepEqual(items.map(({ docid, type, section_count }) => [docid, type, section_count]), [
    ["agent-reader", "agent", 1],
  ]);
});

test("listDocuments() pages in the order of docids, from a prefix on", async () => {
  const { base } = await newBase();
  const docids = ["a", "b/1", "b/2", "b/3", "b/é", "b0", "c"];
  for (const docid of docids.toReversed()) await learn(base, { content: docid, docid });
  const list = (params: ListDocumentsParams) =>
    pages(async (cursor) => {
      const { items, ...rest } = await documents(base, { ...params, cursor });
      return { items: items.map(({ docid }) => docid), ...rest };
    });
  assert.deepEqual(await list({}), [docids]);
  assert.deepEqual(await list({ limit: 3 }), [docids.slice(0, 3), docids.slice(3, 6), ["c"]]);
  assert.deepEqual(await list({ limit: 7 }), [docids]);
  assert.deepEqual(await list({ prefix: "b/", limit: 2 }), [["b/1", "b/2"], ["b/3", "b/é"]]);
  assert.deepEqual(await list({ prefix: "x" }), [[]]);
  await unlearnOne(base, { docid: "b/2" });
  assert.deepEqual(await list({ prefix: "b/" }), [["b/1", "b/3", "b/é"]]);
});

test("listSections() shows sections in use, and skills where asked for", async () => {
  const { base } = await newBase();
  await learn(base, { content: "# One", docid: "d", tags: ["t"], document: true });
  await learn(base, { content: "alone", type: "text/plain" });
  await learn(base, { content: "# Gone", docid: "e", document: true });
  await learn(base, { content: "# Here", docid: "e", document: true });
  const skill = await withAgent(base);
  const { items } = await sections(base);
  assert.deepEqual(
    items.map(({ kbid }) => kbid),
    ["# One", "alone", "# Here"].map(idOfText).sort(),
  );
  assert.deepEqual(items.find(({ heading }) => heading === "One"), {
    kbid: idOfText("# One"),
    heading: "One",
    type: "text/markdown",
    docids: ["d"],
    tags: ["t"],
  });
  const ids = async (params: ListSectionsParams) =>
    (await sections(base, params)).items.map(({ kbid }) => kbid);
  assert.deepEqual(await ids({ type: "skill" }), [skill]);
  assert.deepEqual(await ids({ type: "text/plain" }), [idOfText("alone")]);
  assert.deepEqual(await ids({ type: "text/*", tag: "t" }), [idOfText("# One")]);
  assert.deepEqual(await ids({ docid: "e" }), [idOfText("# Here")]);
  assert.deepEqual(await ids({ tag: "no" }), []);
});

test("listSections() pages in the order of kbids, from a prefix on", async () => {
  const { base } = await newBase();
  const contents = Array.from({ length: 60 }, (_, i) => `text ${i}`);
  for (const content of contents) await learn(base, { content });
  const all = contents.map(idOfText).sort();
  const list = (params: ListSectionsParams) =>
    pages(async (cursor) => {
      const { items, ...rest } = await sections(base, { ...params, cursor });
      return { items: items.map(({ kbid }) => kbid), ...rest };
    });
  assert.deepEqual((await list({ limit: 7 })).flat(), all);
  assert.deepEqual((await list({ limit: 60 })).length, 1);
  for (const prefix of [...new Set(all.map((id) => id[0])), all[5].slice(0, 5), all[9]]) {
    const wanted = all.filter((id) => id.startsWith(prefix));
    assert.deepEqual((await list({ prefix, limit: 3 })).flat(), wanted, prefix);
  }
  for (const prefix of ["x", "0u", "../", `${all[0]}0`, "00000"]) {
    assert.deepEqual(await list({ prefix }), [[]], prefix);
  }
});

test("listTags() counts sections in use", async () => {
  const { base, files } = await newBase();
  await learn(base, { content: "one", tags: ["b", "a"] });
  await learn(base, { content: "two", tags: ["b", "é"] });
  const { kbid } = await learn(base, { content: "three", tags: ["gone"] });
  await unlearnOne(base, { kbid });
  const tags = [{ tag: "a", sections: 1 }, { tag: "b", sections: 2 }, { tag: "é", sections: 1 }];
  assert.deepEqual(await base.run(listTags), { tags });
  await base.close();
  assert.deepEqual(await (await openBase(files)).run(listTags), { tags });
});

test("lists refuse limits that are no counts, and cursors of other lists", async () => {
  const { base } = await newBase();
  for (const text of ["one", "two", "three"]) await learn(base, { content: text, docid: text });
  for (const limit of [0, -1, 1001, 1.5, NaN]) {
    await assert.rejects(
      documents(base, { limit }),
      /^KbdbError: Cannot list documents: limit must be a whole number from 1 to 1000, not /,
    );
    await assert.rejects(sections(base, { limit }), /^KbdbError: Cannot list sections: limit must/);
  }
  const { cursor } = await documents(base, { limit: 1 });
  await assert.rejects(documents(base, { prefix: "o", cursor }), /cursor cannot be used/);
  await assert.rejects(sections(base, { cursor }), /cursor cannot be used/);
});
