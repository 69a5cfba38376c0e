/**
 * Keeps the index in step with the store: loads it, catches up from the journal, seals and merges
 * segments, and has it made again from truth alone.
 *
 * @module
 */

import { type IndexRecord, SearchIndex } from "../../core/search_index.ts";
import type { Thread } from "../../platform/types.ts";
import type { NamedSegment } from "../../store/index_current.ts";
import type { Generation } from "../../store/index_generation.ts";
import type { JournalRecord } from "../../store/journal_record.ts";
import type { Store } from "../../store/store.ts";
import type { FillReport, Report } from "./fill.ts";
import type { SegmentSize } from "./build.ts";
import { IndexJobs, type MadeIndex } from "./jobs.ts";
import { planMerge } from "./merge.ts";
import { Meanwhile } from "./remake.ts";
import { assemble, IndexSegments, loadSegments, NO_DEAD } from "./segments.ts";
import { indexTransaction } from "./records.ts";
import { inSlices, Slices } from "../slices.ts";

/** When what has gathered in memory goes to disk. */
export interface Sealing {
  /** So many new entries make a checkpoint; half of them make a segment. */
  readonly entries: number;
  /** About so many bytes of new entries do, however few they are. */
  readonly bytes: number;
  /** Fewer new entries than this stay in the journal when the database is closed. */
  readonly keep: number;
}

const SEALING: Sealing = { entries: 4096, bytes: 24 * 1024 * 1024, keep: 256 };
/** Searches wait while a segment is sealed: it must not be large. */
const SEGMENTS_OF_CHECKPOINT = 2;
const NOTHING: SegmentSize = { entries: 0, bytes: 0 };

/** How an index is kept. */
export interface KeeperOptions {
  readonly sealing?: Sealing | undefined;
  /** Starts a thread that builds or merges; without it everything is done here. */
  readonly startIndexer?: (() => Thread) | undefined;
}

/** What went into an index that was made again. */
export interface RebuildReport {
  readonly sections: number;
  /** Files that could not be used, each with its reason. */
  readonly skipped: readonly string[];
}

/** What the index on disk will stand for once it is committed. */
export interface IndexSnapshot {
  readonly generation: Generation;
  readonly indexedSeq: number;
  readonly flushedSeq: number;
  readonly scannedMs: number;
  readonly segments: readonly NamedSegment[];
  /** How much of what has gathered a checkpoint puts on disk. */
  readonly gathered: SegmentSize;
}

/** The index of an open database. */
export class IndexKeeper {
  /** When the files were last looked through for edits from outside; kept with the next commit. */
  scannedMs = 0;
  #index: SearchIndex;
  #segments: IndexSegments;
  readonly #sealing: Sealing;
  /** Size of a segment as it is sealed. */
  readonly #usual: SegmentSize;
  readonly #jobs: IndexJobs;
  #isMergeDue = false;
  #appliedSeq = 0;
  /** Transactions up to this one are in segments. */
  #sealedSeq = 0;
  /** What the snapshot of a checkpoint will put on disk. */
  #covered: SegmentSize = NOTHING;
  /** What was known of sections whose files are gone, for when they come back. */
  readonly #lost = new Map<string, IndexRecord>();
  /** What is applied while a new index is being made, which has to catch up with it. */
  #meanwhile: Meanwhile | null = null;

  constructor(private readonly store: Store, options: KeeperOptions = {}) {
    const { sealing = SEALING, startIndexer } = options;
    this.#sealing = sealing;
    this.#usual = {
      entries: sealing.entries / SEGMENTS_OF_CHECKPOINT,
      bytes: sealing.bytes / SEGMENTS_OF_CHECKPOINT,
    };
    this.#jobs = new IndexJobs({ store, usual: this.#usual, startIndexer });
    this.#index = this.#emptyIndex();
    this.#segments = new IndexSegments({ begin: this.#begin });
  }

  get index(): SearchIndex {
    return this.#index;
  }

  /** Why indexes are not made in a thread, where that failed. */
  get threadFault(): string | null {
    return this.#jobs.fault;
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
    if (fault === undefined) await this.#catchUp(records);
    else await this.#makeAgain();
    this.#appliedSeq = this.store.seq;
    return { rebuilt: fault !== undefined, ...(fault ? { fault } : {}) };
  }

  /** Puts a durable transaction into the index; returns the terms added per section. */
  apply(record: JournalRecord): Map<string, number> {
    this.#meanwhile?.add(record);
    this.#appliedSeq = Math.max(this.#appliedSeq, record.seq);
    for (const { meta } of record.sections) this.#lost.delete(meta.kbid);
    for (const { kbid } of record.removal?.sections ?? []) this.#lost.delete(kbid);
    if (this.#lost.size > 0) this.#relist(record);
    return this.#take(record);
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

  /** Whether enough has gathered for a checkpoint. */
  get checkpointDue(): boolean {
    const { entries, bytes } = this.#gathered;
    return entries >= this.#sealing.entries || bytes >= this.#sealing.bytes;
  }

  /** Whether so much has gathered that it should not be left in the journal at the end. */
  get worthSealing(): boolean {
    return this.#gathered.entries >= this.#sealing.keep;
  }

  /** Turns what has gathered into a segment, for a checkpoint. */
  seal(): void {
    this.#segments.save();
    this.#seal();
    this.#segments.save();
    this.#covered = this.#segments.gathered;
  }

  /** What a commit of this moment stands for. */
  snapshot(): IndexSnapshot {
    const gathered = this.#covered;
    this.#covered = NOTHING;
    return {
      generation: this.#segments.save(),
      segments: this.#segments.named(this.#index),
      indexedSeq: this.#sealedSeq,
      flushedSeq: this.#appliedSeq,
      scannedMs: this.scannedMs,
      gathered,
    };
  }

  /** Makes a snapshot the index on disk, durably. */
  async commit(snapshot: IndexSnapshot): Promise<void> {
    const { generation, gathered, ...state } = snapshot;
    await this.store.indexFiles.commit(generation, state);
    this.#segments.settle(gathered);
  }

  /**
   * Makes the index again from sections and documents alone. Searches are answered from the old one
   * meanwhile; writes go to both.
   */
  async rebuild(report: Report): Promise<RebuildReport> {
    const { sections } = this.#index.stats();
    return await this.#remake({ begin: this.#begin, sections, report });
  }

  /**
   * Merges one run of segments, if that is worth it, while everything else goes on; the next commit
   * names the merged segment.
   *
   * @returns whether there may be more to merge
   */
  async merge(): Promise<boolean> {
    this.#isMergeDue = false;
    const generation = this.#segments.saved;
    if (generation === null || this.#meanwhile !== null) return false;
    const plan = planMerge(this.#index.segments(), this.#usual.entries);
    if (plan === null || !this.#jobs.canMerge(plan.live)) return false;
    const number = generation.takeNumber();
    let isDone = false;
    try {
      return isDone = await this.#mergeRun(generation, { ...plan, number });
    } finally {
      if (!isDone) generation.drop(number);
    }
  }

  /** Whether segments came that were not looked at for merging. */
  get mergeDue(): boolean {
    return this.#isMergeDue;
  }

  /** Whether segments were merged and the index on disk does not say so yet. */
  get isMerged(): boolean {
    return this.#segments.generation?.hasReplaced ?? false;
  }

  /** Ends what builds or merges, and lets nothing of the kind begin any more. */
  stop(): void {
    this.#jobs.stop();
  }

  /** Frees the core's memory. */
  free(): void {
    this.#index.free();
  }

  async #mergeRun(
    generation: Generation,
    run: { first: number; count: number; live: number; number: number },
  ): Promise<boolean> {
    const { first, count, live, number } = run;
    const entries = generation.segments.slice(first, first + count);
    const dead = entries.map((_, i) => this.#index.dead(first + i));
    const inputs = entries.map((entry, i) => ({ entry, dead: dead[i] }));
    const merged = await this.#jobs.merge(generation, { inputs, number, live });
    if (merged === undefined) return false;
    const bytes = merged && { ...await inSlices(generation.readSearched(merged)), dead: NO_DEAD };
    // Nothing but a rebuild can have changed more than the end of the list.
    if (this.#segments.generation !== generation) return false;
    this.#index.replaceSegments(first, count, bytes, dead);
    generation.replace(first, count, merged);
    return true;
  }

  async #remake(order: {
    begin: (() => Generation) | null;
    sections: number;
    report: Report;
  }): Promise<RebuildReport> {
    const meanwhile = this.#meanwhile = new Meanwhile(this.store);
    try {
      const made = await this.#jobs.remake({ ...order, meanwhile, seq: this.#appliedSeq });
      this.#install(made);
      for (const record of meanwhile.take()) this.#take(record);
      return reportOf(made.filled, meanwhile);
    } finally {
      this.#meanwhile = null;
    }
  }

  /** A full disk must not keep anybody from searching. */
  async #makeAgain(): Promise<void> {
    this.#index.free();
    this.#index = this.#emptyIndex();
    this.#appliedSeq = this.store.seq;
    const order = { sections: this.store.listSections().kbids.length, report: () => {} };
    try {
      await this.#remake({ ...order, begin: this.#begin });
    } catch (error) {
      if (!this.store.writable) throw error;
      await this.#remake({ ...order, begin: null });
    }
  }

  /** Puts a new index in the place of the one that serves, in one moment. */
  #install(made: MadeIndex): void {
    const saved = this.#savedIndex();
    // The core's memory never shrinks: with two indexes in it at once it would stay twice as large.
    if (saved) this.#index.free();
    const fresh = this.#emptyIndex();
    try {
      assemble(fresh, made);
    } catch (error) {
      fresh.free();
      made.generation?.discard();
      if (saved) loadSegments(this.#index = this.#emptyIndex(), saved);
      throw error;
    }
    if (!saved) this.#index.free();
    this.#index = fresh;
    this.#segments.abandon(this.store.indexFiles.generation);
    const begin = made.generation && this.#begin;
    this.#segments = new IndexSegments({ begin, generation: made.generation });
    this.#sealedSeq = made.seq;
    this.#lost.clear();
  }

  /** The serving index as it lies on disk, or `null` where it does not, or not wholly. */
  #savedIndex(): { generation: Generation; segments: readonly NamedSegment[] } | null {
    this.#seal();
    const generation = this.#segments.saved;
    return generation && { generation, segments: this.#segments.named(this.#index) };
  }

  /** Why the files cannot be used: `null` where there are none yet, `undefined` if all is well. */
  #loadFiles(records: readonly JournalRecord[]): string | null | undefined {
    const { indexFiles, writable } = this.store;
    const loaded = indexFiles.load(this.#settings, (segment) => this.#index.load(segment));
    if (loaded.state === "missing") return null;
    if (loaded.state === "unusable") return loaded.reason;
    const { indexedSeq, flushedSeq, scannedMs } = indexFiles.state!;
    if (flushedSeq > indexedSeq && (records.at(-1)?.seq ?? 0) < flushedSeq) {
      return "the journal no longer holds what came after it";
    }
    this.#sealedSeq = indexedSeq;
    this.scannedMs = scannedMs;
    const generation = writable ? indexFiles.resume() : null;
    this.#segments = new IndexSegments({ begin: this.#begin, generation });
    return undefined;
  }

  async #catchUp(records: readonly JournalRecord[]): Promise<void> {
    const indexed = this.#sealedSeq;
    const slices = new Slices();
    for (const record of records.filter((record) => record.seq > indexed)) {
      this.#appliedSeq = record.seq;
      this.#take(record);
      await slices.breathe();
    }
  }

  /** Documents hold other sections now, also other ones of those that were lost. */
  #relist(record: JournalRecord): void {
    const lists = new Map(
      record.documents.map(({ docid, sections }) =>
        [docid, new Set(sections.map(({ kbid }) => kbid))] as const
      ),
    );
    for (const docid of record.removal?.documents ?? []) lists.set(docid, new Set());
    for (const [kbid, lost] of this.#lost) {
      const others = lost.docids.filter((docid) => !lists.has(docid));
      const holders = [...lists].filter(([, list]) => list.has(kbid)).map(([docid]) => docid);
      this.#lost.set(kbid, { ...lost, docids: [...others, ...holders].sort() });
    }
  }

  #take(record: JournalRecord): Map<string, number> {
    const terms = indexTransaction(this.#index, record, (kbid) => contentOf(this.store, kbid));
    const { entries, bytes } = this.#index.tail();
    if (entries >= this.#usual.entries || bytes >= this.#usual.bytes) this.#seal();
    return terms;
  }

  #seal(): void {
    this.#segments.seal(this.#index);
    this.#isMergeDue = true;
    this.#sealedSeq = this.#appliedSeq;
  }

  /** What was added since the last checkpoint. */
  get #gathered(): SegmentSize {
    const sealed = this.#segments.gathered;
    const tail = this.#index.tail();
    return { entries: sealed.entries + tail.entries, bytes: sealed.bytes + tail.bytes };
  }

  get #begin(): (() => Generation) | null {
    return this.store.writable ? () => this.store.indexFiles.begin(this.#settings) : null;
  }

  #emptyIndex(): SearchIndex {
    return new SearchIndex({ language: this.store.config.language });
  }

  get #settings(): string {
    return `language=${this.store.config.language}`;
  }
}

function reportOf({ sections, skipped }: FillReport, meanwhile: Meanwhile): RebuildReport {
  // What was written meanwhile may have been read half.
  const lasting = skipped.filter(({ name }) => !meanwhile.touches(name));
  return { sections, skipped: lasting.map(({ name, reason }) => `${name} is ${reason}`) };
}

function contentOf(store: Store, kbid: string): Uint8Array | null {
  const stored = store.readSection(kbid);
  return stored.state === "found" ? stored.value.content : null;
}
