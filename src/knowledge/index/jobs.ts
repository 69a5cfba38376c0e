/**
 * Building and merging: in a thread where that is possible and worth its start, otherwise here. One
 * job at a time.
 *
 * @module
 */

import { type Thread, ThreadError } from "../../platform/types.ts";
import { KbdbError, toKbdbError } from "../../rpc/errors.ts";
import type { SegmentEntry } from "../../store/index_current.ts";
import type { Generation } from "../../store/index_generation.ts";
import type { Store } from "../../store/store.ts";
import type { Report } from "./fill.ts";
import type { SegmentSize } from "./build.ts";
import { type IndexBuilder, IndexThread, LocalBuild } from "./builders.ts";
import type { MergeOrder } from "./calls.ts";
import { mergeSegments, segmentLimit } from "./merge.ts";
import { inFiles, type Meanwhile, type RemadeIndex, remakeIndex } from "./remake.ts";

/** A thread takes longer to start than this part of a usual segment to index. */
const FEW_SECTIONS = 1 / 4;
/** More usual segments than this would keep searches waiting while they are merged here. */
const FEW_ENTRIES = 2;

/** What a thread may gather in memory before it seals a segment. */
const TAIL_BYTES = 96 * 1024 * 1024;

/** What jobs work with. */
export interface JobParts {
  readonly store: Store;
  /** Of segments as they are sealed. */
  readonly usual: SegmentSize;
  /** Starts a thread that builds or merges; without it everything is done here. */
  readonly startIndexer?: (() => Thread) | undefined;
}

/** An index to be made. */
export interface RemakeOrder {
  /** Begins the generation that it goes to; `null` where it has to stay in memory. */
  readonly begin: (() => Generation) | null;
  /** About how many sections there are. */
  readonly sections: number;
  readonly meanwhile: Meanwhile;
  /** Transactions up to this one are in the store. */
  readonly seq: number;
  readonly report: Report;
}

/** A new index and the generation that its segments are in, if any. */
export type MadeIndex = RemadeIndex & { readonly generation: Generation | null };

/** Does one job after another for an index. */
export class IndexJobs {
  #startIndexer: (() => Thread) | null;
  /** Who works at the moment. */
  #worker: { end(): void } | null = null;
  #isStopped = false;
  #fault: string | null = null;

  constructor(private readonly parts: JobParts) {
    this.#startIndexer = parts.startIndexer ?? null;
  }

  /** Why no thread is used any more, as a sentence. */
  get fault(): string | null {
    return this.#fault;
  }

  /** Makes an index of everything stored; a merge that is under way is given up. */
  async remake(order: RemakeOrder): Promise<MadeIndex> {
    this.#giveUp();
    const isMuch = order.sections > FEW_SECTIONS * this.parts.usual.entries;
    if (isMuch && this.#startIndexer && await inFiles(this.parts.store)) {
      try {
        return await this.#remakeWith(
          order,
          (generation) => this.#thread(generation, order.sections),
        );
      } catch (error) {
        // Faults of files would be met here, too.
        if (!this.#isOfThread(error) && toKbdbError(error).code !== "internal") throw error;
        this.#doWithout(error);
      }
    }
    return await this.#remakeWith(order, (generation) => this.#here(generation));
  }

  /** Whether so many entries can be merged without keeping searches waiting. */
  canMerge(entries: number): boolean {
    return this.#startIndexer !== null || this.#areFew(entries);
  }

  /** The merged segment, `null` where nothing in it lived, `undefined` where it could not be made. */
  async merge(
    generation: Generation,
    order: MergeOrder & { live: number },
  ): Promise<SegmentEntry | null | undefined> {
    const { live, ...files } = order;
    if (this.#areFew(live)) return mergeSegments(generation, files);
    try {
      const thread = this.#thread(generation, live);
      return await this.#work(thread, () => thread.merge(files));
    } catch (error) {
      if (!this.#isOfThread(error)) throw error;
      this.#doWithout(error);
      // Segments that are not merged are as good, only slower.
      return undefined;
    }
  }

  /** Ends the job at hand and takes no more. */
  stop(): void {
    this.#isStopped = true;
    this.#giveUp();
  }

  #giveUp(): void {
    this.#worker?.end();
    this.#worker = null;
  }

  async #remakeWith(
    order: RemakeOrder,
    builderFor: (generation: Generation | null) => IndexBuilder,
  ): Promise<MadeIndex> {
    const generation = order.begin?.() ?? null;
    try {
      const builder = builderFor(generation);
      const parts = { ...order, store: this.parts.store };
      return { ...await this.#work(builder, () => remakeIndex(builder, parts)), generation };
    } catch (error) {
      generation?.discard();
      throw error;
    }
  }

  async #work<T>(worker: { end(): void }, work: () => Promise<T>): Promise<T> {
    this.#worker = worker;
    try {
      if (this.#isStopped) throw closing();
      return await work();
    } catch (error) {
      throw this.#isStopped ? closing() : error;
    } finally {
      worker.end();
      if (this.#worker === worker) this.#worker = null;
    }
  }

  /** Whether it was the thread that failed or was ended. */
  #isOfThread(error: unknown): error is ThreadError {
    return error instanceof ThreadError;
  }

  /** After a failure no other thread is tried; one that was ended did not fail. */
  #doWithout(error: unknown): void {
    if (this.#isOfThread(error) && error.code === "ended") return;
    this.#startIndexer = null;
    const reason = error instanceof Error ? error.message : String(error);
    this.#fault = `Indexes are made and merged beside searches, more slowly: ${reason}`;
  }

  #areFew(entries: number): boolean {
    return entries <= FEW_ENTRIES * this.parts.usual.entries;
  }

  #thread(generation: Generation | null, sections: number): IndexThread {
    const { config: { language }, paths: { root } } = this.parts.store;
    const { entries } = segmentLimit({ entries: sections, bytes: 0 });
    const size = { entries, bytes: TAIL_BYTES };
    const task = { root, language, generation: generation?.name ?? null, size };
    return new IndexThread(this.#startIndexer!(), task);
  }

  #here(generation: Generation | null): LocalBuild {
    const { store, usual } = this.parts;
    const { language } = store.config;
    return new LocalBuild(store, { language, size: usual, generation });
  }
}

function closing(): KbdbError {
  return new KbdbError("leaving", "Cannot go on with the index: the database is being closed");
}
