/**
 * Keeps the index in step with the store: loads it, catches up from the journal, seals segments, and
 * makes it again from truth alone.
 *
 * @module
 */

import { type IndexRecord, SearchIndex, type Segment } from "../core/search_index.ts";
import type { Generation } from "../store/index_files.ts";
import type { JournalRecord } from "../store/journal_record.ts";
import type { Store } from "../store/store.ts";
import { fillFromTruth, type FillReport } from "./fill_index.ts";
import { indexDocument, indexSection } from "./records.ts";
import { Slices } from "./slices.ts";

/** When what has gathered in memory becomes a segment. */
export interface Sealing {
  /** A tail of this many entries is sealed. */
  readonly entries: number;
  /** A tail of about this many bytes is sealed, however few its entries are. */
  readonly bytes: number;
  /** A tail smaller than this stays in the journal when the database is closed. */
  readonly keep: number;
}

const SEALING: Sealing = { entries: 4096, bytes: 24 * 1024 * 1024, keep: 256 };

/** Tells how far long work has come. */
export type Report = (done: number, total: number | null) => void;

/** The index of an open database. */
export class IndexKeeper {
  #index: SearchIndex;
  #generation: Generation | null = null;
  #appliedSeq = 0;
  /** Transactions up to this one are in segments. */
  #sealedSeq = 0;
  /** A sealed segment that could not be written yet. */
  #unsaved: Segment | null = null;
  /** The index could be made in memory only, because its files could not be written. */
  #memoryOnly = false;
  /** What was known of sections whose files are gone, for when they come back. */
  readonly #lost = new Map<string, IndexRecord>();
  /** What was applied while a rebuild was running, for its new index to catch up with. */
  #sinceRebuild: JournalRecord[] | null = null;

  constructor(private readonly store: Store, private readonly sealing: Sealing = SEALING) {
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
    const fault = this.#loadFiles(records);
    if (fault !== undefined) await this.#makeAgain();
    else await this.#catchUp(records);
    this.#appliedSeq = this.store.seq;
    this.#sealedSeq = fault === undefined
      ? this.store.indexFiles.state!.indexedSeq
      : this.store.seq;
    return { rebuilt: fault !== undefined, ...(fault ? { fault } : {}) };
  }

  /** Puts a durable transaction into the index; returns the terms added per section. */
  apply(record: JournalRecord): Map<string, number> {
    this.#sinceRebuild?.push(record);
    this.#appliedSeq = Math.max(this.#appliedSeq, record.seq);
    for (const { meta } of record.sections) this.#lost.delete(meta.kbid);
    return applyRecord(this.#index, record, this.store);
  }

  /** What is known of a section, also of one that was lost. */
  recordOf(kbid: string): IndexRecord | null {
    return this.#index.get(kbid) ?? this.#lost.get(kbid) ?? null;
  }

  /** Takes a section whose file is gone or damaged out of search. */
  lose(kbid: string): void {
    const record = this.#index.get(kbid);
    if (record !== null) this.#lost.set(kbid, record);
    this.#index.remove(kbid);
  }

  /** Whether enough has gathered for a segment. */
  get sealDue(): boolean {
    return isFull(this.#index, this.sealing);
  }

  /** Whether so much has gathered that it should not be left in the journal at the end. */
  get worthSealing(): boolean {
    return this.#index.tail().entries >= this.sealing.keep;
  }

  /** Turns what has gathered into a segment; the files follow with {@linkcode IndexKeeper.commit}. */
  seal(): void {
    this.#save();
    this.#unsaved = this.#index.seal();
    this.#sealedSeq = this.#appliedSeq;
    this.#save();
  }

  /** What a commit of this moment stands for. */
  snapshot(): IndexSnapshot {
    const { segments } = this.#save().current;
    return {
      indexedSeq: this.#sealedSeq,
      flushedSeq: this.#appliedSeq,
      dead: segments.map((_, segment) => this.#index.dead(segment)),
    };
  }

  /** Makes a snapshot the index on disk, durably. */
  async commit(snapshot: IndexSnapshot): Promise<void> {
    await this.store.indexFiles.commit(this.#save(), snapshot);
  }

  /**
   * Makes the index again from sections and documents alone. Searches are answered from the old one
   * meanwhile; writes go to both.
   */
  async rebuild(report: Report): Promise<FillReport> {
    const generation = this.store.writable ? this.store.indexFiles.begin(this.#settings()) : null;
    try {
      return await this.#refill(report, generation);
    } catch (error) {
      generation?.discard();
      throw error;
    }
  }

  /** Frees the core's memory. */
  free(): void {
    this.#index.free();
  }

  async #refill(report: Report, generation: Generation | null): Promise<FillReport> {
    const { language } = this.store.config;
    const fresh = new SearchIndex({ language });
    this.#sinceRebuild = [];
    const added = () => {
      if (isFull(fresh, this.sealing)) sealInto(fresh, generation);
    };
    try {
      const filled = await fillFromTruth(this.store, { index: fresh, report, added });
      this.store.raiseSeq(filled.lastSeq);
      for (const record of this.#sinceRebuild) applyRecord(fresh, record, this.store);
      sealInto(fresh, generation);
      this.#replace(fresh, generation);
      return filled;
    } catch (error) {
      fresh.free();
      throw error;
    } finally {
      this.#sinceRebuild = null;
    }
  }

  /** A full disk must not keep anybody from searching. */
  async #makeAgain(): Promise<void> {
    try {
      await this.rebuild(() => {});
    } catch (error) {
      if (!this.store.writable) throw error;
      await this.#refill(() => {}, null);
      this.#memoryOnly = true;
    }
  }

  #replace(fresh: SearchIndex, generation: Generation | null): void {
    const old = this.#generation;
    if (old && old.current.generation !== this.store.indexFiles.generation) old.discard();
    this.#index.free();
    this.#index = fresh;
    this.#generation = generation;
    this.#sealedSeq = this.#appliedSeq;
    this.#unsaved = null;
    this.#memoryOnly = false;
    this.#lost.clear();
  }

  /** Writes the segment that is still to be written; returns the generation that has it. */
  #save(): Generation {
    if (this.#memoryOnly) {
      throw new Error("Cannot save the index: its files could not be written. Run: kbdb rebuild");
    }
    this.#generation ??= this.store.indexFiles.begin(this.#settings());
    if (this.#unsaved !== null) this.#generation.add(this.#unsaved);
    this.#unsaved = null;
    return this.#generation;
  }

  /** Why the files cannot be used: `null` where there are none yet, `undefined` if all is well. */
  #loadFiles(records: readonly JournalRecord[]): string | null | undefined {
    const loaded = this.store.indexFiles.load(this.#settings());
    if ("reason" in loaded) return loaded.reason;
    try {
      for (const segment of loaded.segments) this.#index.load(segment);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    const { indexedSeq, flushedSeq } = this.store.indexFiles.state!;
    if (flushedSeq > indexedSeq && (records.at(-1)?.seq ?? 0) < flushedSeq) {
      return "the journal no longer holds what came after it";
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

function isFull(index: SearchIndex, sealing: Sealing): boolean {
  const { entries, bytes } = index.tail();
  return entries >= sealing.entries || bytes >= sealing.bytes;
}

function sealInto(index: SearchIndex, generation: Generation | null): void {
  const segment = index.seal();
  if (segment) generation?.add(segment);
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
