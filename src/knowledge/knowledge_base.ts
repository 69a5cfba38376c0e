/**
 * An open database: every operation of kbdb, for whoever holds its lock.
 *
 * @module
 */

import type {
  CheckResult,
  LearnItem,
  LearnItemResult,
  LearnParams,
  LearnResult,
  Progress,
  RebuildResult,
  RecallItem,
  RecallParams,
  RecallResult,
  SearchParams,
  SearchResult,
  StatusResult,
} from "../rpc/protocol.ts";
import { MAX_IDS } from "../rpc/protocol.ts";
import type { JournalRecord } from "../store/journal_record.ts";
import { isKbid } from "../store/paths.ts";
import { Store, type StoreOptions } from "../store/store.ts";
import { checksum } from "../core/text.ts";
import { check } from "./check.ts";
import { ContentCache } from "./content_cache.ts";
import { KbdbError, toKbdbError } from "../rpc/errors.ts";
import { IndexKeeper, type Report, type Sealing } from "./index_keeper.ts";
import { search } from "./search.ts";
import { SectionReader } from "./sections.ts";
import { Slices } from "./slices.ts";
import { Writer } from "./writer.ts";

/** The journal is cut short once it holds this many bytes, however few its sections are. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;
/** More sections that are left out are counted, not named. */
const NAMED_LOSSES = 50;
/** Files are flushed when no write came for this long. */
const IDLE_FLUSH_MS = 2000;

/** What the knowledge of a database tells of itself; the daemon adds what it knows. */
export type KnowledgeStatus = Omit<
  StatusResult,
  "version" | "pid" | "uptime_ms" | "daemon_rss_bytes"
>;

/** How a database is opened. */
export interface KnowledgeOptions extends Omit<StoreOptions, "checksum"> {
  /** When the index's tail becomes a segment. */
  readonly sealing?: Sealing;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The operations of one open database. */
export class KnowledgeBase {
  readonly #keeper: IndexKeeper;
  readonly #cache = new ContentCache();
  readonly #reader: SectionReader;
  readonly #writer: Writer;
  /** Sentences about sections that were found to be gone or damaged. */
  readonly #losses: string[] = [];
  #unnamedLosses = 0;
  /** Why the index had to be made again, or the files could not be flushed. */
  #faults: { index?: string; flush?: string } = {};
  /** Resolves once the index is loaded. */
  readonly #ready: Promise<void>;
  #initialized = false;
  #maintenance: Promise<void> = Promise.resolve();
  #checkpointQueued = false;
  #closed: Promise<void> | null = null;
  #idleTimer: ReturnType<typeof setTimeout> | null = null;

  private constructor(
    private readonly store: Store,
    options: { records: readonly JournalRecord[]; now(): Date; sealing?: Sealing },
  ) {
    this.#keeper = new IndexKeeper(store, options.sealing);
    this.#reader = new SectionReader(store, this.#cache);
    const { now } = options;
    this.#writer = new Writer({ store, keeper: this.#keeper, cache: this.#cache, now });
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
    const { now, sealing } = options;
    return new KnowledgeBase(store, { records, now, sealing });
  }

  /** Stores contents; each is a transaction of its own (D46). */
  async learn(params: LearnParams, report: (progress: Progress) => void): Promise<LearnResult> {
    await this.#ready;
    const gathered = this.store.gather();
    const results: Promise<LearnItemResult>[] = [];
    try {
      await this.#beginItems(params, { results, report });
    } finally {
      gathered();
    }
    const answered = await Promise.all(results);
    this.#wrote();
    return { results: answered };
  }

  /** Ranked sections for a query. */
  async search(params: SearchParams): Promise<SearchResult> {
    await this.#ready;
    return search(params, {
      index: this.#keeper.index,
      reader: this.#reader,
      lost: (kbid, reason) => this.#loses(kbid, reason),
    });
  }

  /** Sections by id; an unknown id costs only itself. */
  async recall(params: RecallParams): Promise<RecallResult> {
    const { kbids } = params;
    if (!Array.isArray(kbids) || kbids.length === 0) {
      throw new KbdbError("bad_request", "Cannot recall: give at least one kbid");
    }
    if (kbids.length > MAX_IDS) {
      throw new KbdbError(
        "too_large",
        `Cannot recall ${kbids.length} sections at once: the limit is ${MAX_IDS}`,
      );
    }
    await this.#ready;
    return { items: kbids.map((kbid) => this.#recallItem(String(kbid))) };
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
        indexCount: (stats.kinds.section ?? 0) + (stats.kinds.document ?? 0),
      },
      name: store.config.name,
      sections: stats.kinds.section ?? 0,
      documents: stats.kinds.document ?? 0,
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
      wasm_memory_bytes: stats.memory_bytes,
      read_only: !store.writable,
      warnings: this.#warnings,
    };
  }

  /** Verifies everything stored; changes nothing. */
  async check(report: (progress: Progress) => void): Promise<CheckResult> {
    await this.#ready;
    await this.#writer.inOrder(() => {});
    return await check({
      store: this.store,
      index: () => this.#keeper.index,
      warnings: this.#warnings,
      settled: () => this.#writer.inOrder(() => {}),
      report: reporting("checking", report),
    });
  }

  /** Makes the index again from sections and documents. */
  async rebuild(report: (progress: Progress) => void): Promise<RebuildResult> {
    await this.#ready;
    const start = performance.now();
    return await this.#maintain(async () => {
      const filled = await this.#keeper.rebuild(reporting("rebuilding", report));
      this.#losses.length = this.#unnamedLosses = 0;
      delete this.#faults.index;
      if (this.store.writable) await this.#commitIndex({ seal: true });
      return {
        sections_reindexed: filled.sections,
        terms_indexed: this.#keeper.index.stats().terms,
        elapsed_ms: Math.round(performance.now() - start),
        ...(filled.skipped.length > 0 ? { skipped: [...filled.skipped] } : {}),
      };
    });
  }

  /** Finishes what was begun, flushes the files, and closes; fine to call twice. */
  close(): Promise<void> {
    return this.#closed ??= this.#close();
  }

  async #close(): Promise<void> {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    await this.#ready.catch(() => {});
    await this.#writer.inOrder(() => {});
    try {
      if (this.store.writable && this.#initialized) await this.#maintain(() => this.#atEnd());
    } finally {
      await this.store.close();
      this.#keeper.free();
    }
  }

  async #load(records: readonly JournalRecord[]): Promise<void> {
    // Lets the caller's first replies go out before the thread is busy.
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    const { rebuilt, fault } = await this.#keeper.load(records);
    this.#initialized = true;
    if (fault !== undefined) {
      this.#faults.index = `The index was made again, because it could not be used: ${fault}`;
    }
    if (!rebuilt || !this.store.writable) return;
    if (this.#keeper.index.stats().segments > 0) this.#checkpoint();
  }

  async #beginItems(
    params: LearnParams,
    to: { results: Promise<LearnItemResult>[]; report: (progress: Progress) => void },
  ): Promise<void> {
    const slices = new Slices();
    const total = params.items.length;
    let done = 0;
    for (const [i, item] of params.items.entries()) {
      const result = this.#learnItem(item, `${params.key}/${i}`);
      to.results.push(
        result.finally(() => to.report({ done: ++done, total, message: "learning" })),
      );
      await slices.breathe();
    }
  }

  async #learnItem(item: LearnItem, key: string): Promise<LearnItemResult> {
    try {
      return await this.#writer.learn(item, key);
    } catch (error) {
      return { ok: false, error: toKbdbError(error).toJSON() };
    }
  }

  #recallItem(kbid: string): RecallItem {
    const refuse = (code: string, message: string) => ({ kbid, error: { code, message } });
    if (!isKbid(kbid)) {
      return refuse(
        "bad_request",
        `Cannot recall ${JSON.stringify(kbid.slice(0, 64))}: not a kbid. ` +
          "A kbid has 26 letters and digits; search shows it.",
      );
    }
    const outcome = this.#reader.read(kbid);
    if (outcome.state === "missing") return refuse("not_found", `Section not found: ${kbid}`);
    if (outcome.state !== "found") {
      const code = outcome.state === "damaged" ? "damaged" : "permission";
      return refuse(code, `Cannot read section ${kbid}: it is ${outcome.state}: ${outcome.reason}`);
    }
    const { meta, content } = outcome.value;
    return {
      kbid,
      heading: meta.title,
      type: meta.type,
      content: decoder.decode(content),
      docids: this.#keeper.recordOf(kbid)?.docids ?? [],
      tags: [...meta.tags],
      ...(meta.retired === null ? {} : { retired: meta.retired }),
    };
  }

  #loses(kbid: string, reason: string): void {
    if (!this.store.exists()) {
      throw new KbdbError(
        "damaged",
        `Cannot search: the database folder ${this.store.paths.root} is gone. Put it back.`,
      );
    }
    this.#keeper.lose(kbid);
    const sentence = `Section ${kbid} is left out: ${reason}. Run: kbdb check`;
    if (this.#losses.length < NAMED_LOSSES) this.#losses.push(sentence);
    else this.#unnamedLosses += 1;
  }

  get #warnings(): string[] {
    const more = this.#unnamedLosses;
    return [
      ...this.store.warnings,
      ...Object.values(this.#faults),
      ...this.#losses,
      ...(more > 0 ? [`${more} more sections are left out. Run: kbdb check`] : []),
    ];
  }

  #wrote(): void {
    if (!this.store.writable) return;
    if (this.#keeper.sealDue || this.store.journalBytes > CHECKPOINT_BYTES) this.#checkpoint();
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      void this.#maintain(() => this.#flush()).catch((error) => this.#failed(error));
    }, IDLE_FLUSH_MS);
  }

  #checkpoint(): void {
    if (this.#checkpointQueued) return;
    this.#checkpointQueued = true;
    void this.#maintain(async () => {
      this.#checkpointQueued = false;
      await this.#commitIndex({ seal: true });
    }).catch((error) => this.#failed(error));
  }

  #failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#faults.flush = `The files could not be flushed: ${reason}. The journal keeps the writes.`;
  }

  /** Maintenance runs one after another: a rebuild must not be overtaken by an older index. */
  #maintain<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#maintenance.then(work);
    this.#maintenance = done.then(() => {}, () => {});
    return done;
  }

  /**
   * Flushes the files and puts the index on disk; with `seal`, what has gathered becomes a segment
   * and the journal is cut short.
   */
  async #commitIndex(options: { seal: boolean }): Promise<void> {
    if (!this.store.exists()) {
      throw new Error(`the database ${this.store.paths.root} was removed or replaced`);
    }
    const rotated = options.seal ? this.store.rotateJournal() : null;
    rotated?.catch(() => {});
    const { part, snapshot } = await this.#writer.inOrder(async () => {
      const part = await rotated;
      if (options.seal) this.#keeper.seal();
      return { part, snapshot: this.#keeper.snapshot() };
    });
    await this.store.flushFiles();
    await this.#keeper.commit(snapshot);
    if (part !== null) await this.store.dropJournal(part);
    delete this.#faults.flush;
  }

  async #flush(): Promise<void> {
    const flushed = this.store.indexFiles.state?.flushedSeq ?? 0;
    if (this.#keeper.appliedSeq > flushed) await this.#commitIndex({ seal: false });
  }

  async #atEnd(): Promise<void> {
    if (this.#keeper.worthSealing) await this.#commitIndex({ seal: true });
    else await this.#flush();
  }
}

function reporting(message: string, report: (progress: Progress) => void): Report {
  return (done, total) => report({ done, total, message });
}
