/**
 * Which daemons are there. Reads `/proc`, so it works on Linux only.
 *
 * @module
 */

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Process ids of the daemons of one database, from their command lines (D56). */
export function daemonPids(database: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isDaemonOf(commandLine(pid), database))
    .map(Number);
}

function isDaemonOf(line: string, database: string): boolean {
  return line.includes("kbdb-worker") && line.includes(database);
}

/** The command line of a process, or nothing where it is gone or a corpse. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** Waits until `condition` holds; rejects after `timeoutMs`. */
export async function until(condition: () => boolean, timeoutMs: number): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`Cannot go on: still waiting after ${timeoutMs} ms`);
    await sleep(10);
  }
}
