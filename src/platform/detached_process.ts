/**
 * A process that outlives this one must not hold what this one inherited: whoever waits for the end
 * of such a pipe, as test runners and shells do, would wait for the daemon.
 *
 * @module
 */
import type { ReadText } from "./process_identity.ts";

const CLOSE_ON_EXEC = 0o2000000;
/** Above this, a table of all descriptors would cost more than a rare leak. */
const HIGHEST = 4096;

/** Reads names of a folder and texts of files. */
export interface DescriptorReader {
  list(path: string): string[];
  readText: ReadText;
}

/**
 * Descriptors from 3 up that a child would inherit; empty where the system does not tell, which is
 * everywhere but on Linux with the right to read `/proc`.
 */
export function inheritedDescriptors(reader: DescriptorReader): number[] {
  try {
    const numbers = reader.list("/proc/self/fdinfo").map(Number);
    return numbers.filter((fd) => fd > 2 && fd <= HIGHEST && isInherited(fd, reader));
  } catch {
    return [];
  }
}

/** What starting a process takes of Node's API, which Deno has too. */
export interface SpawnCall {
  readonly spawn: typeof import("node:child_process").spawn;
}

/** A program and where it is to run. */
export interface DetachedProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of its variables; left out, those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * Starts a program in its own session with all three streams on the null device. Each of
 * `inherited` is covered by a pipe whose other end is closed here. Answers whether it started.
 */
export function spawnCovering(
  calls: SpawnCall,
  command: DetachedProgram,
  inherited: readonly number[],
): boolean {
  const highest = Math.max(2, ...inherited);
  const stdio = Array.from(
    { length: highest + 1 },
    (_, fd) => inherited.includes(fd) ? "pipe" as const : "ignore" as const,
  );
  const { program, args, cwd, env } = command;
  const options = { cwd, stdio, detached: true, windowsHide: true, ...(env ? { env } : {}) };
  const child = calls.spawn(program, args, options);
  // Why it did not start comes as an event after this call; that it did not is known at once.
  child.on("error", () => {});
  for (const stream of child.stdio ?? []) stream?.destroy();
  child.unref();
  return child.pid !== undefined;
}

function isInherited(fd: number, reader: DescriptorReader): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(reader.readText(`/proc/self/fdinfo/${fd}`))?.[1];
    return flags !== undefined && (parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // The descriptor that the folder was read through is gone by now.
    return false;
  }
}
