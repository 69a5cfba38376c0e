import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { openDatabase } from "../mod.ts";
import { daemonPid, scratchDatabase } from "./accept/scratch.ts";
import { kbdb, kbdbJson, run, runtime } from "./support/command.ts";
import { projectRoot } from "./support/project.ts";
import { daemonPids } from "./support/processes.ts";
import { tempDir } from "./support/temp_dir.ts";

interface Found {
  total: number;
}

const denoOnly = { skip: runtime === "deno" ? false : "Node has no permission flags" };
const FILE_RIGHTS = ["read", "write", "env", "sys"];

/** Runs the command under Deno with these rights only. */
function withRights(rights: readonly string[], args: readonly string[]) {
  const flags = rights.map((right) => `--allow-${right}`);
  const entry = join(projectRoot, "cli.ts");
  return run([process.execPath, "run", "--no-prompt", ...flags, entry, ...args], { input: "fish" });
}

/** The only lock file of a database. */
function lockOf(database: string): { pid: number; released?: boolean } {
  const folder = join(database, "worker");
  const [name] = readdirSync(folder).filter((name) => name.startsWith("lock."));
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

test("--no-daemon does all work in its own process (D53)", async () => {
  await using database = await scratchDatabase();
  const on = ["--no-daemon", "--db", database.path];
  await kbdbJson(["learn", "-", "--docid", "x", ...on], { input: "# Fish\n\nzebrafish" });
  assert.equal((await kbdbJson<Found>(["search", "zebrafish", ...on])).total, 1);
  assert.equal((await kbdb(["check", ...on])).code, 0);
  assert.deepEqual(daemonPids(database.path), []);
  assert.ok(!existsSync(join(database.path, "worker/endpoint")));
  assert.equal(lockOf(database.path).released, true);
  assert.equal((await kbdbJson<Found>(["search", "zebrafish", "--db", database.path])).total, 1);
});

test("--no-daemon beside a daemon is locked, naming it (D53)", async () => {
  await using database = await scratchDatabase();
  await kbdbJson(["status", "--db", database.path]);
  const pid = await daemonPid(database.path);
  const { code, stderr } = await kbdb(["status", "--no-daemon", "--db", database.path]);
  assert.equal(code, 5);
  assert.match(stderr, new RegExp(`process ${pid} holds it`));
  assert.equal(await daemonPid(database.path), pid);
});

test("commands wait for a process that holds the database (D53)", async () => {
  await using database = await scratchDatabase();
  const holding = await openDatabase(database.path, { daemon: "never" });
  await holding.learn({ content: "zebrafish" });
  const waiting = kbdbJson<Found>(["search", "zebrafish", "--db", database.path]);
  setTimeout(() => void holding.close(), 1500);
  assert.equal((await waiting).total, 1);
});

test("many in-process writers take turns and lose nothing (B01)", async () => {
  await using database = await scratchDatabase();
  const learn = (i: number) =>
    kbdb(["learn", "-", "--docid", "x", "--no-daemon", "--db", database.path], {
      input: `zebrafish ${i}`,
    });
  const results = await Promise.all(Array.from({ length: 4 }, (_, i) => learn(i)));
  for (const { code, stderr } of results) {
    assert.ok(code === 0 || (code === 5 && /holds it|faster|starting/.test(stderr)), stderr);
  }
  const stored = results.filter(({ code }) => code === 0).length;
  assert.ok(stored > 0);
  assert.equal(
    (await kbdbJson<Found>(["search", "zebrafish", "--db", database.path])).total,
    stored,
  );
});

for (const rights of [FILE_RIGHTS, [...FILE_RIGHTS, "net"], [...FILE_RIGHTS, "run"]]) {
  test(`Deno with ${rights.join(", ")} needs no daemon (B25, D53)`, denoOnly, async () => {
    await using database = await scratchDatabase();
    const args = ["learn", "-", "--docid", "x", "--json", "--db", database.path];
    const { code, stdout, stderr } = await withRights(rights, args);
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).docid, "x");
    assert.match(stderr, /^No daemon can be used here[^\n]*\n$/);
    assert.deepEqual(daemonPids(database.path), []);
  });
}

for (const missing of ["read", "write"]) {
  test(`Deno without ${missing} is told the flag (B25)`, denoOnly, async () => {
    await using database = await scratchDatabase();
    const rights = FILE_RIGHTS.filter((right) => right !== missing);
    const { code, stdout, stderr } = await withRights(rights, ["status", "--db", database.path]);
    assert.notEqual(code, 0);
    assert.equal(stdout, "");
    assert.match(stderr, new RegExp(`--allow-${missing}`));
    assert.doesNotMatch(stderr, /^\s+at /m);
  });
}

test("Deno without net beside a daemon is locked (D53)", denoOnly, async () => {
  await using database = await scratchDatabase();
  await kbdbJson(["status", "--db", database.path]);
  const pid = await daemonPid(database.path);
  const { code, stderr } = await withRights(FILE_RIGHTS, ["status", "--db", database.path]);
  assert.equal(code, 5);
  assert.match(stderr, new RegExp(`process ${pid} holds it`));
});

test("a killed in-process writer blocks nobody (B07)", async () => {
  using folder = tempDir();
  const path = folder.join(".kbdb");
  await kbdbJson(["db", "init", folder.path]);
  const lock = { pid: 2 ** 22 + 1, started: null, token: "t" };
  const { hostname } = await import("node:os");
  const { writeFileSync } = await import("node:fs");
  writeFileSync(join(path, "worker/lock.9"), JSON.stringify({ ...lock, host: hostname() }));
  assert.equal((await kbdb(["status", "--no-daemon", "--db", path])).code, 0);
});
