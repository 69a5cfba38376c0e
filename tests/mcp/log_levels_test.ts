import assert from "node:assert/strict";
import { test } from "node:test";
import { LOG_LEVELS } from "../../src/mcp/types.ts";
import { openSession, type TestSession } from "./session.ts";
import { NOBODY } from "./tools_support.ts";

/** What the server says, one event of each level that it uses. */
async function happenings(session: TestSession): Promise<void> {
  const { kbid } = await session.tool("learn", { content: "A fact." });
  await session.tool("learn", { content: `password = "${"hunter2A9!x".repeat(2)}"` });
  await session.tool("unlearn", { kbid });
  await session.failure("retrieve", { docid: "absent" });
}

function levelsHeard(session: TestSession): Set<unknown> {
  return new Set(session.heard("notifications/message").map(({ level }) => level));
}

test("nothing is said before a level is set [missed-log-3]", async () => {
  await using session = await openSession();
  await happenings(session);
  assert.deepEqual(session.heard("notifications/message"), []);
});

test("a real event is said at each level that is used [missed-log-4 log-03]", async () => {
  await using session = await openSession();
  await session.call("logging/setLevel", { level: "debug" });
  await happenings(session);
  assert.deepEqual([...levelsHeard(session)].sort(), [
    "debug",
    "error",
    "info",
    "notice",
    "warning",
  ]);
  const said = session.heard("notifications/message");
  assert(said.every(({ logger, data }) => logger === "kbdb" && typeof data === "string"));
  assert(said.some(({ data }) => /^Indexed \d+ terms for section/.test(String(data))));
  assert(!said.some(({ data }) => String(data).includes("hunter2")));
});

test("levels at or above the one that was set are sent, until another is [log-01 log-02 log-03 missed-log-1]", async () => {
  await using session = await openSession();
  const used = ["debug", "info", "notice", "warning", "error"];
  assert.deepEqual(LOG_LEVELS.slice(0, 5), used);
  for (const [i, level] of LOG_LEVELS.entries()) {
    assert.deepEqual(await session.call("logging/setLevel", { level }), {});
    session.told.length = 0;
    const { kbid } = await session.tool("learn", { content: `Fact ${i}.` });
    await session.tool("learn", { content: `token = "${i}bQ7!kZp04xWm9"` });
    await session.tool("unlearn", { kbid });
    await session.failure("recall", { kbid: NOBODY });
    const heard = levelsHeard(session);
    assert.deepEqual(used.filter((one) => heard.has(one)), used.slice(i), level);
  }
});

test("all eight levels stand in the order of their weight [log-02 log-03 log-04]", async () => {
  await using session = await openSession();
  const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
  for (const [i, level] of levels.entries()) {
    await session.call("logging/setLevel", { level });
    session.told.length = 0;
    for (const one of LOG_LEVELS) session.session.log(one, "Something");
    assert.deepEqual(
      session.heard("notifications/message"),
      levels.slice(i).map((one) => ({ level: one, logger: "kbdb", data: "Something" })),
    );
  }
});

test("an unknown level is refused [missed-log-2]", async () => {
  await using session = await openSession();
  for (const level of ["verbose", "", "DEBUG", "warn", 3, null, undefined]) {
    await assert.rejects(session.call("logging/setLevel", { level }), { code: -32602 });
  }
});
