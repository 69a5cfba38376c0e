/**
 * A connection to the daemon that comes back by itself: it finds or starts the daemon, repeats calls
 * that a lost connection cut off, and goes on telling of changes.
 *
 * @module
 */

import type { Platform } from "../platform/types.ts";
import { type CallOptions, ConnectionLost } from "../rpc/connection.ts";
import { KbdbError } from "../rpc/errors.ts";
import {
  type ClientSettings,
  DEFAULT_REPLY_BYTES,
  type Params,
  type Result,
  type ServiceMethod,
} from "../rpc/protocol.ts";
import type { ChangeWatch, OnChange } from "./change_watch.ts";
import { connectOrStart, type RunningConnection } from "./reach_daemon.ts";
import type { DaemonTarget } from "./start_daemon.ts";

/** A daemon that ends this often over one call will not answer it. */
const ATTEMPTS = 5;

/** Calls one database's daemon. Every method may be repeated: writes carry a request key. */
export class DaemonConnection {
  #watch: ChangeWatch | null = null;
  #running: Promise<RunningConnection> | null = null;
  #closed = false;

  constructor(private readonly platform: Platform, private readonly target: DaemonTarget) {}

  /**
   * Calls the daemon, starting it where there is none.
   *
   * @throws {KbdbError} what the daemon answered, or `unreachable`, `busy`
   */
  call<M extends ServiceMethod>(
    method: M,
    params: Params<M>,
    options: CallOptions = {},
  ): Promise<Result<M>> {
    return this.#retrying(method, ({ connection }) => connection.call(method, params, options));
  }

  /**
   * Tells of changes until the returned function is called, also of those that happen while the
   * daemon is away, which is started again then. Keeps the process alive.
   */
  async subscribe(onChange: OnChange): Promise<() => void> {
    // Only where it is asked for.
    const { ChangeWatch } = await import("./change_watch.ts");
    const watch = this.#watch ??= new ChangeWatch(async () => (await this.#reach()).connection);
    const stop = watch.add(onChange);
    try {
      await this.#retrying("subscribe", ({ connection }) => watch.attach(connection));
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  /** Settings of the database that front ends need. */
  settings(): Promise<ClientSettings> {
    return this.#retrying(
      "hello",
      ({ daemon }) => daemon.settings ?? { max_reply_bytes: DEFAULT_REPLY_BYTES },
    );
  }

  /** Ends the connection; the daemon stays for others. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#watch?.end();
    const running = await this.#running?.catch(() => null);
    running?.connection.close();
  }

  async #retrying<T>(
    name: string,
    work: (running: RunningConnection) => T | Promise<T>,
  ): Promise<T> {
    let lost: Error | null = null;
    for (let attempt = 0; attempt < ATTEMPTS && !this.#closed; attempt++) {
      const reaching = this.#reach();
      try {
        return await work(await reaching);
      } catch (error) {
        if (!isLost(error)) throw error;
        this.#forget(reaching);
        lost = error as Error;
      }
    }
    throw new KbdbError(
      "unreachable",
      `Cannot finish ${name}: the daemon ended while answering (${lost?.message ?? "closed"}). ` +
        "Try again, or run: kbdb check",
    );
  }

  #reach(): Promise<RunningConnection> {
    if (this.#running !== null) return this.#running;
    const reaching = this.#running = this.#connect();
    const forget = () => this.#forget(reaching);
    reaching.then(({ ended }) => ended.then(forget), forget);
    return reaching;
  }

  #forget(reaching: Promise<RunningConnection>): void {
    if (this.#running === reaching) this.#running = null;
  }

  async #connect(): Promise<RunningConnection> {
    const running = await connectOrStart(this.platform, this.target);
    const { connection, ended } = running;
    void ended.then(() => this.#watch?.lost(connection));
    // Before any call, so that what a caller is answered is followed by what it changed.
    if (this.#watch?.wanted) {
      await this.#watch.attach(connection).catch((error) => {
        if (isLost(error)) throw error;
      });
    }
    return running;
  }
}

function isLost(error: unknown): boolean {
  return error instanceof ConnectionLost ||
    (error instanceof KbdbError && error.code === "leaving");
}
