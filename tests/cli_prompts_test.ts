import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchDatabase } from "./accept/scratch.ts";
import { kbdb, kbdbJson } from "./support/command.ts";

const BODY = "Explain {{ topic }} in {{ count }} sentences. {{ remarks }}";

interface Skill {
  kbid: string;
  name: string;
  arguments: { name: string; required: boolean }[];
}

/** A database that holds the skill `explain`. */
async function withSkill() {
  const database = await scratchDatabase();
  const on = (args: readonly string[]) => [...args, "--db", database.path];
  const words = ["skill", "learn", "explain", "-", "--description", "Explains a topic"];
  const declared = ["--argument", "topic:What to explain", "--argument", "remarks:What else?"];
  const skill = await kbdbJson<Skill>(on([...words, ...declared]), { input: BODY });
  return {
    path: database.path,
    skill,
    json: <T>(...args: string[]) => kbdbJson<T>(on(args)),
    run: (args: string[], input = "") => kbdb(on(args), { input }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

test("skill learn merges given and detected arguments (D58)", async () => {
  await using db = await withSkill();
  const { skill } = db;
  assert.deepEqual(
    skill.arguments.map(({ name, required }) => [name, required]),
    [["topic", true], ["remarks", false], ["count", true]],
  );
  const got = await db.json<{ body: string }>("skill", "get", "explain");
  assert.equal(got.body, BODY);
  assert.deepEqual(await db.json("skill", "get", skill.kbid), got);
  assert.deepEqual(await db.json("skill", "list"), [
    { kbid: skill.kbid, name: "explain", description: "Explains a topic", argumentCount: 3 },
  ]);
});

test("skill learn refuses a bad name and an empty body", async () => {
  await using db = await withSkill();
  const named = await db.run(["skill", "learn", "Not a name", "-", "--description", "x"], "body");
  assert.equal(named.code, 2);
  const empty = await db.run(["skill", "learn", "empty", "-", "--description", "x"], "");
  assert.deepEqual([empty.code, empty.stderr], [2, "kbdb: skill body must not be empty\n"]);
});

test("skill render puts values in place, once (D27)", async () => {
  await using db = await withSkill();
  const values = ["--set", "topic={{ count }} & $&", "--set", "count=two"];
  const { stdout } = await db.run(["skill", "render", "explain", ...values]);
  assert.equal(stdout, "Explain {{ count }} & $& in two sentences. \n");
  const missing = await db.run(["skill", "render", "explain", "--set", "topic=x"]);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /count/);
  assert.equal((await db.run(["skill", "render", "nothing"])).code, 3);
});

test("skill delete takes a skill's id and nothing else", async () => {
  await using db = await withSkill();
  const { kbid } = await kbdbJson<{ kbid: string }>(["learn", "-", "--db", db.path], {
    input: "no skill",
  });
  assert.notEqual((await db.run(["skill", "delete", kbid])).code, 0);
  assert.deepEqual(await db.json("skill", "delete", db.skill.kbid), {
    kbid: db.skill.kbid,
    removed: true,
  });
  assert.equal((await db.run(["skill", "get", "explain"])).code, 3);
  assert.equal((await db.run(["restore", db.skill.kbid])).code, 0);
  assert.equal((await db.run(["skill", "get", "explain"])).code, 0);
});

test("skill install lists and stores what comes with kbdb", async () => {
  await using db = await withSkill();
  const [first] = await db.json<{ name: string; installed: boolean }[]>("skill", "install");
  assert.equal(first.installed, false);
  assert.equal((await db.json<Skill>("skill", "install", first.name)).name, first.name);
  const [again] = await db.json<{ installed: boolean }[]>("skill", "install");
  assert.equal(again.installed, true);
  const unknown = await db.run(["skill", "install", "nothing"]);
  assert.equal(unknown.code, 3);
  assert.ok(unknown.stderr.includes(first.name));
});

test("agents are created, shown and deleted (D58)", async () => {
  await using db = await withSkill();
  const persona = join(db.path, "../persona.md");
  writeFileSync(persona, "You are patient.");
  const create = ["agent", "create", "teacher", "--description", "Explains", "--skill", "explain"];
  const { kbid } = db.skill;
  const created = { docid: "agent-teacher", name: "teacher", skills: [kbid] };
  assert.deepEqual(await db.json(...create, "--persona", persona), created);
  assert.deepEqual(await db.json("agent", "get", "teacher"), {
    docid: "agent-teacher",
    name: "teacher",
    description: "Explains",
    persona: "You are patient.",
    skills: [{ kbid, name: "explain", position: 0 }],
  });
  assert.deepEqual(await db.json("agent", "list"), [
    { docid: "agent-teacher", name: "teacher", description: "Explains", skillCount: 1 },
  ]);
  await db.json("skill", "delete", kbid);
  const { stdout } = await db.run(["agent", "get", "teacher"]);
  assert.match(stdout, new RegExp(`^ {2}0\\. \\(deleted\\) {2}${kbid}$`, "m"));
  assert.equal((await db.run(["agent", "delete", "teacher"])).code, 0);
  assert.equal((await db.run(["agent", "delete", "teacher"])).code, 3);
  assert.equal((await db.run(["agent", "get", "teacher"])).code, 3);
});

test("agent create refuses an unknown skill", async () => {
  await using db = await withSkill();
  const create = ["agent", "create", "teacher", "--description", "x", "--persona", "y"];
  assert.equal((await db.run([...create, "--skill", "nothing"])).code, 3);
  assert.notEqual((await db.run([...create, "--skill", "0".repeat(26)])).code, 0);
  assert.deepEqual(await db.json("agent", "list"), []);
});
