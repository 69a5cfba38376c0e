import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import process from "node:process";
import type { Readable } from "node:stream";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { platform } from "./host.ts";
import { randomName } from "./random_name.ts";

const { files, host } = platform;
const linux = host.os === "linux";
const ROLE = "KBDB_TEST_DAEMON_DIR";

/** A daemon for the test: writes what it sees, and lives until it is told to end. */
const DAEMON = `
import { writeFileSync, renameSync } from "node:fs";
import process from "node:process";
const [name, dir] = process.argv.slice(2);
const seen = { name, dir, pid: process.pid, cwd: process.cwd(), variable: process.env.${ROLE} };
writeFileSync(dir + "/draft", JSON.stringify(seen));
renameSync(dir + "/draft", dir + "/seen");
setTimeout(() => {}, 20000);
`;

const role = host.env(ROLE);
if (role) startDaemon(role);
else defineTests();

/** What the test file does when the test below runs it as a program of its own. */
function startDaemon(dir: string): void {
  const entry = pathToFileURL(`${dir}/daemon.mjs`).href;
  host.spawnDetached({ entry, args: ["kbdb-worker", dir], paths: [dir] });
}

interface Seen {
  readonly name: string;
  readonly dir: string;
  readonly pid: number;
  readonly cwd: string;
  readonly variable: string;
}

async function waitFor<T>(what: string, look: () => T | undefined): Promise<T> {
  for (let round = 0; round < 500; round++) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Waited 10 s in vain for ${what}`);
}

function readSeen(dir: string): Seen | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(files.read(`${dir}/seen`)));
  } catch {
    return undefined;
  }
}

function defineTests(): void {
  test("the host tells who and where it is", () => {
    assert.equal(host.pid, process.pid);
    assert.equal(host.cwd(), process.cwd());
    assert(host.residentBytes() > 1e6);
    assert.notEqual(host.hostName(), "");
    assert.equal(host.env("KBDB_NO_SUCH_VARIABLE"), undefined);
    if (host.os === "windows") return;
    assert.equal(host.uid(), process.getuid?.());
    assert.equal(host.runtimeDir(), `/tmp/kbdb-${process.getuid?.()}`);
  });

  test("startIdentity() is stable and differs between processes", { skip: !linux }, () => {
    const own = host.startIdentity(host.pid);
    assert.match(own!, /^[0-9a-f-]{36}:\d+$/);
    assert.equal(host.startIdentity(host.pid), own);
    assert.notEqual(host.startIdentity(1), own);
  });

  test("isAlive() knows this process, process 1 and none", () => {
    assert.equal(host.isAlive(host.pid), true);
    if (host.os !== "windows") assert.equal(host.isAlive(1), true);
    for (const pid of [0, -1, 1.5, NaN, 2 ** 31 - 1, 1e300]) {
      assert.equal(host.isAlive(pid), false, `${pid}`);
      assert.equal(host.startIdentity(pid), null, `${pid}`);
    }
  });

  test("isAlive() is false for a process that has ended", { skip: !linux }, async () => {
    const child = spawn("/bin/sleep", ["60"], { stdio: "ignore" });
    const pid = child.pid!;
    assert.equal(host.isAlive(pid), true);
    assert.notEqual(host.startIdentity(pid), null);
    child.kill("SIGKILL");
    await new Promise((resolve) => child.on("exit", resolve));
    assert.equal(host.isAlive(pid), false);
    assert.equal(host.startIdentity(pid), null);
  });

  test("isAlive() is false for a zombie", { skip: !linux }, async () => {
    // The shell gives its child to a program that never asks how it ended.
    const parent = spawn("/bin/sh", ["-c", "sleep 0 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.on("data", (data) => resolve(Number(String(data))))
    );
    await waitFor("the zombie", () => host.isAlive(pid) ? undefined : true);
    assert.equal(host.startIdentity(pid), null);
    parent.kill("SIGKILL");
    await new Promise((resolve) => parent.on("exit", resolve));
  });

  for (const name of ["plain", "with, comma and ü"]) {
    test(
      `spawnDetached() outlives its parent: ${name}`,
      { skip: host.os === "windows" },
      async () => {
        const dir = `/tmp/kbdb-host-${randomName(8)}/${name}`;
        files.makeDir(dir);
        files.write(`${dir}/daemon.mjs`, new TextEncoder().encode(DAEMON));
        const { released } = await runStarter(dir);
        const seen = await waitFor("the daemon", () => readSeen(dir));
        assert.deepEqual({ ...seen, pid: 0 }, {
          name: "kbdb-worker",
          dir,
          pid: 0,
          cwd: "/",
          variable: dir,
        });
        assert.equal(host.isAlive(seen.pid), true);
        if (linux) await released;
        assert.equal(host.isAlive(seen.pid), true);
        process.kill(seen.pid, "SIGKILL");
        await waitFor("its end", () => host.isAlive(seen.pid) ? undefined : true);
        files.removeTree(dir.slice(0, dir.lastIndexOf("/")));
      },
    );
  }

  test("setTitle() and onSignal() take what they are given", () => {
    host.setTitle("kbdb-worker /some/where");
    host.onSignal("SIGHUP", () => {});
  });
}

/**
 * Runs this file as a program that starts the daemon, and waits for its end. It inherits two pipes;
 * `released` resolves when nobody holds them any more.
 */
async function runStarter(dir: string): Promise<{ released: Promise<unknown> }> {
  const file = fileURLToPath(import.meta.url);
  const args = host.runtime === "deno" ? ["run", "-A", "--quiet", file] : [file];
  const stdio = Array.from({ length: 22 }, () => "ignore" as "ignore" | "pipe");
  stdio[3] = stdio[21] = "pipe";
  const child = spawn(process.execPath, args, { stdio, env: { ...process.env, [ROLE]: dir } });
  const streams: readonly unknown[] = child.stdio;
  const pipes = [streams[3], streams[21]] as Readable[];
  const released = Promise.all(pipes.map((pipe) => {
    pipe.resume();
    return new Promise((resolve) => pipe.on("close", resolve));
  }));
  const code = await new Promise((resolve) => child.on("exit", resolve));
  assert.equal(code, 0);
  return { released };
}
