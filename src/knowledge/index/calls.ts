/**
 * What crosses between the serving program and the thread that builds: one map from call to
 * parameters and result. Calls are answered one after another, each with any number of reports and
 * then one answer.
 *
 * @module
 */

import type { ErrorJson } from "../../rpc/errors.ts";
import type { SegmentEntry } from "../../store/index_current.ts";
import type { SearchedBytes } from "../../store/index_generation.ts";
import type { JournalRecord } from "../../store/journal_record.ts";
import type { FillReport } from "./fill.ts";
import type { BuiltSegment, SegmentSize } from "./build.ts";

/** A segment of a build: in its generation on disk, or, without one, in memory. */
export type KeptSegment =
  | { readonly entry: SegmentEntry }
  | { readonly bytes: SearchedBytes };

/** What the thread is for. */
export interface IndexTask {
  readonly root: string;
  readonly language: string;
  /** Name of the one to read from and write to; `null` where nothing may be written. */
  readonly generation: string | null;
  /** At which size a segment that is built is sealed. */
  readonly size: SegmentSize;
}

/** A segment that goes into a merge. */
export interface MergeInput {
  readonly entry: SegmentEntry;
  /** Bitmap of the entries that are left out. */
  readonly dead: Uint8Array;
}

/** Segments to be merged into one with this number. */
export interface MergeOrder {
  readonly inputs: readonly MergeInput[];
  readonly number: number;
}

/** Every call with its parameters and its result. */
export interface IndexCalls {
  /** Comes before anything else. */
  open: { params: IndexTask; result: null };
  /** Takes in everything stored. */
  fill: { params: null; result: FillReport };
  /** Takes in what was written after that began. */
  apply: { params: readonly JournalRecord[]; result: null };
  finish: { params: null; result: readonly BuiltSegment<KeptSegment>[] };
  /** The merged segment, written but not flushed; `null` where nothing in it lived. */
  merge: { params: MergeOrder; result: SegmentEntry | null };
}

/** Name of a call. */
export type IndexCall = keyof IndexCalls;

/** What the serving program sends. */
export type IndexRequest = {
  [C in IndexCall]: { readonly call: C; readonly params: IndexCalls[C]["params"] };
}[IndexCall];

/** What the thread sends. */
export type IndexReply =
  | { readonly done: number; readonly total: number | null }
  | { readonly result: unknown }
  | { readonly error: ErrorJson };
