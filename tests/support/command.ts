/**
 * Running commands from tests, under Deno and Node alike.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { projectRoot } from "./project.ts";

/** The runtime that the test itself runs on. */
export const runtime: "deno" | "node" = process.versions.deno === undefined ? "node" : "deno";

/**
 * The command `kbdb` for this runtime: the source file under Deno, the built package under Node.
 * Its own arguments follow.
 */
export function kbdbCommand(): string[] {
  if (runtime === "deno") {
    // Packages are there already; looking after them takes a lock that many clients would queue for.
    const flags = ["--no-prompt", "--node-modules-dir=manual", "-A"];
    return [process.execPath, "run", ...flags, join(projectRoot, "cli.ts")];
  }
  const built = join(projectRoot, "npm/cli.js");
  if (existsSync(built)) return [process.execPath, built];
  throw new Error(`Cannot test the package: ${built} is missing, run deno task npm`);
}

/** How to run a command. */
export interface RunOptions {
  /**
   * What the command reads from standard input.
   * @default {""}
   */
  input?: string | Uint8Array;
  /** Variables beside those of this process; `undefined` takes one away. */
  env?: Record<string, string | undefined>;
  /** Working folder; this process's own if left out. */
  cwd?: string;
  /**
   * Milliseconds until the command is killed and the call rejects.
   * @default {30000}
   */
  timeoutMs?: number;
  /**
   * Lets what the command writes to standard error appear on this process's own instead of in the
   * result, so that it can show progress on a terminal.
   * @default {false}
   */
  showErrors?: boolean;
}

/** What a command did. */
export interface RunResult {
  /** Exit code, or -1 where a signal ended it. */
  code: number;
  stdout: string;
  stderr: string;
}

/** Variables that would lead the command to another database or another form of output. */
const CLEARED = { KBDB_DIR: undefined, NO_COLOR: undefined, FORCE_COLOR: undefined };

function environment(env: RunOptions["env"]): Record<string, string> {
  const all = Object.entries({ ...process.env, ...CLEARED, ...env });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] != null));
}

/**
 * Runs a command to its end. Rejects where it cannot be started or takes too long; a failing exit
 * code is a result.
 */
export function run(command: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { promise, resolve, reject } = withResolvers<RunResult>();
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: environment(options.env),
    stdio: ["pipe", "pipe", options.showErrors ? "inherit" : "pipe"],
  });
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  const limit = options.timeoutMs ?? 30_000;
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    reject(new Error(`Cannot await ${command.join(" ")}: over ${limit} ms\n${decode(err)}`));
  }, limit);
  child.stdout!.on("data", (chunk: Uint8Array) => out.push(chunk));
  child.stderr?.on("data", (chunk: Uint8Array) => err.push(chunk));
  // A command may leave without reading its input; that is no failure of the test.
  child.stdin!.on("error", () => {});
  child.on("error", reject);
  child.on("close", (code) => {
    clearTimeout(timer);
    resolve({ code: code ?? -1, stdout: decode(out), stderr: decode(err) });
  });
  child.stdin!.end(options.input ?? "");
  return promise;
}

function decode(chunks: Uint8Array[]): string {
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
}

/** `Promise.withResolvers`, which Node has from 22 on. */
function withResolvers<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (reason: unknown) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

/** Runs `kbdb` with the given arguments. */
export function kbdb(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return run([...kbdbCommand(), ...args], options);
}

/**
 * Runs `kbdb` with `--json` and gives the value it prints.
 *
 * @throws if the exit code is not 0
 */
export async function kbdbJson<T>(args: readonly string[], options: RunOptions = {}): Promise<T> {
  const { code, stdout, stderr } = await kbdb([...args, "--json"], options);
  if (code === 0) return JSON.parse(stdout);
  throw new Error(`kbdb ${args.join(" ")} ended with ${code}: ${stderr || stdout}`);
}
