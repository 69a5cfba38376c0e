import assert from "node:assert/strict";
import { test } from "node:test";
import { handleToolCall } from "../../src/mcp/handle_tool_call.ts";
import { createToolDefinitions } from "../../src/mcp/tools/table.ts";
import { kbdb } from "../support/command.ts";
import { Hosts } from "./client.ts";
import { openSession, type TestSession } from "./session.ts";
import {
  assertLayout,
  failingClient,
  frameBytes,
  NOBODY,
  PIXEL,
  textBytes,
  textsOf,
} from "./tools_support.ts";

const TOOLS = createToolDefinitions();

/** Arguments with which each tool succeeds on a base that {@linkcode filled} made, and its layout. */
const GOOD: { tool: string; indent: 0 | 2; args(ids: Ids): Record<string, unknown> }[] = [
  { tool: "search", indent: 2, args: () => ({ query: "fact" }) },
  { tool: "recall", indent: 2, args: ({ kbid }) => ({ kbid }) },
  { tool: "recall", indent: 2, args: ({ kbid }) => ({ kbids: [kbid, NOBODY] }) },
  { tool: "retrieve", indent: 2, args: ({ kbid }) => ({ kbid }) },
  { tool: "retrieve", indent: 2, args: () => ({ docid: "d" }) },
  { tool: "content", indent: 0, args: () => ({ ids: ["d"] }) },
  { tool: "history", indent: 2, args: ({ kbid }) => ({ kbid }) },
  { tool: "status", indent: 2, args: () => ({}) },
  { tool: "check", indent: 2, args: () => ({}) },
  { tool: "gc", indent: 2, args: () => ({ dry_run: true }) },
  { tool: "rebuild", indent: 2, args: () => ({}) },
  { tool: "skill-list", indent: 2, args: () => ({}) },
  { tool: "skill-get", indent: 2, args: () => ({ name: "greet" }) },
  { tool: "agent-list", indent: 2, args: () => ({}) },
  { tool: "agent-get", indent: 2, args: () => ({ docid: "agent-clerk" }) },
  { tool: "learn", indent: 0, args: () => ({ content: "Another fact." }) },
  { tool: "revise", indent: 2, args: ({ kbid }) => ({ kbid, content: "A new fact." }) },
  { tool: "unlearn", indent: 0, args: () => ({ docid: "d" }) },
  {
    tool: "agent-create",
    indent: 0,
    args: () => ({ name: "maid", description: "d", persona: "p", skills: [] }),
  },
  { tool: "agent-delete", indent: 0, args: () => ({ docid: "agent-clerk" }) },
  { tool: "skill-learn", indent: 0, args: () => ({ name: "a", description: "d", body: "b" }) },
  { tool: "skill-delete", indent: 0, args: ({ skill }) => ({ kbid: skill }) },
];

interface Ids {
  readonly kbid: string;
  readonly skill: string;
}

async function filled(session: TestSession): Promise<Ids> {
  const { kbid } = await session.tool("learn", { content: "A fact.", docid: "d" });
  const given = { name: "greet", description: "Greets", body: "Hello {{ who }}" };
  const { kbid: skill } = await session.tool("skill-learn", given);
  const agent = { name: "clerk", description: "d", persona: "You help.", skills: [skill] };
  await session.tool("agent-create", agent);
  return { kbid, skill };
}

test("every tool answers one text of JSON in its layout, and the same as structuredContent [missed-text-1 missed-text-2 error-11 ruling-d19-2 ruling-d19-3 client-result-2 tool-any-01]", async () => {
  await using session = await openSession();
  const ids = await filled(session);
  assert.deepEqual([...new Set(GOOD.map(({ tool }) => tool))].sort(), TOOLS.map(nameOf).sort());
  for (const { tool, indent, args } of GOOD) {
    const result = await session.result(tool, args(ids));
    const texts = textsOf(result);
    assert.equal(result.isError, undefined, `${tool}: ${texts}`);
    assert.deepEqual([result.content.length, texts.length], [1, 1], tool);
    assertLayout(texts[0], indent);
    const value = JSON.parse(texts[0]);
    if (!Array.isArray(value)) assert.deepEqual(result.structuredContent, value);
    else assert.deepEqual(result.structuredContent?.result, value);
    assert(textBytes(result) <= 80_000);
    assert(frameBytes(result) < 1_000_000);
  }
});

test("the SDK's client takes every tool's result after tools/list [client-result-4 ruling-d19-5 client-schema-5]", async () => {
  await using hosts = new Hosts();
  const client = await hosts.connect();
  const { tools } = await client.listTools();
  assert.equal(tools.length, TOOLS.length);
  for (const { name, outputSchema } of tools) assert.equal(outputSchema, undefined, name);
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    const [{ text }] = result.content as { text: string }[];
    assert.equal(result.isError, undefined, `${name}: ${text}`);
    return JSON.parse(text);
  };
  const { kbid } = await call("learn", { content: "A fact.", docid: "d" });
  const given = { name: "greet", description: "Greets", body: "Hello" };
  const { kbid: skill } = await call("skill-learn", given);
  const agent = { name: "clerk", description: "d", persona: "p", skills: [skill] };
  await call("agent-create", agent);
  for (const { tool, args } of GOOD) await call(tool, args({ kbid, skill }));
  const image = await call("learn", { content: PIXEL, type: "image/png", title: "Dot" });
  const shown = await client.callTool({ name: "recall", arguments: { kbid: image.kbid } });
  assert.equal((shown.content as { type: string }[])[0].type, "image");
});

function nameOf({ name }: { name: string }): string {
  return name;
}

test("what a client throws is the text of an isError result, no rejection [error-06 error-07 error-08 func-call-01 func-call-20 missed-module-4 client-result-3]", async () => {
  const thrown: [value: unknown, text: string][] = [
    [new Error("Cannot search: the cat sits on it"), "Cannot search: the cat sits on it"],
    [new TypeError("odd"), "odd"],
    ["a plain text", "a plain text"],
    [42, "42"],
    [null, "null"],
    [undefined, "undefined"],
    [{ code: 1 }, "[object Object]"],
    [Symbol("s"), "Symbol(s)"],
  ];
  for (const [value, text] of thrown) {
    const result = await handleToolCall(failingClient("search", value), "search", { query: "x" });
    assert.deepEqual(result, { content: [{ type: "text", text }], isError: true });
  }
});

test("an unknown tool is an isError result that names the nearest or all [error-10 func-call-21 error-12 ruling-d21-2]", async () => {
  await using session = await openSession();
  assert.equal(
    await session.failure("serach"),
    "Cannot call serach: there is no such tool. Did you mean search?",
  );
  const said = await session.failure("dance");
  for (const { name } of TOOLS) assert(said.includes(name), name);
  assert((await session.failure("z".repeat(100_000))).length < 1000);
  for (const name of ["__proto__", "constructor", "Search", "mcp__kbdb__search"]) {
    assert.match(await session.failure(name), /no such tool/);
  }
  for (const params of [{}, { name: "" }, { name: 5 }]) {
    await assert.rejects(session.call("tools/call", params), { code: -32602 });
  }
});

test("tools are called with underscores too, and listed with hyphens [ruling-d18-2 client-names-3]", async () => {
  await using session = await openSession();
  const given = { name: "greet", description: "Greets", body: "Hello" };
  const { kbid } = await session.tool("skill_learn", given);
  assert.equal((await session.tool("skill_get", { kbid })).name, "greet");
  assert.deepEqual(await session.tool("skill_list"), await session.tool("skill-list"));
  const { tools } = await session.call("tools/list") as { tools: { name: string }[] };
  for (const { name } of tools) assert.match(name, /^[a-z]+(-[a-z]+)*$/);
});

/** Arguments in other kinds than the schema's, and those that mean the same. */
const COERCED: { tool: string; odd: Record<string, unknown>; plain: Record<string, unknown> }[] = [
  { tool: "search", odd: { query: "fact", limit: "5" }, plain: { query: "fact", limit: 5 } },
  { tool: "search", odd: { query: "fact", offset: " 1 " }, plain: { query: "fact", offset: 1 } },
  { tool: "search", odd: { query: 7 }, plain: { query: "7" } },
  {
    tool: "search",
    odd: { query: "fact", content: "True" },
    plain: { query: "fact", content: true },
  },
  { tool: "search", odd: { query: "fact", content: 0 }, plain: { query: "fact", content: false } },
  { tool: "search", odd: { query: "fact", tag: "a" }, plain: { query: "fact", tag: ["a"] } },
  { tool: "search", odd: { query: "fact", tag: '["a"]' }, plain: { query: "fact", tag: ["a"] } },
  { tool: "search", odd: { query: "fact", tag: "[a" }, plain: { query: "fact", tag: ["[a"] } },
  { tool: "search", odd: { query: "fact", limit: null, docid: null }, plain: { query: "fact" } },
  { tool: "search", odd: { query: "fact", colour: "red", k: [1] }, plain: { query: "fact" } },
  { tool: "content", odd: { ids: '["d"]' }, plain: { ids: ["d"] } },
  { tool: "content", odd: { ids: "d" }, plain: { ids: ["d"] } },
  { tool: "recall", odd: { kbids: `["${NOBODY}"]` }, plain: { kbids: [NOBODY] } },
];

for (const { tool, odd, plain } of COERCED) {
  test(`${tool} takes ${JSON.stringify(odd)} as ${JSON.stringify(plain)} [ruling-d20-2 ruling-d20-3 client-schema-6]`, async () => {
    await using session = await openSession();
    await session.tool("learn", { content: "A fact.", docid: "d", tags: ["a"] });
    await session.tool("learn", { content: "Fact 7." });
    const one = await session.tool(tool, odd);
    const other = await session.tool(tool, plain);
    for (const value of [one, other]) delete value.elapsed_ms;
    assert.deepEqual(one, other);
  });
}

/** Arguments that are refused, each by name. */
const REFUSED: [tool: string, args: Record<string, unknown>, text: string][] = [
  ["search", {}, "Cannot call search: query is missing; it must be a string"],
  ["search", { query: null }, "Cannot call search: query is missing; it must be a string"],
  ["search", { query: {} }, "Cannot call search: query must be a string, not {}"],
  [
    "search",
    { query: "x", limit: "many" },
    'Cannot call search: limit must be a number, not "many"',
  ],
  ["search", { query: "x", limit: true }, "Cannot call search: limit must be a number, not true"],
  ["search", { query: "x", limit: "" }, 'Cannot call search: limit must be a number, not ""'],
  [
    "search",
    { query: "x", content: "perhaps" },
    'Cannot call search: content must be true or false, not "perhaps"',
  ],
  [
    "search",
    { query: "x", mode: "all" },
    'Cannot call search: mode must be one of sections, documents, stats, not "all"',
  ],
  ["content", { ids: 5 }, "Cannot call content: ids must be an array of strings, not 5"],
  ["content", { ids: [{}] }, "Cannot call content: ids must be an array of strings, not [{}]"],
  ["learn", { content: ["x"] }, 'Cannot call learn: content must be a string, not ["x"]'],
];

for (const [tool, args, text] of REFUSED) {
  test(`${tool} refuses ${JSON.stringify(args)} by name [ruling-d21-1 ruling-d21-10 error-09]`, async () => {
    await using session = await openSession();
    const result = await session.result(tool, args);
    assert.deepEqual(result, { content: [{ type: "text", text }], isError: true });
  });
}

test("errors show no stack, no path outside the database and no more than is of use [ruling-d21-11 ruling-d21-10 ruling-d28-1]", async () => {
  await using session = await openSession();
  const long = "x".repeat(200_000);
  const calls: [tool: string, args: Record<string, unknown>][] = [
    ["recall", { kbid: "../../etc/passwd" }],
    ["recall", { kbid: long }],
    ["retrieve", { kbid: "..\\x" }],
    ["retrieve", { docid: long }],
    ["content", { ids: [long] }],
    ["history", { kbid: "%2e%2e" }],
    ["learn", { content: "x", type: long }],
    ["learn", { content: "x", docid: long }],
    ["learn", { content: "\ud800" }],
    ["revise", { kbid: long, content: "x" }],
    ["unlearn", { kbid: "/" }],
    ["search", { query: "x", cursor: long }],
    ["search", { query: "x", mode: long }],
  ];
  for (const [tool, args] of calls) {
    const said = await session.failure(tool, args);
    assert.match(said, /^(Cannot |Section not found|Document not found)/, tool);
    assert.doesNotMatch(said, /\n\s+at |file:\/\/|\.ts:\d/);
    assert.doesNotMatch(said.replaceAll(session.path, ""), /\/(home|tmp|work|usr)\//);
    assert(said.length <= 2100, `${tool}: ${said.length}`);
  }
});

/** Facts of one call or process, and what only an agent has to be told. */
const PASSING = ["notice", "elapsed_ms"];

function lasting(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => PASSING.includes(key) ? undefined : inner),
  );
}

test("the command's JSON is the object that the tool gives [ruling-d36-1 server-cli-6]", async () => {
  await using session = await openSession();
  const { kbid } = await filled(session);
  const calls: [tool: string, args: Record<string, unknown>, command: string[]][] = [
    ["search", { query: "fact" }, ["search", "fact"]],
    ["search", { query: "fact", mode: "stats" }, ["search", "fact", "--mode", "stats"]],
    ["recall", { kbid, depth: 3 }, ["recall", kbid, "--depth", "3"]],
    ["retrieve", { docid: "d" }, ["retrieve", "--docid", "d"]],
    ["content", { ids: ["d"] }, ["content", "d"]],
    ["history", { kbid }, ["history", kbid]],
    ["check", {}, ["check"]],
    ["gc", { dry_run: true }, ["gc", "--dry-run"]],
  ];
  const told: unknown[] = [];
  for (const [tool, args] of calls) told.push(lasting(await session.tool(tool, args)));
  await session.client.disconnect();
  for (const [i, [, , command]] of calls.entries()) {
    const flags = ["--db", session.path, "--format", "json", "--no-daemon"];
    const { code, stdout, stderr } = await kbdb([...command, ...flags]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(lasting(JSON.parse(stdout)), told[i], command[0]);
  }
});
