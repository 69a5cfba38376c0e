import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { kbdb, kbdbCommand, run } from "../support/command.ts";
import { daemonPids } from "../support/processes.ts";
import { type TempDir, tempDir } from "../support/temp_dir.ts";

/** A server that is left alone has to be gone after this. */
const GONE_MS = 5000;
/** Hosts send SIGTERM after this. */
const SOON_MS = 2000;
/** Where no request is open, it leaves at once. */
const AT_ONCE_MS = 500;
/** Requests that are open get this long, and what is due then is told to the daemon. */
const LAST_ANSWERS_MS = 4000;

const INITIALIZE = request(0, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "kbdb-test", version: "1" },
});
const INITIALIZED = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`;

function request(id: number, method: string, params: unknown): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

function call(id: number, name: string, args: unknown): string {
  return request(id, "tools/call", { name, arguments: args });
}

let folder: TempDir;
let path = "";

before(() => {
  folder = tempDir();
  mkdirSync(folder.join("notes"));
  path = folder.join("notes/.kbdb");
});

after(async () => {
  await kbdb(["worker", "stop", "--db", path]);
  folder.remove();
});

/** A server whose streams are at hand. */
function start(before: readonly string[] = []): ChildProcess {
  const [program, ...args] = [...before, ...kbdbCommand(), "mcp", "--db", path];
  const child = spawn(program, args, { cwd: "/", stdio: ["pipe", "pipe", "pipe"] });
  child.stdin!.on("error", () => {});
  return child;
}

/** The first line of output that holds a text. */
function said(child: ChildProcess, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = "";
    child.stdout!.on("data", (chunk) => {
      all += chunk;
      const line = all.split("\n").find((one) => one.includes(text));
      if (line) resolve(line);
    });
    child.on("close", () => reject(new Error(`ended without ${text}: ${all}`)));
  });
}

/** The exit code, or fails where the process is still there after so long. */
function gone(child: ChildProcess, ms = GONE_MS): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`still there after ${ms} ms`));
    }, ms);
    child.on("exit", (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}

async function connected(child: ChildProcess): Promise<void> {
  const hello = said(child, '"id":0');
  child.stdin!.write(INITIALIZE + INITIALIZED);
  await hello;
}

describe("a server leaves with its client (B16, D51)", () => {
  test("its input ends [server-run-2 ruling-d35-1 ruling-d51-2]", async () => {
    const took: number[] = [];
    for (let i = 0; i < 3; i++) {
      const child = start();
      await connected(child);
      const since = performance.now();
      child.stdin!.end();
      assert.equal(await gone(child, SOON_MS), 0);
      took.push(performance.now() - since);
    }
    // Other processes may have been in the way of some.
    assert(Math.min(...took) < AT_ONCE_MS, took.join());
  });

  test("its input ends while it is connected to the daemon [server-run-2 client-stop-1]", async () => {
    const child = start();
    await connected(child);
    const learned = said(child, '"id":1');
    child.stdin!.write(call(1, "learn", { content: "Herons stand in reeds." }));
    await learned;
    child.stdin!.end();
    assert.equal(await gone(child, SOON_MS), 0);
  });

  test("what was read before the end is answered [ruling-d22-9 client-stop-1 ruling-d51-1]", async () => {
    const input = INITIALIZE + INITIALIZED +
      Array.from({ length: 50 }, (_, i) => call(i + 1, "learn", { content: `Fact number ${i}.` }))
        .join("");
    const { code, stdout } = await run([...kbdbCommand(), "mcp", "--db", path], { input });
    assert.equal(code, 0);
    const ids = stdout.trim().split("\n").map((line) => JSON.parse(line).id);
    assert.deepEqual(ids.sort((a, b) => a - b), Array.from({ length: 51 }, (_, i) => i));
  });

  test("a request that is never answered does not keep it [ruling-d51-1 module-flow-13]", async () => {
    const child = start();
    await connected(child);
    const told = said(child, '"id":1');
    child.stdin!.write(call(1, "learn", { content: "Herons stand in reeds." }));
    await told;
    const [pid] = daemonPids(path);
    process.kill(pid, "SIGSTOP");
    try {
      child.stdin!.write(call(2, "search", { query: "herons" }));
      await new Promise((resolve) => setTimeout(resolve, 100));
      const since = performance.now();
      child.stdin!.end();
      assert.equal(await gone(child, LAST_ANSWERS_MS + SOON_MS), 0);
      assert(performance.now() - since > LAST_ANSWERS_MS - 200);
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });

  test("its input is at its end when it starts", async () => {
    const { code, stdout } = await run([...kbdbCommand(), "mcp", "--db", path]);
    assert.deepEqual({ code, stdout }, { code: 0, stdout: "" });
  });

  test("nobody reads its output any more", async () => {
    const child = start();
    await connected(child);
    child.stdout!.destroy();
    child.stdin!.write(call(1, "status", {}));
    child.stdin!.write(call(2, "status", {}));
    assert.equal(await gone(child), 0);
  });

  test("nobody reads output and errors any more", async () => {
    const child = start();
    await connected(child);
    child.stderr!.destroy();
    child.stdout!.destroy();
    child.stdin!.write(call(1, "status", {}));
    child.stdin!.write("no JSON\n".repeat(3));
    assert.equal(await gone(child), 0);
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`it is told to by ${signal}`, async () => {
      const child = start();
      await connected(child);
      child.kill(signal);
      await gone(child, SOON_MS);
    });
  }

  test("its parent is killed", async () => {
    // The parent holds the other end of the pipe, as a host does.
    const script = folder.join("host.sh");
    const command = [...kbdbCommand(), "mcp", "--db", path].map((word) => `'${word}'`).join(" ");
    writeFileSync(script, `sleep 60 | ${command} &\necho $!\nwait\n`);
    const host = spawn("sh", [script], { stdio: ["ignore", "pipe", "ignore"], detached: true });
    const pid = Number(await new Promise((resolve) => host.stdout!.once("data", resolve)));
    await new Promise((resolve) => setTimeout(resolve, 500));
    process.kill(-host.pid!, "SIGKILL");
    await vanished(pid);
  });
});

async function vanished(pid: number): Promise<void> {
  for (const end = Date.now() + GONE_MS; Date.now() < end;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`process ${pid} is still there`);
}

test("every line of output is a message (B17) [wire-04]", async () => {
  const input = INITIALIZE + INITIALIZED + call(1, "search", { query: "heron" }) + "no JSON\n" +
    call(2, "nothing", {});
  const env = { NODE_DEBUG: "net,fs", DENO_LOG: "debug", DEBUG: "*" };
  const { stdout } = await run([...kbdbCommand(), "mcp", "--db", path], { input, env });
  const lines = stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines.length, 4);
  assert(lines.every(({ jsonrpc }) => jsonrpc === "2.0"));
});
