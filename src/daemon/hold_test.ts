import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type TempDir, tempDir } from "../../tests/support/temp_dir.ts";
import { platform } from "../platform/host.ts";
import { FileError, type Files, type Platform, SocketError } from "../platform/types.ts";
import { holdDatabase } from "./hold.ts";

/** A database in a folder, and a platform whose private folder lies beside it. */
function database(folder: TempDir): { path: string; platform: Platform } {
  const path = folder.join(".kbdb");
  mkdirSync(path);
  writeFileSync(join(path, "kbdb.toml"), 'format = 1\nid = "x"\nname = "x"\n');
  const host = { ...platform.host, runtimeDir: () => folder.join("run") };
  return { path, platform: { ...platform, host } };
}

/** The same platform with some file calls replaced. */
function withFiles(on: Platform, calls: Partial<Files>): Platform {
  const files = new Proxy(on.files, {
    get(target, name: keyof Files) {
      return calls[name] ?? (target[name] as (...args: unknown[]) => unknown).bind(target);
    },
  });
  return { ...on, files };
}

test("holdDatabase() locks in the database", async () => {
  using folder = tempDir();
  const { path, platform } = database(folder);
  const held = await holdDatabase(platform, { path });
  assert.deepEqual([held.root, held.writable], [path, true]);
  assert.deepEqual(readdirSync(join(path, "worker")), ["lock.1"]);
  held.lock.release();
});

test("holdDatabase() names who holds it (D53)", async () => {
  using folder = tempDir();
  const { path, platform } = database(folder);
  const held = await holdDatabase(platform, { path });
  await assert.rejects(holdDatabase(platform, { path }), {
    code: "locked",
    message: new RegExp(`process ${platform.host.pid} holds it`),
  });
  held.lock.release();
});

test("holdDatabase() waits for a holder that is leaving (B13)", async () => {
  using folder = tempDir();
  const { path, platform } = database(folder);
  const held = await holdDatabase(platform, { path });
  setTimeout(() => held.lock.release(), 100);
  (await holdDatabase(platform, { path })).lock.release();
});

test("holdDatabase() locks a read-only database elsewhere (D54)", async () => {
  using folder = tempDir();
  const { path, platform } = database(folder);
  const makeDir = (asked: string) => {
    if (asked.startsWith(path)) throw new FileError("read_only", "create", asked, "read-only");
    platform.files.makeDir(asked);
  };
  const held = await holdDatabase(withFiles(platform, { makeDir }), { path });
  assert.equal(held.writable, false);
  assert.ok(held.folder.startsWith(folder.join("run")));
  assert.deepEqual(readdirSync(path), ["kbdb.toml"]);
  held.lock.release();
});

test("holdDatabase() writes nothing into another user's database (B11)", async () => {
  using folder = tempDir();
  const { path, platform } = database(folder);
  const uid = (platform.host.uid() ?? 0) + 1;
  const stat = (asked: string) => {
    const info = platform.files.stat(asked);
    return asked === path ? { ...info, uid } : info;
  };
  const held = await holdDatabase(withFiles(platform, { stat }), { path });
  assert.equal(held.writable, false);
  assert.deepEqual(readdirSync(path), ["kbdb.toml"]);
  held.lock.release();
});

test("holdDatabase() writes nothing into another kind of folder (D61)", async () => {
  using folder = tempDir();
  const { path, platform } = database(folder);
  rmSync(join(path, "kbdb.toml"));
  writeFileSync(join(path, "mine"), "");
  await assert.rejects(holdDatabase(platform, { path }), { code: "bad_request" });
  assert.deepEqual(readdirSync(path), ["mine"]);
});

/** Makes this living process look like a daemon that holds the lock and has left its endpoint. */
async function leftBehind(
  path: string,
  on: Platform,
): Promise<{ address: string; folder: string }> {
  const held = await holdDatabase(on, { path });
  const address = join(held.folder, "socket");
  const endpoint = { protocol: 1, version: "0", pid: 1, address, token: held.lock.token };
  writeFileSync(join(held.folder, "endpoint"), JSON.stringify(endpoint));
  return { address, folder: held.folder };
}

test("holdDatabase() takes over where nobody listens any more (B08)", async () => {
  using folder = tempDir();
  const { path, platform } = database(folder);
  const { address } = await leftBehind(path, platform);
  const sockets = {
    ...platform.sockets,
    connect: () => Promise.reject(new SocketError("refused", "connect to", address, "refused")),
  };
  const held = await holdDatabase({ ...platform, sockets }, { path });
  assert.deepEqual(readdirSync(held.folder).sort(), ["endpoint", "lock.2"]);
  held.lock.release();
});

test("holdDatabase() respects a daemon whose socket name is gone (B08)", async () => {
  using folder = tempDir();
  const { path, platform } = database(folder);
  await leftBehind(path, platform);
  await assert.rejects(holdDatabase(platform, { path }), { code: "locked" });
});

test("holdDatabase() respects a daemon that listens (B08)", async () => {
  using folder = tempDir();
  const { path, platform } = database(folder);
  const { address } = await leftBehind(path, platform);
  const listener = await platform.sockets.listen(address);
  try {
    await assert.rejects(holdDatabase(platform, { path }), { code: "locked" });
  } finally {
    listener.close();
  }
});
