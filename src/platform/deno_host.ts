/**
 * Process and machine through Deno's own API.
 *
 * @module
 */
import { dirname } from "node:path";
import { nodeModule } from "./deno_node_modules.ts";
import { denoWorkerArgs } from "./deno_worker_args.ts";
import { type DetachedProgram, inheritedDescriptors, spawnCovering } from "./detached_process.ts";
import { flagReason, missingFlag, toFileError } from "./file_errors.ts";
import {
  isProcessId,
  isRunning,
  type ProcessFacts,
  readProcessFacts,
  readStartIdentity,
} from "./process_identity.ts";
import { runtimeDirOf } from "./runtime_dir.ts";
import { type Host, SpawnError, type StopSignal, type WorkerCommand } from "./types.ts";

const OS: Host["os"] = Deno.build.os === "windows" || Deno.build.os === "darwin"
  ? Deno.build.os
  : "linux";

/** The host under Deno. */
export const denoHost: Host = {
  runtime: "deno",
  os: OS,
  pid: Deno.pid,
  args: Deno.args,
  cwd: () => named("read", "the working folder", () => Deno.cwd()),
  env,
  uid: () => named("read", "the user's number", () => Deno.uid()),
  hostName: () => named("read", "the host's name", () => Deno.hostname()),
  runtimeDir: () => runtimeDirOf(denoHost),
  residentBytes: () => Deno.memoryUsage().rss,
  isAlive,
  startIdentity: (pid) => isProcessId(pid) ? readStartIdentity(pid, Deno.readTextFileSync) : null,
  spawnDetached,
  setTitle: () => {},
  onSignal,
  exit: (code) => Deno.exit(code),
};

function named<T>(action: string, what: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw toFileError(error, { action, path: what });
  }
}

function env(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  if (!isProcessId(pid)) return false;
  const facts = factsOf(pid);
  // Without a word from /proc, which needs all rights and may hide other users' processes, ask for
  // the priority: of all calls about a process it takes the smallest right.
  return facts ? isRunning(facts) : hasPriority(pid);
}

function factsOf(pid: number): ProcessFacts | undefined {
  try {
    return readProcessFacts(pid, Deno.readTextFileSync);
  } catch {
    return undefined;
  }
}

function hasPriority(pid: number): boolean {
  try {
    nodeModule("node:os").getPriority(pid);
    return true;
  } catch (error) {
    const flag = missingFlag(error);
    if (flag) throw toFileError(error, { action: "look for", path: `process ${pid}` });
    return !/ESRCH/.test(String((error as Error).message));
  }
}

function spawnDetached(command: WorkerCommand): void {
  const program = Deno.execPath();
  const cwd = OS === "windows" ? dirname(program) : "/";
  const args = denoWorkerArgs(command);
  const inherited = inheritedDescriptors({ list: listNames, readText: Deno.readTextFileSync });
  try {
    if (inherited.length === 0) return spawnPlainly({ program, args, cwd });
    // Deno's own call cannot cover descriptors; Node's can, and costs a little more.
    const command = { program, args, cwd, env: variables() };
    spawnCovering(nodeModule("node:child_process"), command, inherited);
  } catch (error) {
    throw toSpawnError(error);
  }
}

function spawnPlainly({ program, args, cwd }: DetachedProgram): void {
  const streams = { stdin: "null", stdout: "null", stderr: "null" } as const;
  const own = { args: [...args], cwd, detached: true };
  new Deno.Command(program, { ...own, ...streams }).spawn().unref();
}

/** All variables of the daemon; `undefined` where not all of this program's may be read. */
function variables(): Record<string, string> | undefined {
  try {
    return Deno.env.toObject();
  } catch {
    return undefined;
  }
}

function listNames(path: string): string[] {
  return Array.from(Deno.readDirSync(path), (entry) => entry.name);
}

function toSpawnError(error: unknown): SpawnError {
  const flag = missingFlag(error);
  if (flag) return new SpawnError("unsupported", flagReason(flag), { cause: error });
  const told = toFileError(error, { action: "run", path: Deno.execPath() });
  return new SpawnError(told.code === "permission" ? "unsupported" : "other", told.message, {
    cause: error,
  });
}

function onSignal(signal: StopSignal, handler: () => void): void {
  try {
    Deno.addSignalListener(signal, handler);
  } catch (error) {
    if (OS !== "windows") throw error;
  }
}
