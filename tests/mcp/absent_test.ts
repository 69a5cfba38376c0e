import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { test } from "node:test";
import { openSession } from "./session.ts";

const READS: [tool: string, args: Record<string, unknown>][] = [
  ["search", { query: "parcel" }],
  ["search", { query: "parcel", mode: "stats" }],
  ["recall", { kbid: "1cy96vmqxgmc72dt1v5b2vkrmy" }],
  ["recall", { kbids: ["1cy96vmqxgmc72dt1v5b2vkrmy"] }],
  ["retrieve", { docid: "handbook" }],
  ["content", { ids: ["handbook"] }],
  ["history", { kbid: "1cy96vmqxgmc72dt1v5b2vkrmy" }],
  ["status", {}],
  ["check", {}],
  ["skill-list", {}],
  ["agent-list", {}],
  ["skill-get", { name: "greet" }],
  ["skill-get", { kbid: "1cy96vmqxgmc72dt1v5b2vkrmy" }],
  ["agent-get", { docid: "agent-clerk" }],
];

for (const [tool, args] of READS) {
  test(`${tool} ${JSON.stringify(args)} says that there is no database yet [ruling-d61-2]`, async () => {
    await using session = await openSession({ database: false });
    const { content, structuredContent, isError } = await session.result(tool, args);
    assert.equal(isError, undefined);
    assert.match(JSON.stringify(content), /There is no database yet/);
    assert.match(String(structuredContent?.notice), /There is no database yet/);
    assert(!existsSync(session.path));
  });
}

test("nothing is offered while there is no database [ruling-d61-2]", async () => {
  await using session = await openSession({ database: false });
  assert.deepEqual(await session.call("prompts/list"), { prompts: [] });
  const get = session.call("prompts/get", { name: "greet" });
  await assert.rejects(get, { code: -32002, message: "Prompt not found: greet" });
  const uri = "kbdb://document/handbook";
  await assert.rejects(session.call("resources/read", { uri }), { code: -32002, data: { uri } });
  const ref = { type: "ref/prompt", name: "" };
  const none = { values: [], hasMore: false, total: 0 };
  assert.deepEqual(await session.call("completion/complete", { ref }), { completion: none });
});

test("the first write makes the database and says so [ruling-d61-3]", async () => {
  await using session = await openSession({ database: false });
  const writes = ["one", "two"].map((content) => session.tool("learn", { content }));
  const [one, two] = await Promise.all(writes);
  assert.match(one.notice, /made it/);
  assert.match(two.notice, /made it/);
  assert.equal((await session.tool("learn", { content: "three" })).notice, undefined);
  assert.equal((await session.tool("search", { query: "one two three" })).total, 3);
});

test("arguments are looked at where there is no database, too [error-15 ruling-d58-1]", async () => {
  await using session = await openSession({ database: false });
  assert.equal(await session.failure("skill-get"), "Provide name or kbid");
  const agent = { name: "A clerk", description: "Answers", persona: "You are a clerk." };
  assert.match(await session.failure("agent-create", { ...agent, skills: [] }), /"A clerk"/);
  const skill = { name: "A skill", description: "Greets", body: "Hello." };
  assert.match(await session.failure("skill-learn", skill), /"A skill"/);
  assert(!existsSync(session.path));
});

test("a write that fails leaves it to the next one to say that the database was made [ruling-d61-3]", async () => {
  await using session = await openSession({ database: false });
  await session.failure("learn", { content: "one", type: "audio/wav" });
  assert.match((await session.tool("learn", { content: "two" })).notice, /made it/);
  assert.equal((await session.tool("learn", { content: "three" })).notice, undefined);
});

test("a database whose making was cut off is made by the first write [ruling-d61-1 ruling-d61-3]", async () => {
  await using session = await openSession({ database: false });
  mkdirSync(`${session.path}/worker`, { recursive: true });
  assert.match((await session.tool("search", { query: "one" })).notice, /no database yet/);
  assert.match((await session.tool("learn", { content: "one" })).notice, /made it/);
  assert.equal((await session.tool("search", { query: "one" })).total, 1);
});

test("skills and agents make the database as well [ruling-d61-3]", async () => {
  const agent = { name: "clerk", description: "Answers", persona: "You are a clerk.", skills: [] };
  const writes = [
    ["skill-learn", { name: "greet", description: "Greets", body: "Hello." }],
    ["agent-create", agent],
  ] as const;
  for (const [tool, args] of writes) {
    await using session = await openSession({ database: false });
    assert.match((await session.tool(tool, args)).notice, /made it/);
    assert(existsSync(session.path));
  }
});

test("what was subscribed to before the database was made is told of [ruling-d61-3 subscribe-03]", async () => {
  await using session = await openSession({ database: false });
  const uri = "kbdb://document/handbook";
  assert.deepEqual(await session.call("resources/subscribe", { uri }), {});
  await session.tool("learn", { content: "one" });
  await session.tool("learn", { content: "two", docid: "handbook" });
  assert.deepEqual(await session.hears("notifications/resources/updated"), [{ uri }]);
});
