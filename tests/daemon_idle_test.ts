import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../mod.ts";
import { daemonPid, scratchDatabase } from "./accept/scratch.ts";
import { kbdbJson } from "./support/command.ts";
import { daemonPids, until } from "./support/processes.ts";

const GENEROUS_MS = 60_000;

/** A database whose daemon leaves after so many seconds. */
async function idleDatabase(seconds: number) {
  const database = await scratchDatabase();
  const toml = `[worker]\nidle_seconds = ${seconds}\n`;
  writeFileSync(join(database.path, "worker.toml"), toml);
  return database;
}

/** A connection to the daemon that says `text` and then nothing. */
function halfOpen(database: string, text: string): Promise<Socket> {
  const { address } = JSON.parse(readFileSync(join(database, "worker/endpoint"), "utf8"));
  return new Promise((resolve, reject) => {
    const socket = connect(address, () => {
      // The daemon may well hang up on what it hears.
      socket.off("error", reject).on("error", () => {});
      socket.write(text, () => resolve(socket));
    });
    socket.on("error", reject);
  });
}

test("calls around the moment of leaving are all answered (B13)", async () => {
  await using database = await idleDatabase(0.2);
  await using db = await openDatabase(database.path);
  await db.learn({ content: "zebrafish", docid: "fish" });
  const pids = new Set<number>();
  for (let i = 0; i < 30; i++) {
    await sleep(180 + 4 * i);
    assert.equal((await db.search("zebrafish")).total, 1);
    const { existing } = await db.learn({ content: `catfish ${i}`, docid: "fish" });
    assert.equal(existing, undefined, `learned twice in round ${i}`);
    pids.add((await db.status()).pid);
  }
  assert.ok(pids.size > 1, "the daemon never left");
  assert.equal((await db.search("catfish")).total, 30);
});

test("an open client does not keep the daemon (D56)", async () => {
  await using database = await idleDatabase(0.5);
  await using db = await openDatabase(database.path);
  const { pid } = await db.status();
  await until(() => daemonPids(database.path).length === 0, GENEROUS_MS);
  assert.notEqual((await db.status()).pid, pid);
});

test("half-open connections do not keep the daemon (B13)", async () => {
  await using database = await idleDatabase(1);
  await kbdbJson(["status", "--db", database.path]);
  const sockets: Socket[] = [];
  for (let i = 0; i < 25; i++) {
    const half = '{"jsonrpc":"2.0","id":1,"met';
    sockets.push(await halfOpen(database.path, i % 2 === 0 ? " " : half));
    (await halfOpen(database.path, half)).destroy();
  }
  await until(() => daemonPids(database.path).length === 0, GENEROUS_MS);
  for (const socket of sockets) socket.destroy();
});

test("nonsense on the socket does not disturb others (B20)", async () => {
  await using database = await idleDatabase(600);
  await kbdbJson(["learn", "-", "--db", database.path], { input: "zebrafish" });
  const pid = await daemonPid(database.path);
  const lines = [
    "null",
    "5",
    "[]",
    "{}",
    '{"method":"progress"}',
    '{"id":1,"method":"learn"}',
    "{",
  ];
  const sockets = [
    await halfOpen(database.path, `${lines.join("\n")}\n`),
    await halfOpen(database.path, "\xff\xfe\n"),
    await halfOpen(database.path, "x".repeat(33 * 1024 * 1024)),
  ];
  const { pid: answered } = await kbdbJson<{ pid: number }>(["status", "--db", database.path]);
  assert.equal(answered, pid);
  for (const socket of sockets) socket.destroy();
});

test("a caller without the token learns nothing (B11)", async () => {
  await using database = await idleDatabase(600);
  await kbdbJson(["learn", "-", "--db", database.path], { input: "zebrafish" });
  const request = { jsonrpc: "2.0", id: 1, method: "search", params: { query: "zebrafish" } };
  const socket = await halfOpen(database.path, `${JSON.stringify(request)}\n`);
  const reply = await new Promise<string>((resolve) => {
    socket.once("data", (data) => resolve(data.toString()));
  });
  assert.equal(JSON.parse(reply).error.data.code, "permission");
  socket.destroy();
});
