/**
 * An index made apart from the one that serves: in bounded segments, each of which is given away once
 * it is sealed, so that never more than one lies in memory.
 *
 * @module
 */

import { type IndexRecord, SearchIndex, type Segment } from "../../core/search_index.ts";
import type { JournalRecord } from "../../store/journal_record.ts";
import { fillFromTruth, type FillReport, type Report, type Truth } from "./fill.ts";
import { indexTransaction } from "./records.ts";

/** How large a segment may grow before it is sealed. */
export interface SegmentSize {
  readonly entries: number;
  readonly bytes: number;
}

/** A step on the way to the new index. Steps are taken in the order of building. */
export interface BuiltSegment<Kept> {
  /** Keys of entries in earlier segments that are no longer true. */
  readonly replaces: readonly string[];
  /** `null` where there is nothing to add. */
  readonly segment: Kept | null;
}

/** What a build works with. */
export interface BuildOptions<Kept> {
  readonly language: string;
  readonly size: SegmentSize;
  /** Puts a segment where it stays. */
  keep(segment: Segment): Kept;
  /** Lets others have their turn, or throws to stop the build. */
  pause(): Promise<void> | void;
}

/** Makes an index of a store that may go on changing meanwhile. */
export class IndexBuild<Kept> {
  #index: SearchIndex;
  readonly #built: BuiltSegment<Kept>[] = [];
  /** Keys that the segment in hand speaks of, where earlier ones may speak of them too. */
  readonly #touched = new Set<string>();

  constructor(private readonly truth: Truth, private readonly options: BuildOptions<Kept>) {
    this.#index = this.#empty();
  }

  /** Takes in everything stored. */
  async fill(report: Report): Promise<FillReport> {
    const { pause } = this.options;
    const add = (record: IndexRecord, body: Uint8Array) => this.#add(record, body);
    const remove = (kbid: string) => this.#index.remove(kbid);
    return await fillFromTruth(this.truth, { index: { add, remove }, report, pause });
  }

  /** Takes in what was written after {@linkcode IndexBuild.fill} began. */
  async apply(records: readonly JournalRecord[]): Promise<void> {
    const add = (record: IndexRecord, body: Uint8Array) => {
      this.#touched.add(record.kbid);
      return this.#add(record, body);
    };
    const remove = (kbid: string) => {
      this.#touched.add(kbid);
      return this.#index.remove(kbid);
    };
    const contentOf = (kbid: string) => {
      const stored = this.truth.readSection(kbid);
      return stored.state === "found" ? stored.value.content : null;
    };
    for (const record of records) {
      indexTransaction({ add, remove }, record, contentOf);
      await this.options.pause();
    }
  }

  /** The whole index, in the order in which it has to be put together. */
  finish(): BuiltSegment<Kept>[] {
    this.#seal();
    return this.#built;
  }

  /** Gives the memory back. */
  free(): void {
    this.#index.free();
  }

  #add(record: IndexRecord, body: Uint8Array): number {
    const terms = this.#index.add(record, body);
    const { entries, bytes } = this.#index.tail();
    const { size } = this.options;
    if (entries >= size.entries || bytes >= size.bytes) this.#seal();
    return terms;
  }

  #seal(): void {
    const sealed = this.#index.seal();
    this.#index.free();
    this.#index = this.#empty();
    const segment = sealed === null ? null : this.options.keep(sealed);
    const replaces = [...this.#touched];
    this.#touched.clear();
    if (segment !== null || replaces.length > 0) this.#built.push({ replaces, segment });
  }

  #empty(): SearchIndex {
    return new SearchIndex({ language: this.options.language });
  }
}
