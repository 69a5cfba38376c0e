/**
 * Shows kbdb at work: makes a database in a temporary folder, learns the `docs` of this project,
 * searches it, and cleans up.
 *
 * ```sh
 * deno task demo
 * ```
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import process from "node:process";
import { tempDir } from "./support/temp_dir.ts";

const QUERIES = ["how does a search find words", "journal recovery"];

/** Runs `kbdb` with its output on this terminal; a failure ends the demo. */
function kbdb(...args: string[]): void {
  console.log(`\n$ kbdb ${args.map((arg) => arg.includes(" ") ? `"${arg}"` : arg).join(" ")}`);
  const run = ["run", "--quiet", "-A", "cli.ts", ...args];
  const { status, error } = spawnSync(process.execPath, run, { stdio: "inherit" });
  if (status !== 0) throw new Error(`Cannot go on: the command ended with ${error ?? status}`);
}

function demo(): void {
  using folder = tempDir("kbdb-demo-");
  const db = folder.join(".kbdb");
  kbdb("db", "init", folder.path);
  try {
    kbdb("learn", "docs", "--db", db);
    for (const query of QUERIES) kbdb("search", query, "--limit", "3", "--db", db);
    kbdb("status", "--db", db);
  } finally {
    kbdb("worker", "stop", "--db", db);
  }
}

try {
  demo();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
