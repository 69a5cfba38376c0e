import assert from "node:assert/strict";
import { test } from "node:test";
import type { McpCompletionResult, McpPrompt, McpPromptMessage } from "../../src/mcp/types.ts";
import { fakeWorkerClient } from "./fake_worker_client.ts";
import { Session } from "../../src/mcp/session.ts";
import { openSession, type TestSession } from "./session.ts";

const CLERK = { name: "clerk", description: "Answers", persona: "You are a clerk." };

async function prompts(session: TestSession): Promise<McpPrompt[]> {
  return (await session.call("prompts/list")).prompts as McpPrompt[];
}

async function messages(session: TestSession, name: string, args?: Record<string, unknown>) {
  const params = { name, ...(args ? { arguments: args } : {}) };
  return (await session.call("prompts/get", params)).messages as McpPromptMessage[];
}

function message(role: string, text: string) {
  return { role, content: { type: "text", text } };
}

async function completed(session: TestSession, ref: unknown, argument?: unknown) {
  const params = { ref, ...(argument === undefined ? {} : { argument }) };
  const { completion } = await session.call("completion/complete", params);
  return completion as McpCompletionResult["completion"];
}

/** A session with a skill of two arguments and an agent that has it. */
async function stocked(options = {}): Promise<TestSession> {
  const session = await openSession(options);
  const { kbid } = await session.tool("skill-learn", {
    name: "summarise",
    description: "Summarises a document",
    body: "Summarise {{docid}} for {{ reader }}.",
    arguments: [{ name: "reader", description: "Who reads it" }],
  });
  await session.tool("agent-create", { ...CLERK, skills: [kbid] });
  return session;
}

test("prompts are skills with their arguments, and agents with none [prompt-any-01 prompt-list-01 prompt-list-02 missed-prompt-1]", async () => {
  await using session = await stocked();
  assert.deepEqual(await prompts(session), [
    {
      name: "summarise",
      description: "Summarises a document",
      arguments: [
        { name: "reader", description: "Who reads it", required: false },
        { name: "docid", required: true },
      ],
    },
    { name: "agent:clerk", description: "Answers", arguments: [] },
  ]);
});

test("the list comes from the client's two lists, a prompt from its sections [prompt-list-03 prompt-get-06]", async () => {
  const { client, calls } = fakeWorkerClient();
  const session = new Session({ client });
  const context = { peer: { facts: null, notify: () => {}, request: () => Promise.reject() } };
  const signal = new AbortController().signal;
  await session.handle("prompts/list", {}, { ...context, signal });
  assert.deepEqual(calls.splice(0), [["listByType", "skill"], ["listDocumentsByType", "agent"]]);
  await session.handle("prompts/get", { name: "agent:clerk" }, { ...context, signal });
  assert.deepEqual(calls.map(([method]) => method), ["retrieveDocument", "readSections"]);
});

test("a skill becomes one message of the user, values in place and literal [prompt-get-02 prompt-get-03 prompt-flow-1 missed-prompt-2 ruling-d27-1]", async () => {
  await using session = await stocked();
  const [{ name }] = await prompts(session);
  assert.deepEqual(await messages(session, name, { docid: "$& $1 {{reader}}", reader: "Ann" }), [
    message("user", "Summarise $& $1 {{reader}} for Ann."),
  ]);
  assert.deepEqual(await messages(session, name, { docid: 7, other: "ignored" }), [
    message("user", "Summarise 7 for ."),
  ]);
});

test("an agent becomes its persona and what it can do [prompt-get-04 prompt-get-05]", async () => {
  await using session = await stocked();
  await session.tool("agent-create", { ...CLERK, name: "bare", skills: [] });
  assert.deepEqual(await messages(session, "agent:clerk"), [
    message("assistant", "You are a clerk."),
    message("user", "Available skills:\n- summarise: Summarises a document"),
  ]);
  assert.deepEqual(
    (await messages(session, "agent:bare"))[1],
    message("user", "Available skills:"),
  );
});

test("prompts/get refuses by the documents' codes [prompt-get-01 error-13 error-03]", async () => {
  await using session = await stocked();
  const get = (params: Record<string, unknown>) => session.call("prompts/get", params);
  await assert.rejects(get({}), { code: -32602, message: /name/ });
  await assert.rejects(get({ name: "summarise" }), { code: -32602, message: /docid/ });
  await assert.rejects(get({ name: "summarise", arguments: "x" }), { code: -32602 });
  await assert.rejects(get({ name: "summarise", arguments: { docid: {} } }), { code: -32602 });
  for (const name of ["absent", "agent:absent", "agent:", "agent-clerk"]) {
    await assert.rejects(get({ name }), { code: -32002, message: `Prompt not found: ${name}` });
  }
});

test("many prompts come in pages", async () => {
  await using session = await stocked({ room: 1000 });
  for (let i = 10; i < 30; i++) {
    const skill = { name: `skill-${i}`, description: "One of many", body: "Do it." };
    await session.tool("skill-learn", skill);
  }
  const names: string[] = [];
  for (let cursor: unknown, more = true; more; more = cursor !== undefined) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await session.call("prompts/list", params);
    names.push(...(page.prompts as McpPrompt[]).map(({ name }) => name));
    cursor = page.nextCursor;
  }
  assert.equal(names.length, 22);
  assert.equal(new Set(names).size, 22);
  await assert.rejects(session.call("prompts/list", { cursor: "x" }), { code: -32602 });
});

test("changed prompts are told once they were listed [notify-out-4]", async () => {
  await using session = await openSession();
  const skill = { name: "greet", description: "Greets", body: "Hello." };
  await session.tool("skill-learn", skill);
  await prompts(session);
  await session.tool("learn", { content: "No prompt." });
  await session.tool("skill-learn", { ...skill, body: "Good day." });
  await session.hears("notifications/prompts/list_changed");
  await session.tool("agent-create", { ...CLERK, skills: [] });
  const heard = await session.hears("notifications/prompts/list_changed", 2);
  assert.deepEqual(heard, [{}, {}]);
});

test("names of prompts are completed [completion-03 completion-05 missed-completion-1 missed-completion-2 completion-02]", async () => {
  await using session = await stocked();
  const all = { values: ["summarise", "agent:clerk"], hasMore: false, total: 2 };
  assert.deepEqual(await completed(session, { type: "ref/prompt", name: "" }), all);
  const typed = { name: "name", value: "agent:" };
  const agents = { values: ["agent:clerk"], hasMore: false, total: 1 };
  assert.deepEqual(await completed(session, { type: "ref/prompt", name: "agent:" }), agents);
  assert.deepEqual(await completed(session, { type: "ref/prompt", name: "" }, typed), agents);
  const none = { values: [], hasMore: false, total: 0 };
  assert.deepEqual(await completed(session, { type: "ref/prompt", name: "zebra" }), none);
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
  assert.deepEqual(await resource("http://elsewhere/"), []);
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

test("completion refuses a wrong ref [completion-01]", async () => {
  await using session = await openSession();
  for (const ref of [undefined, null, {}, { type: "ref/x" }, { type: "ref/prompt" }, "x"]) {
    await assert.rejects(session.call("completion/complete", { ref }), { code: -32602 });
  }
});
