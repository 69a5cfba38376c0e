import assert from "node:assert/strict";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchDatabase } from "./accept/scratch.ts";
import { kbdb, kbdbJson } from "./support/command.ts";

const UNKNOWN = "0".repeat(26);

interface Found {
  items: { kbid: string; docids: string[] }[];
  total: number;
}

interface Trash {
  items: { id: string; kind: string; reason: string }[];
  total: number;
}

/** A database that holds a document `post` of two sections, and ways to ask it. */
async function post() {
  const database = await scratchDatabase();
  const on = (args: readonly string[]) => [...args, "--db", database.path];
  const json = <T>(...args: string[]) => kbdbJson<T>(on(args));
  const text = "# Parcels\n\nBlue parcels go left.\n\n# Letters\n\nAll letters go right.";
  await kbdbJson(on(["learn", "-", "--docid", "post"]), { input: text });
  return {
    path: database.path,
    json,
    run: (args: string[], input = "") => kbdb(on(args), { input }),
    idOf: async (word: string) => (await json<Found>("search", word)).items[0].kbid,
    total: async (word: string) => (await json<Found>("search", word)).total,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

test("revise takes the old section's place, and history tells of both (D12)", async () => {
  await using db = await post();
  const old = await db.idOf("parcels");
  const text = "# Parcels\n\nGreen parcels go left.";
  const { code, stdout } = await db.run(["revise", old, "-", "--json"], text);
  assert.equal(code, 0);
  const revised = JSON.parse(stdout) as { kbid: string; supersedes: string };
  assert.equal(revised.supersedes, old);
  assert.deepEqual([await db.total("blue"), await db.total("green")], [0, 1]);
  const content = await db.run(["content", "post"]);
  assert.equal(content.stdout, `${text}\n\n# Letters\n\nAll letters go right.\n`);
  assert.match((await db.run(["recall", old])).stdout, /Blue parcels/);
  const { current, revisions } = await db.json<{ current: string; revisions: unknown[] }>(
    "history",
    old,
  );
  assert.deepEqual([current, revisions.length], [revised.kbid, 2]);
  const { stdout: shown } = await db.run(["history", revised.kbid]);
  assert.match(shown, new RegExp(`^ {2}${old} .*\n\\* ${revised.kbid} .*\n$`));
});

test("revise of a superseded or unknown section is refused (D43)", async () => {
  await using db = await post();
  const old = await db.idOf("parcels");
  const { kbid } = await db.json<{ kbid: string }>("revise", old, "--content", "new");
  const again = await db.run(["revise", old, "--content", "newer"]);
  assert.notEqual(again.code, 0);
  assert.ok(again.stderr.includes(kbid), again.stderr);
  assert.equal((await db.run(["revise", UNKNOWN, "--content", "x"])).code, 3);
});

test("unlearn, trash and restore of a section go together (D49)", async () => {
  await using db = await post();
  const kbid = await db.idOf("parcels");
  const { removed } = await db.json<{ removed: boolean }>("unlearn", kbid);
  assert.deepEqual([removed, await db.total("parcels")], [true, 0]);
  const { items, total } = await db.json<Trash>("trash");
  assert.deepEqual([total, items[0].id, items[0].reason], [1, kbid, "unlearn"]);
  assert.equal((await db.run(["unlearn", kbid])).code, 3);
  assert.equal((await db.run(["restore", kbid])).code, 0);
  assert.equal(await db.total("parcels"), 1);
  assert.equal((await db.json<Trash>("trash")).total, 0);
  const { stdout } = await db.run(["content", "post"]);
  assert.match(stdout, /^# Parcels\n\nBlue.*\n\n# Letters/);
});

test("unlearn and restore of a document take its sections along (D15)", async () => {
  await using db = await post();
  assert.equal((await db.run(["unlearn", "--docid", "post"])).code, 0);
  assert.deepEqual([await db.total("parcels"), await db.total("letters")], [0, 0]);
  assert.equal((await db.run(["content", "post"])).code, 3);
  const { code, stderr } = await db.run(["restore", "post", UNKNOWN]);
  assert.equal(code, 3);
  assert.match(stderr, /^kbdb: Cannot restore 0+: it is not in the trash\n$/);
  assert.equal(await db.total("parcels"), 1);
  assert.equal((await db.run(["check"])).code, 0);
});

test("gc takes what was superseded, a dry run nothing (D13)", async () => {
  await using db = await post();
  const old = await db.idOf("parcels");
  await db.json("revise", old, "--content", "# Parcels\n\nGreen parcels go left.");
  const dry = await db.run(["gc", "--dry-run"]);
  assert.match(dry.stdout, new RegExp(`^${old} .*superseded`, "m"));
  assert.match(dry.stdout, /Would move 1 section/);
  assert.equal((await db.json<Trash>("trash")).total, 0);
  const { removed_sections } = await db.json<{ removed_sections: number }>("gc");
  assert.equal(removed_sections, 1);
  assert.equal((await db.json<{ removed_sections: number }>("gc")).removed_sections, 0);
});

test("trash empty needs --yes in a script, and is for good (D62)", async () => {
  await using db = await post();
  const kbid = await db.idOf("parcels");
  await db.json("unlearn", kbid);
  const asked = await db.run(["trash", "empty"], "yes\n");
  assert.equal(asked.code, 2);
  assert.match(asked.stderr, /1 entry .*--yes/);
  assert.equal((await db.json<Trash>("trash")).total, 1);
  const old = await db.json<{ removed: number }>("trash", "empty", "--yes", "--older-than", "1");
  assert.equal(old.removed, 0);
  assert.equal((await db.json<{ removed: number }>("trash", "empty", "--yes")).removed, 1);
  assert.equal((await db.run(["restore", kbid])).code, 3);
});

test("rebuild --adopt stores an edit by hand as a revision (D47)", async () => {
  await using db = await post();
  const kbid = await db.idOf("parcels");
  const path = join(db.path, "sections", kbid.slice(0, 2), `${kbid}.md`);
  const { readFileSync } = await import("node:fs");
  chmodSync(path, 0o600);
  writeFileSync(path, readFileSync(path, "utf8").replace("Blue", "Yellow"));
  assert.equal((await db.run(["check"])).code, 4);
  const { adopted } = await db.json<{ adopted: { supersedes: string }[] }>("rebuild", "--adopt");
  assert.deepEqual(adopted.map(({ supersedes }) => supersedes), [kbid]);
  assert.deepEqual([await db.total("blue"), await db.total("yellow")], [0, 1]);
});

test("learn --prune removes documents whose files are gone (D42)", async () => {
  await using db = await post();
  const folder = join(db.path, "../notes");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.md"), "# A\n\nzebrafish");
  writeFileSync(join(folder, "b.md"), "# B\n\nbumblebee");
  await db.json("learn", folder);
  rmSync(join(folder, "b.md"));
  await db.json("learn", folder);
  assert.equal(await db.total("bumblebee"), 1);
  const { pruned } = await db.json<{ pruned: number }>("learn", folder, "--prune");
  assert.deepEqual([pruned, await db.total("bumblebee"), await db.total("zebrafish")], [1, 0, 1]);
  assert.equal((await db.run(["restore", "notes/b.md"])).code, 0);
  for (const args of [["-", "--prune"], [join(folder, "a.md"), "--prune"]]) {
    assert.equal((await db.run(["learn", ...args], "x")).code, 2);
  }
});

test("learn --batch takes lines of JSON from a file or input (D57)", async () => {
  await using db = await post();
  const lines = [
    { content: "zebrafish", docid: "fish", tags: ["x"] },
    { content: "bumblebee", title: "Bee" },
  ].map((line) => JSON.stringify(line)).join("\n");
  const fromInput = await db.run(
    ["learn", "--batch", "-", "--json"],
    `${lines}\n\n{"content": 5}\n`,
  );
  assert.equal(fromInput.code, 1);
  const { added, failed } = JSON.parse(fromInput.stdout);
  assert.deepEqual([added, failed.length, failed[0].line], [2, 1, 4]);
  assert.match(fromInput.stderr, /content must be a string/);
  assert.deepEqual([await db.total("zebrafish"), await db.total("bumblebee")], [1, 1]);
  const file = join(db.path, "../facts.ndjson");
  writeFileSync(file, lines);
  const { stdout } = await db.run(["learn", "--batch", file]);
  assert.match(stdout, /^Learned 2 lines.*\n {2}added 0, unchanged 2, replaced 0, failed 0\n$/);
  const extra = await db.run(["learn", "--batch", file, "--title", "x"]);
  assert.equal(extra.code, 2);
});

test("learn --replace takes over a docid of another file (D11)", async () => {
  await using db = await post();
  const folder = join(db.path, "../notes");
  mkdirSync(join(folder, "old"), { recursive: true });
  writeFileSync(join(folder, "old/a.md"), "zebrafish");
  writeFileSync(join(folder, "a.md"), "bumblebee");
  await db.json("learn", join(folder, "old/a.md"));
  assert.equal((await db.run(["learn", join(folder, "a.md")])).code, 1);
  assert.equal((await db.run(["learn", join(folder, "a.md"), "--replace"])).code, 0);
  assert.deepEqual([await db.total("zebrafish"), await db.total("bumblebee")], [0, 1]);
});
