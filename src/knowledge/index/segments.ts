/**
 * The segments of the serving index: which of them are on disk, which are still to be written, and
 * how much has gathered since the last checkpoint.
 *
 * @module
 */

import type { SearchIndex, Segment } from "../../core/search_index.ts";
import { wholly } from "../../store/index_blocks.ts";
import type { NamedSegment } from "../../store/index_current.ts";
import { type Generation, roomFor } from "../../store/index_generation.ts";
import type { BuiltSegment, SegmentSize } from "./build.ts";
import type { KeptSegment } from "./calls.ts";

/** Of a segment that is new. */
export const NO_DEAD = new Uint8Array();

/** How the segments of an index are kept. */
export interface SegmentsOptions {
  /** Begins a generation when it is needed; `null` where the index is in memory alone. */
  readonly begin: (() => Generation) | null;
  /** The one that has the segments so far. */
  readonly generation?: Generation | null;
}

/** The segments of one index, in its order. */
export class IndexSegments {
  #generation: Generation | null;
  /** Behind those of the generation. */
  readonly #unsaved: Segment[] = [];
  #gathered: SegmentSize = { entries: 0, bytes: 0 };

  constructor(private readonly options: SegmentsOptions) {
    this.#generation = options.generation ?? null;
  }

  /** The generation that segments are written to, once there is one. */
  get generation(): Generation | null {
    return this.#generation;
  }

  /** The generation that has all segments, or `null` where some of them are in memory alone. */
  get saved(): Generation | null {
    return this.#unsaved.length === 0 ? this.#generation : null;
  }

  /** What was sealed since the last checkpoint. */
  get gathered(): SegmentSize {
    return this.#gathered;
  }

  /** That much of it is in the files of a checkpoint. */
  settle({ entries, bytes }: SegmentSize): void {
    this.#gathered = {
      entries: this.#gathered.entries - entries,
      bytes: this.#gathered.bytes - bytes,
    };
  }

  /** Turns the tail of `index` into a segment, and writes it if that is possible now. */
  seal(index: SearchIndex): void {
    const tail = index.tail();
    const segment = index.seal();
    const { entries, bytes } = this.#gathered;
    this.#gathered = { entries: entries + tail.entries, bytes: bytes + tail.bytes };
    if (segment === null || this.options.begin === null) return;
    this.#unsaved.push(segment);
    try {
      this.save();
    } catch {
      // It is tried again, and told of, at the next checkpoint.
    }
  }

  /** Writes what is still to be written, unflushed; returns the generation that has it. */
  save(): Generation {
    const { begin } = this.options;
    if (begin === null) {
      throw new Error("Cannot save the index: its files could not be written. Run: kbdb rebuild");
    }
    const generation = this.#generation ??= begin();
    for (const segment of [...this.#unsaved]) {
      generation.add(segment);
      this.#unsaved.shift();
    }
    return generation;
  }

  /** Removes what was written for an index that is no longer, unless `CURRENT` names it. */
  abandon(named: string | null): void {
    if (this.#generation && this.#generation.name !== named) this.#generation.discard();
  }

  /** The segments as a commit names them. */
  named(index: SearchIndex): NamedSegment[] {
    return this.save().segments.map((entry, i) => ({ ...entry, dead: index.dead(i) }));
  }
}

/** Puts segments of a generation into an empty index. */
export function loadSegments(
  index: SearchIndex,
  from: { generation: Generation; segments: readonly NamedSegment[] },
): void {
  const room = roomFor(from.segments);
  for (const { dead, ...entry } of from.segments) {
    index.load({ ...wholly(from.generation.readSearched(entry, room)), dead });
  }
}

/** Puts a new index together in an empty one, and its segments into their generation. */
export function assemble(
  index: SearchIndex,
  made: { built: readonly BuiltSegment<KeptSegment>[]; generation: Generation | null },
): void {
  const { built, generation } = made;
  const entries = built.flatMap(({ segment }) =>
    segment && "entry" in segment ? [segment.entry] : []
  );
  const room = roomFor(entries);
  for (const { replaces, segment } of built) {
    for (const kbid of replaces) index.remove(kbid);
    if (segment === null) continue;
    const bytes = "bytes" in segment
      ? segment.bytes
      : wholly(generation!.readSearched(segment.entry, room));
    index.load({ ...bytes, dead: NO_DEAD });
  }
  generation?.adopt(entries);
}
