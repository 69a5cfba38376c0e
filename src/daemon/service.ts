/**
 * One database, opened under its lock, and the methods that serve it. The daemon serves it to other
 * processes; in-process use calls it directly (D53).
 *
 * @module
 */

import { KnowledgeBase } from "../knowledge/knowledge_base.ts";
import type { Platform } from "../platform/types.ts";
import { KbdbError } from "../rpc/errors.ts";
import type { Params, Progress, Result, ServiceMethod, StatusResult } from "../rpc/protocol.ts";
import { VERSION } from "../rpc/version.ts";
import type { HeldDatabase } from "./hold.ts";
import { checkedLearn, checkedSearch } from "./params.ts";

/** Reports how far a call has come. */
export type ReportProgress = (progress: Progress) => void;

type Handlers = {
  [M in ServiceMethod]: (params: Params<M>, report: ReportProgress) => Promise<Result<M>>;
};

/** The methods of one database. */
export class Service {
  readonly #base: Promise<KnowledgeBase>;
  readonly #started = performance.now();
  readonly #handlers: Handlers;

  constructor(
    private readonly platform: Platform,
    options: { held: HeldDatabase; create?: { name?: string }; warnings?: readonly string[] },
  ) {
    const { held, create, warnings = [] } = options;
    this.#base = KnowledgeBase.open({
      files: platform.files,
      root: held.root,
      writable: held.writable,
      ...(create ? { create } : {}),
      now: () => new Date(),
    });
    // Every call awaits it and so reports the failure.
    this.#base.catch(() => {});
    this.#handlers = {
      learn: async (params, report) => {
        refuseIfLost(held);
        return await (await this.#base).learn(checkedLearn(params), report);
      },
      search: async (params) => (await this.#base).search(checkedSearch(params)),
      recall: async (params) => (await this.#base).recall(params),
      status: async () => this.#status(await this.#base, warnings),
      check: async (_, report) => (await this.#base).check(report),
      rebuild: async (_, report) => {
        refuseIfLost(held);
        return await (await this.#base).rebuild(report);
      },
    };
  }

  /** Resolves once the database is open, though its index may still be loading. */
  async opened(): Promise<void> {
    await this.#base;
  }

  /** Whether a name is a method of the service. */
  serves(method: string): method is ServiceMethod {
    return Object.hasOwn(this.#handlers, method);
  }

  /** Answers a call. */
  call<M extends ServiceMethod>(
    method: M,
    params: Params<M>,
    report: ReportProgress,
  ): Promise<Result<M>> {
    return this.#handlers[method](params, report);
  }

  /** Finishes what was begun and closes the database; its lock stays with the holder. */
  async close(): Promise<void> {
    const base = await this.#base.catch(() => null);
    await base?.close();
  }

  #status(base: KnowledgeBase, warnings: readonly string[]): StatusResult {
    const { initialized, contextPath, cacheStats, name, ...rest } = base.status();
    const { host } = this.platform;
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
      warnings: [...warnings, ...rest.warnings],
    };
  }
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
