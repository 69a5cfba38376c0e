import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { platform } from "./host.ts";
import { isEndOfInput } from "./terminal_errors.ts";

const { host, terminal } = platform;
const ROLE = "KBDB_TEST_TERMINAL";
const skip = host.os === "windows";

/** What this file does as a program of its own, by the role that the tests below give it. */
const programs: Readonly<Record<string, () => Promise<void>>> = {
  async large() {
    await terminal.writeOut("x".repeat(3_000_000) + "end\n");
    host.exit(3);
  },
  async closed() {
    let open = true;
    for (let round = 0; open && round < 1000; round++) {
      open = await terminal.writeOut("y".repeat(9999));
    }
    terminal.writeError(open ? "open" : "closed");
    host.exit(open ? 1 : 0);
  },
  async echo() {
    const input = await terminal.readInput();
    await terminal.writeOut(input);
  },
  async chunks() {
    const chunks: Uint8Array[] = [];
    for await (const chunk of terminal.inputChunks()) {
      if (chunks.length === 0) terminal.writeError("begun");
      chunks.push(chunk);
    }
    // Only now, so that memory used twice would be seen.
    for (const chunk of chunks) await terminal.writeOut(chunk);
  },
  async hangup() {
    let size = 0;
    for await (const chunk of terminal.inputChunks()) size += chunk.length;
    terminal.writeError(`end after ${size}`);
  },
  async full() {
    const error = await terminal.writeOut("x").then(() => undefined, (failure) => failure);
    terminal.writeError(`${error?.code}`);
  },
};

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

function start(role: string, shell?: string) {
  const file = fileURLToPath(import.meta.url);
  const args = host.runtime === "deno" ? ["run", "-A", "--quiet", file] : [file];
  const env = { ...process.env, [ROLE]: role };
  if (!shell) return spawn(process.execPath, args, { env });
  return spawn("/bin/sh", ["-c", `"$0" "$@" ${shell}`, process.execPath, ...args], { env });
}

async function outcome(child: ReturnType<typeof start>): Promise<Outcome> {
  let out = "";
  let error = "";
  child.stdout.on("data", (data) => out += data);
  child.stderr.on("data", (data) => error += data);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, out, error };
}

const role = host.env(ROLE);
if (role) await programs[role]();
else defineTests();

function defineTests(): void {
  test("writeOut() loses nothing at exit", { skip }, async () => {
    const { code, out } = await outcome(start("large"));
    assert.equal(code, 3);
    assert.equal(out.length, 3_000_004);
    assert(out.endsWith("xend\n"));
  });

  test("writeOut() is false once the reader has gone (B16)", { skip }, async () => {
    const child = start("closed");
    child.stdout.once("data", () => child.stdout.destroy());
    let error = "";
    child.stderr.on("data", (data) => error += data);
    const code = await new Promise((resolve) => child.on("exit", resolve));
    assert.deepEqual({ code, error }, { code: 0, error: "closed" });
  });

  test("writeOut() tells a full disk", { skip: host.os !== "linux" }, async () => {
    const { error } = await outcome(start("full", "> /dev/full"));
    assert.equal(error, "no_space");
  });

  test("readInput() takes all there is", { skip }, async () => {
    const child = start("echo");
    child.stdin.write("ü".repeat(100_000));
    child.stdin.end("end");
    const { code, out } = await outcome(child);
    assert.deepEqual({ code, length: out.length }, { code: 0, length: 100_003 });
  });

  test("readInput() takes an input that has ended", { skip }, async () => {
    const { code, out } = await outcome(start("echo", "< /dev/null"));
    assert.deepEqual({ code, out }, { code: 0, out: "" });
  });

  test("inputChunks() gives what has come, and all of it", { skip }, async () => {
    const child = start("chunks");
    const ended = outcome(child);
    child.stdin.write("a");
    await new Promise((resolve) => child.stderr.once("data", resolve));
    const rest = Array.from({ length: 40_000 }, (_, index) => `ü${index}`).join(" ");
    child.stdin.end(rest);
    assert.deepEqual(await ended, { code: 0, out: `a${rest}`, error: "begun" });
  });

  test("inputChunks() ends where there is no input", { skip }, async () => {
    for (const input of ["< /dev/null", "<&-"]) {
      const { code, error } = await outcome(start("hangup", input));
      assert.deepEqual({ code, error }, { code: 0, error: "end after 0" }, input);
    }
  });

  test("isEndOfInput() knows a hung up terminal from a failure", () => {
    const failed = (code: string) => Object.assign(new Error(code), { code });
    for (const code of ["EIO", "ENOTCONN", "ECONNRESET"]) assert(isEndOfInput(failed(code)), code);
    for (const code of ["EISDIR", "EAGAIN"]) assert(!isEndOfInput(failed(code)), code);
  });

  test("columns() is a number without a terminal", () => {
    assert(terminal.columns() >= 1);
    for (const fact of [terminal.inputIsTerminal(), terminal.outputIsTerminal()]) {
      assert.equal(typeof fact, "boolean");
    }
  });
}
