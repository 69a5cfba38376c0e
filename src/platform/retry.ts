/**
 * Windows refuses to rename or remove a file while a virus scanner or indexer looks into it, which
 * passes within moments.
 *
 * @module
 */
import { FileError } from "./types.ts";

const DELAYS_MS = [5, 10, 20, 40, 80, 150, 200] as const;

/**
 * Runs `action` until it does not fail with `busy` or `permission`, for about half a second. Blocks
 * meanwhile, since the file layer is synchronous.
 */
export function retrySharing<T>(action: () => T, sleep: (ms: number) => void = block): T {
  for (const ms of DELAYS_MS) {
    try {
      return action();
    } catch (error) {
      if (!isSharing(error)) throw error;
      sleep(ms);
    }
  }
  return action();
}

function isSharing(error: unknown): boolean {
  return error instanceof FileError && (error.code === "busy" || error.code === "permission");
}

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
