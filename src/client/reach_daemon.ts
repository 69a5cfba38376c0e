/**
 * Finding the daemon of a database, starting it where there is none, and asking one to leave.
 *
 * @module
 */

import { type Channel, type Platform, SocketError } from "../platform/types.ts";
import { Connection, ConnectionLost } from "../rpc/connection.ts";
import {
  contextId,
  type Endpoint,
  readEndpoint,
  socketAddress,
  workerFolder,
} from "../rpc/endpoint.ts";
import { KbdbError } from "../rpc/errors.ts";
import { currentHolder, isCopied } from "../rpc/lock_file.ts";
import { type HelloResult, PROTOCOL_VERSION } from "../rpc/protocol.ts";
import { compareVersions, VERSION } from "../rpc/version.ts";
import { DaemonStarter, type DaemonTarget, failedStart, lockedByOther } from "./start_daemon.ts";

/** How long a daemon may take to come up. */
const START_MS = 30_000;
/** How long a daemon that is there may take to say hello. */
const HELLO_MS = 30_000;
/** How long a daemon may take to leave. */
const LEAVE_MS = 20_000;
const POLL_MS = 10;

/** A connection to a daemon, which may be of another version. */
export interface RunningConnection {
  readonly connection: Connection;
  readonly endpoint: Endpoint;
  readonly daemon: HelloResult;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
}

/**
 * Connects to a daemon that is there, or says that there is none.
 *
 * @throws {KbdbError} `busy` if it does not answer, `permission` if it is not the user's, `locked` if
 * it serves the same folder under another path
 */
export async function connectIfRunning(
  platform: Platform,
  root: string,
): Promise<RunningConnection | null> {
  for (const writable of [true, false]) {
    const folder = workerFolder(root, { host: platform.host, writable });
    const endpoint = readEndpoint(platform, folder);
    if (endpoint === null) continue;
    if (endpoint.address !== socketAddress(root, { host: platform.host, folder })) {
      await refuseIfServed(platform, { folder, endpoint });
      continue;
    }
    const greeted = await greet(platform, { root, endpoint });
    if (greeted) return { ...greeted, endpoint };
  }
  return null;
}

/**
 * Asks a daemon to leave, and waits until it has, calling `waiting` again and again.
 *
 * @throws {KbdbError} `busy` if it does not leave in time
 */
export async function endDaemon(
  platform: Platform,
  running: RunningConnection,
  waiting: () => void = () => {},
): Promise<void> {
  const { connection, daemon: { pid } } = running;
  waiting();
  try {
    await connection.call("stop", {});
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
  } finally {
    connection.close();
  }
  const until = performance.now() + LEAVE_MS;
  while (platform.host.isAlive(pid)) {
    if (performance.now() > until) {
      throw new KbdbError(
        "busy",
        `Cannot stop the daemon: process ${pid} is still finishing. Try again.`,
      );
    }
    waiting();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Connects to the daemon, starting it where there is none and putting a newer in the place of an
 * older one.
 *
 * @throws {KbdbError} `unreachable` or `locked` if none comes up, `version_mismatch` if it is newer
 * and speaks another protocol
 */
export async function connectOrStart(
  platform: Platform,
  target: DaemonTarget,
): Promise<RunningConnection> {
  const since = Date.now();
  const until = performance.now() + START_MS;
  const starter = new DaemonStarter(platform, target);
  let replaced = false;
  while (performance.now() < until) {
    const running = await connectIfRunning(platform, target.root);
    if (running && (replaced || !isOlder(running.daemon))) return usable(running);
    if (running) {
      // Once: two versions that work on one database must not keep ending each other's daemon.
      replaced = true;
      await endDaemon(platform, running, () => starter.reserve());
    }
    const failure = failedStart(platform, { root: target.root, since });
    if (failure) throw failure;
    await refuseWithoutSockets(platform, target.root);
    starter.start();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw lockedByOther(platform, target.root) ?? new KbdbError(
    "unreachable",
    `Cannot reach the daemon of ${target.root}: it did not come up within ${START_MS / 1000} s. ` +
      "Run the command with --no-daemon, or: kbdb worker status",
  );
}

/**
 * Who may start processes but use no sockets must not start a daemon, which would only keep the
 * database from being opened here.
 */
async function refuseWithoutSockets(platform: Platform, root: string): Promise<void> {
  const folder = workerFolder(root, { host: platform.host, writable: true });
  const address = socketAddress(root, { host: platform.host, folder });
  (await connectChannel(platform, address))?.close();
}

/**
 * An endpoint with another address than a daemon of this path has came along in a copy of the folder,
 * or the folder has a second path. A copy is free; the other daemon of a second path is told nothing,
 * since whatever answers there was not started for this one.
 */
async function refuseIfServed(
  platform: Platform,
  where: { folder: string; endpoint: Endpoint },
): Promise<void> {
  const { folder, endpoint } = where;
  const holder = currentHolder(platform.files, folder);
  if (holder?.token !== endpoint.token || isCopied(platform, { folder, holder })) return;
  const { address } = endpoint;
  const channel = await connectChannel(platform, address);
  if (channel === null) return;
  channel.close();
  throw new KbdbError(
    "locked",
    `Cannot use the daemon at ${address}: it serves this database under another path. ` +
      "Use that path, or run kbdb worker stop there.",
  );
}

function isOlder(daemon: HelloResult): boolean {
  return daemon.protocol < PROTOCOL_VERSION || compareVersions(daemon.version, VERSION) < 0;
}

function usable(running: RunningConnection): RunningConnection {
  const { connection, daemon } = running;
  if (daemon.protocol === PROTOCOL_VERSION) return running;
  connection.close();
  throw new KbdbError(
    "version_mismatch",
    `Cannot use the daemon: process ${daemon.pid} is kbdb ${daemon.version} and this is ` +
      `${VERSION}. Update this one, or run: kbdb worker stop`,
  );
}

/** `null` where nobody answers at the endpoint, because the daemon is gone or leaving. */
async function greet(
  platform: Platform,
  where: { root: string; endpoint: Endpoint },
): Promise<Omit<RunningConnection, "endpoint"> | null> {
  const { root, endpoint } = where;
  const channel = await connectChannel(platform, endpoint.address);
  if (channel === null) return null;
  const connection = new Connection(channel);
  const ended = connection.run();
  const timer = setTimeout(() => connection.close(), HELLO_MS);
  const start = performance.now();
  try {
    const daemon = await connection.call("hello", {
      protocol: PROTOCOL_VERSION,
      version: VERSION,
      context: contextId(root),
      token: endpoint.token,
    });
    return { connection, daemon, ended };
  } catch (error) {
    connection.close();
    if (!(error instanceof ConnectionLost)) return refusedGreeting(error);
    if (performance.now() - start < HELLO_MS) return null;
    throw new KbdbError(
      "busy",
      `Cannot reach the daemon: process ${endpoint.pid} has not answered for ` +
        `${HELLO_MS / 1000} s. Wait, or end that process.`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** A token that does not fit is that of a daemon which has just been followed by another. */
function refusedGreeting(error: unknown): null {
  if (error instanceof KbdbError && error.code === "permission") return null;
  throw error;
}

/** `null` where nobody listens. */
async function connectChannel(platform: Platform, address: string): Promise<Channel | null> {
  try {
    return await platform.sockets.connect(address);
  } catch (error) {
    const gone = error instanceof SocketError &&
      (error.code === "refused" || error.code === "missing" || error.code === "closed");
    if (gone) return null;
    throw error;
  }
}
