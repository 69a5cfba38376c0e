import assert from "node:assert/strict";
import { test } from "node:test";
import { handleCompletion } from "../../src/mcp/completion.ts";
import type { McpCompletionResult } from "../../src/mcp/types.ts";
import { fakeWorkerClient } from "./fake_worker_client.ts";
import { openSession, type TestSession } from "./session.ts";

const NONE = { values: [], hasMore: false, total: 0 };

async function completed(session: TestSession, ref: unknown, argument?: unknown) {
  const params = { ref, ...(argument === undefined ? {} : { argument }) };
  const { completion } = await session.call("completion/complete", params);
  return completion as McpCompletionResult["completion"];
}

/** A session with a skill of two arguments and an agent that has it. */
async function stocked(): Promise<TestSession> {
  const session = await openSession();
  const { kbid } = await session.tool("skill-learn", {
    name: "summarise",
    description: "Summarises a document",
    body: "Summarise {{docid}} for {{ reader }}.",
    arguments: [{ name: "reader", description: "Who reads it" }],
  });
  const agent = { name: "clerk", description: "Answers", persona: "You are a clerk." };
  await session.tool("agent-create", { ...agent, skills: [kbid] });
  return session;
}

test("names of prompts are completed [completion-03 completion-05 missed-completion-1 missed-completion-2 completion-02]", async () => {
  await using session = await stocked();
  const all = { values: ["summarise", "agent:clerk"], hasMore: false, total: 2 };
  assert.deepEqual(await completed(session, { type: "ref/prompt", name: "" }), all);
  const typed = { name: "name", value: "agent:" };
  const agents = { values: ["agent:clerk"], hasMore: false, total: 1 };
  assert.deepEqual(await completed(session, { type: "ref/prompt", name: "agent:" }), agents);
  assert.deepEqual(await completed(session, { type: "ref/prompt", name: "" }, typed), agents);
  for (const name of ["zebra", "Summ", "clerk"]) {
    assert.deepEqual(await completed(session, { type: "ref/prompt", name }), NONE);
  }
});

test("the value of an argument of an exact name is completed [ruling-d25-1]", async () => {
  await using session = await stocked();
  await session.tool("learn", { content: "A fact.", docid: "handbook" });
  const ref = { type: "ref/prompt", name: "summarise" };
  assert.deepEqual((await completed(session, ref, { name: "docid", value: "hand" })).values, [
    "handbook",
  ]);
  assert.deepEqual((await completed(session, ref, { name: "reader", value: "x" })).values, []);
  assert.deepEqual((await completed(session, ref)).values, ["summarise"]);
});

test("templates and addresses are completed [completion-04 ruling-d24-4 ruling-d25-2 ruling-d25-3 missed-completion-3]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("learn", { content: "A fact.", docid: "a b/c" });
  const resource = async (uri: string, value?: string) =>
    (await completed(
      session,
      { type: "ref/resource", uri },
      value === undefined ? undefined : { name: "x", value },
    )).values;
  const start = kbid.slice(0, 4);
  for (const name of ["kbid", "kb_id"]) {
    assert.deepEqual(await resource(`kbdb://section/{${name}}`, start), [kbid]);
  }
  for (const name of ["docid", "doc_id"]) {
    assert.deepEqual(await resource(`kbdb://document/{${name}}`, "a "), ["a b/c"]);
  }
  assert.deepEqual(await resource(`kbdb://section/${start}`), [`kbdb://section/${kbid}`]);
  assert.deepEqual(await resource("kbdb://document/a%20b"), ["kbdb://document/a%20b%2Fc"]);
  for (const uri of ["http://elsewhere/", "kbdb://other/", "kbdb://section", "kbdb://section/{x"]) {
    const values = uri === "kbdb://section" ? [`kbdb://section/${kbid}`] : [];
    assert.deepEqual(await resource(uri), values, uri);
  }
});

test("the beginning of both kinds of addresses gives both [completion-04]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("learn", { content: "A fact.", docid: "facts" });
  const values = [`kbdb://section/${kbid}`, "kbdb://document/facts"];
  for (const uri of ["kbdb://", "kbdb:", ""]) {
    const both = { values, hasMore: false, total: 2 };
    assert.deepEqual(await completed(session, { type: "ref/resource", uri }), both);
  }
});

test("skills and agents are no resources to pick, and are not counted [ruling-d25-2 missed-completion-4]", async () => {
  await using session = await stocked();
  const { kbid } = await session.tool("learn", { content: "A fact.", docid: "facts" });
  const pages = [
    ["kbdb://section/{kbid}", kbid],
    ["kbdb://document/{docid}", "facts"],
  ];
  for (const [uri, value] of pages) {
    const only = { values: [value], hasMore: false, total: 1 };
    assert.deepEqual(await completed(session, { type: "ref/resource", uri }), only);
  }
});

test("more than a hundred names of prompts are counted [ruling-d25-4 missed-completion-4]", async () => {
  const agents = Array.from({ length: 250 }, (_, i) => ({ name: `a-${i}`, description: "One" }));
  const { client } = fakeWorkerClient({ listByType: () => [], listDocumentsByType: () => agents });
  for (
    const [name, total] of [["", 250], ["agent:a-", 250], ["agent:a-1", 111], ["agent:a-24", 11]]
  ) {
    const ref = { type: "ref/prompt", name: String(name) } as const;
    const { values, ...rest } = (await handleCompletion(ref, undefined, client)).completion;
    assert.equal(values.length, Math.min(100, Number(total)));
    assert.deepEqual(rest, { hasMore: Number(total) > 100, total });
    assert(values.every((value) => value.startsWith(String(name))));
  }
});

test("a hundred values come back, and how many there are [ruling-d25-4 missed-completion-4]", async () => {
  await using session = await openSession();
  const contents = Array.from({ length: 120 }, (_, i) => ({ content: `${i}`, docid: `doc-${i}` }));
  await Promise.all(contents.map((item) => session.tool("learn", item)));
  const uri = "kbdb://document/{docid}";
  for (const [value, total] of [["", 120], ["doc-", 120], ["doc-1", 31]] as const) {
    const ref = { type: "ref/resource", uri };
    const { values, ...rest } = await completed(session, ref, { name: "docid", value });
    assert.equal(values.length, Math.min(100, total));
    assert.deepEqual(rest, { hasMore: total > 100, total });
  }
});

test("completion refuses a wrong ref [completion-01 error-03]", async () => {
  await using session = await openSession();
  const wrong = [undefined, null, {}, "x", [], { type: "ref/x" }, { type: "ref/prompt" }];
  for (
    const ref of [...wrong, { type: "ref/prompt", name: 3 }, { type: "ref/resource", name: "x" }]
  ) {
    const refused = { code: -32602, message: /^Invalid params: ref/ };
    await assert.rejects(session.call("completion/complete", { ref }), refused);
  }
});
