/**
 * Holding a database: its real path, its run-time folder and its lock.
 *
 * @module
 */

import { inspectFolder } from "../knowledge/inspect.ts";
import { FileError, type Platform, SocketError } from "../platform/types.ts";
import { ensurePrivateFolder, readEndpoint, workerFolder } from "../rpc/endpoint.ts";
import { KbdbError } from "../rpc/errors.ts";
import type { LockHolder } from "../rpc/lock_file.ts";
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
  let abandoned: string | undefined;
  while (true) {
    try {
      return takeHold(platform, { root, abandoned });
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (performance.now() >= until) throw new KbdbError("locked", error.message);
      abandoned = await abandonedToken(platform, { root, holder: error.holder });
    }
    if (abandoned === undefined) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

interface Wanted {
  readonly root: string;
  /** Token of a holder that is known to be dead. */
  readonly abandoned: string | undefined;
}

function takeHold(platform: Platform, wanted: Wanted): HeldDatabase {
  if (!isOwn(platform, wanted.root)) return lockIn(platform, { ...wanted, writable: false });
  try {
    return lockIn(platform, { ...wanted, writable: true });
  } catch (error) {
    const refused = error instanceof FileError &&
      (error.code === "read_only" || error.code === "permission");
    if (!refused) throw error;
    return lockIn(platform, { ...wanted, writable: false });
  }
}

/**
 * The holder's token, if it is a daemon that died. Its process id may be in use again, and under
 * Deno a daemon may not look at the start of a process; but a daemon takes its endpoint away before
 * it stops listening, so an endpoint where nobody listens was left by a dead one.
 */
async function abandonedToken(
  platform: Platform,
  lock: { root: string; holder: LockHolder | null },
): Promise<string | undefined> {
  const { root, holder } = lock;
  const { host, sockets } = platform;
  if (holder === null || holder.host !== host.hostName()) return undefined;
  const folder = workerFolder(root, { host, writable: isOwn(platform, root) });
  const endpoint = () => readEndpoint(platform, folder);
  const address = endpoint()?.token === holder.token ? endpoint()?.address : undefined;
  if (address === undefined) return undefined;
  try {
    (await sockets.connect(address)).close();
    return undefined;
  } catch (error) {
    // A missing name proves nothing: a living daemon's may have been swept away.
    const nobody = error instanceof SocketError && error.code === "refused";
    // Looked at again: it may have been leaving.
    return nobody && endpoint()?.token === holder.token ? holder.token : undefined;
  }
}

/** What this user would write into another's database its owner could no longer use. */
function isOwn(platform: Platform, root: string): boolean {
  const uid = platform.host.uid();
  const owner = platform.files.stat(root).uid;
  return uid === null || owner === null || owner === uid;
}

function lockIn(platform: Platform, options: Wanted & { writable: boolean }): HeldDatabase {
  const { root, abandoned, writable } = options;
  const folder = workerFolder(root, { host: platform.host, writable });
  if (!writable) ensurePrivateFolder(platform, platform.host.runtimeDir());
  ensurePrivateFolder(platform, folder);
  const lock = takeLock(platform, {
    folder,
    now: Date.now(),
    ...(abandoned === undefined ? {} : { abandoned }),
  });
  return { root, folder, writable, lock };
}
