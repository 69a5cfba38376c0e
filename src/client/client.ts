/**
 * Typed calls to a database, however it is reached: through its daemon, or in this process where a
 * sandbox leaves no other way (D53).
 *
 * @module
 */

import { type Platform, SocketError, SpawnError } from "../platform/types.ts";
import { KbdbError, toKbdbError } from "../rpc/errors.ts";
import type {
  CheckResult,
  LearnItem,
  LearnItemResult,
  Params,
  Progress,
  RebuildResult,
  RecallItem,
  Result,
  SearchParams,
  SearchResult,
  ServiceMethod,
  StatusResult,
} from "../rpc/protocol.ts";
import { DaemonConnection } from "./daemon_connection.ts";

/** Told how far long work has come. */
export type OnProgress = (progress: Progress) => void;

/** Whatever answers the calls of one database. */
export interface DatabaseConnection {
  call<M extends ServiceMethod>(
    method: M,
    params: Params<M>,
    options?: { onProgress?: OnProgress },
  ): Promise<Result<M>>;
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
export class Client {
  #connection: Promise<DatabaseConnection> | null = null;
  #closed = false;

  constructor(private readonly platform: Platform, private readonly options: ClientOptions) {}

  /** Stores contents, each a transaction of its own; repeated harmlessly if a connection is lost. */
  async learn(items: LearnItem[], onProgress?: OnProgress): Promise<LearnItemResult[]> {
    const key = crypto.randomUUID();
    return (await this.#call("learn", { key, items }, onProgress)).results;
  }

  /** Ranked sections for a query. */
  search(params: SearchParams): Promise<SearchResult> {
    return this.#call("search", params);
  }

  /** Sections by id; an unknown id gives an item with an error. */
  async recall(kbids: string[]): Promise<RecallItem[]> {
    return (await this.#call("recall", { kbids })).items;
  }

  /** The state of database and daemon. */
  status(): Promise<StatusResult> {
    return this.#call("status", {});
  }

  /** Verifies everything stored. */
  check(onProgress?: OnProgress): Promise<CheckResult> {
    return this.#call("check", {}, onProgress);
  }

  /** Makes the index again from truth. */
  rebuild(onProgress?: OnProgress): Promise<RebuildResult> {
    return this.#call("rebuild", {}, onProgress);
  }

  /** Ends the connection; a daemon stays for others. */
  async close(): Promise<void> {
    this.#closed = true;
    const connection = await this.#connection?.catch(() => null);
    await connection?.close();
  }

  async #call<M extends ServiceMethod>(
    method: M,
    params: Params<M>,
    onProgress?: OnProgress,
  ): Promise<Result<M>> {
    const options = onProgress ? { onProgress } : {};
    try {
      return await this.#reach((connection) => connection.call(method, params, options));
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
