import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../mod.ts";
import { daemonPid, scratchDatabase } from "./accept/scratch.ts";
import { kbdb, kbdbCommand, kbdbJson, run } from "./support/command.ts";
import { daemonPids, until } from "./support/processes.ts";

const GENEROUS_MS = 60_000;

interface Found {
  items: { docids: string[] }[];
  total: number;
}

async function learn(database: string, docid: string, content: string): Promise<void> {
  await kbdbJson(["learn", "-", "--docid", docid, "--db", database], { input: content });
}

function search(database: string, word: string): Promise<Found> {
  return kbdbJson<Found>(["search", word, "--db", database]);
}

function worker(database: string): string[] {
  return readdirSync(join(database, "worker"));
}

/** Every name below a folder with its kind and permission bits. */
function rightsBelow(folder: string): { path: string; kind: string; mode: number }[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const info = lstatSync(path);
    const kind = info.isDirectory() ? "folder" : info.isSocket() ? "socket" : "file";
    const own = { path, kind, mode: info.mode & 0o777 };
    return kind === "folder" ? [own, ...rightsBelow(path)] : [own];
  });
}

test("a search after kill -9 is answered by a new daemon (B08)", async () => {
  await using database = await scratchDatabase();
  await learn(database.path, "fish", "zebrafish");
  const killed = await daemonPid(database.path);
  process.kill(killed, "SIGKILL");
  assert.equal((await search(database.path, "zebrafish")).total, 1);
  assert.notEqual(await daemonPid(database.path), killed);
});

test("SIGTERM keeps what was acknowledged and leaves nothing behind", async () => {
  await using database = await scratchDatabase();
  for (let i = 0; i < 5; i++) await learn(database.path, `d${i}`, `zebrafish ${i}`);
  process.kill(await daemonPid(database.path), "SIGTERM");
  await until(() => daemonPids(database.path).length === 0, GENEROUS_MS);
  const left = worker(database.path).filter((name) => /^(socket|endpoint|starting)/.test(name));
  assert.deepEqual(left, []);
  const [lock] = worker(database.path).filter((name) => name.startsWith("lock."));
  assert.match(readFileSync(join(database.path, "worker", lock), "utf8"), /"released":true/);
  assert.equal((await search(database.path, "zebrafish")).total, 5);
});

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  test(`${signal} in mid-call: each learn is applied once (B13)`, async () => {
    await using database = await scratchDatabase();
    await using db = await openDatabase(database.path);
    for (let round = 0; round < 8; round++) {
      const { pid } = await db.status();
      const calls = Array.from(
        { length: 20 },
        (_, i) => db.learn({ content: `zebrafish ${round}-${i}`, docid: "fish" }),
      );
      await sleep(3 * round);
      process.kill(pid, signal);
      // A repeated request that was applied twice would find its own section there already.
      const existing = (await Promise.all(calls)).filter((answer) => answer.existing);
      assert.deepEqual(existing, []);
      assert.notEqual((await db.status()).pid, pid);
    }
    assert.equal((await db.search("zebrafish")).total, 160);
    const { code, stdout } = await kbdb(["check", "--db", database.path]);
    assert.equal(code, 0, stdout);
  });
}

test("a stopped daemon is waited for, not doubled (B08)", async () => {
  await using database = await scratchDatabase();
  await learn(database.path, "fish", "zebrafish");
  const pid = await daemonPid(database.path);
  process.kill(pid, "SIGSTOP");
  try {
    const answer = search(database.path, "zebrafish");
    await sleep(3000);
    assert.deepEqual(daemonPids(database.path), [pid]);
    process.kill(pid, "SIGCONT");
    assert.equal((await answer).total, 1);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  assert.deepEqual(daemonPids(database.path), [pid]);
});

for (const kind of ["file", "folder"] as const) {
  test(`a ${kind} at the socket's path is named and kept (B08)`, async () => {
    await using database = await scratchDatabase();
    const path = join(database.path, "worker/socket");
    if (kind === "file") writeFileSync(path, "mine");
    else mkdirSync(path);
    const { code, stderr, stdout } = await kbdb(["search", "x", "--db", database.path]);
    assert.equal(code, 5, stderr);
    assert.ok(stderr.includes(path), stderr);
    assert.equal(stdout, "");
    assert.equal(lstatSync(path).isDirectory(), kind === "folder");
    if (kind === "file") assert.equal(readFileSync(path, "utf8"), "mine");
    rmSync(path, { recursive: true });
  });
}

test("a dead socket and lock do not block a start (B08)", async () => {
  await using database = await scratchDatabase();
  await learn(database.path, "fish", "zebrafish");
  process.kill(await daemonPid(database.path), "SIGKILL");
  await until(() => daemonPids(database.path).length === 0, GENEROUS_MS);
  assert.ok(existsSync(join(database.path, "worker/socket")));
  assert.equal((await search(database.path, "zebrafish")).total, 1);
});

test("all files are private whatever the umask (B11)", async () => {
  await using database = await scratchDatabase();
  rmSync(database.path, { recursive: true });
  const command = (...args: string[]) =>
    run(["sh", "-c", 'umask 000; exec "$@"', "sh", ...kbdbCommand(), ...args], {
      input: "# Zebrafish\n\nlives in rivers",
    });
  await command("db", "init", join(database.path, ".."));
  const { code } = await command("learn", "-", "--docid", "fish", "--db", database.path);
  assert.equal(code, 0);
  assert.equal(lstatSync(database.path).mode & 0o777, 0o700);
  const rights = rightsBelow(database.path);
  const open = rights.filter(({ kind, mode }) => mode !== (kind === "folder" ? 0o700 : 0o600));
  assert.deepEqual(open, []);
  assert.equal(rights.filter(({ kind }) => kind === "socket").length, 1);
});

test("a planted link for the endpoint is refused (B11)", async () => {
  await using database = await scratchDatabase();
  const victim = join(database.path, "../victim");
  writeFileSync(victim, "untouched");
  const { symlinkSync } = await import("node:fs");
  symlinkSync(victim, join(database.path, "worker/endpoint"));
  const { code, stderr } = await kbdb(["search", "x", "--db", database.path]);
  assert.equal(code, 1);
  assert.match(stderr, /endpoint: it is a symbolic link/);
  assert.equal(readFileSync(victim, "utf8"), "untouched");
  rmSync(join(database.path, "worker/endpoint"));
});

test("a removed database gets no more writes and loses its daemon (B47)", async () => {
  await using database = await scratchDatabase();
  writeFileSync(join(database.path, "worker.toml"), "[worker]\nidle_seconds = 20\n");
  await using db = await openDatabase(database.path);
  await db.learn({ content: "zebrafish" });
  const aside = join(database.path, "../aside");
  renameSync(database.path, aside);
  await assert.rejects(db.learn({ content: "catfish" }), { code: "damaged", message: /removed/ });
  await until(() => daemonPids(database.path).length === 0, GENEROUS_MS);
  rmSync(database.path, { recursive: true, force: true });
  renameSync(aside, database.path);
  assert.equal((await search(database.path, "zebrafish")).total, 1);
});
