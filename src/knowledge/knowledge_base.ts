/**
 * An open database: every operation of kbdb, for whoever holds its lock.
 *
 * @module
 */

import type { ChangeEvent, SubscribeParams, SubscribeResult } from "../rpc/changes.ts";
import type {
  CheckResult,
  Progress,
  RebuildParams,
  RebuildResult,
  ScanStatus,
  StatusResult,
} from "../rpc/protocol.ts";
import type { RecallParams, RecallResult } from "../rpc/reading.ts";
import type { SearchParams, SearchResultFor } from "../rpc/searching.ts";
import type { LearnParams, LearnResult } from "../rpc/writing.ts";
import type { Thread } from "../platform/types.ts";
import type { JournalRecord } from "../store/journal_record.ts";
import { Store, type StoreOptions } from "../store/store.ts";
import { checksum } from "../core/text.ts";
import { type BaseParts, DEFAULT_SETTINGS, type KnowledgeSettings } from "./base_parts.ts";
import { ChangeHub } from "./changes.ts";
import { ContentCache } from "./content_cache.ts";
import { KbdbError } from "../rpc/errors.ts";
import type { Report } from "./index/fill.ts";
import { IndexKeeper, type Sealing } from "./index/keeper.ts";
import { learn } from "./write/learn_items.ts";
import { Losses } from "./losses.ts";
import { Maintenance } from "./maintenance.ts";
import type { OutsideEdits } from "./outside/outside.ts";
import { OutsideWatch } from "./outside/watch.ts";
import { search } from "./search/search.ts";
import { SectionReader } from "./sections.ts";
import { Writer } from "./write/writer.ts";

/** What the knowledge of a database tells of itself; the daemon adds what it knows. */
export type KnowledgeStatus = Omit<
  StatusResult,
  "version" | "pid" | "uptime_ms" | "daemon_rss_bytes"
>;

/** How a database is opened. */
export interface KnowledgeOptions extends Omit<StoreOptions, "checksum"> {
  /** When the index's tail becomes a segment. */
  readonly sealing?: Sealing;
  /** Starts a thread that makes and merges indexes; without it everything is done here. */
  readonly startIndexer?: () => Thread;
  readonly settings?: KnowledgeSettings;
}

const NOT_SCANNED: ScanStatus = { state: "waiting", done: 0, total: null, found: 0 };

/** The operations of one open database. What a first answer does not need is loaded when it is needed. */
export class KnowledgeBase {
  /** Decides when to look for edits from outside; nothing is looked for before it has begun. */
  readonly watch: OutsideWatch;
  readonly #keeper: IndexKeeper;
  readonly #cache = new ContentCache();
  readonly #reader: SectionReader;
  readonly #writer: Writer;
  readonly #maintenance: Maintenance;
  readonly #changes: ChangeHub;
  #outside: OutsideEdits | null = null;
  readonly #losses = new Losses();
  /** Why the index had to be made again. */
  #indexFault: string | null = null;
  /** Resolves once the index is loaded. */
  readonly #ready: Promise<void>;
  #initialized = false;
  /** Checks and rebuilds under way: they read everything themselves. */
  #readers = 0;
  /** Ends with the last of them. */
  #read: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | null = null;

  private constructor(
    private readonly store: Store,
    private readonly options: KnowledgeOptions & { records: readonly JournalRecord[] },
  ) {
    const { now, settings = DEFAULT_SETTINGS } = options;
    const keeper = this.#keeper = new IndexKeeper(store, options);
    this.#reader = new SectionReader(store, this.#cache);
    this.#changes = new ChangeHub(store.seq);
    const applied = (change: ChangeEvent) => {
      this.#changes.publish(change);
      this.#outside?.wrote(change);
      this.watch.wrote();
      this.#maintenance.wrote();
    };
    const writer = this.#writer = new Writer({ store, keeper, cache: this.#cache, now, applied });
    const { trashDays } = settings;
    this.#maintenance = new Maintenance({ store, keeper, writer, trashDays, now });
    this.watch = new OutsideWatch({ scan: () => this.scan(), look: () => this.look() });
    this.#ready = this.#load(options.records);
    // Every operation awaits it and so reports the failure.
    this.#ready.catch(() => {});
  }

  /**
   * Opens a database whose lock the caller holds. Loading the index goes on in the background;
   * operations wait for it.
   */
  static async open(options: KnowledgeOptions): Promise<KnowledgeBase> {
    const { store, records } = await Store.open({ ...options, checksum });
    return new KnowledgeBase(store, { ...options, records });
  }

  /** Runs an operation once the index is loaded. */
  async run<T>(operation: (parts: BaseParts) => T | Promise<T>): Promise<T> {
    await this.#ready;
    return await operation(this.#parts);
  }

  get #parts(): BaseParts {
    const { settings = DEFAULT_SETTINGS, now } = this.options;
    return {
      store: this.store,
      keeper: this.#keeper,
      reader: this.#reader,
      writer: this.#writer,
      settings,
      warnings: this.#warnings,
      now,
      lost: (kbid, reason) => this.#loses(kbid, reason),
      cutJournal: () => this.#maintenance.run(() => this.#maintenance.commitIndex({ seal: true })),
      publish: (change) => this.#changes.publish(change),
    };
  }

  /** Calls `listener` with what changes, whoever changes it, until the returned function is called. */
  onChange(listener: (event: ChangeEvent) => void): () => void {
    return this.#changes.onChange(listener);
  }

  /** Where changes stand, and what came after those that are known. */
  changesSince(params: SubscribeParams): SubscribeResult {
    return this.#changes.since(params);
  }

  /** Stores contents; each is a transaction of its own (D46). */
  learn(params: LearnParams, report: (progress: Progress) => void): Promise<LearnResult> {
    return this.run((parts) => learn(parts, params, report));
  }

  /** Ranked sections for a query. */
  search<const P extends SearchParams>(params: P): Promise<SearchResultFor<P>> {
    return this.run((parts) => search(parts, params));
  }

  /** Sections by id; an unknown id costs only itself. */
  recall(params: RecallParams): Promise<RecallResult> {
    return this.run(async (parts) => (await import("./read/recall.ts")).recall(parts, params));
  }

  /** Counts, sizes and faults; answers also while the index is being loaded. */
  status(): KnowledgeStatus {
    const { store } = this;
    const { index } = this.#keeper;
    const stats = index.stats();
    const sizes = store.indexFiles.sizes;
    return {
      initialized: this.#initialized,
      contextPath: store.paths.root,
      cacheStats: {
        contentCount: this.#cache.count,
        indexCount: Object.values(stats.kinds).reduce((sum, count) => sum + count, 0),
      },
      name: store.config.name,
      sections: stats.kinds.section ?? 0,
      documents: stats.kinds.document ?? 0,
      skills: stats.kinds.skill ?? 0,
      agents: stats.kinds.agent ?? 0,
      terms: stats.terms,
      index: {
        generation: store.indexFiles.generation,
        segments: stats.segments,
        terms_idx_bytes: sizes.terms,
        positions_idx_bytes: sizes.positions,
        corpus_dat_bytes: sizes.corpus,
        unsealed_entries: stats.tail_entries,
      },
      journal_bytes: store.journalBytes,
      scan: this.#outside?.status ?? NOT_SCANNED,
      wasm_memory_bytes: stats.memory_bytes,
      read_only: !store.writable,
      warnings: this.#warnings,
    };
  }

  /** Looks through all files for edits from outside, once (D47). */
  async scan(): Promise<void> {
    await this.#ready;
    const outside = await this.#loadOutside();
    await this.#read;
    if (this.#closed === null) await outside.scan();
  }

  /** Looks for edits from outside where names changed since the look before; not before the scan. */
  async look(): Promise<void> {
    await this.#ready;
    if (this.#readers === 0) await this.#outside?.look();
  }

  /** Verifies everything stored; changes nothing. */
  check(report: (progress: Progress) => void): Promise<CheckResult> {
    return this.#reading(async () => (await import("./check/check.ts")).check(this.#parts, report));
  }

  /**
   * Makes the index again from sections and documents; with `adopt`, sections that were edited from
   * outside become revisions first (D47).
   */
  rebuild(
    report: (progress: Progress) => void,
    params: RebuildParams = {},
  ): Promise<RebuildResult> {
    return this.#reading(async () => {
      const adopted = params.adopt ? await this.#adopt(reporting("adopting", report)) : null;
      const result = await this.#rebuild(report);
      return adopted === null ? result : { ...result, adopted };
    });
  }

  /** Finishes what was begun, flushes the files, and closes; fine to call twice. */
  close(): Promise<void> {
    return this.#closed ??= this.#close();
  }

  async #reading<T>(work: () => Promise<T>): Promise<T> {
    await this.#ready;
    this.#readers += 1;
    const done = work().finally(() => this.#readers -= 1);
    this.#read = Promise.allSettled([this.#read, done]).then(() => {});
    return await done;
  }

  async #adopt(report: Report): Promise<RebuildResult["adopted"]> {
    const { adoptEdits } = await import("./write/adopt.ts");
    return await adoptEdits(this.#parts, report);
  }

  async #rebuild(report: (progress: Progress) => void): Promise<RebuildResult> {
    const start = performance.now();
    return await this.#maintenance.run(async () => {
      const began = this.options.now().getTime();
      const filled = await this.#keeper.rebuild(reporting("rebuilding", report));
      this.#keeper.scannedMs = began;
      this.#losses.clear();
      this.#indexFault = null;
      if (this.store.writable) await this.#maintenance.commitIndex({ seal: true });
      return {
        sections_reindexed: filled.sections,
        terms_indexed: this.#keeper.index.stats().terms,
        elapsed_ms: Math.round(performance.now() - start),
        ...(filled.skipped.length > 0 ? { skipped: [...filled.skipped] } : {}),
      };
    });
  }

  async #close(): Promise<void> {
    this.watch.stop();
    // What serves is whole without the work that is cut off here.
    this.#keeper.stop();
    await this.#ready.catch(() => {});
    await this.#outside?.close();
    await this.#writer.inOrder(() => {});
    this.#maintenance.stop();
    try {
      if (this.store.writable && this.#initialized) await this.#maintenance.finish();
    } finally {
      this.#changes.tell();
      await this.store.close();
      this.#keeper.free();
    }
  }

  async #load(records: readonly JournalRecord[]): Promise<void> {
    // Lets the caller's first replies go out before the thread is busy.
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    const began = this.options.now().getTime();
    const { rebuilt, fault } = await this.#keeper.load(records);
    if (rebuilt) this.#keeper.scannedMs = began;
    this.#initialized = true;
    if (fault !== undefined) {
      this.#indexFault = `The index was made again, because it could not be used: ${fault}`;
    }
    this.#maintenance.wrote();
    if (!rebuilt || !this.store.writable) return;
    if (this.#keeper.index.stats().segments > 0) this.#maintenance.checkpoint();
  }

  /** Not before the first answer, which it would delay. */
  async #loadOutside(): Promise<OutsideEdits> {
    const { OutsideEdits } = await import("./outside/outside.ts");
    return this.#outside ??= new OutsideEdits({
      ...this.#parts,
      losses: this.#losses,
      maintenance: this.#maintenance,
    });
  }

  #loses(kbid: string, reason: string): void {
    if (!this.store.exists()) {
      throw new KbdbError(
        "damaged",
        `Cannot search: the database folder ${this.store.paths.root} is gone. Put it back.`,
      );
    }
    this.#keeper.lose(kbid);
    this.#cache.delete(kbid);
    this.#losses.loseSection(kbid, reason);
  }

  get #warnings(): string[] {
    const { threadFault } = this.#keeper;
    const faults = [this.#indexFault, threadFault, this.#outside?.fault ?? null].filter((fault) =>
      fault !== null
    );
    return [
      ...this.store.warnings,
      ...faults,
      ...this.#maintenance.faults,
      ...this.#losses.sentences,
    ];
  }
}

function reporting(message: string, report: (progress: Progress) => void): Report {
  return (done, total) => report({ done, total, message });
}
