/**
 * Linux refuses a connection with EAGAIN while the listener's queue is full, as it is when a daemon
 * is stopped or many clients start at once. The listener is alive, so the client waits.
 *
 * @module
 */
import { systemCode } from "./file_errors.ts";

const DELAYS_MS = [5, 10, 20, 50, 100, 200, 400, 800, 1600, 1800] as const;

/** Runs `connect` again while the listener is too busy to take it, for about five seconds. */
export async function connectPatiently<T>(
  connect: () => Promise<T>,
  delays: readonly number[] = DELAYS_MS,
): Promise<T> {
  for (const ms of delays) {
    try {
      return await connect();
    } catch (error) {
      if (systemCode(error) !== "EAGAIN") throw error;
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  }
  return await connect();
}
