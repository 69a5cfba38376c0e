/**
 * What an open database does by itself between requests: it flushes the files, puts the index on
 * disk, cuts the journal short, and empties the trash of what is old.
 *
 * @module
 */

import type { Store } from "../store/store.ts";
import type { IndexKeeper } from "./index/keeper.ts";
import type { Writer } from "./write/writer.ts";

/** The journal is cut short once it holds this many bytes, however few its sections are. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;
/** Files are flushed when no write came for this long. */
const IDLE_FLUSH_MS = 2000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What is maintained. */
export interface MaintenanceParts {
  readonly store: Store;
  readonly keeper: IndexKeeper;
  readonly writer: Writer;
  /** Days that something stays in the trash. */
  readonly trashDays: number;
  now(): Date;
}

/** The maintenance of one open database. */
export class Maintenance {
  #work: Promise<void> = Promise.resolve();
  #checkpointQueued = false;
  #merging: Promise<void> | null = null;
  #isStopped = false;
  #idleTimer: ReturnType<typeof setTimeout> | null = null;
  /** When the trash was last looked through. */
  #emptiedAt = -Infinity;
  #fault: string | null = null;
  #mergeFault: string | null = null;

  constructor(private readonly parts: MaintenanceParts) {}

  /** Why the files could not be flushed or segments not merged, as sentences. */
  get faults(): string[] {
    return [this.#fault, this.#mergeFault].filter((fault) => fault !== null);
  }

  /** Called after every write, and once at the start. */
  wrote(): void {
    const { store, keeper } = this.parts;
    if (!store.writable) return;
    if (keeper.checkpointDue || store.journalBytes > CHECKPOINT_BYTES) this.checkpoint();
    if (keeper.mergeDue) this.merge();
    this.#waitForIdleness();
  }

  #waitForIdleness(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      void this.run(() => this.#whenIdle()).catch((error) => this.#failed(error));
    }, IDLE_FLUSH_MS);
  }

  /** Makes what has gathered in the index's tail a segment, soon. */
  checkpoint(): void {
    if (this.#checkpointQueued) return;
    this.#checkpointQueued = true;
    void this.run(async () => {
      this.#checkpointQueued = false;
      await this.commitIndex({ seal: true });
    }).catch((error) => this.#failed(error));
  }

  /** Merges segments as far as that is worth it, beside everything else. */
  merge(): void {
    if (this.#merging !== null || this.#isStopped || !this.parts.store.writable) return;
    this.#merging = this.#mergeAll().finally(() => this.#merging = null);
  }

  /** Maintenance runs one after another: a rebuild must not be overtaken by an older index. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work);
    this.#work = done.then(() => {}, () => {});
    return done;
  }

  /**
   * Flushes the files and puts the index on disk; with `seal`, what has gathered becomes a segment
   * and the journal is cut short.
   */
  async commitIndex(options: { seal: boolean }): Promise<void> {
    const { store, keeper, writer } = this.parts;
    if (!store.exists()) {
      throw new Error(`the database ${store.paths.root} was removed or replaced`);
    }
    const rotated = options.seal ? store.rotateJournal() : null;
    rotated?.catch(() => {});
    const { part, snapshot } = await writer.inOrder(async () => {
      const part = await rotated;
      if (options.seal) keeper.seal();
      return { part, snapshot: keeper.snapshot() };
    });
    await store.flushFiles();
    await keeper.commit(snapshot);
    if (part !== null) await store.dropJournal(part);
    this.#fault = null;
  }

  /** Nothing is begun by itself any more. */
  stop(): void {
    this.#isStopped = true;
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
  }

  /** Flushes what is not on disk yet, when the database is closed. */
  async finish(): Promise<void> {
    await this.#merging;
    await this.run(() =>
      this.parts.keeper.worthSealing ? this.commitIndex({ seal: true }) : this.#flush()
    );
  }

  async #mergeAll(): Promise<void> {
    const { keeper } = this.parts;
    try {
      while (!this.#isStopped && await keeper.merge()) this.#mergeFault = null;
      if (!this.#isStopped && keeper.isMerged) this.#waitForIdleness();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#mergeFault = `Segments of the index could not be merged: ${reason}. Run: kbdb rebuild`;
    }
  }

  async #whenIdle(): Promise<void> {
    await this.#flush();
    this.merge();
    const { store, trashDays } = this.parts;
    const now = this.parts.now().getTime();
    if (now - this.#emptiedAt < DAY_MS) return;
    this.#emptiedAt = now;
    await store.trash.empty(new Date(now - trashDays * DAY_MS));
  }

  async #flush(): Promise<void> {
    const { store, keeper } = this.parts;
    const flushed = store.indexFiles.state?.flushedSeq ?? 0;
    if (keeper.appliedSeq > flushed || keeper.isMerged) await this.commitIndex({ seal: false });
  }

  #failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#fault = `The files could not be flushed: ${reason}. The journal keeps the writes.`;
  }
}
