import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROLE = "KBDB_TEST_CONSOLE";
const METHODS = ["log", "info", "debug", "table", "dir", "trace", "group", "count"] as const;

if (process.env[ROLE]) {
  await import("./console_to_stderr.ts");
  for (const name of METHODS) console[name](`said with ${name}`);
  console.groupEnd();
  console.error("said with error");
} else {
  test("console_to_stderr leaves standard output alone (B17)", () => {
    const file = fileURLToPath(import.meta.url);
    const args = process.versions.deno === undefined ? [file] : ["run", "-A", "--quiet", file];
    const env = { ...process.env, [ROLE]: "1" };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
    assert.deepEqual({ status, stdout }, { status: 0, stdout: "" });
    for (const name of [...METHODS, "error"]) assert(stderr.includes(`said with ${name}`), name);
  });
}
