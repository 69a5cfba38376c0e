/**
 * One database, opened under its lock, and the calls that it answers. The daemon serves it to other
 * processes; in-process use calls it directly (D53).
 *
 * @module
 */

import { KnowledgeBase, type KnowledgeStatus } from "../knowledge/knowledge_base.ts";
import type { Platform } from "../platform/types.ts";
import type { ChangeEvent } from "../rpc/changes.ts";
import { KbdbError, toKbdbError } from "../rpc/errors.ts";
import type {
  ClientSettings,
  Params,
  Result,
  ServiceMethod,
  StatusResult,
} from "../rpc/protocol.ts";
import { VERSION } from "../rpc/version.ts";
import { CallLog, countItems, outcomeOf } from "./call_log.ts";
import type { ChangeFeed, ChangeSource } from "./change_feed.ts";
import type { HeldDatabase } from "./hold.ts";
import { HANDLERS, type ReportProgress, WRITES } from "./methods.ts";
import { checkedParams } from "./params.ts";
import type { LoadedSettings, Settings } from "./settings.ts";

/** What a service is made of. */
export interface ServiceOptions extends LoadedSettings {
  readonly held: HeldDatabase;
  /** Makes the database. */
  readonly create?: { name?: string };
  /** Module URL of the thread that makes and merges indexes; without it that is done here. */
  readonly indexerEntry?: string;
}

/** The calls of one database. */
export class Service {
  readonly #base: Promise<KnowledgeBase>;
  readonly #started = performance.now();
  readonly #log: CallLog | null;
  /** For the log; nothing until the database is open. */
  #name = "";
  #calls = 0;
  #listeners = 0;
  /** Resolves when the writes so far have begun. */
  #turn: Promise<void> = Promise.resolve();

  constructor(private readonly platform: Platform, private readonly options: ServiceOptions) {
    const { held, settings, warnings } = options;
    this.#log = logOf(platform, { held, settings });
    this.#log?.event("start", { version: VERSION, pid: platform.host.pid });
    for (const warning of warnings) this.#log?.event("warning", { text: warning });
    this.#base = this.#open();
    // Every call awaits it and so reports the failure.
    this.#base.catch(() => {});
  }

  /** Resolves once the database is open, though its index may still be loading. */
  async opened(): Promise<void> {
    await this.#base;
  }

  /** What front ends know of the settings. */
  get clientSettings(): ClientSettings {
    return { max_reply_bytes: this.options.settings["mcp.max_reply_bytes"] };
  }

  /**
   * Answers a call.
   *
   * @throws {KbdbError} what kept it from being answered
   */
  async call<M extends ServiceMethod>(
    method: M,
    params: Params<M>,
    report: ReportProgress,
  ): Promise<Result<M>> {
    const start = performance.now();
    const done = (outcome: string, result?: unknown) =>
      this.#logCall(method, { params, result, outcome, ms: performance.now() - start });
    try {
      const result = await this.#answer(method, { params, report });
      done(outcomeOf(result), result);
      return result;
    } catch (thrown) {
      const error = toKbdbError(thrown);
      done(error.code);
      throw error;
    }
  }

  /** A feed of changes, yet to be started. */
  async changes(tell: (change: ChangeEvent) => void | Promise<void>): Promise<ChangeFeed> {
    const base = await this.#base;
    // Only where it is asked for.
    const { ChangeFeed } = await import("./change_feed.ts");
    const source: ChangeSource = {
      onChange: (listener) => this.#listen(base, listener),
      changesSince: (params) => base.changesSince(params),
    };
    return new ChangeFeed(source, tell);
  }

  /** Finishes what was begun and closes the database; its lock stays with the holder. */
  async close(): Promise<void> {
    try {
      await (await this.#base.catch(() => null))?.close();
    } finally {
      const { pid } = this.platform.host;
      this.#log?.event("stop", { version: VERSION, pid, calls: this.#calls });
      this.#log?.flush();
    }
  }

  async #open(): Promise<KnowledgeBase> {
    const { held, create, settings, indexerEntry } = this.options;
    const { threads } = this.platform;
    const base = await KnowledgeBase.open({
      files: this.platform.files,
      root: held.root,
      writable: held.writable,
      ...(create ? { create } : {}),
      ...(indexerEntry ? { startIndexer: () => threads.start(indexerEntry) } : {}),
      settings: { graceDays: settings["gc.grace_days"], trashDays: settings["gc.trash_days"] },
      now: () => new Date(),
    });
    this.#name = base.status().name;
    base.watch.begin();
    return base;
  }

  /** While somebody listens, edits from outside are looked for, too. */
  #listen(base: KnowledgeBase, listener: (change: ChangeEvent) => void): () => void {
    const stop = base.onChange(listener);
    base.watch.watched(++this.#listeners > 0);
    return () => {
      stop();
      base.watch.watched(--this.#listeners > 0);
    };
  }

  async #answer<M extends ServiceMethod>(
    method: M,
    call: { params: Params<M>; report: ReportProgress },
  ): Promise<Result<M>> {
    const { held } = this.options;
    const params = checkedParams(method, call.params);
    if (WRITES.has(method)) refuseIfLost(held);
    const base = await this.#base;
    const begin = async () => {
      const handler = await HANDLERS[method]();
      return { answer: handler(base, params, call.report) };
    };
    const { answer: answering } = await (WRITES.has(method) ? this.#inTurn(begin) : begin());
    const answer = await answering;
    const isStatus = method === "status";
    base.watch.answered();
    return (isStatus ? this.#status(answer as KnowledgeStatus) : answer) as Result<M>;
  }

  /** Writes begin in the order of arrival (D46), also where one has to be loaded first. */
  #inTurn<T>(begin: () => Promise<T>): Promise<T> {
    const begun = this.#turn.then(begin);
    this.#turn = begun.then(() => {}, () => {});
    return begun;
  }

  #status(known: KnowledgeStatus): StatusResult {
    const { host } = this.platform;
    const { initialized, contextPath, cacheStats, name, ...rest } = known;
    const { warnings } = this.options;
    const fault = this.#log?.fault ?? null;
    return {
      initialized,
      contextPath,
      cacheStats,
      name,
      version: VERSION,
      pid: host.pid,
      uptime_ms: Math.round(performance.now() - this.#started),
      ...rest,
      daemon_rss_bytes: host.residentBytes(),
      warnings: [...warnings, ...(fault === null ? [] : [fault]), ...rest.warnings],
    };
  }

  #logCall(
    method: ServiceMethod,
    call: { params: unknown; result: unknown; outcome: string; ms: number },
  ): void {
    this.#calls += 1;
    const { outcome, ms, result } = call;
    const params = Object(call.params ?? {});
    const items = countItems(params, result);
    this.#log?.call({ method, database: this.#name, params, items, ms, outcome });
  }
}

function logOf(
  platform: Platform,
  options: { held: HeldDatabase; settings: Settings },
): CallLog | null {
  const { held, settings } = options;
  if (!settings["log.enabled"]) return null;
  return new CallLog(platform.files, {
    folder: held.folder,
    maxBytes: settings["log.max_bytes"],
    files: settings["log.files"],
    isHeld: () => held.lock.isHeld(),
  });
}

/** What is written to a folder that was removed or replaced would be lost, or spoil its successor. */
function refuseIfLost(held: HeldDatabase): void {
  if (held.lock.isHeld()) return;
  throw new KbdbError(
    "damaged",
    `Cannot write to ${held.root}: the folder was removed or replaced while it was open. ` +
      "Run: kbdb worker stop",
  );
}
