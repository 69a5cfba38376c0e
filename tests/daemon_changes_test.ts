import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type ChangeEvent, type Database, openDatabase } from "../mod.ts";
import { daemonPid, scratchDatabase } from "./accept/scratch.ts";
import { kbdbJson } from "./support/command.ts";
import { daemonPids, until } from "./support/processes.ts";

const GENEROUS_MS = 60_000;

/** What a database tells of changes, with the times. */
async function heardOf(db: Database) {
  const events: (ChangeEvent & { at: number })[] = [];
  const stop = await db.subscribe((event) => void events.push({ ...event, at: Date.now() }));
  const added = () => events.flatMap(({ sections }) => sections.added);
  return { events, stop, added };
}

async function learn(database: string, content: string): Promise<string> {
  const args = ["learn", "-", "--db", database];
  return (await kbdbJson<{ kbid: string }>(args, { input: content })).kbid;
}

test("a change by another client is told within a second (D23)", async () => {
  await using database = await scratchDatabase();
  await using db = await openDatabase(database.path);
  await using other = await openDatabase(database.path);
  const heard = await heardOf(db);
  for (let i = 0; i < 5; i++) {
    const { kbid } = await other.learn({ content: `zebrafish ${i}` });
    const learned = Date.now();
    await until(() => heard.added().includes(kbid), GENEROUS_MS);
    assert.ok(heard.events.at(-1)!.at - learned < 1000);
  }
  const kbid = await learn(database.path, "by the command line");
  await until(() => heard.added().includes(kbid), GENEROUS_MS);
});

test("changes go on being told when the daemon dies (D56)", async () => {
  await using database = await scratchDatabase();
  await using db = await openDatabase(database.path);
  const heard = await heardOf(db);
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const pid = await daemonPid(database.path);
    process.kill(pid, signal);
    await until(() => daemonPids(database.path).some((one) => one !== pid), GENEROUS_MS);
    const kbid = await learn(database.path, `after ${signal}`);
    const told = () => heard.added().includes(kbid) || heard.events.some((one) => one.incomplete);
    await until(told, GENEROUS_MS);
    heard.events.length = 0;
    const next = await learn(database.path, `well after ${signal}`);
    await until(() => heard.added().includes(next), GENEROUS_MS);
    heard.events.length = 0;
  }
});

test("what was changed without a daemon is told afterwards (D56)", async () => {
  await using database = await scratchDatabase();
  await using db = await openDatabase(database.path);
  const heard = await heardOf(db);
  process.kill(await daemonPid(database.path), "SIGKILL");
  await using own = await openDatabase(database.path, { daemon: "never" });
  await own.learn({ content: "zebrafish" });
  await own.close();
  await until(() => heard.events.some(({ incomplete }) => incomplete), GENEROUS_MS);
  assert.equal((await db.search("zebrafish")).total, 1);
});

test("what was removed by hand is told, too (D47)", async () => {
  await using database = await scratchDatabase();
  await using db = await openDatabase(database.path);
  const { kbid } = await db.learn({ content: "zebrafish" });
  const heard = await heardOf(db);
  await sleep(3000);
  rmSync(join(database.path, "sections", sectionFile(database.path, kbid)));
  await until(() => heard.events.some(({ sections }) => sections.removed.includes(kbid)), 10_000);
});

function sectionFile(database: string, kbid: string): string {
  const names = readdirSync(join(database, "sections"), { recursive: true }) as string[];
  return names.find((name) => name.includes(kbid))!;
}

test("a daemon with a subscription does not leave, and one without does (D56)", async () => {
  await using database = await scratchDatabase();
  writeFileSync(join(database.path, "worker.toml"), "[worker]\nidle_seconds = 0.3\n");
  await using db = await openDatabase(database.path);
  const heard = await heardOf(db);
  const pids = daemonPids(database.path);
  await sleep(1500);
  assert.deepEqual(daemonPids(database.path), pids);
  heard.stop();
  await until(() => daemonPids(database.path).length === 0, GENEROUS_MS);
});
