/**
 * Keeps the index in step with the store: loads it, catches up from the journal, seals segments, and
 * makes it again from truth alone.
 *
 * @module
 */

import { SearchIndex } from "../core/search_index.ts";
import type { Generation } from "../store/index_files.ts";
import type { JournalRecord } from "../store/journal_record.ts";
import type { Store } from "../store/store.ts";
import { fillFromTruth, type FillReport } from "./fill_index.ts";
import { indexDocument, indexSection } from "./records.ts";
import { Slices } from "./slices.ts";

/** A tail of this many entries is sealed into a segment. */
const SEAL_ENTRIES = 4096;
/** A tail of about this many bytes is sealed, however few its entries are. */
const SEAL_BYTES = 24 * 1024 * 1024;
/** A tail smaller than this stays in the journal when the database is closed. */
const KEEP_ENTRIES = 256;

/** Tells how far long work has come. */
export type Report = (done: number, total: number | null) => void;

/** The index of an open database. */
export class IndexKeeper {
  #index: SearchIndex;
  #generation: Generation | null = null;
  #appliedSeq = 0;
  /** A sealed segment could not be written, so the files no longer match what is in memory. */
  #behind = false;
  /** What was applied while a rebuild was running, for its new index to catch up with. */
  #sinceRebuild: JournalRecord[] | null = null;

  constructor(private readonly store: Store) {
    this.#index = new SearchIndex({ language: store.config.language });
  }

  get index(): SearchIndex {
    return this.#index;
  }

  /** Sequence number of the last transaction in the index. */
  get appliedSeq(): number {
    return this.#appliedSeq;
  }

  /**
   * Loads the index files and adds what the journal holds beyond them; makes the index again where
   * they are missing or cannot be used.
   *
   * @returns whether it had to be made again, and why if that is a fault
   */
  async load(records: readonly JournalRecord[]): Promise<{ rebuilt: boolean; fault?: string }> {
    const fault = this.#loadFiles();
    if (fault !== undefined) await this.rebuild(() => {});
    else await this.#catchUp(records);
    this.#appliedSeq = this.store.seq;
    return { rebuilt: fault !== undefined, ...(fault ? { fault } : {}) };
  }

  /** Puts a durable transaction into the index; returns the terms added per section. */
  apply(record: JournalRecord): Map<string, number> {
    this.#sinceRebuild?.push(record);
    this.#appliedSeq = Math.max(this.#appliedSeq, record.seq);
    return applyRecord(this.#index, record, this.store);
  }

  /** Whether enough has gathered for a segment. */
  get sealDue(): boolean {
    const { tail_entries, tail_bytes } = this.#index.stats();
    return tail_entries >= SEAL_ENTRIES || tail_bytes >= SEAL_BYTES;
  }

  /** Whether so much has gathered that it should not be left in the journal at the end. */
  get worthSealing(): boolean {
    return this.#index.stats().tail_entries >= KEEP_ENTRIES;
  }

  /** Turns what has gathered into a segment; the files follow with {@linkcode IndexKeeper.commit}. */
  seal(): void {
    this.#refuseIfBehind();
    this.#generation ??= this.store.indexFiles.begin(this.#settings());
    const segment = this.#index.seal();
    if (segment === null) return;
    this.#behind = true;
    this.#generation.add(segment);
    this.#behind = false;
  }

  /** What a commit of this moment stands for. */
  snapshot(sealed: boolean): IndexSnapshot {
    const indexedSeq = sealed ? this.#appliedSeq : this.store.indexFiles.state?.indexedSeq ?? 0;
    const count = this.#generation?.current.segments.length ?? 0;
    return {
      indexedSeq,
      flushedSeq: this.#appliedSeq,
      dead: Array.from({ length: count }, (_, segment) => this.#index.dead(segment)),
    };
  }

  /** Makes a snapshot the index on disk, durably. */
  async commit(snapshot: IndexSnapshot): Promise<void> {
    this.#refuseIfBehind();
    this.#generation ??= this.store.indexFiles.begin(this.#settings());
    await this.store.indexFiles.commit(this.#generation, snapshot);
  }

  /**
   * Makes the index again from sections and documents alone. Searches are answered from the old one
   * meanwhile; writes go to both.
   */
  async rebuild(report: Report): Promise<FillReport> {
    const fresh = new SearchIndex({ language: this.store.config.language });
    this.#sinceRebuild = [];
    try {
      const generation = this.store.writable ? this.store.indexFiles.begin(this.#settings()) : null;
      const sealFull = () => sealInto(fresh, { generation, atLeast: SEAL_ENTRIES });
      const filled = await fillFromTruth(this.store, { index: fresh, report, added: sealFull });
      this.store.raiseSeq(filled.lastSeq);
      for (const record of this.#sinceRebuild) applyRecord(fresh, record, this.store);
      sealInto(fresh, { generation, atLeast: 1 });
      this.#replace(fresh, generation);
      return filled;
    } catch (error) {
      fresh.free();
      throw error;
    } finally {
      this.#sinceRebuild = null;
    }
  }

  /** Frees the core's memory. */
  free(): void {
    this.#index.free();
  }

  #replace(fresh: SearchIndex, generation: Generation | null): void {
    this.#index.free();
    this.#index = fresh;
    this.#generation = generation;
    this.#behind = false;
  }

  #refuseIfBehind(): void {
    if (!this.#behind) return;
    throw new Error("Cannot save the index: a segment could not be written. Run: kbdb rebuild");
  }

  /** Why the files cannot be used: `null` where there are none yet, `undefined` if all is well. */
  #loadFiles(): string | null | undefined {
    const loaded = this.store.indexFiles.load(this.#settings());
    if ("reason" in loaded) return loaded.reason;
    try {
      for (const segment of loaded.segments) this.#index.load(segment);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    if (this.store.writable) this.#generation = this.store.indexFiles.resume();
    return undefined;
  }

  async #catchUp(records: readonly JournalRecord[]): Promise<void> {
    const indexed = this.store.indexFiles.state?.indexedSeq ?? 0;
    const slices = new Slices();
    for (const record of records.filter((record) => record.seq > indexed)) {
      applyRecord(this.#index, record, this.store);
      await slices.breathe();
    }
  }

  #settings(): string {
    return `language=${this.store.config.language}`;
  }
}

/** What the index on disk will stand for once it is committed. */
export interface IndexSnapshot {
  readonly indexedSeq: number;
  readonly flushedSeq: number;
  readonly dead: readonly Uint8Array[];
}

function sealInto(
  index: SearchIndex,
  to: { generation: Generation | null; atLeast: number },
): void {
  const { tail_entries, tail_bytes } = index.stats();
  if (tail_entries < to.atLeast && tail_bytes < SEAL_BYTES) return;
  const segment = index.seal();
  if (segment) to.generation?.add(segment);
}

function applyRecord(index: SearchIndex, record: JournalRecord, store: Store): Map<string, number> {
  const terms = new Map<string, number>();
  for (const change of record.sections) {
    const content = change.content ?? contentOf(store, change.meta.kbid);
    if (content) terms.set(change.meta.kbid, indexSection(index, { ...change, content }));
  }
  for (const document of record.documents) indexDocument(index, document);
  return terms;
}

function contentOf(store: Store, kbid: string): Uint8Array | null {
  const stored = store.readSection(kbid);
  return stored.state === "found" ? stored.value.content : null;
}
