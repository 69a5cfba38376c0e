/**
 * The lock of a database: one process at a time may write it.
 *
 * Lock files are numbered, `lock.7`, and the highest number counts. Whoever finds it released or its
 * holder dead creates the next number, which the system grants to exactly one process. The highest
 * file is never removed, only marked released by its holder, so that no late contender can take a
 * number twice: one that wins a number which has been overtaken finds the higher one when it looks
 * again, and steps back.
 *
 * @module
 */

import { removeIfThere } from "../platform/if_there.ts";
import { FileError, type Files, type Host } from "../platform/types.ts";
import {
  highestLock,
  isCopied,
  type LockHolder,
  lockNumbers,
  lockPath,
  readHolder,
} from "../rpc/lock_file.ts";

/** The lock was not to be had. */
export class LockedError extends Error {
  override readonly name = "LockedError";

  constructor(message: string, readonly holder: LockHolder | null) {
    super(message);
  }
}

/** A held lock. */
export interface Lock {
  readonly token: string;
  /** Whether the lock file is still there, or the database was removed or replaced meanwhile. */
  isHeld(): boolean;
  /** Marks the lock released; fine to call twice. */
  release(): void;
}

/** A lock file may be empty for this long while its holder writes it. */
const WRITING_MS = 5000;

/**
 * Takes the lock. `abandoned` is the token of a holder that is known to be dead, though its process
 * id may be in use again.
 *
 * @throws {LockedError} if a living process holds it, or one on another machine, of which nobody
 * here can tell
 */
export function takeLock(
  platform: { files: Files; host: Host },
  options: { folder: string; now: number; abandoned?: string },
): Lock {
  const { files, host } = platform;
  const { folder } = options;
  const current = highestLock(files, folder);
  if (current !== null) refuseIfHeld(platform, { ...options, number: current });
  const number = (current ?? 0) + 1;
  const { identity } = files.stat(folder);
  const holder = ownHolder(host, { path: folder, identity });
  createLock(files, { folder, number, holder });
  if (highestLock(files, folder) !== number) {
    removeIfThere(files, lockPath(folder, number));
    throw new LockedError("Cannot lock the database: another process was faster", null);
  }
  removeLower(files, folder, number);
  return heldLock(files, { folder, number, holder });
}

function ownHolder(host: Host, folder: LockHolder["folder"]): LockHolder {
  return {
    pid: host.pid,
    started: host.startIdentity(host.pid),
    host: host.hostName(),
    folder,
    token: crypto.randomUUID(),
  };
}

function createLock(
  files: Files,
  lock: { folder: string; number: number; holder: LockHolder },
): void {
  const bytes = new TextEncoder().encode(JSON.stringify(lock.holder));
  try {
    files.write(lockPath(lock.folder, lock.number), bytes, { exclusive: true });
  } catch (error) {
    if (!(error instanceof FileError) || error.code !== "exists") throw error;
    throw new LockedError("Cannot lock the database: another process was faster", null);
  }
}

function heldLock(
  files: Files,
  lock: { folder: string; number: number; holder: LockHolder },
): Lock {
  const path = lockPath(lock.folder, lock.number);
  let released = false;
  const isHeld = () => !released && readHolder(files, path)?.token === lock.holder.token;
  return {
    token: lock.holder.token,
    isHeld,
    release() {
      if (!isHeld()) return;
      released = true;
      const text = JSON.stringify({ ...lock.holder, released: true });
      files.replace(path, new TextEncoder().encode(text));
    },
  };
}

function refuseIfHeld(
  platform: { files: Files; host: Host },
  lock: { folder: string; number: number; now: number; abandoned?: string },
): void {
  const path = lockPath(lock.folder, lock.number);
  const holder = readHolder(platform.files, path);
  if (holder === null) {
    if (isBeingWritten(platform.files, { path, now: lock.now })) {
      throw new LockedError("Cannot lock the database: another process is starting", null);
    }
    return;
  }
  if (holder.released === true || holder.token === lock.abandoned) return;
  if (isDead(platform.host, holder) || isCopied(platform, { folder: lock.folder, holder })) return;
  const where = holder.host === platform.host.hostName() ? "" : ` on ${holder.host}`;
  throw new LockedError(
    `Cannot lock the database: process ${holder.pid}${where} holds it. ` +
      (where ? `If that machine no longer runs it, remove ${path}.` : "Stop it first."),
    holder,
  );
}

function isDead(host: Host, holder: LockHolder): boolean {
  if (holder.host !== host.hostName()) return false;
  if (!host.isAlive(holder.pid)) return true;
  const started = host.startIdentity(holder.pid);
  return holder.started !== null && started !== null && started !== holder.started;
}

function isBeingWritten(files: Files, lock: { path: string; now: number }): boolean {
  try {
    return Math.abs(lock.now - files.stat(lock.path).modifiedMs) < WRITING_MS;
  } catch (error) {
    if (error instanceof FileError && error.code === "not_found") return false;
    throw error;
  }
}

function removeLower(files: Files, folder: string, number: number): void {
  for (const lower of lockNumbers(files, folder).filter((other) => other < number)) {
    removeIfThere(files, lockPath(folder, lower));
  }
}
