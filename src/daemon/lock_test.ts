import assert from "node:assert/strict";
import { test } from "node:test";
import { tempDir } from "../../tests/support/temp_dir.ts";
import { platform } from "../platform/host.ts";
import { MemoryFiles } from "../platform/memory_files.ts";
import type { Files, Host } from "../platform/types.ts";
import { type Lock, LockedError, takeLock } from "./lock.ts";

const FOLDER = "/db/worker";
const NOW = 1_700_000_000_000;

/** A machine on which the processes of `running` run, each with when it was started. */
function machine(running: Record<number, string | null>, own = 100): Host {
  return {
    ...platform.host,
    pid: own,
    hostName: () => "here",
    isAlive: (pid) => pid in running || pid === own,
    startIdentity: (pid) => running[pid] ?? null,
  };
}

function memory(): MemoryFiles {
  const files = new MemoryFiles();
  files.makeDir(FOLDER);
  return files;
}

function take(files: Files, host: Host, options: { folder?: string; now?: number } = {}): Lock {
  return takeLock({ files, host }, { folder: FOLDER, now: NOW, ...options });
}

function write(files: Files, number: number, holder: unknown): void {
  const text = typeof holder === "string" ? holder : JSON.stringify(holder);
  files.write(`${FOLDER}/lock.${number}`, new TextEncoder().encode(text));
}

function holder(fields: Record<string, unknown>) {
  return { pid: 7, started: "boot:1", host: "here", token: "t", ...fields };
}

function names(files: Files): string[] {
  return files.list(FOLDER).map((entry) => entry.name);
}

test("takeLock() writes who holds it", () => {
  const files = memory();
  const lock = take(files, machine({ 100: "boot:9" }));
  const held = JSON.parse(new TextDecoder().decode(files.read(`${FOLDER}/lock.1`)));
  const { identity } = files.stat(FOLDER);
  assert.deepEqual(held, {
    pid: 100,
    started: "boot:9",
    host: "here",
    folder: { path: FOLDER, identity },
    token: lock.token,
  });
  assert.equal(lock.isHeld(), true);
});

test("takeLock() refuses a living holder and names it (B07)", () => {
  const files = memory();
  write(files, 3, holder({}));
  assert.throws(() => take(files, machine({ 7: "boot:1" })), (error) => {
    return error instanceof LockedError && error.holder?.pid === 7 &&
      /process 7/.test(error.message);
  });
  assert.deepEqual(names(files), ["lock.3"]);
});

test("takeLock() takes over from a dead holder (B07)", () => {
  const files = memory();
  write(files, 3, holder({}));
  take(files, machine({}));
  assert.deepEqual(names(files), ["lock.4"]);
});

test("takeLock() tells a process from a later one of its id (B07)", () => {
  const files = memory();
  write(files, 3, holder({ started: "boot:1" }));
  take(files, machine({ 7: "boot:2" }));
  assert.deepEqual(names(files), ["lock.4"]);
});

test("takeLock() trusts a living id where no start is known", () => {
  for (const [stored, now] of [[null, "boot:1"], ["boot:1", null]]) {
    const files = memory();
    write(files, 3, holder({ started: stored }));
    assert.throws(() => take(files, machine({ 7: now })), LockedError);
  }
});

test("takeLock() takes no notice of a lock that was copied (B47)", () => {
  const files = memory();
  const host = machine({ 7: "boot:1" });
  const { identity } = files.stat(FOLDER);
  const original = { path: "/original/worker", identity: "another" };
  write(files, 3, holder({ folder: original }));
  take(files, host);
  const held = [
    { folder: original, host: "there" },
    { folder: { ...original, identity } },
    { folder: { ...original, path: FOLDER } },
    { folder: { ...original, identity: null } },
  ];
  for (const [i, fields] of held.entries()) {
    write(files, 9 + i, holder(fields));
    assert.throws(() => take(files, host), LockedError, JSON.stringify(fields));
  }
});

test("takeLock() refuses a holder on another machine (B47)", () => {
  const files = memory();
  write(files, 3, holder({ host: "there" }));
  assert.throws(() => take(files, machine({})), { message: /on there.*lock\.3/ });
});

test("takeLock() follows a released lock, whoever held it", () => {
  const files = memory();
  write(files, 3, holder({ host: "there", released: true }));
  take(files, machine({}));
  assert.deepEqual(names(files), ["lock.4"]);
});

test("takeLock() waits for a lock file that is being written", () => {
  const files = memory();
  write(files, 1, "");
  const { modifiedMs } = files.stat(`${FOLDER}/lock.1`);
  assert.throws(() => take(files, machine({}), { now: modifiedMs + 4000 }), LockedError);
  take(files, machine({}), { now: modifiedMs + 6000 });
  assert.deepEqual(names(files), ["lock.2"]);
});

test("takeLock() steps back from a number that was overtaken (B07)", () => {
  const files = memory();
  write(files, 1, holder({ released: true }));
  files.beforeChange = ({ path }) => {
    if (!path.endsWith("lock.2")) return;
    files.beforeChange = undefined;
    // Between the look and the creation, others took 2, released it, and took 3.
    write(files, 3, holder({ pid: 8 }));
  };
  assert.throws(() => take(files, machine({ 8: "boot:1" })), LockedError);
  assert.deepEqual(names(files), ["lock.1", "lock.3"]);
});

test("takeLock() steps back though its file is gone already (B07)", () => {
  const files = memory();
  write(files, 1, holder({ released: true }));
  const list = files.list.bind(files);
  let looks = 0;
  files.list = (path) => {
    if (++looks === 2) {
      files.remove(`${FOLDER}/lock.2`);
      write(files, 3, holder({ pid: 8 }));
    }
    return list(path);
  };
  assert.throws(() => take(files, machine({ 8: "boot:1" })), LockedError);
});

test("Lock.release() marks the lock and can be called twice", () => {
  const files = memory();
  const lock = take(files, machine({}));
  lock.release();
  lock.release();
  assert.equal(lock.isHeld(), false);
  assert.match(new TextDecoder().decode(files.read(`${FOLDER}/lock.1`)), /"released":true/);
  take(files, machine({}));
  assert.deepEqual(names(files), ["lock.2"]);
});

test("Lock.release() leaves another's lock and a lost folder alone", () => {
  const files = memory();
  const lock = take(files, machine({}));
  write(files, 1, holder({ token: "other" }));
  assert.equal(lock.isHeld(), false);
  lock.release();
  assert.match(new TextDecoder().decode(files.read(`${FOLDER}/lock.1`)), /"other"/);
  files.removeTree("/db");
  lock.release();
  assert.deepEqual(files.list("/"), []);
});

test("takeLock() has one winner among many contenders (B07)", () => {
  using folder = tempDir();
  const won: Lock[] = [];
  for (let i = 0; i < 50; i++) {
    try {
      won.push(takeLock(platform, { folder: folder.path, now: Date.now() }));
    } catch (error) {
      assert.ok(error instanceof LockedError, String(error));
    }
  }
  assert.equal(won.length, 1);
  won[0].release();
  const next = takeLock(platform, { folder: folder.path, now: Date.now() });
  assert.deepEqual(platform.files.list(folder.path).map(({ name }) => name), ["lock.2"]);
  next.release();
});
