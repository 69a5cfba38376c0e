/**
 * The daemon of one database: takes the lock, listens, serves, and leaves when nobody called for a
 * while. Exactly one of any number of starters serves; the others leave without touching a file.
 *
 * @module
 */

import { removeIfThere } from "../platform/if_there.ts";
import { type Channel, type Listener, type Platform, SocketError } from "../platform/types.ts";
import {
  type Endpoint,
  endpointPath,
  ensurePrivateFolder,
  readEndpoint,
  socketAddress,
  startErrorPath,
  startMarkPath,
  workerFolder,
} from "../rpc/endpoint.ts";
import { KbdbError, toKbdbError } from "../rpc/errors.ts";
import { PROTOCOL_VERSION } from "../rpc/protocol.ts";
import { VERSION } from "../rpc/version.ts";
import { type HeldDatabase, holdDatabase } from "./hold.ts";
import type { Service } from "./service.ts";
import { Session } from "./session.ts";
import { loadSettings } from "./settings.ts";

/** How often idleness is looked at, as a part of the idle time. */
const IDLE_CHECKS = 4;
/** And at least this often, to notice a folder that was removed. */
const MAX_IDLE_CHECK_MS = 10_000;
/** Calls that were begun get this long to finish when the daemon is told to leave. */
const FINISH_MS = 10_000;

/** Runs the daemon of a database until it leaves; the exit code of its process. */
export async function runDaemon(
  platform: Platform,
  options: { path: string; indexerEntry: string },
): Promise<number> {
  const { path, indexerEntry } = options;
  let held: HeldDatabase;
  try {
    held = await holdDatabase(platform, { path });
  } catch (error) {
    // Somebody else serves, or will: the clients find them.
    if (error instanceof KbdbError && error.code === "locked") return 0;
    for (const writable of [true, false]) {
      const folder = workerFolder(path, { host: platform.host, writable });
      if (reportFailedStart(platform, { folder, error })) break;
    }
    return 1;
  }
  try {
    const daemon = await Daemon.start(platform, { held, indexerEntry });
    return await daemon.untilLeft();
  } catch (error) {
    reportFailedStart(platform, { folder: held.folder, error });
    return 1;
  } finally {
    held.lock.release();
  }
}

class Daemon {
  readonly #sessions = new Set<Session>();
  readonly #left: Promise<number>;
  #leave!: (code: number) => void;
  #lastCall = performance.now();
  #calls = 0;
  #leaving = false;

  private constructor(
    private readonly platform: Platform,
    private readonly parts: {
      held: HeldDatabase;
      service: Service;
      listener: Listener;
      endpoint: Endpoint;
      idleMs: number;
    },
  ) {
    this.#left = new Promise((resolve) => this.#leave = resolve);
  }

  static async start(
    platform: Platform,
    options: { held: HeldDatabase; indexerEntry: string },
  ): Promise<Daemon> {
    const { held } = options;
    const loaded = await loadSettings(platform.files, held.root);
    platform.host.setTitle(`kbdb-worker ${held.root}`);
    const address = socketAddress(held.root, { host: platform.host, folder: held.folder });
    const listener = await listenPrivately(platform, { address, folder: held.folder });
    const endpoint: Endpoint = {
      protocol: PROTOCOL_VERSION,
      version: VERSION,
      pid: platform.host.pid,
      address,
      token: held.lock.token,
    };
    // Only now: who lost the race need not load the search core.
    const { Service } = await import("./service.ts");
    const service = new Service(platform, { ...options, ...loaded });
    const idleMs = loaded.settings["worker.idle_seconds"] * 1000;
    const daemon = new Daemon(platform, { held, service, listener, endpoint, idleMs });
    publishEndpoint(platform, { folder: held.folder, endpoint });
    void daemon.#accept();
    daemon.#watchIdleness();
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      platform.host.onSignal(signal, () => void daemon.leave());
    }
    // A database that does not open now may do so for the next daemon, once its owner has seen to it.
    service.opened().catch((error) => {
      reportFailedStart(platform, { folder: held.folder, error });
      void daemon.leave();
    });
    return daemon;
  }

  untilLeft(): Promise<number> {
    return this.#left;
  }

  /** Takes no more calls, finishes those that were begun, closes the database. */
  async leave(): Promise<void> {
    if (this.#leaving) return;
    this.#leaving = true;
    const { service, listener, held, endpoint } = this.parts;
    // The endpoint first: one where nobody listens is taken for that of a dead daemon.
    const gone = withdrawEndpoint(this.platform, { folder: held.folder, token: endpoint.token });
    if (gone) listener.close();
    await this.#finishCalls();
    for (const session of this.#sessions) session.close();
    let code = 0;
    try {
      // A folder that was removed or replaced gets nothing more from here.
      if (held.lock.isHeld()) await service.close();
    } catch (error) {
      reportFailedStart(this.platform, { folder: held.folder, error });
      code = 1;
    }
    this.#leave(code);
  }

  async #accept(): Promise<void> {
    for await (const channel of this.parts.listener.connections) this.#serve(channel);
  }

  #serve(channel: Channel): void {
    this.#lastCall = performance.now();
    const { service, held, endpoint } = this.parts;
    const session = new Session(channel, {
      service,
      root: held.root,
      endpoint,
      begin: () => this.#begin(),
      end: () => this.#end(),
      stop: () => void this.leave(),
    });
    this.#sessions.add(session);
    void session.run().then(() => this.#sessions.delete(session));
  }

  #begin(): void {
    if (this.#leaving) throw new KbdbError("leaving", "Cannot serve: the daemon is leaving");
    this.#calls += 1;
  }

  #end(): void {
    this.#calls -= 1;
    this.#lastCall = performance.now();
  }

  #watchIdleness(): void {
    const { idleMs, held } = this.parts;
    const timer = setInterval(() => {
      if (this.#isInUse()) this.#lastCall = performance.now();
      const idle = performance.now() - this.#lastCall >= idleMs;
      if (idle || !held.lock.isHeld()) void this.leave();
      if (this.#leaving) clearInterval(timer);
    }, Math.min(MAX_IDLE_CHECK_MS, Math.max(10, idleMs / IDLE_CHECKS)));
    void this.#left.then(() => clearInterval(timer));
  }

  /** A client that only is connected comes back by itself; one that waits for changes could not. */
  #isInUse(): boolean {
    return this.#calls > 0 || [...this.#sessions].some((session) => session.subscribed);
  }

  async #finishCalls(): Promise<void> {
    const until = performance.now() + FINISH_MS;
    while (this.#calls > 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** A left-over socket is removed only when nobody answers there; the lock is ours by then. */
async function listenPrivately(
  platform: Platform,
  options: { address: string; folder: string },
): Promise<Listener> {
  const { address, folder } = options;
  if (!address.startsWith(folder) && platform.host.os !== "windows") {
    ensurePrivateFolder(platform, platform.host.runtimeDir());
  }
  try {
    return await platform.sockets.listen(address);
  } catch (error) {
    if (!(error instanceof SocketError) || error.code !== "in_use") throw error;
  }
  await refuseIfAnswered(platform, address);
  removeSocket(platform, address);
  return await platform.sockets.listen(address);
}

async function refuseIfAnswered(platform: Platform, address: string): Promise<void> {
  try {
    (await platform.sockets.connect(address)).close();
  } catch (error) {
    if (error instanceof SocketError && (error.code === "refused" || error.code === "missing")) {
      return;
    }
    throw error;
  }
  throw new KbdbError("locked", `Cannot listen at ${address}: another program answers there`);
}

function publishEndpoint(
  platform: Platform,
  options: { folder: string; endpoint: Endpoint },
): void {
  const { folder, endpoint } = options;
  const bytes = new TextEncoder().encode(JSON.stringify(endpoint) + "\n");
  platform.files.replace(endpointPath(folder), bytes);
  removeIfThere(platform.files, startErrorPath(folder));
  removeIfThere(platform.files, startMarkPath(folder));
}

/** Whether this daemon's endpoint is gone. */
function withdrawEndpoint(
  platform: Platform,
  options: { folder: string; token: string },
): boolean {
  try {
    const current = readEndpoint(platform, options.folder);
    if (current?.token === options.token) {
      removeIfThere(platform.files, endpointPath(options.folder));
    }
    return true;
  } catch {
    return false;
  }
}

/** Whether the folder took the reason; where it does not, clients say that no daemon came up. */
function reportFailedStart(
  platform: Platform,
  options: { folder: string; error: unknown },
): boolean {
  const { code, message } = toKbdbError(options.error);
  const bytes = new TextEncoder().encode(JSON.stringify({ code, message, at: Date.now() }));
  try {
    platform.files.replace(startErrorPath(options.folder), bytes);
    return true;
  } catch {
    return false;
  }
}

function removeSocket(platform: Platform, address: string): void {
  if (platform.host.os !== "windows") removeIfThere(platform.files, address);
}
