/**
 * Which segments are to become one, and making one of them. Few segments make searches fast; merging
 * in tiers keeps what is written again in proportion to what is new.
 *
 * @module
 */

import { SegmentMerger } from "../../core/segment_merger.ts";
import { wholly } from "../../store/index_blocks.ts";
import type { SegmentEntry } from "../../store/index_current.ts";
import { type Generation, roomFor } from "../../store/index_generation.ts";
import type { SegmentSize } from "./build.ts";
import type { MergeOrder } from "./calls.ts";

/** So many segments of one tier become one of the next. */
const FACTOR = 8;
/** A segment with more dead entries than this share is written again without them. */
const DEAD_SHARE = 0.25;
/**
 * Merging holds a segment twice for a moment, in memory that never shrinks: none may be larger than
 * this part of all, ...
 */
const PART = 16;
/** ... within these bounds, of which the upper one keeps that moment short. */
const ENTRIES = { least: 10_000, most: 65_000 };
const BYTES = { least: 8 << 20, most: 64 << 20 };

/** What is known of a segment. */
export interface SegmentFacts {
  /** Dead ones included. */
  readonly entries: number;
  readonly dead: number;
  readonly bytes: number;
}

/** A run of segments that are to become one. */
export interface MergePlan {
  readonly first: number;
  readonly count: number;
  /** How many entries live in them. */
  readonly live: number;
}

/** How large a segment may be in an index of this size. */
export function segmentLimit(total: SegmentSize): SegmentSize {
  const within = (value: number, { least, most }: typeof ENTRIES) =>
    Math.min(most, Math.max(least, Math.ceil(value / PART)));
  return { entries: within(total.entries, ENTRIES), bytes: within(total.bytes, BYTES) };
}

/**
 * The next merge that is worth its work, or `null`.
 *
 * @param usual Entries of a segment as it is sealed
 */
export function planMerge(segments: readonly SegmentFacts[], usual: number): MergePlan | null {
  const dying = segments.findIndex(({ entries, dead }) => dead > entries * DEAD_SHARE);
  if (dying >= 0) return planOf(segments, { first: dying, count: 1 });
  const limit = segmentLimit(sizeOf(segments));
  const tiers = segments.map((segment) => tierOf(segment, { usual, limit }));
  for (const tier of new Set([...tiers].sort((a, b) => a - b))) {
    if (tier === Infinity) break;
    const run = runsUpTo(tier, tiers).find(({ count }) => count >= FACTOR);
    const count = run && fitting(segments.slice(run.first, run.first + run.count), limit);
    if (run && count! > 1) return planOf(segments, { first: run.first, count: count! });
  }
  return null;
}

/** Makes one segment of several, unflushed; `null` where nothing in them lives. */
export function mergeSegments(generation: Generation, order: MergeOrder): SegmentEntry | null {
  const merger = new SegmentMerger();
  try {
    const room = roomFor(order.inputs.map(({ entry }) => entry));
    for (const { entry, dead } of order.inputs) {
      const positions = wholly(generation.read(entry, "positions", room));
      merger.add({ ...wholly(generation.readSearched(entry, room)), positions, dead });
    }
    const merged = merger.finish();
    return merged && generation.write(order.number, merged);
  } finally {
    merger.free();
  }
}

function planOf(
  segments: readonly SegmentFacts[],
  run: { first: number; count: number },
): MergePlan {
  const chosen = segments.slice(run.first, run.first + run.count);
  return { ...run, live: sizeOf(chosen).entries };
}

/** Of what lives in them. */
function sizeOf(segments: readonly SegmentFacts[]): SegmentSize {
  const sum = (size: (segment: SegmentFacts) => number) =>
    segments.reduce((sum, segment) => sum + size(segment), 0);
  return { entries: sum(liveIn), bytes: sum(({ bytes }) => bytes) };
}

/** Infinite for those that have grown enough. */
function tierOf(
  segment: SegmentFacts,
  { usual, limit }: { usual: number; limit: SegmentSize },
): number {
  const { entries, bytes } = segment;
  if (entries >= limit.entries / 2 || bytes >= limit.bytes / 2) return Infinity;
  return Math.max(0, Math.floor(Math.log(liveIn(segment) / usual) / Math.log(FACTOR)));
}

function liveIn({ entries, dead }: SegmentFacts): number {
  return entries - dead;
}

/** Where segments of this tier or lower ones stand side by side. */
function runsUpTo(tier: number, tiers: readonly number[]): { first: number; count: number }[] {
  const runs: { first: number; count: number }[] = [];
  for (const [at, one] of tiers.entries()) {
    if (one > tier) continue;
    if (at > 0 && tiers[at - 1] <= tier) runs.at(-1)!.count += 1;
    else runs.push({ first: at, count: 1 });
  }
  return runs;
}

/** How many of the first ones stay within the limit together. */
function fitting(run: readonly SegmentFacts[], limit: SegmentSize): number {
  const beyond = run.findIndex((_, i) => {
    const { entries, bytes } = sizeOf(run.slice(0, i + 1));
    return entries > limit.entries || bytes > limit.bytes;
  });
  return beyond < 0 ? run.length : beyond;
}
