/**
 * The product under measurement: the sources under Deno, the built npm package under Node; and the
 * machine that it runs on.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Database, openDatabase } from "../../mod.ts";
import type { Machine } from "./result_file.ts";

/** Folder of the project. */
export const root: string = findRoot();

/** The runtime that this program, and with it kbdb, runs on. */
export const runtime: "deno" | "node" = process.versions.deno === undefined ? "node" : "deno";

const version = process.versions[runtime]!;

/** Such as `deno-2`. */
export const runtimeLabel = `${runtime}-${version.split(".")[0]}`;

/** Such as `linux-x86_64`. */
export const platformLabel = `${
  process.platform === "win32" ? "windows" : process.platform as string
}-${{ x64: "x86_64", arm64: "aarch64" }[process.arch as string] ?? process.arch}`;

function findRoot(): string {
  // This file may stand in the sources or in a bundle below `build`.
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "deno.json"))) {
    if (dirname(folder) === folder) throw new Error("Cannot find the project: no deno.json above");
    folder = dirname(folder);
  }
  return folder;
}

/** What the figures depend on besides kbdb. */
export function machine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memory_bytes: totalmem(),
    os: `${type()} ${release()}`,
    runtime_version: version,
    load: loadNow(),
  };
}

/** Processes that are running or waiting, on average of the last minute. */
export function loadNow(): number {
  return Math.round(loadavg()[0] * 100) / 100;
}

/** Bytes of the search core's file. */
export function coreBytes(): number {
  const file = runtime === "deno" ? "wasm/pkg/kbdb_wasm_bg.wasm" : "npm/kbdb_wasm_bg.wasm";
  return statSync(join(root, file)).size;
}

/** `kbdb` as users of this runtime run it. */
export function kbdbCommand(...args: string[]): string[] {
  if (runtime === "node") return [process.execPath, join(root, "npm/cli.js"), ...args];
  return [process.execPath, "run", "-A", "--no-check", join(root, "cli.ts"), ...args];
}

/**
 * The command of the least client and daemon of this runtime, which takes an address and the files
 * that the daemon is to read; `null` where there is none: on Windows, and under Node before it is
 * built.
 */
export function leastPair(): string[] | null {
  if (process.platform === "win32") return null;
  const built = join(root, "build/bench/start_pair/node_client.mjs");
  if (runtime === "node") return existsSync(built) ? [process.execPath, built] : null;
  const client = join(root, "bench/start_pair/client.ts");
  return [process.execPath, "run", "-A", "--no-check", client];
}

/**
 * Runs a command to its end; its standard output.
 *
 * @throws {Error} with its standard error where it fails
 */
export function run(command: readonly string[]): Promise<string> {
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const written = { out: "", err: "" };
  child.stdout!.setEncoding("utf8").on("data", (text: string) => written.out += text);
  child.stderr!.setEncoding("utf8").on("data", (text: string) => written.err += text);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(written.out);
      else reject(new Error(`Cannot run ${command.join(" ")}: code ${code}, ${written.err}`));
    });
  });
}

/** What `kbdb` with `--json` prints. */
export async function kbdbJson<T>(...args: string[]): Promise<T> {
  return JSON.parse(await run(kbdbCommand(...args, "--json")));
}

/** Stops the daemon of a database, if one runs. */
export async function stopDaemon(database: string): Promise<void> {
  await run(kbdbCommand("worker", "stop", "--db", database));
}

/** Opens a database through its daemon; anything else would measure something else. */
export function open(database: string): Promise<Database> {
  return openDatabase(database, {
    onNotice: (sentence) => {
      throw new Error(`Cannot measure without a daemon: ${sentence}`);
    },
  });
}

/** Longest wait for a daemon to settle. */
const SETTLE_MS = 600_000;

/**
 * Opens a database whose daemon has finished its look for edits from outside, which it makes after
 * its start and which slows everything else down while it lasts.
 */
export async function openSettled(database: string): Promise<Database> {
  const db = await open(database);
  const end = performance.now() + SETTLE_MS;
  // The look begins only after the first answer.
  while ((await db.status()).scan.state !== "done" && performance.now() < end) await sleep(50);
  return db;
}

/** Memory of the daemon now. */
export async function memoryOf(
  db: Database,
): Promise<{ wasm_memory_bytes: number; daemon_rss_bytes: number }> {
  const { pid, wasm_memory_bytes, daemon_rss_bytes } = await db.status();
  if (pid === process.pid) throw new Error("Cannot measure: no daemon serves the database");
  return { wasm_memory_bytes, daemon_rss_bytes };
}

/** Milliseconds that a piece of work takes. */
export async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
