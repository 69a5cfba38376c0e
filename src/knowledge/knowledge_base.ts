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
import { check } from "./check.ts";
import { ContentCache } from "./content_cache.ts";
import { KbdbError } from "../rpc/errors.ts";
import { IndexKeeper, type Report } from "./index_keeper.ts";
import { search } from "./search.ts";
import { SectionReader } from "./sections.ts";
import { Slices } from "./slices.ts";
import { Writer } from "./writer.ts";

/** The journal is cut short once it holds this many bytes, however few its sections are. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;
/** Files are flushed when no write came for this long. */
const IDLE_FLUSH_MS = 2000;

/** What the knowledge of a database tells of itself; the daemon adds what it knows. */
export type KnowledgeStatus = Omit<
  StatusResult,
  "version" | "pid" | "uptime_ms" | "daemon_rss_bytes"
>;

const decoder = new TextDecoder();

/** The operations of one open database. */
export class KnowledgeBase {
  readonly #keeper: IndexKeeper;
  readonly #cache = new ContentCache();
  readonly #reader: SectionReader;
  readonly #writer: Writer;
  readonly #lost: string[] = [];
  /** Resolves once the index is loaded. */
  readonly #ready: Promise<void>;
  #initialized = false;
  #maintenance: Promise<void> = Promise.resolve();
  #checkpointQueued = false;
  #idleTimer: ReturnType<typeof setTimeout> | null = null;

  private constructor(
    private readonly store: Store,
    options: { records: readonly JournalRecord[]; now(): Date },
  ) {
    this.#keeper = new IndexKeeper(store);
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
  static async open(options: StoreOptions): Promise<KnowledgeBase> {
    const { store, records } = await Store.open(options);
    return new KnowledgeBase(store, { records, now: options.now });
  }

  /** Stores contents; each is a transaction of its own (D46). */
  async learn(params: LearnParams, report: (progress: Progress) => void): Promise<LearnResult> {
    await this.#ready;
    const slices = new Slices();
    const results: Promise<LearnItemResult>[] = [];
    let done = 0;
    for (const [i, item] of params.items.entries()) {
      const result = this.#learnItem(item, `${params.key}/${i}`);
      void result.then(() =>
        report({ done: ++done, total: params.items.length, message: "learning" })
      );
      results.push(result);
      await slices.breathe();
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
        unsealed_sections: stats.tail_entries,
      },
      journal_bytes: store.journalBytes,
      wasm_memory_bytes: stats.memory_bytes,
      read_only: !store.writable,
      warnings: [...store.warnings, ...this.#lost],
    };
  }

  /** Verifies everything stored; changes nothing. */
  async check(report: (progress: Progress) => void): Promise<CheckResult> {
    await this.#ready;
    await this.#writer.inOrder(() => {});
    return await check({
      store: this.store,
      index: () => this.#keeper.index,
      report: reporting("checking", report),
    });
  }

  /** Makes the index again from sections and documents. */
  async rebuild(report: (progress: Progress) => void): Promise<RebuildResult> {
    await this.#ready;
    const start = performance.now();
    return await this.#maintain(async () => {
      const filled = await this.#keeper.rebuild(reporting("rebuilding", report));
      this.#lost.length = 0;
      if (this.store.writable) await this.#commitIndex({ seal: true });
      return {
        sections_reindexed: filled.sections,
        terms_indexed: this.#keeper.index.stats().terms,
        elapsed_ms: Math.round(performance.now() - start),
        ...(filled.skipped.length > 0 ? { skipped: [...filled.skipped] } : {}),
      };
    });
  }

  /** Finishes what was begun, flushes the files, and closes. */
  async close(): Promise<void> {
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
      this.#lost.push(`The index was made again, because it could not be used: ${fault}`);
    }
    if (rebuilt && this.store.writable && this.#keeper.worthSealing) this.#checkpoint();
  }

  async #learnItem(item: LearnItem, key: string): Promise<LearnItemResult> {
    try {
      return await this.#writer.learn(item, key);
    } catch (error) {
      const { code, message } = error as { code?: string; message?: string };
      return {
        ok: false,
        error: { code: code ?? "internal", message: message ?? String(error) },
      };
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
      docids: this.#keeper.index.get(kbid)?.docids ?? [],
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
    this.#keeper.index.remove(kbid);
    this.#lost.push(`Section ${kbid} is left out: ${reason}. Run: kbdb check`);
  }

  #wrote(): void {
    if (this.#keeper.sealDue || this.store.journalBytes > CHECKPOINT_BYTES) this.#checkpoint();
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      void this.#maintain(() => this.#commitIndex({ seal: false })).catch((e) => this.#failed(e));
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
    const sentence = `The files could not be flushed: ${reason}. The journal keeps the writes.`;
    if (!this.#lost.includes(sentence)) this.#lost.push(sentence);
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
    const rotated = options.seal ? this.store.rotateJournal() : null;
    rotated?.catch(() => {});
    const { part, snapshot } = await this.#writer.inOrder(async () => {
      const part = await rotated;
      if (options.seal) this.#keeper.seal();
      return { part, snapshot: this.#keeper.snapshot(options.seal) };
    });
    await this.store.flushFiles();
    await this.#keeper.commit(snapshot);
    if (part !== null) await this.store.dropJournal(part);
  }

  async #atEnd(): Promise<void> {
    const unflushed = this.#keeper.appliedSeq > (this.store.indexFiles.state?.flushedSeq ?? 0);
    if (this.#keeper.worthSealing) await this.#commitIndex({ seal: true });
    else if (unflushed) await this.#commitIndex({ seal: false });
  }
}

function reporting(message: string, report: (progress: Progress) => void): Report {
  return (done, total) => report({ done, total, message });
}
