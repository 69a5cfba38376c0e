import type { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/types"
import { CreateMessageRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { callTool, Hosts, toolJson } from "./client.ts";
import { Place, WireServer } from "./wire_server.ts";

const SAMPLING = { capabilities: { sampling: {} } };
const BODY = "Greet {{ name }} warmly.";
const GREET = { name: "greet", description: "Greets a person" };

/** Lets the client's model write a text; gives what it was asked. */
function modelOf(client: Client, write: () => string): unknown[] {
  const asked: unknown[] = [];
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    asked.push(params);
    return { model: "test", role: "assistant", content: { type: "text", text: write() } };
  });
  return asked;
}

test("a missing skill body is written by the client's model [sampling-01 sampling-02 sampling-04 missed-sampling-1 method-14 ruling-d59-1]", async () => {
  await using hosts = new Hosts();
  const client = await hosts.connect(SAMPLING);
  const asked = modelOf(client, () => BODY);
  const { kbid } = await toolJson(client, "skill-learn", GREET);
  assert.equal(asked.length, 1);
  const { messages, maxTokens } = asked[0] as {
    messages: { role: string; content: { type: string; text: string } }[];
    maxTokens: number;
  };
  assert.equal(typeof maxTokens, "number");
  assert.deepEqual(messages.map(({ role, content: { type } }) => [role, type]), [["user", "text"]]);
  for (const word of Object.values(GREET)) assert(messages[0].content.text.includes(word), word);
  const skill = await toolJson(client, "skill-get", { kbid });
  assert.equal(skill.body, BODY);
  const { messages: [message] } = await client.getPrompt({
    name: "greet",
    arguments: { name: "Zoë" },
  });
  assert.deepEqual(message.content, { type: "text", text: "Greet Zoë warmly." });
  // Whatever else there is asks no model, nor does a skill that has its body.
  await toolJson(client, "skill-learn", { ...GREET, name: "part", body: "Say goodbye." });
  for (const name of ["skill-list", "agent-list", "status", "check"]) await toolJson(client, name);
  await toolJson(client, "search", { query: "greet", type: "skill" });
  await toolJson(client, "search", { query: "nobody knows this" });
  await client.listTools();
  await client.listPrompts();
  await client.listResources();
  await client.complete({
    ref: { type: "ref/prompt", name: "greet" },
    argument: { name: "name", value: "" },
  });
  assert.equal(asked.length, 1);
});

test("a model that writes nothing, or refuses, leaves the body empty [error-14 missed-sampling-1 func-skill-1 ruling-d21-10]", async () => {
  await using hosts = new Hosts();
  const client = await hosts.connect(SAMPLING);
  const answers = [() => "  ", () => {
    throw new Error("The user said no");
  }];
  const asked = modelOf(client, () => answers.shift()!());
  const says = [
    /^skill body must not be empty$/,
    /^Cannot write the body of skill greet: .*The user said no\. Call again with a body\.$/,
  ];
  for (const one of says) {
    const { content, isError } = await callTool(client, "skill-learn", GREET);
    assert.equal(isError, true);
    assert.match(content[0].text ?? "", one);
  }
  // What cannot be stored is not written first, nor is an empty body made up for.
  for (const args of [{ name: "No name" }, { arguments: [{}] }, { body: " " }]) {
    assert.equal((await callTool(client, "skill-learn", { ...GREET, ...args })).isError, true);
  }
  assert.equal(asked.length, 2);
  assert.deepEqual(await toolJson(client, "skill-list"), []);
});

test("nothing is asked of a client that did not declare sampling [sampling-03 ruling-d23-2 ruling-d27-1 error-14]", async () => {
  await using place = new Place();
  await using server = WireServer.on(await place.database());
  const { result } = await server.hello({ capabilities: { roots: {}, elicitation: {} } });
  assert.equal(result.capabilities.sampling, undefined);
  assert.equal(await server.failure("skill-learn", GREET), "skill body must not be empty");
  const asked = server.messages.filter((one) => one.method !== undefined && one.id !== undefined);
  assert.deepEqual(asked, []);
});

test("a call that is cancelled while the model writes is stopped, and not answered [notify-in-2 ruling-d22-7]", async () => {
  await using place = new Place();
  await using server = WireServer.on(await place.database());
  await server.hello({ capabilities: { sampling: {} } });
  const params = { name: "skill-learn", arguments: GREET };
  server.send({ jsonrpc: "2.0", id: 0, method: "tools/call", params });
  const { id } = await server.heard(({ method }) => method === "sampling/createMessage");
  server.notify("notifications/cancelled", { requestId: 0, reason: "The user changed their mind" });
  const stopped = await server.heard(({ method }) => method === "notifications/cancelled");
  assert.equal(stopped.params.requestId, id);
  // An answer that comes too late changes nothing.
  const content = { type: "text", text: BODY };
  server.send({ jsonrpc: "2.0", id, result: { model: "test", role: "assistant", content } });
  assert.deepEqual(await server.tool("skill-list"), []);
  await server.end();
  assert.deepEqual(server.messages.filter((one) => one.id === 0 && !one.method), []);
});

test("the server asks nothing before initialized [ruling-d22-8 ruling-d23-2 life-02]", async () => {
  await using place = new Place();
  await using server = WireServer.on(await place.database());
  const initialize = {
    protocolVersion: "2025-11-25",
    capabilities: { sampling: {} },
    clientInfo: { name: "test", version: "1" },
  };
  const { result } = await server.request("initialize", initialize);
  assert.deepEqual(result.capabilities.sampling, {});
  const early = await server.request("tools/call", { name: "skill-learn", arguments: GREET });
  assert.equal(early.error.code, -32600);
  assert.deepEqual(server.messages.filter(({ method }) => method !== undefined), []);
  server.notify("notifications/initialized");
  server.send({
    jsonrpc: "2.0",
    id: 5,
    method: "tools/call",
    params: { name: "skill-learn", arguments: GREET },
  });
  const { id } = await server.heard(({ method }) => method === "sampling/createMessage");
  const content = [{ type: "text", text: BODY }];
  server.send({ jsonrpc: "2.0", id, result: { model: "test", role: "assistant", content } });
  assert.equal((await server.answer(5)).result.isError, undefined);
});
