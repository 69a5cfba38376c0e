/**
 * Starting the daemon, without every one of many clients starting its own.
 *
 * @module
 */

import { FileError, type Platform } from "../platform/types.ts";
import {
  ensurePrivateFolder,
  startErrorPath,
  startMarkPath,
  workerFolder,
} from "../rpc/endpoint.ts";
import { isErrorCode, KbdbError } from "../rpc/errors.ts";
import { currentHolder, isCopied } from "../rpc/lock_file.ts";

/** A start counts as under way for this long; then the next client tries. */
const STARTING_MS = 1500;

/** The database whose daemon is wanted, and the program that it is. */
export interface DaemonTarget {
  /** The database's real path. */
  readonly root: string;
  /** Module URL of the daemon's entry file. */
  readonly workerEntry: string;
}

/** Starts the daemon of one database, though not at every attempt to reach it. */
export class DaemonStarter {
  #startedAt = -Infinity;
  #reservedAt = -Infinity;

  constructor(private readonly platform: Platform, private readonly target: DaemonTarget) {}

  /**
   * Starts the daemon unless somebody did so a moment ago. That is a courtesy to the machine; the
   * lock alone makes sure that one daemon serves.
   */
  start(): void {
    const { platform, target } = this;
    const now = performance.now();
    if (now - this.#startedAt < STARTING_MS) return;
    const reserved = now - this.#reservedAt < STARTING_MS;
    if (!reserved && !claimStart(platform, target.root)) return;
    this.#startedAt = now;
    platform.host.spawnDetached({
      entry: target.workerEntry,
      args: ["kbdb-worker", target.root],
      paths: [target.root, platform.host.runtimeDir()],
    });
  }

  /**
   * Keeps others from starting one for a moment: while an older daemon is leaving, its clients would
   * start another older one. To be called again and again.
   */
  reserve(): void {
    const now = performance.now();
    if (now - this.#reservedAt < STARTING_MS / 3) return;
    this.#reservedAt = now;
    renewMark(this.platform, this.target.root);
  }
}

/** Marks a start as under way, whoever marked one before; where it cannot, others may be faster. */
function renewMark(platform: Platform, root: string): void {
  const { host, files } = platform;
  for (const writable of [true, false]) {
    try {
      const path = startMarkPath(workerFolder(root, { host, writable }));
      return files.replace(path, markOf(platform));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
    }
  }
}

function markOf({ host }: Platform): Uint8Array {
  return new TextEncoder().encode(`${host.pid}\n`);
}

/** Says so if a living process holds the database, though no daemon answers (D53). */
export function lockedByOther(platform: Platform, root: string): KbdbError | null {
  const { host } = platform;
  const folder = workerFolder(root, { host, writable: true });
  const holder = currentHolder(platform.files, folder);
  if (holder === null || holder.released === true) return null;
  if (isCopied(platform, { folder, holder })) return null;
  const isHere = holder.host === host.hostName();
  if (isHere && !host.isAlive(holder.pid)) return null;
  const where = isHere ? "" : ` on ${holder.host}`;
  return new KbdbError(
    "locked",
    `Cannot open ${root}: process ${holder.pid}${where} holds it and does not serve others. ` +
      "Wait for it to finish, or end it.",
  );
}

/** Why the last start failed, if it did so after `since`. */
export function failedStart(
  platform: Platform,
  options: { root: string; since: number },
): KbdbError | null {
  for (const writable of [true, false]) {
    const folder = workerFolder(options.root, { host: platform.host, writable });
    const failure = readFailure(platform, startErrorPath(folder));
    if (failure && failure.at >= options.since) {
      return new KbdbError(
        isErrorCode(failure.code) ? failure.code : "unreachable",
        `Cannot start the daemon: ${failure.message}`,
      );
    }
  }
  return null;
}

/** The mark stands beside the endpoint: in the database, or in the user's private folder (D54). */
function claimStart(platform: Platform, root: string): boolean {
  const { host, files } = platform;
  const mark = markOf(platform);
  // A database that was removed meanwhile must not come back as an empty folder.
  files.stat(root);
  for (const writable of [true, false]) {
    const folder = workerFolder(root, { host, writable });
    const path = startMarkPath(folder);
    try {
      if (!writable) ensurePrivateFolder(platform, host.runtimeDir());
      files.makeDir(folder);
      files.write(path, mark, { exclusive: true });
      return true;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (error.code === "exists") return claimLateStart(platform, { path, mark });
    }
  }
  // Where nothing can be written nothing can be claimed either.
  return true;
}

function claimLateStart(platform: Platform, claim: { path: string; mark: Uint8Array }): boolean {
  try {
    const age = Math.abs(Date.now() - platform.files.stat(claim.path).modifiedMs);
    if (age < STARTING_MS) return false;
    platform.files.replace(claim.path, claim.mark);
    return true;
  } catch (error) {
    // Somebody else has just claimed it or taken it away.
    return !(error instanceof FileError && error.code === "not_found");
  }
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly at: number;
}

function readFailure(platform: Platform, path: string): Failure | null {
  try {
    return JSON.parse(new TextDecoder().decode(platform.files.read(path)));
  } catch (error) {
    const absent = error instanceof FileError || error instanceof SyntaxError;
    if (absent) return null;
    throw error;
  }
}
