/**
 * Process and machine through Node's API.
 *
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { hostname } from "node:os";
import { dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { inheritedDescriptors, spawnCovering } from "./detached_process.ts";
import { systemCode, toFileError } from "./file_errors.ts";
import { isProcessId, isRunning, readProcessFacts, readStartIdentity } from "./process_identity.ts";
import { runtimeDirOf } from "./runtime_dir.ts";
import { type Host, SpawnError, type StopSignal, type WorkerCommand } from "./types.ts";

const OS: Host["os"] = process.platform === "win32"
  ? "windows"
  : process.platform === "darwin"
  ? "darwin"
  : "linux";

/** The host under Node. */
export const nodeHost: Host = {
  runtime: "node",
  os: OS,
  pid: process.pid,
  args: process.argv.slice(2),
  cwd,
  env: (name) => process.env[name],
  uid: () => process.getuid?.() ?? null,
  hostName: () => hostname(),
  runtimeDir: () => runtimeDirOf(nodeHost),
  residentBytes: () => process.memoryUsage.rss(),
  isAlive,
  startIdentity: (pid) => isProcessId(pid) ? readStartIdentity(pid, readText) : null,
  spawnDetached,
  setTitle: (title) => {
    process.title = title;
  },
  onSignal,
  exit: (code) => process.exit(code),
};

function readText(path: string): string {
  return readFileSync(path, "utf8");
}

function cwd(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw toFileError(error, { action: "read", path: "the working folder" });
  }
}

function isAlive(pid: number): boolean {
  if (!isProcessId(pid)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) === "ESRCH") return false;
  }
  return OS !== "linux" || !hasEnded(pid);
}

/** Whether the process is there in name only, until its parent asks how it ended. */
function hasEnded(pid: number): boolean {
  try {
    const facts = readProcessFacts(pid, readText);
    return facts !== undefined && !isRunning(facts);
  } catch {
    return false;
  }
}

function spawnDetached(command: WorkerCommand): void {
  const { entry, args } = command;
  const program = process.execPath;
  const started = spawnCovering(
    loadChildProcess(),
    {
      program,
      args: entry === null ? args : [pathOf(entry), ...args],
      env: process.env,
      cwd: OS === "windows" ? dirname(program) : "/",
    },
    inheritedDescriptors({ list: (path) => readdirSync(path), readText }),
  );
  if (!started) throw new SpawnError("unsupported", "the system allows no new process");
}

function pathOf(entry: string): string {
  return entry.startsWith("file:") ? fileURLToPath(entry) : entry;
}

/** Loaded when first needed, and without an `await`; any path will do for Node's own modules. */
function loadChildProcess(): typeof import("node:child_process") {
  return createRequire(process.execPath)("node:child_process");
}

function onSignal(signal: StopSignal, handler: () => void): void {
  try {
    process.on(signal, handler);
  } catch (error) {
    if (OS !== "windows") throw error;
  }
}
