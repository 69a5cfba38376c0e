/**
 * Typed calls to a database, however it is reached: through its daemon, or in this process where a
 * sandbox leaves no other way (D53).
 *
 * @module
 */

import { type Platform, SocketError, SpawnError } from "../platform/types.ts";
import { KbdbError, toKbdbError } from "../rpc/errors.ts";
import type { ClientSettings, Params, Result, ServiceMethod } from "../rpc/protocol.ts";
import { Calls, type OnProgress } from "./calls.ts";
import type { OnChange } from "./change_watch.ts";
import { DaemonConnection } from "./daemon_connection.ts";

/** Whatever answers the calls of one database. */
export interface DatabaseConnection {
  call<M extends ServiceMethod>(
    method: M,
    params: Params<M>,
    options?: { onProgress?: OnProgress },
  ): Promise<Result<M>>;
  /** Tells of changes until the returned function is called. */
  subscribe(onChange: OnChange): Promise<() => void>;
  settings(): Promise<ClientSettings>;
  close(): Promise<void>;
}

/** Opens a database in this process; handed over by the door, since the client knows no store. */
export type OpenInProcess = (options: { path: string }) => Promise<DatabaseConnection>;

/** How a client reaches its database. */
export interface ClientOptions {
  /** Folder of the database. */
  readonly path: string;
  /** Module URL of the daemon's entry file. */
  readonly workerEntry: string;
  readonly openInProcess: OpenInProcess;
  /** `never` opens in this process. @default {"auto"} */
  readonly daemon?: "auto" | "never";
  /** Told once if no daemon could be used and the database was opened in this process. */
  readonly onNotice?: (sentence: string) => void;
}

/** A client of one database. Nothing is opened before the first call. */
export class Client extends Calls {
  #connection: Promise<DatabaseConnection> | null = null;
  #closed = false;
  /** A subscription that is being made. */
  #subscribing: Promise<unknown> = Promise.resolve();

  constructor(private readonly platform: Platform, private readonly options: ClientOptions) {
    super();
  }

  protected override async call<M extends ServiceMethod>(
    method: M,
    params: Params<M>,
    onProgress?: OnProgress,
  ): Promise<Result<M>> {
    // What this call changes is told to who subscribed before it.
    await this.#subscribing.catch(() => {});
    const options = onProgress ? { onProgress } : {};
    return await this.#told((connection) => connection.call(method, params, options));
  }

  /** Tells of changes until the returned function is called; keeps the process alive so long. */
  subscribe(onChange: OnChange): Promise<() => void> {
    const subscribed = this.#told((connection) => connection.subscribe(safely(onChange)));
    this.#subscribing = subscribed;
    subscribed.catch(() => {});
    return subscribed;
  }

  /** Settings of the database that front ends need (D52). */
  settings(): Promise<ClientSettings> {
    return this.#told((connection) => connection.settings());
  }

  /** Ends the connection; a daemon stays for others. */
  async close(): Promise<void> {
    this.#closed = true;
    const connection = await this.#connection?.catch(() => null);
    await connection?.close();
  }

  async #told<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    try {
      return await this.#reach(work);
    } catch (error) {
      throw toKbdbError(error);
    }
  }

  async #reach<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    if (this.#closed) throw new KbdbError("bad_request", "Cannot call a database that is closed");
    const opening = this.#connection ??= this.#open();
    try {
      return await work(await opening);
    } catch (error) {
      if (!isSandboxed(error) || this.options.daemon === "never") throw error;
    }
    return await work(await this.#withoutDaemon(opening));
  }

  /** Several calls may find out at once that there is no other way. */
  #withoutDaemon(refused: Promise<DatabaseConnection>): Promise<DatabaseConnection> {
    if (this.#connection !== refused && this.#connection !== null) return this.#connection;
    this.options.onNotice?.(
      "No daemon can be used here (sockets or child processes are refused): " +
        "opening the database in this process",
    );
    const { path, openInProcess } = this.options;
    return this.#connection = this.#forgetIfFailed(openInProcess({ path }));
  }

  #open(): Promise<DatabaseConnection> {
    return this.#forgetIfFailed(this.#connectionOf());
  }

  /** What failed to open once may do so later. */
  #forgetIfFailed(opening: Promise<DatabaseConnection>): Promise<DatabaseConnection> {
    opening.catch(() => {
      if (this.#connection === opening) this.#connection = null;
    });
    return opening;
  }

  async #connectionOf(): Promise<DatabaseConnection> {
    const { path, workerEntry, openInProcess, daemon } = this.options;
    if (daemon === "never") return await openInProcess({ path });
    const root = this.platform.files.realPath(path);
    return new DaemonConnection(this.platform, { root, workerEntry });
  }
}

function isSandboxed(error: unknown): boolean {
  return error instanceof SpawnError ||
    (error instanceof SocketError && error.code === "unsupported");
}

/** A listener that throws is a fault of its own, not of the connection that it listens to. */
function safely(onChange: OnChange): OnChange {
  return (change) => {
    try {
      onChange(change);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
