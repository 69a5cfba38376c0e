import assert from "node:assert/strict";
import { existsSync } from "node:fs";
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
];

for (const [tool, args] of READS) {
  test(`${tool} ${JSON.stringify(args)} says that there is no database yet (D61)`, async () => {
    await using session = await openSession({ database: false });
    const { content, structuredContent, isError } = await session.result(tool, args);
    assert.equal(isError, undefined);
    assert.match(JSON.stringify(content), /There is no database yet/);
    assert.match(String(structuredContent?.notice), /There is no database yet/);
    assert(!existsSync(session.path));
  });
}

test("nothing is offered while there is no database (D61)", async () => {
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

test("the first write makes the database and says so (D61)", async () => {
  await using session = await openSession({ database: false });
  const writes = ["one", "two"].map((content) => session.tool("learn", { content }));
  const [one, two] = await Promise.all(writes);
  assert.match(one.notice, /made it/);
  assert.match(two.notice, /made it/);
  assert.equal((await session.tool("learn", { content: "three" })).notice, undefined);
  assert.equal((await session.tool("search", { query: "one two three" })).total, 3);
});

test("what was subscribed to before the database was made is told of (D61)", async () => {
  await using session = await openSession({ database: false });
  const uri = "kbdb://document/handbook";
  assert.deepEqual(await session.call("resources/subscribe", { uri }), {});
  await session.tool("learn", { content: "one" });
  await session.tool("learn", { content: "two", docid: "handbook" });
  assert.deepEqual(await session.hears("notifications/resources/updated"), [{ uri }]);
});
