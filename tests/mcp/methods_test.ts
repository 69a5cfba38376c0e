import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readProjectFile } from "../support/project.ts";
import { matches } from "./wire_probes.ts";
import { Place, type WireMessage, WireServer } from "./wire_server.ts";

let place: Place;
let server: WireServer;
/** The answer to `initialize`. */
let welcome: WireMessage;
/** A section in the document `birds`. */
let kbid = "";

before(async () => {
  place = new Place();
  server = WireServer.on(await place.database());
  welcome = (await server.hello()).result;
  ({ kbid } = await server.tool("learn", {
    content: "Herons stand in reeds.",
    docid: "birds",
    title: "Herons",
  }));
  const skill = { name: "explain", description: "Explains", body: "Explain {{ topic }}." };
  await server.tool("skill-learn", skill);
});

after(async () => {
  await server[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

/** The error of a request that fails. */
async function errorOf(method: string, params?: unknown): Promise<WireMessage> {
  const { error, result } = await server.request(method, params);
  assert.equal(result, undefined, method);
  return error;
}

test("initialize tells version, name and what there is [method-01 method-02 life-01 life-init-1 life-init-2 module-duty-1 module-flow-04 ruling-d23-1]", () => {
  assert.equal(welcome.protocolVersion, "2025-11-25");
  const { name, version } = welcome.serverInfo;
  const { version: own } = JSON.parse(readProjectFile("deno.json"));
  assert.deepEqual({ name, version }, { name: "kbdb", version: own });
  assert.deepEqual(welcome.capabilities, {
    tools: {},
    resources: { subscribe: true },
    prompts: { listChanged: true },
    logging: {},
    completions: {},
  });
});

test("what is not declared is not there [capability-01 capability-03 capability-04 ruling-d23-2]", () => {
  const { capabilities } = welcome;
  assert.deepEqual(
    Object.keys(capabilities).sort(),
    ["completions", "logging", "prompts", "resources", "tools"],
  );
  assert.equal(capabilities.tools.listChanged, undefined);
  assert.equal(capabilities.resources.listChanged, undefined);
});

/** Every method of the protocol, and what its answer holds. */
const METHODS: {
  method: string;
  params?: () => unknown;
  expect: Record<string, unknown>;
  cites: string[];
}[] = [
  { method: "ping", expect: {}, cites: ["method-03", "life-ping-1", "module-flow-04"] },
  {
    method: "tools/list",
    expect: { tools: { 0: { name: "search", inputSchema: { type: "object" } } } },
    cites: ["method-04", "life-initialized-1"],
  },
  {
    method: "tools/call",
    params: () => ({ name: "search", arguments: { query: "herons" } }),
    expect: { content: { 0: { type: "text", text: /Herons/ } }, isError: undefined },
    cites: ["method-05", "module-flow-05"],
  },
  {
    method: "resources/list",
    expect: { resources: [] },
    cites: ["method-06", "module-flow-08", "missed-resource-1"],
  },
  {
    method: "resources/read",
    params: () => ({ uri: `kbdb://section/${kbid}` }),
    expect: { contents: { 0: { text: "Herons stand in reeds.", mimeType: "text/markdown" } } },
    cites: ["method-07", "module-flow-10"],
  },
  {
    method: "resources/read",
    params: () => ({ uri: "kbdb://document/birds" }),
    expect: { contents: { 0: { mimeType: "application/json" } } },
    cites: ["method-07", "module-flow-10"],
  },
  {
    method: "resources/templates/list",
    expect: { resourceTemplates: { 0: { uriTemplate: /^kbdb:/ }, 1: { uriTemplate: /^kbdb:/ } } },
    cites: ["method-08", "module-flow-08"],
  },
  {
    method: "resources/subscribe",
    params: () => ({ uri: "kbdb://document/birds" }),
    expect: {},
    cites: ["method-09"],
  },
  {
    method: "resources/unsubscribe",
    params: () => ({ uri: "kbdb://document/birds" }),
    expect: {},
    cites: ["method-10"],
  },
  {
    method: "prompts/list",
    expect: { prompts: { 0: { name: "explain", arguments: { 0: { name: "topic" } } } } },
    cites: ["method-11", "capability-06", "module-flow-06"],
  },
  {
    method: "prompts/get",
    params: () => ({ name: "explain", arguments: { topic: "herons" } }),
    expect: { messages: { 0: { role: "user", content: { text: "Explain herons." } } } },
    cites: ["method-12", "capability-06", "module-flow-06"],
  },
  {
    method: "completion/complete",
    params: () => ({
      ref: { type: "ref/prompt", name: "exp" },
      argument: { name: "topic", value: "" },
    }),
    expect: { completion: { values: { 0: "explain" }, total: 1, hasMore: false } },
    cites: ["method-13", "capability-08", "module-flow-07"],
  },
  {
    method: "roots/list",
    expect: { roots: { 0: { uri: /^file:\/\/\//, name: "kbdb database" } } },
    cites: ["method-15", "ruling-d23-3", "module-flow-12", "roots-3"],
  },
  {
    method: "logging/setLevel",
    params: () => ({ level: "emergency" }),
    expect: {},
    cites: ["method-16", "module-flow-11"],
  },
];

test("every method of what is declared is answered [capability-02]", async (t) => {
  for (const { method, params, expect } of METHODS) {
    await t.test(method, async () => {
      const { result, error } = await server.request(method, params?.());
      assert.equal(error, undefined);
      const shown = JSON.stringify(result);
      assert(matchesLists(result, expect), shown);
      if (Object.keys(expect).length === 0) assert.equal(shown, "{}");
    });
  }
});

/** Like `matches`, where an object stands for a part of a list. */
function matchesLists(actual: unknown, matcher: unknown): boolean {
  const isPart = typeof matcher === "object" && matcher !== null && !(matcher instanceof RegExp) &&
    !Array.isArray(matcher) && typeof actual === "object" && actual !== null;
  if (!isPart) return matches(actual, matcher);
  return Object.entries(matcher).every(([key, part]) =>
    matchesLists((actual as Record<string, unknown>)[key], part)
  );
}

test("other methods are not there, sampling of the server among them [method-14 method-17 error-02]", async () => {
  const methods = [
    "sampling/createMessage",
    "no/such",
    "initialized",
    "tools/search",
    "elicitation/create",
  ];
  for (const method of methods) {
    const { code, message } = await errorOf(method, { messages: [], maxTokens: 1 });
    assert.equal(code, -32601);
    assert(message.includes(method));
  }
});

/** Requests that break the protocol. */
const WRONG: {
  method: string;
  params: unknown;
  code: number;
  says: RegExp;
  data?: unknown;
  cites: string[];
}[] = [
  {
    method: "tools/call",
    params: { arguments: {} },
    code: -32602,
    says: /name/,
    cites: ["error-03", "error-12", "ruling-d21-2"],
  },
  {
    method: "tools/call",
    params: { name: "search", arguments: [] },
    code: -32602,
    says: /arguments/,
    cites: ["error-03"],
  },
  {
    method: "resources/read",
    params: { uri: "kbdb://section/00000000000000000000000000" },
    code: -32002,
    says: /./,
    data: { uri: "kbdb://section/00000000000000000000000000" },
    cites: ["error-05", "ruling-d21-3"],
  },
  {
    method: "resources/read",
    params: { uri: "https://example.com/" },
    code: -32002,
    says: /./,
    data: { uri: "https://example.com/" },
    cites: ["error-05", "ruling-d21-3"],
  },
  { method: "resources/read", params: {}, code: -32602, says: /uri/, cites: ["error-03"] },
  {
    method: "prompts/get",
    params: { name: "none" },
    code: -32002,
    says: /^Prompt not found: none$/,
    cites: ["error-13", "ruling-d21-4"],
  },
  {
    method: "prompts/get",
    params: { name: "explain" },
    code: -32602,
    says: /topic/,
    cites: ["error-03", "ruling-d21-5"],
  },
  {
    method: "logging/setLevel",
    params: { level: "loud" },
    code: -32602,
    says: /level/,
    cites: ["error-03", "missed-log-2"],
  },
];

test("requests that break the protocol get an error with its number", async (t) => {
  for (const { method, params, code, says, data } of WRONG) {
    await t.test(`${method} ${JSON.stringify(params)}`, async () => {
      const error = await errorOf(method, params);
      assert.equal(error.code, code);
      assert.match(error.message, says);
      assert.deepEqual(error.data, data);
    });
  }
});

test("a tool that fails gives a result [error-06 error-09 error-10 error-12 ruling-d21-1 client-result-3]", async () => {
  const calls: [name: string, args: unknown, says: RegExp][] = [
    ["forget", {}, /Cannot call forget: there is no such tool/],
    ["search", { query: "" }, /^Query must not be empty$/],
    ["search", { query: "herons", limit: "many" }, /limit/],
    ["recall", {}, /kbid/],
    ["retrieve", {}, /^Provide kbid or docid$/],
    ["skill-learn", { name: "x", description: "y" }, /^skill body must not be empty$/],
  ];
  for (const [name, args, says] of calls) {
    const { result, error } = await server.request("tools/call", { name, arguments: args });
    assert.equal(error, undefined);
    assert.deepEqual(Object.keys(result).sort(), ["content", "isError"]);
    assert.equal(result.isError, true);
    assert.deepEqual(result.content.map(({ type }: WireMessage) => type), ["text"]);
    assert.match(result.content[0].text, says);
  }
});

test("a name that is taken, and a skill that is gone, are no failures [error-15 error-16 error-17]", async () => {
  assert.equal(await server.failure("skill-get"), "Provide name or kbid");
  const skill = { name: "count", description: "Counts", body: "Count." };
  const { kbid: first } = await server.tool("skill-learn", skill);
  const { kbid: second } = await server.tool("skill-learn", { ...skill, body: "Count again." });
  assert.notEqual(first, second);
  const agent = { name: "clerk", description: "Counts", persona: "You count." };
  const { docid } = await server.tool("agent-create", { ...agent, skills: [first, second] });
  await server.tool("skill-delete", { kbid: first });
  const { skills } = await server.tool("agent-get", { docid });
  assert.deepEqual(skills.map(({ name }: WireMessage) => name), [null, "count"]);
});

test("too much is refused, and the session goes on [ruling-d57-2 ruling-d57-3 ruling-d57-4]", async () => {
  const MIB = 1024 * 1024;
  const says = [
    await server.failure("learn", { content: "heron ".repeat(3 * MIB) }),
    await server.failure("search", { query: "heron ".repeat(11_000) }),
    await server.failure("recall", { kbids: Array(1001).fill(kbid) }),
    await server.failure("content", { ids: Array(1001).fill("birds") }),
  ];
  assert.match(says[0], /16 MiB|16,?777,?216/);
  assert.match(says[1], /64 KiB|65,?536/);
  for (const said of says.slice(2)) assert.match(said, /1,?000/);
  assert.equal((await server.tool("search", { query: "herons" })).total, 1);
});

test("a resource that was subscribed to is told of, others are not [capability-05 module-flow-09 notify-out-3 missed-resource-2 missed-resource-4]", async () => {
  const updated = () => server.told("notifications/resources/updated").map(({ uri }) => uri);
  const [birds, fish] = ["kbdb://document/birds", "kbdb://document/fish"];
  for (const uri of [birds, fish]) {
    assert.deepEqual((await server.request("resources/subscribe", { uri })).result, {});
  }
  await server.tool("learn", { content: "Storks stand on roofs.", docid: "birds" });
  await server.heard(({ params }) => params?.uri === birds);
  await server.request("resources/unsubscribe", { uri: birds });
  const before = updated().length;
  await server.tool("learn", { content: "Owls hunt at night.", docid: "birds" });
  await server.tool("learn", { content: "Trout swim in brooks.", docid: "fish" });
  await server.heard(({ params }) => params?.uri === fish);
  assert.deepEqual(updated().slice(before), [fish]);
});

test("log messages come from the level that was set on [capability-07 notify-out-5 log-04]", async () => {
  const logged = () => server.told("notifications/message");
  assert.deepEqual(logged(), []);
  await server.request("logging/setLevel", { level: "error" });
  await server.tool("search", { query: "herons" });
  await server.failure("search", { query: "" });
  const { params } = await server.heard(({ method }) => method === "notifications/message");
  assert.deepEqual({ ...params, data: "" }, { level: "error", logger: "kbdb", data: "" });
  assert.match(params.data, /search/);
  assert.equal(logged().length, 1);
});

test("prompts that change are told of, tools and lists of resources never [notify-out-1 notify-out-2 notify-out-4]", async () => {
  const skill = { name: "sort", description: "Sorts", body: "Sort." };
  await server.tool("skill-learn", skill);
  await server.heard(({ method }) => method === "notifications/prompts/list_changed");
  for (const list of ["tools", "resources"]) {
    assert.deepEqual(server.told(`notifications/${list}/list_changed`), []);
  }
});

test("roots/list names the folder, with its name encoded [roots-1 roots-2 missed-roots-1]", async () => {
  const { result: { roots } } = await server.request("roots/list");
  assert.equal(roots.length, 1);
  assert.match(roots[0].uri, /^file:\/\/\/[\x21-\x7e]+$/);
  assert.equal(decodeURIComponent(new URL(roots[0].uri).pathname), place.path());
});

test("all that was written was a message a line, each to one request [wire-01 wire-02 wire-04 wire-05 module-transport-1 module-flow-02]", () => {
  const lines = server.stdout.split("\n");
  assert.equal(lines.pop(), "");
  for (const line of lines) {
    const message = JSON.parse(line);
    assert.equal(message.jsonrpc, "2.0");
    if (message.method !== undefined) assert(!("id" in message), line);
    else assert(("result" in message) !== ("error" in message), line);
    assert(!line.includes("\r"));
  }
  const ids = server.messages.filter((one) => one.method === undefined).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(server.stderr, "");
});
