/**
 * Holding a database: its real path, its run-time folder and its lock.
 *
 * @module
 */

import { inspectFolder } from "../knowledge/inspect.ts";
import { FileError, type Platform } from "../platform/types.ts";
import { ensurePrivateFolder, workerFolder } from "../rpc/endpoint.ts";
import { KbdbError } from "../rpc/errors.ts";
import { type Lock, LockedError, takeLock } from "./lock.ts";

/** A database that this process holds. */
export interface HeldDatabase {
  /** The one real path. */
  readonly root: string;
  /** Folder of lock, endpoint and log. */
  readonly folder: string;
  readonly writable: boolean;
  readonly lock: Lock;
}

/** A holder that is leaving is waited for this long; whoever lost a race gives up after it. */
const PATIENCE_MS = 800;
const RETRY_MS = 40;

/**
 * Takes the lock of a database; nothing is written to a folder that is none.
 *
 * @throws {DatabaseError} if the folder cannot be opened or made into a database
 * @throws {KbdbError} `locked`, naming the process that holds it
 */
export async function holdDatabase(
  platform: Platform,
  options: { path: string; create?: { name?: string } },
): Promise<HeldDatabase> {
  const { path, create } = options;
  const { files } = platform;
  inspectFolder({ files, root: path, ...(create ? { create } : {}) });
  if (create) files.makeDir(path);
  const root = files.realPath(path);
  const until = performance.now() + PATIENCE_MS;
  while (true) {
    try {
      return takeHold(platform, root);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (performance.now() >= until) throw new KbdbError("locked", error.message);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

function takeHold(platform: Platform, root: string): HeldDatabase {
  if (!isOwn(platform, root)) return lockIn(platform, { root, writable: false });
  try {
    return lockIn(platform, { root, writable: true });
  } catch (error) {
    const refused = error instanceof FileError &&
      (error.code === "read_only" || error.code === "permission");
    if (!refused) throw error;
    return lockIn(platform, { root, writable: false });
  }
}

/** What this user would write into another's database its owner could no longer use. */
function isOwn(platform: Platform, root: string): boolean {
  const uid = platform.host.uid();
  const owner = platform.files.stat(root).uid;
  return uid === null || owner === null || owner === uid;
}

function lockIn(platform: Platform, options: { root: string; writable: boolean }): HeldDatabase {
  const { root, writable } = options;
  const folder = workerFolder(root, { host: platform.host, writable });
  if (!writable) ensurePrivateFolder(platform, platform.host.runtimeDir());
  ensurePrivateFolder(platform, folder);
  const lock = takeLock(platform, { folder, now: Date.now() });
  return { root, folder, writable, lock };
}
