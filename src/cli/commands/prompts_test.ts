import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeMethod as method, ran } from "../testing.ts";
import { argumentOf } from "./skill.ts";

const ID = "1cy96vmqxgmc72dt1v5b2vkrmy";

const LEARNED = {
  kbid: ID,
  type: "skill",
  title: "explain",
  description: "Explains",
  indexed_terms_count: 0,
  elapsed_ms: 1,
  attached: false,
  name: "explain",
  arguments: [{ name: "topic", required: true }, { name: "depth", required: false }],
};

for (
  const [text, expected] of [
    ["topic", { name: "topic", required: true }],
    ["topic?", { name: "topic", required: false }],
    ["topic:What it is about", { name: "topic", description: "What it is about", required: true }],
    ["when:Such as 12:30?", { name: "when", description: "Such as 12:30", required: false }],
  ] as const
) {
  test(`argumentOf() understands ${text}`, () => assert.deepEqual(argumentOf(text), expected));
}

test("skill learn sends body and arguments, and is compact in MCP", async () => {
  const skillLearn = method(LEARNED);
  const options = { client: { skillLearn }, files: { "/desk/p.md": "Explain {{topic}}" } };
  const words = ["skill", "learn", "explain", "p.md", "--description", "Explains"];
  const { out } = await ran([...words, "--argument", "depth:1 to 3?"], options);
  assert.equal(out, `Stored: skill explain (${ID}), arguments topic, depth?\n`);
  assert.deepEqual(skillLearn.calls, [{
    name: "explain",
    description: "Explains",
    body: "Explain {{topic}}",
    arguments: [{ name: "depth", description: "1 to 3", required: false }],
  }]);
  const mcp = await ran([...words, "--format", "mcp"], options);
  assert.deepEqual(JSON.parse(mcp.out), {
    content: [{ type: "text", text: JSON.stringify(LEARNED) }],
    structuredContent: LEARNED,
  });
});

for (
  const [words, reason] of [
    [["explain", "p.md"], /without --description/],
    [["explain", "--description", "E"], /its name and a file, or -/],
    [["explain", "a", "b", "--description", "E"], /its name and a file, or -/],
  ] as const
) {
  test(`skill learn ${words.join(" ")} is refused`, async () => {
    await assert.rejects(ran(["skill", "learn", ...words]), { message: reason });
  });
}

test("skill learn - tells a person at a terminal what it waits for (D62)", async () => {
  const client = { skillLearn: method(LEARNED) };
  const words = ["skill", "learn", "explain", "-", "--description", "E"];
  const { error } = await ran(words, { client, input: "body", isTerminal: true });
  assert.match(error, /Reading from the terminal.*Ctrl-D/);
  assert.equal((await ran(words, { client, input: "body" })).error, "");
});

test("skill list is an array, or a block for each", async () => {
  const skill = { kbid: ID, name: "explain", description: "Explains", argumentCount: 2 };
  const client = { skillList: method({ skills: [skill] }) };
  assert.deepEqual(JSON.parse((await ran(["skill", "list", "--json"], { client })).out), [skill]);
  const { out } = await ran(["skill", "list"], { client });
  assert.equal(out, `explain  (2 arguments)  Explains\n  ${ID}\n`);
  const none = await ran(["skill", "list"], { client: { skillList: method({ skills: [] }) } });
  assert.match(none.out, /kbdb skill install/);
});

test("skill get takes a name or an id", async () => {
  const skillGet = method({
    kbid: ID,
    name: "explain",
    description: "Explains",
    arguments: [{ name: "depth", description: "1 to 3", required: false }],
    body: "Explain\x1b[2J",
  });
  const { out } = await ran(["skill", "get", "explain"], { client: { skillGet } });
  assert.deepEqual(out.split("\n"), [
    `explain  Explains  ${ID}`,
    "  depth (optional): 1 to 3",
    "",
    "Explain␛[2J",
    "",
  ]);
  await ran(["skill", "get", ID], { client: { skillGet } });
  assert.deepEqual(skillGet.calls, [{ name: "explain" }, { kbid: ID }]);
});

test("skill render sends values and prints the prompt as it is", async () => {
  const skillRender = method({ text: "Explain x\x1b" });
  const words = ["skill", "render", "explain", "--set", "topic=a=b", "--set", "depth="];
  const { out } = await ran(words, { client: { skillRender } });
  assert.equal(out, "Explain x\x1b\n");
  const values = { topic: "a=b", depth: "" };
  assert.deepEqual(skillRender.calls, [{ name: "explain", arguments: values }]);
  await assert.rejects(ran(["skill", "render", "explain", "--set", "topic"]), {
    message: "Cannot set topic: write it as NAME=VALUE",
  });
});

test("skill delete takes an id, and is 3 where it is not there (D35)", async () => {
  await assert.rejects(ran(["skill", "delete", "explain"]), {
    message: /give its kbid\. See: kbdb skill get explain/,
  });
  const gone = await ran(["skill", "delete", ID], {
    client: { skillDelete: method({ kbid: ID, removed: true }) },
  });
  assert.deepEqual([gone.code, gone.out], [0, `Moved ${ID} to the trash\n`]);
  const none = await ran(["skill", "delete", ID], {
    client: { skillDelete: method({ kbid: ID, removed: false }) },
  });
  assert.deepEqual([none.code, none.error], [3, `kbdb: Not stored: ${ID}\n`]);
});

test("skill install lists what comes with kbdb, or stores it", async () => {
  const builtins = [{ name: "explain", description: "Explains", installed: true }];
  const skillInstall = method(LEARNED);
  const client = { skillBuiltins: method({ skills: builtins }), skillInstall };
  assert.equal((await ran(["skill", "install"], { client })).out, "explain  (stored)  Explains\n");
  const { out } = await ran(["skill", "install", "explain"], { client });
  assert.equal(out, `Stored: skill explain (${ID})\n`);
  assert.deepEqual(skillInstall.calls, ["explain"]);
});

test("agent create finds its skills by name and its persona in a file", async () => {
  const agentCreate = method({ docid: "agent-bob", name: "bob", skills: [ID, ID] });
  const client = { agentCreate, skillGet: method({ kbid: ID }) };
  const files = { "/desk/p.md": "You are Bob." };
  const words = ["agent", "create", "bob", "--description", "Helps", "--skill", ID];
  const { out } = await ran([...words, "--skill", "explain", "--persona", "p.md"], {
    client,
    files,
  });
  assert.equal(out, "Stored: agent bob, 2 skills\n");
  await ran([...words, "--persona", "You are kind."], { client });
  assert.deepEqual(agentCreate.calls, [
    { name: "bob", description: "Helps", persona: "You are Bob.", skills: [ID, ID] },
    { name: "bob", description: "Helps", persona: "You are kind.", skills: [ID] },
  ]);
});

test("agent get and delete take a name or a docid", async () => {
  const agent = {
    docid: "agent-bob",
    name: "bob",
    description: "Helps",
    persona: "You are Bob.",
    skills: [{ kbid: ID, name: null, position: 0 }],
  };
  const agentGet = method(agent);
  const agentDelete = method({ docid: "agent-bob", removed: true });
  const client = { agentGet, agentDelete };
  const { out } = await ran(["agent", "get", "bob"], { client });
  assert.deepEqual(out.split("\n"), [
    "bob  Helps  agent-bob",
    `  0. (deleted)  ${ID}`,
    "",
    "You are Bob.",
    "",
  ]);
  await ran(["agent", "get", "agent-bob"], { client });
  assert.deepEqual(agentGet.calls, ["agent-bob", "agent-bob"]);
  assert.equal((await ran(["agent", "delete", "bob"], { client })).code, 0);
  assert.deepEqual(agentDelete.calls, ["agent-bob"]);
});

test("agent list is an array, or a line for each", async () => {
  const agent = { docid: "agent-bob", name: "bob", description: "Helps", skillCount: 1 };
  const client = { agentList: method({ agents: [agent] }) };
  assert.deepEqual(JSON.parse((await ran(["agent", "list", "--json"], { client })).out), [agent]);
  assert.equal((await ran(["agent", "list"], { client })).out, "bob  (1 skill)  Helps\n");
});
