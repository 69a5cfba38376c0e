/**
 * Looking at and stopping the daemon of a database, without starting one.
 *
 * @module
 */

import type { Platform } from "../platform/types.ts";
import { connectIfRunning, endDaemon } from "./reach_daemon.ts";

/** A daemon that serves. */
export interface RunningDaemon {
  readonly pid: number;
  readonly version: string;
  readonly address: string;
}

/** The daemon of a database, or `null` where none serves. */
export async function runningDaemon(
  platform: Platform,
  path: string,
): Promise<RunningDaemon | null> {
  const running = await connectIfRunning(platform, platform.files.realPath(path));
  running?.connection.close();
  if (!running) return null;
  const { pid, version, address } = running.endpoint;
  return { pid, version, address };
}

/**
 * Asks the daemon to leave and waits until it has; its process id, or `null` where none served.
 *
 * @throws {KbdbError} `busy` if it does not leave in time
 */
export async function stopDaemon(platform: Platform, path: string): Promise<number | null> {
  const running = await connectIfRunning(platform, platform.files.realPath(path));
  if (!running) return null;
  await endDaemon(platform, running);
  return running.daemon.pid;
}
