import type { Client } from "@modelcontextprotocol/sdk/client";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { callTool, Hosts, toolJson, type ToolReply } from "./client.ts";

/** One pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Names that the documents give to servers. */
const SERVER_NAMES = ["kbdb", "kbdb-project", "kbdb-personal", "knowledge-base"];

/** A schema, looked into without asking what it is. */
// deno-lint-ignore no-explicit-any
type Schema = any;

interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
}

const hosts = new Hosts();
let client: Client;
let tools: Listed[] = [];

before(async () => {
  client = await hosts.connect();
  tools = (await client.listTools()).tools;
});

after(() => hosts[Symbol.asyncDispose]());

const named = (name: string) => tools.find((tool) => tool.name === name)!;

/** Every object in a value, itself included. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const part of Object.values(value)) yield* objectsIn(part);
}

test("there are twenty tools, under names that every client takes [client-names-1 client-names-5 ruling-d18-1]", () => {
  assert.equal(tools.length, 20);
  for (const { name } of tools) {
    assert.match(name, /^[a-z]+(-[a-z]+)*$/);
    assert(`mcp__kbdb__${name}`.length <= 64, name);
  }
  for (const name of ["revise", "history"]) assert(named(name), name);
});

test("names stay short and apart behind the name of a server [client-names-2 client-names-4]", () => {
  for (const server of SERVER_NAMES) {
    const pairs = tools.map(({ name }) => `${server}:${name}`);
    for (const pair of pairs) assert(pair.length < 60, pair);
    const cut = tools.map(({ name }) =>
      `mcp__${server}__${name}`.slice(0, 64).replaceAll("-", "_")
    );
    assert.equal(new Set(cut).size, tools.length);
  }
});

test("names with underscores are taken, and not listed [client-names-3 ruling-d18-2]", async () => {
  assert.deepEqual(tools.filter(({ name }) => name.includes("_")), []);
  assert.deepEqual(await toolJson(client, "skill_list"), []);
  const { content, isError } = await callTool(client, "skill_get");
  assert.deepEqual([isError, content[0].text], [true, "Provide name or kbid"]);
});

test("schemas are flat objects, without what some clients do not take [client-schema-2 ruling-d20-1]", () => {
  const BANNED = ["anyOf", "oneOf", "allOf", "not", "$ref", "$defs", "definitions", "$schema"];
  const REFUSED = [...BANNED, "propertyNames", "additionalProperties"];
  for (const { name, inputSchema } of tools) {
    assert.equal(inputSchema.type, "object", name);
    for (const property of Object.values<Schema>(inputSchema.properties)) {
      assert(["string", "number", "boolean", "array"].includes(property.type), name);
      assert.equal(property.type === "array", property.items !== undefined, name);
    }
    for (const part of objectsIn(inputSchema)) {
      // Names of arguments are no keywords.
      if (part === inputSchema.properties) continue;
      assert.deepEqual(Object.keys(part).filter((key) => REFUSED.includes(key)), [], name);
    }
  }
});

test("lists say what is in them [client-schema-3 client-schema-4 ruling-d20-1]", () => {
  const lists = tools.flatMap(({ name, inputSchema }) =>
    Object.entries<Schema>(inputSchema.properties)
      .filter(([, { type }]) => type === "array")
      .map(([argument, { items }]) => ({ name: `${name}.${argument}`, items }))
  );
  const names = lists.map(({ name }) => name);
  for (
    const one of ["recall.kbids", "content.ids", "agent-create.skills", "skill-learn.arguments"]
  ) {
    assert(names.includes(one), one);
  }
  for (const { name, items } of lists) {
    if (items.type === "string") continue;
    assert.equal(items.type, "object", name);
    const types = Object.values<Schema>(items.properties).map(({ type }) => type);
    assert(types.length > 0 && types.every((type) => typeof type === "string"), name);
  }
});

test("an output schema, where there is one, is of type object [client-schema-5]", () => {
  for (const { name, outputSchema } of tools) {
    if (outputSchema !== undefined) assert.equal(outputSchema.type, "object", name);
  }
});

test("descriptions are short [ruling-d20-4]", () => {
  for (const { name, description, inputSchema } of tools) {
    assert(description && description.length < 1024, name);
    for (const part of objectsIn(inputSchema.properties)) {
      if (typeof part.description === "string") assert(part.description.length < 1024, name);
    }
  }
});

test("either of two arguments is said in words and looked at in the call [client-schema-1]", async () => {
  const EITHER: [tool: string, one: string, other: string][] = [
    ["retrieve", "kbid", "docid"],
    ["unlearn", "kbid", "docid"],
    ["skill-get", "name", "kbid"],
  ];
  for (const [name, one, other] of EITHER) {
    const { description = "", inputSchema } = named(name);
    assert.match(
      description,
      new RegExp(`\\b${one}\\b.*\\bor\\b.*\\b${other}\\b|${other}.* or .*${one}`),
    );
    for (const key of [one, other]) assert(!(inputSchema.required ?? []).includes(key), name);
    const { content, isError } = await callTool(client, name);
    assert(isError, name);
    for (const key of [one, other]) assert(content[0].text?.includes(key), content[0].text);
  }
});

test("large images are sent to the command line [client-result-1]", () => {
  assert.match(JSON.stringify(named("learn")), /image[^"]*command|command[^"]*image/i);
});

test("instructions are short, and begin with the base and how to ask it [client-schema-7 ruling-d29-4]", () => {
  const text = client.getInstructions() ?? "";
  assert(new TextEncoder().encode(text).length < 2000);
  assert.match(text, /^Knowledge base "日本 base"/);
  const at = ["search", "recall", "learn", "revise"].map((name) => text.indexOf(name));
  assert(at.every((one) => one > 0), at.join());
  assert(at[0] < 500, `${at[0]}`);
  assert.match(text, /are data/);
});

test("values that arrive as text are taken, arguments too many are ignored [client-schema-6 ruling-d20-2 ruling-d20-3]", async () => {
  const learn = (content: string) =>
    toolJson(client, "learn", { content, tags: '["bird","wader"]', docid: "birds" });
  const { kbid: heron } = await learn("Herons stand in reeds.");
  const { kbid: stork } = await learn("Storks stand on roofs.");
  const found = await toolJson(client, "search", {
    query: "stand",
    limit: "1",
    offset: "1",
    tag: "wader",
    colour: "grey",
  });
  assert.deepEqual([found.items.length, found.total, found.limit], [1, 2, 1]);
  const recalled = await toolJson(client, "recall", { kbids: JSON.stringify([heron, stork]) });
  assert.deepEqual(recalled.map(({ kbid }: { kbid: string }) => kbid), [heron, stork]);
  const { dry_run } = await toolJson(client, "gc", { dry_run: "true" });
  assert.equal(dry_run, true);
});

/** A call of every tool, in an order in which each succeeds. */
async function callAll(): Promise<Map<string, ToolReply>> {
  const replies = new Map<string, ToolReply>();
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const reply = await callTool(client, name, args);
    replies.set(name, reply);
    assert(!reply.isError, `${name}: ${reply.content[0].text}`);
    return JSON.parse(reply.content[0].text!);
  };
  const { kbid } = await call("learn", { content: "Owls hunt at night.", docid: "owls" });
  await call("search", { query: "owls" });
  await call("recall", { kbid, depth: 3 });
  await call("retrieve", { docid: "owls" });
  await call("content", { ids: ["owls"] });
  const { kbid: revised } = await call("revise", { kbid, content: "Owls hunt by night." });
  await call("history", { kbid });
  for (const name of ["status", "check", "gc", "rebuild"]) await call(name);
  const skill = { name: "explain", description: "Explains", body: "Explain {{ topic }}." };
  const { kbid: skillId } = await call("skill-learn", skill);
  await call("skill-list");
  await call("skill-get", { name: "explain" });
  const agent = { name: "clerk", description: "Answers", persona: "You answer." };
  const { docid } = await call("agent-create", { ...agent, skills: [skillId] });
  await call("agent-list");
  await call("agent-get", { docid });
  await call("agent-delete", { docid });
  await call("skill-delete", { kbid: skillId });
  await call("unlearn", { kbid: revised });
  return replies;
}

test("the official client takes every tool's result, text and structure the same [client-result-2 client-result-4 client-result-8 error-11 ruling-d19-5]", async () => {
  const replies = await callAll();
  assert.deepEqual([...replies.keys()].sort(), tools.map(({ name }) => name).sort());
  for (const [name, { content, structuredContent }] of replies) {
    assert.deepEqual(content.map(({ type }) => type), ["text"], name);
    const value = JSON.parse(content[0].text!);
    assert.deepEqual(structuredContent, Array.isArray(value) ? { result: value } : value, name);
  }
});

test("an image is one block of valid base64 [client-result-5 client-result-9]", async () => {
  const { kbid } = await toolJson(client, "learn", {
    content: PIXEL,
    type: "image/png",
    title: "Dot",
  });
  const { content, structuredContent } = await callTool(client, "recall", { kbid });
  assert.equal(structuredContent, undefined);
  const [image, ...others] = content.filter(({ type }) => type === "image");
  assert.deepEqual([image.data, others], [PIXEL, []]);
});

test("what prompts and resources give is reached by tools too, and prompts suit every client [client-feature-1 client-feature-2 client-feature-3]", async () => {
  const body = "Explain {{ topic }}.";
  const skill = { name: "explain", description: "Explains", body };
  const { kbid } = await toolJson(client, "skill-learn", skill);
  const agent = { name: "clerk", description: "Answers", persona: "You answer." };
  const { docid } = await toolJson(client, "agent-create", { ...agent, skills: [kbid] });
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map(({ name }) => name), ["explain", "agent:clerk"]);
  for (const { name, title = "" } of prompts) {
    assert.doesNotMatch(name + title, /\s/);
    const { messages } = await client.getPrompt({ name, arguments: { topic: "owls" } });
    for (const { role, content } of messages) {
      assert(["user", "assistant"].includes(role));
      assert.equal(content.type, "text");
    }
  }
  assert.equal((await toolJson(client, "skill-get", { name: "explain" })).body, body);
  assert.equal((await toolJson(client, "agent-get", { docid })).persona, agent.persona);
  const { kbid: owls } = await toolJson(client, "learn", { content: "Owls sleep by day." });
  const { contents: [read] } = await client.readResource({ uri: `kbdb://section/${owls}` });
  const [retrieved] = await toolJson(client, "retrieve", { kbid: owls });
  assert.equal((read as { text: string }).text, retrieved.content);
});
