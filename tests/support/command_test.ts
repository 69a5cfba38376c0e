import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { run } from "./command.ts";
import { tempDir } from "./temp_dir.ts";

test("run() passes input, environment and folder", async () => {
  using folder = tempDir();
  const script = 'read line; echo "$line $NAME"; pwd; echo oops >&2; exit 3';
  const options = { input: "hello\n", env: { NAME: "you", HOME: undefined }, cwd: folder.path };
  const result = await run(["sh", "-c", script], options);
  assert.deepEqual(result, { code: 3, stdout: `hello you\n${folder.path}\n`, stderr: "oops\n" });
});

test("run() rejects a program that is not there", async () => {
  await assert.rejects(run(["kbdb-no-such-program"]));
});

test("run() kills what takes too long", async () => {
  await assert.rejects(run(["sleep", "30"], { timeoutMs: 50 }), /over 50 ms/);
});

test("run() outlives a command that reads no input", async () => {
  const { code } = await run(["true"], { input: "x".repeat(1 << 20) });
  assert.equal(code, 0);
});

test("run() hides KBDB_DIR from the command", async () => {
  process.env.KBDB_DIR = "/nowhere";
  try {
    assert.equal((await run(["sh", "-c", 'echo "<$KBDB_DIR>"'])).stdout, "<>\n");
  } finally {
    delete process.env.KBDB_DIR;
  }
});

test("tempDir() is gone at the end of its block", () => {
  let path: string;
  {
    using folder = tempDir();
    path = folder.path;
    assert.ok(existsSync(path));
  }
  assert.ok(!existsSync(path));
});
