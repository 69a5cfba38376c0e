import type { Client } from "@modelcontextprotocol/sdk/client";
import assert from "node:assert/strict";
import { test } from "node:test";
import { kbdb } from "../support/command.ts";
import { Hosts, toolJson } from "./client.ts";

const EACH = 50;
const DOCID = "shared";
/** So many commands run at once: each is a process. */
const COMMANDS_AT_ONCE = 5;

function factOf(who: string, i: number): string {
  return `Fact ${i} of ${who}: nobody else says this.`;
}

async function learnAll(client: Client, who: string): Promise<string[]> {
  const calls = Array.from(
    { length: EACH },
    (_, i) => toolJson(client, "learn", { content: factOf(who, i), docid: DOCID }),
  );
  return (await Promise.all(calls)).map(({ kbid }) => kbid);
}

async function learnByCommand(path: string): Promise<string[]> {
  const kbids: string[] = [];
  const queue = Array.from({ length: EACH }, (_, i) => i).values();
  const lane = async () => {
    for (const i of queue) {
      const args = ["learn", "-", "--docid", DOCID, "--db", path, "--json"];
      const { code, stdout, stderr } = await kbdb(args, { input: factOf("command", i) });
      assert.equal(code, 0, stderr);
      kbids.push(JSON.parse(stdout).kbid);
    }
  };
  await Promise.all(Array.from({ length: COMMANDS_AT_ONCE }, lane));
  return kbids;
}

test("two servers and a command learn into one document at once: nothing is lost (B01) [server-cli-6]", async () => {
  await using hosts = new Hosts();
  const [one, two] = await Promise.all([hosts.connect(), hosts.connect()]);
  await toolJson(one, "learn", { content: "The first fact makes the database.", docid: DOCID });
  const learned = (await Promise.all([
    learnAll(one, "one"),
    learnAll(two, "two"),
    learnByCommand(hosts.path),
  ])).flat();
  assert.equal(new Set(learned).size, 3 * EACH);
  const { sections } = await toolJson(two, "retrieve", { docid: DOCID });
  const listed = sections.map(({ kbid }: { kbid: string }) => kbid);
  assert.equal(listed.length, 3 * EACH + 1);
  assert.equal(new Set(listed).size, listed.length);
  for (const kbid of learned) assert(listed.includes(kbid), kbid);
  const { ok, sections_checked } = await toolJson(one, "check");
  assert.deepEqual({ ok, sections_checked }, { ok: true, sections_checked: 3 * EACH + 1 });
});

test("some learn while others unlearn: what was acknowledged last holds (B01)", async () => {
  await using hosts = new Hosts();
  const [one, two] = await Promise.all([hosts.connect(), hosts.connect()]);
  const before = await learnAll(one, "before");
  const gone = before.slice(0, 20);
  const [after] = await Promise.all([
    learnAll(two, "after"),
    ...gone.map((kbid) => toolJson(one, "unlearn", { kbid })),
  ]);
  const { sections } = await toolJson(one, "retrieve", { docid: DOCID });
  const listed = sections.map(({ kbid }: { kbid: string }) => kbid).sort();
  assert.deepEqual(listed, [...before.slice(20), ...after].sort());
  assert.equal((await toolJson(two, "check")).ok, true);
});
