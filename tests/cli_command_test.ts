import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { scratchDatabase } from "./accept/scratch.ts";
import { kbdb, kbdbCommand, kbdbJson, run } from "./support/command.ts";
import { tempDir } from "./support/temp_dir.ts";

const PARCELS = "# Parcels\n\nBlue parcels go left.\n\n# Letters\n\nAll letters go right.";

/** A database that holds a document `post` of two sections. */
async function postDatabase() {
  const database = await scratchDatabase();
  const learn = ["learn", "-", "--docid", "post", "--tag", "work", "--db", database.path];
  await kbdbJson(learn, { input: PARCELS });
  return {
    path: database.path,
    run: (...args: string[]) => kbdb([...args, "--db", database.path]),
    json: <T>(...args: string[]) => kbdbJson<T>([...args, "--db", database.path]),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

interface Found {
  items: Record<string, unknown>[];
  total: number;
}

test("search --json has the documented keys in order (D19)", async () => {
  await using db = await postDatabase();
  const found = await db.json<Found>("search", "parcels", "--content");
  assert.deepEqual(Object.keys(found).slice(0, 5), [
    "items",
    "total",
    "offset",
    "limit",
    "has_more",
  ]);
  assert.deepEqual(Object.keys(found.items[0]), [
    "kbid",
    "heading",
    "type",
    "docids",
    "snippet",
    "matched_terms",
    "content",
    "tags",
  ]);
  const { stdout } = await db.run("search", "parcels", "--format", "json");
  assert.ok(stdout.startsWith('{\n  "items": [\n    {\n      "kbid": "'), stdout);
  const short = await db.json<Found>("search", "parcels");
  assert.equal("content" in short.items[0], false);
});

test("recall --json gives one object, or an array of several", async () => {
  await using db = await postDatabase();
  const { items } = await db.json<Found>("search", "go");
  const ids = items.map(({ kbid }) => String(kbid));
  const one = await db.json<Record<string, unknown>>("recall", ids[0]);
  assert.deepEqual(Object.keys(one).slice(0, 5), ["kbid", "heading", "type", "content", "docids"]);
  const several = await db.json<Record<string, unknown>[]>("recall", ...ids);
  assert.deepEqual(several.map(({ kbid }) => kbid), ids);
});

test("recall of an unknown id costs only itself, and is 3 (D35)", async () => {
  await using db = await postDatabase();
  const { items: [{ kbid }] } = await db.json<Found>("search", "parcels");
  const unknown = "0".repeat(26);
  const { code, stdout, stderr } = await db.run("recall", unknown, String(kbid), "--json");
  assert.equal(code, 3);
  assert.equal(stderr, `kbdb: Section not found: ${unknown}\n`);
  assert.deepEqual(JSON.parse(stdout).map((item: { kbid: string }) => item.kbid), [unknown, kbid]);
  for (const id of ["xyz", "../../etc/hostname", ""]) {
    assert.equal((await db.run("recall", id)).code, 2, id);
  }
});

test("status, check and rebuild answer in JSON and text", async () => {
  await using db = await postDatabase();
  const status = await db.json<Record<string, unknown>>("status");
  assert.deepEqual([status.sections, status.documents], [2, 1]);
  assert.deepEqual(Object.keys(status).slice(0, 3), ["initialized", "contextPath", "cacheStats"]);
  assert.equal((await db.json<{ ok: boolean }>("check")).ok, true);
  assert.equal((await db.json<{ sections_reindexed: number }>("rebuild")).sections_reindexed, 2);
  for (const command of ["status", "check", "rebuild"]) {
    const { code, stdout, stderr } = await db.run(command);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /2 sections/);
  }
});

test("exit codes follow D35", async () => {
  await using db = await postDatabase();
  using folder = tempDir();
  const expected: [number, string[]][] = [
    [0, ["search", "nothing-like-it"]],
    [2, ["search"]],
    [2, ["search", ""]],
    [2, ["search", "x", "--limit", "0"]],
    [2, ["frobnicate"]],
    [3, ["recall", "0".repeat(26)]],
    [3, ["learn", folder.join("none")]],
    [5, ["status", "--no-daemon"]],
  ];
  for (const [code, args] of expected) {
    const result = await db.run(...args);
    assert.equal(result.code, code, `${args.join(" ")}: ${result.stderr}`);
  }
  assert.equal((await kbdb(["status", "--db", folder.join("none")])).code, 3);
  assert.equal((await kbdb(["status", "--db", folder.path])).code, 2);
  assert.equal((await kbdb(["status"], { cwd: folder.path })).code, 3);
});

test("check of a changed section is 4 and names it (D35)", async () => {
  await using db = await postDatabase();
  const { items: [{ kbid }] } = await db.json<Found>("search", "parcels");
  const path = join(db.path, "sections", String(kbid).slice(0, 2), `${kbid}.md`);
  chmodSync(path, 0o600);
  writeFileSync(path, "not what it was");
  const { code, stdout } = await db.run("check");
  assert.equal(code, 4);
  assert.ok(stdout.includes(`checksum_mismatch: ${kbid}`), stdout);
});

test("errors are one line on stderr, without a stack (D21)", async () => {
  await using db = await postDatabase();
  const lines = [
    ["search"],
    ["search", "x", "--limit", "0"],
    ["search", "--limt", "3", "x"],
    ["recall", "0".repeat(26)],
    ["learn", "/none"],
    ["status", "--no-daemon"],
    ["worker"],
    ["status", "--format", "xml"],
    ["status", "--json", "--format", "text"],
  ];
  for (const args of lines) {
    const { code, stdout, stderr } = await db.run(...args);
    assert.notEqual(code, 0);
    assert.equal(stdout, "", args.join(" "));
    assert.match(stderr, /^kbdb: [^\n]+\n$/);
    assert.doesNotMatch(stderr, /\bat .*:\d+:\d+|\.ts\b|undefined|\[object/);
  }
});

test("worker status and stop tell the daemon (D35)", async () => {
  await using db = await postDatabase();
  const { running, pid } = await db.json<{ running: boolean; pid: number }>("worker", "status");
  assert.equal(running, true);
  assert.deepEqual(await db.json("worker", "stop"), { stopped: true, pid });
  const { code, stdout } = await db.run("worker", "status", "--json");
  assert.deepEqual([code, JSON.parse(stdout)], [3, { running: false }]);
  assert.deepEqual(await db.json("worker", "stop"), { stopped: false, pid: null });
});

test("db init makes nothing in a folder of something else (D61)", async () => {
  using folder = tempDir();
  mkdirSync(folder.join("x.kbdb"));
  writeFileSync(folder.join("x.kbdb/notes.md"), "mine");
  const foreign = await kbdb(["db", "init", folder.join("x.kbdb")]);
  assert.equal(foreign.code, 2);
  assert.match(foreign.stderr, /not empty/);
  assert.deepEqual(readdirSync(folder.join("x.kbdb")), ["notes.md"]);
  assert.notEqual((await kbdb(["db", "init", folder.join("x.kbdb/notes.md")])).code, 0);
  assert.deepEqual(await kbdbJson(["db", "init", "--name", "mine"], { cwd: folder.path }), {
    path: folder.join(".kbdb"),
    created: true,
  });
  assert.equal((await kbdb(["db", "init"], { cwd: folder.path })).code, 2);
  await kbdb(["worker", "stop"], { cwd: folder.path });
});

test("two databases answer for themselves only", async () => {
  await using one = await postDatabase();
  await using two = await scratchDatabase();
  await kbdbJson(["learn", "-", "--docid", "x", "--db", two.path], {
    input: "# Fish\n\nZebrafish",
  });
  assert.equal((await one.json<Found>("search", "zebrafish")).total, 0);
  const other = await kbdbJson<Found>(["search", "parcels", "--db", two.path]);
  assert.equal(other.total, 0);
});

for (const query of ["a/b", "don't", '"', '"open', "(", "a AND", "NOT", "NEAR(", "col:x", "*"]) {
  test(`search takes ${query} as words (B26)`, async () => {
    await using db = await postDatabase();
    const { code, stderr } = await db.run("search", query);
    assert.deepEqual([code, stderr], [0, ""]);
  });
}

test("search takes words that begin with - after -- (B26)", async () => {
  await using db = await postDatabase();
  const args = ["search", "--db", db.path, "--", "-x", "--help", "parcels"];
  const { code, stdout } = await kbdb(args);
  assert.equal(code, 0);
  assert.match(stdout, /Blue parcels/);
});

test("a query of 1 MB is refused with the limit (B26)", async (context) => {
  await using db = await postDatabase();
  const [program, ...args] = kbdbCommand();
  // One argument may have 128 KiB, so it takes several.
  const words = Array.from({ length: 10 }, () => "x".repeat(100_000));
  if (process.platform === "win32") return context.skip("command lines are shorter here");
  const { code, stderr } = await run([program, ...args, "search", ...words, "--db", db.path]);
  assert.notEqual(code, 0);
  assert.match(stderr, /65536/);
  assert.ok(stderr.length < 1000);
});
