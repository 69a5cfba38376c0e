/** Joining segments of an index into one. */

import { translated } from "./core_error.ts";
import { wasm } from "./load.ts";
import { copied } from "./sealed_segment.ts";
import type { Segment } from "./search_index.ts";

/** A segment to merge: all of its bytes, and its dead entries as `SearchIndex.dead` gives them, or empty. */
export interface MergeableSegment extends Segment {
  /** What is left out. */
  dead: Uint8Array;
}

/**
 * Joins segments: the result is what sealing their live entries in this order would give, byte by byte.
 * Texts are not needed. Memory for the segments and for the result is taken until `finish`.
 *
 * Every method may throw a `CoreError`: `corrupt_index` or `version_mismatch` for bytes that cannot be
 * read, `bad_argument` where an entry lives in two of the segments.
 *
 * @example
 * ```ts
 * import { SearchIndex } from "./search_index.ts";
 * import { SegmentMerger } from "./segment_merger.ts";
 * import { kbid } from "./text.ts";
 * const index = new SearchIndex();
 * const merger = new SegmentMerger();
 * for (const text of ["The parcel waits.", "Two parcels wait."]) {
 *   const body = new TextEncoder().encode(text);
 *   index.add({
 *     kbid: kbid(body), kind: "section", heading: null, description: null, type: "text/plain",
 *     tags: [], docids: [], flags: 0, bytes: body.length,
 *   }, body);
 *   merger.add({ ...index.seal()!, dead: new Uint8Array() });
 * }
 * const merged = merger.finish()!;
 * index.replaceSegments(0, 2, { ...merged, dead: new Uint8Array() }, [index.dead(0), index.dead(1)]);
 * if (index.segments().length !== 1) throw new Error("not merged");
 * index.free();
 * ```
 */
export class SegmentMerger {
  #merger: wasm.SegmentMerger | null = new wasm.SegmentMerger();

  /** Adds the next segment. Where it is refused, the others stay. */
  add({ terms, positions, corpus, dead }: MergeableSegment): void {
    const merger = this.#open();
    translated(() => merger.add(terms, positions, corpus, dead));
  }

  /** The merged segment; `null` where nothing lives. Frees the merger, also when it fails. */
  finish(): Segment | null {
    const merger = this.#open();
    this.#merger = null;
    return copied(translated(() => merger.finish()));
  }

  /** Gives the memory back without an answer; nothing is done after `finish`. */
  free(): void {
    this.#merger?.free();
    this.#merger = null;
  }

  #open(): wasm.SegmentMerger {
    if (this.#merger === null) {
      throw new TypeError("Cannot merge segments: this merger is done. Make a new one");
    }
    return this.#merger;
  }
}
