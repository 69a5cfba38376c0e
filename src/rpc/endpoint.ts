/**
 * Where the daemon of a database is found: the context id of a database, the folder of run-time
 * files, the socket address and the endpoint file that both ends read.
 *
 * @module
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { join } from "node:path";
import { FileError, type Host, type Platform } from "../platform/types.ts";
import { KbdbError } from "./errors.ts";

/**
 * The longest socket path that every system takes, in bytes. Linux allows 107 and macOS 103; longer
 * ones may be cut silently, and then two databases would share a socket (B10).
 */
export const MAX_SOCKET_PATH_BYTES = 100;

/** What the daemon writes once it listens; readable by its user only. */
export interface Endpoint {
  readonly protocol: number;
  readonly version: string;
  readonly pid: number;
  readonly address: string;
  readonly token: string;
}

/** Identifies a database: the SHA-256 of its real path, as hex. */
export function contextId(realPath: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(realPath)));
}

/**
 * The folder of lock, endpoint and log. It lies in the database, or, where that cannot be written,
 * in the user's private run-time folder (D54).
 */
export function workerFolder(realPath: string, options: { host: Host; writable: boolean }): string {
  if (options.writable) return join(realPath, "worker");
  return join(options.host.runtimeDir(), contextId(realPath).slice(0, 24));
}

/** The socket or pipe of a database. Never derived from variables that hosts strip or change. */
export function socketAddress(realPath: string, options: { host: Host; folder: string }): string {
  const { host, folder } = options;
  const id = contextId(realPath).slice(0, 32);
  if (host.os === "windows") return `\\\\.\\pipe\\kbdb-${id}`;
  const beside = join(folder, "socket");
  const fits = new TextEncoder().encode(beside).length <= MAX_SOCKET_PATH_BYTES;
  return fits ? beside : join(host.runtimeDir(), `${id}.sock`);
}

/** Path of the endpoint file in a run-time folder. */
export function endpointPath(folder: string): string {
  return join(folder, "endpoint");
}

/** Where a daemon that could not start says why; clients show it. */
export function startErrorPath(folder: string): string {
  return join(folder, "start-error");
}

/** What a client writes when it starts a daemon, so that others need not; gone once it serves. */
export function startMarkPath(folder: string): string {
  return join(folder, "starting");
}

/**
 * The endpoint of a running or late daemon, or `null` where there is none.
 *
 * @throws {KbdbError} `permission` if the file is not the user's own, so that nobody else can pose
 * as the daemon (B11)
 */
export function readEndpoint(platform: Platform, folder: string): Endpoint | null {
  const path = endpointPath(folder);
  try {
    const info = platform.files.lstat(path);
    refuseForeign(path, { info, uid: platform.host.uid() });
    return parseEndpoint(new TextDecoder().decode(platform.files.read(path)));
  } catch (error) {
    if (error instanceof FileError && error.code === "not_found") return null;
    throw error;
  }
}

/**
 * Makes the user's private run-time folder, or refuses one that is not private.
 *
 * @throws {KbdbError} `permission` if it belongs to someone else or is no folder
 */
export function ensurePrivateFolder(platform: Platform, path: string): void {
  platform.files.makeDir(path);
  const info = platform.files.lstat(path);
  if (info.kind !== "directory") {
    throw new KbdbError("permission", `Cannot use ${path}: it is not a folder. Remove it.`);
  }
  refuseForeign(path, { info, uid: platform.host.uid() });
  if (info.mode === null || (info.mode & 0o077) === 0) return;
  // What the user took from themselves stays taken: their database is read-only (D54).
  platform.files.setMode(path, info.mode & 0o700);
}

function refuseForeign(
  path: string,
  facts: { info: { kind: string; uid: number | null }; uid: number | null },
): void {
  const { info, uid } = facts;
  if (info.kind === "symlink") {
    throw new KbdbError("permission", `Cannot use ${path}: it is a symbolic link. Remove it.`);
  }
  if (uid !== null && info.uid !== null && info.uid !== uid) {
    throw new KbdbError(
      "permission",
      `Cannot use ${path}: it belongs to user ${info.uid}, not to you (${uid}). ` +
        "Run kbdb as that user, or have it removed.",
    );
  }
}

function parseEndpoint(text: string): Endpoint | null {
  try {
    const value = JSON.parse(text) as Endpoint;
    return typeof value.address === "string" && typeof value.token === "string" ? value : null;
  } catch {
    return null;
  }
}
