import assert from "node:assert/strict";
import { test } from "node:test";
import type { RpcParams } from "../../src/mcp/protocol/types.ts";
import { openSession } from "./session.ts";

const NO_CURSOR = "cursor is none that this list gave";
const NO_LEVEL =
  "level must be one of debug, info, notice, warning, error, critical, alert, emergency";
const NO_REF = 'ref must be an object of type "ref/prompt" or "ref/resource"';
const PROMPT = { ref: { type: "ref/prompt", name: "greet" } };

/** What each method is given, and what it says of that. */
const WRONG: { method: string; params: RpcParams; says: string }[] = [
  { method: "tools/list", params: { cursor: "1" }, says: NO_CURSOR },
  { method: "tools/call", params: {}, says: "name is missing or no text" },
  { method: "tools/call", params: { name: "" }, says: "name is missing or no text" },
  { method: "tools/call", params: { name: 3 }, says: "name is missing or no text" },
  {
    method: "tools/call",
    params: { name: "search", arguments: "herons" },
    says: "arguments must be an object",
  },
  {
    method: "tools/call",
    params: { name: "search", arguments: ["herons"] },
    says: "arguments must be an object",
  },
  { method: "resources/list", params: { cursor: "x" }, says: NO_CURSOR },
  { method: "resources/templates/list", params: { cursor: "x" }, says: NO_CURSOR },
  { method: "resources/read", params: {}, says: "uri is missing or no text" },
  { method: "resources/read", params: { uri: "" }, says: "uri is missing or no text" },
  { method: "resources/read", params: { uri: ["x"] }, says: "uri is missing or no text" },
  { method: "resources/subscribe", params: {}, says: "uri is missing or no text" },
  { method: "resources/subscribe", params: { uri: null }, says: "uri is missing or no text" },
  { method: "resources/unsubscribe", params: {}, says: "uri is missing or no text" },
  { method: "resources/unsubscribe", params: { uri: {} }, says: "uri is missing or no text" },
  { method: "prompts/list", params: { cursor: "x" }, says: NO_CURSOR },
  { method: "prompts/list", params: { cursor: "" }, says: NO_CURSOR },
  { method: "prompts/list", params: { cursor: "1" }, says: NO_CURSOR },
  { method: "prompts/list", params: { cursor: "-1" }, says: NO_CURSOR },
  { method: "prompts/list", params: { cursor: "0.5" }, says: NO_CURSOR },
  { method: "prompts/list", params: { cursor: 1 }, says: NO_CURSOR },
  { method: "prompts/get", params: {}, says: "name is missing or no text" },
  { method: "prompts/get", params: { name: 3 }, says: "name is missing or no text" },
  {
    method: "prompts/get",
    params: { name: "greet", arguments: [] },
    says: "arguments must be an object",
  },
  {
    method: "prompts/get",
    params: { name: "greet", arguments: { who: ["Ann"] } },
    says: "arguments.who must be a text",
  },
  { method: "completion/complete", params: {}, says: NO_REF },
  { method: "completion/complete", params: { ref: { type: "ref/tool" } }, says: NO_REF },
  {
    method: "completion/complete",
    params: { ref: { type: "ref/prompt" } },
    says: "ref.name is missing or no text",
  },
  {
    method: "completion/complete",
    params: { ref: { type: "ref/resource", name: "x" } },
    says: "ref.uri is missing or no text",
  },
  {
    method: "completion/complete",
    params: { ...PROMPT, argument: "who" },
    says: "argument must be an object",
  },
  {
    method: "completion/complete",
    params: { ...PROMPT, argument: { name: "who", value: {} } },
    says: "argument.value must be a text",
  },
  { method: "logging/setLevel", params: {}, says: NO_LEVEL },
  { method: "logging/setLevel", params: { level: "loud" }, says: NO_LEVEL },
];

test("every method refuses parameters that are wrong, naming them [error-03 error-12]", async (t) => {
  await using session = await openSession();
  const skill = { name: "greet", description: "Greets", body: "Hello {{ who }}." };
  await session.tool("skill-learn", skill);
  for (const { method, params, says } of WRONG) {
    await t.test(`${method} ${JSON.stringify(params)}`, async () => {
      const refused = { code: -32602, message: `Invalid params: ${says}` };
      await assert.rejects(session.call(method, params), refused);
    });
  }
});

test("what no method needs is ignored [ruling-d20-3]", async () => {
  await using session = await openSession();
  const extra = { _meta: {}, other: [1], name: "x" };
  for (const method of ["tools/list", "resources/list", "prompts/list", "roots/list"]) {
    assert.deepEqual(await session.call(method, extra), await session.call(method), method);
  }
});

test("a method that is not there is none, whatever objects have [error-02 method-17]", async () => {
  await using session = await openSession();
  for (const method of ["toString", "__proto__", "constructor", "tools", "tools/list/", ""]) {
    const refused = { code: -32601, message: `Method not found: ${method}` };
    await assert.rejects(session.call(method), refused);
  }
});

test("sampling is declared to a client that can, and to no other [ruling-d23-1 ruling-d23-2]", async () => {
  await using session = await openSession();
  const own = {
    tools: {},
    resources: { subscribe: true },
    prompts: { listChanged: true },
    logging: {},
    completions: {},
  };
  for (const client of [{}, { roots: { listChanged: true }, elicitation: {} }]) {
    assert.deepEqual(session.session.capabilities(client), own);
  }
  assert.deepEqual(session.session.capabilities({ sampling: {} }), { ...own, sampling: {} });
});
