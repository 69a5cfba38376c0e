import assert from "node:assert/strict";
import { test } from "node:test";
import { planMerge, type SegmentFacts, segmentLimit } from "./merge.ts";

const USUAL = 1000;
const MB = 1 << 20;

function segment(entries: number, facts: Partial<SegmentFacts> = {}): SegmentFacts {
  return { entries, dead: 0, bytes: entries * 700, ...facts };
}

function segments(...sizes: number[]): SegmentFacts[] {
  return sizes.map((size) => segment(size));
}

function small(count: number): number[] {
  return Array.from({ length: count }, () => USUAL);
}

test("planMerge() waits for eight segments of a tier", () => {
  assert.equal(planMerge([], USUAL), null);
  assert.equal(planMerge(segments(...small(7)), USUAL), null);
  assert.deepEqual(planMerge(segments(...small(8)), USUAL), { first: 0, count: 8, live: 8000 });
});

test("planMerge() leaves larger neighbours alone", () => {
  const sizes = [60_000, 8100, 8100, ...small(8)];
  assert.equal(planMerge(segments(...sizes.slice(0, 10)), USUAL), null);
  assert.deepEqual(planMerge(segments(...sizes), USUAL), { first: 3, count: 8, live: 8000 });
});

test("planMerge() merges a higher tier once it is full", () => {
  const sizes = [
    ...Array.from({ length: 8 }, () => 8100),
    ...Array.from({ length: 40 }, () => 65_000),
  ];
  const plan = planMerge(segments(...sizes.reverse()), USUAL);
  assert.deepEqual(plan, { first: 40, count: 8, live: 64_800 });
});

test("planMerge() keeps segments within the limit", () => {
  const plan = planMerge(segments(...Array.from({ length: 9 }, () => 3000)), USUAL);
  assert.deepEqual(plan, { first: 0, count: 3, live: 9000 });
  const large = Array.from({ length: 9 }, () => segment(10, { bytes: 3 * MB }));
  assert.equal(planMerge(large, USUAL)?.count, 2);
  const huge = Array.from({ length: 9 }, () => segment(10, { bytes: 40 * MB }));
  assert.equal(planMerge(huge, USUAL), null);
});

test("planMerge() writes a segment again that is dead to a quarter", () => {
  const alive = segment(USUAL, { dead: 250 });
  assert.equal(planMerge([alive, alive], USUAL), null);
  const dying = segment(USUAL, { dead: 251 });
  assert.deepEqual(planMerge([alive, dying], USUAL), { first: 1, count: 1, live: 749 });
  const dead = segment(60_000, { dead: 60_000 });
  assert.deepEqual(planMerge([dead], USUAL), { first: 0, count: 1, live: 0 });
});

test("planMerge() takes a few rounds and comes to an end", () => {
  let now = segments(...small(300));
  let rounds = 0;
  for (let plan = planMerge(now, USUAL); plan; plan = planMerge(now, USUAL)) {
    now = now.toSpliced(plan.first, plan.count, segment(plan.live));
    assert.ok(++rounds < 100, "it goes on and on");
  }
  assert.ok(now.length < 50, `${now.length} segments are left`);
  assert.equal(now.reduce((sum, { entries }) => sum + entries, 0), 300_000);
});

test("planMerge() writes an entry again a few times only while an index grows", () => {
  let now: SegmentFacts[] = [];
  let written = 0;
  for (let i = 0; i < 1000; i++) {
    now = [...now, segment(USUAL)];
    for (let plan = planMerge(now, USUAL); plan; plan = planMerge(now, USUAL)) {
      now = now.toSpliced(plan.first, plan.count, segment(plan.live));
      written += plan.live;
    }
    assert.ok(now.length < 40, `${now.length} segments after ${i}`);
  }
  assert.ok(written < 4 * 1000 * USUAL, `${written} entries were written again`);
});

test("segmentLimit() is a part of all, within bounds", () => {
  assert.deepEqual(segmentLimit({ entries: 100, bytes: 100 }), { entries: 10_000, bytes: 8 * MB });
  assert.deepEqual(segmentLimit({ entries: 320_000, bytes: 320 * MB }), {
    entries: 20_000,
    bytes: 20 * MB,
  });
  assert.deepEqual(segmentLimit({ entries: 1e7, bytes: 1e11 }), {
    entries: 65_000,
    bytes: 64 * MB,
  });
});
