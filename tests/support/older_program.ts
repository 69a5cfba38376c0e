/**
 * This program as if it were of an older version, for tests of two versions on one database.
 *
 * @module
 */

import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { VERSION } from "../../src/rpc/version.ts";
import { runtime } from "./command.ts";
import { projectRoot } from "./project.ts";

/** Older than any version that this test runs with. */
export const OLDER_VERSION = "0.0.1";

/** An older program in a folder of its own. */
export interface OlderProgram {
  /** Its library. */
  readonly door: string;
  /** Runs a script with it. */
  script(path: string): string[];
  /** Runs its command `kbdb`. */
  kbdb(...args: string[]): string[];
}

/** Copies this program into an empty folder and gives the copy another version. */
export function olderProgram(folder: string): OlderProgram {
  const isDeno = runtime === "deno";
  if (isDeno) copySources(folder);
  else cpSync(join(projectRoot, "npm"), folder, { recursive: true });
  const ending = isDeno ? ".ts" : ".js";
  makeOlder(folder, isDeno ? /^deno\.json$/ : /\.js$/);
  const flags = isDeno
    ? [
      "run",
      "-A",
      "--no-prompt",
      "--node-modules-dir=manual",
      "--config",
      join(folder, "deno.json"),
    ]
    : [];
  const script = (path: string) => [process.execPath, ...flags, path];
  return {
    door: join(folder, `mod${ending}`),
    script,
    kbdb: (...args) => [...script(join(folder, `cli${ending}`)), ...args],
  };
}

function copySources(folder: string): void {
  const names = ["src", "wasm/pkg", "deno.json", "mod.ts", "cli.ts", "worker.ts", "indexer.ts"];
  for (const name of names) {
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
}

function makeOlder(folder: string, names: RegExp): void {
  let found = 0;
  for (const name of readdirSync(folder).filter((name) => names.test(name))) {
    const text = readFileSync(join(folder, name), "utf8");
    const parts = text.split(`"${VERSION}"`);
    found += parts.length - 1;
    writeFileSync(join(folder, name), parts.join(`"${OLDER_VERSION}"`));
  }
  if (found === 0) throw new Error(`Cannot find version ${VERSION} in ${folder}`);
}
