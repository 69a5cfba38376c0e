import assert from "node:assert/strict";
import { test } from "node:test";
import { CoreError, type CoreErrorCode } from "./core_error.ts";
import { SearchIndex, type Segment } from "./search_index.ts";
import { SegmentMerger } from "./segment_merger.ts";
import { add, generator, type Sample, sample } from "./testing.ts";

const NONE = new Uint8Array();
const WORDS = "parcel box river running runs stone café getUserName 東京 walk".split(" ");

function makeSamples(count: number): Sample[] {
  const below = generator(5);
  const words = () => Array.from({ length: 1 + below(12) }, () => WORDS[below(WORDS.length)]);
  return Array.from({ length: count }, (_, n) =>
    sample(`${words().join(" ")} number${n}`, {
      heading: below(2) ? words()[0] : null,
      tags: [`tag${below(3)}`],
      docids: [`doc${below(20)}`],
      refs: [`ref${below(9)}`],
    }));
}

/** An index in segments of 40 entries, with every seventh entry dead. */
function segmented(samples: Sample[]): { index: SearchIndex; segments: Segment[] } {
  const index = new SearchIndex();
  const segments: Segment[] = [];
  for (const [at, made] of samples.entries()) {
    add(index, made);
    if (at % 40 === 39) segments.push(index.seal()!);
  }
  samples.forEach(({ record }, at) => at % 7 === 0 && index.remove(record.kbid));
  return { index, segments };
}

function merge(segments: Segment[], dead: Uint8Array[]): Segment | null {
  const merger = new SegmentMerger();
  segments.forEach((segment, at) => merger.add({ ...segment, dead: dead[at] }));
  return merger.finish();
}

const refusal = (code: CoreErrorCode) => (error: unknown) =>
  error instanceof CoreError && error.code === code;

test("finish() gives what sealing gives", () => {
  const samples = makeSamples(200);
  const { index, segments } = segmented(samples);
  const merged = merge(segments, segments.map((_, at) => index.dead(at)));
  const afresh = new SearchIndex();
  samples.filter((_, at) => at % 7 !== 0).forEach((made) => add(afresh, made));
  assert.deepEqual(merged, afresh.seal());
  index.free();
  afresh.free();
});

test("finish() of nothing that lives gives null", () => {
  assert.equal(new SegmentMerger().finish(), null);
  const index = new SearchIndex();
  add(index, sample("parcel"));
  assert.equal(merge([index.seal()!], [new Uint8Array([1])]), null);
  index.free();
});

test("add() refuses damaged bytes, and free() may come at any time", () => {
  const index = new SearchIndex();
  add(index, sample("the parcel"));
  const segment = index.seal()!;
  const merger = new SegmentMerger();
  for (const part of ["terms", "positions", "corpus"] as const) {
    const damaged = { ...segment, [part]: segment[part].slice(0, 6), dead: NONE };
    assert.throws(() => merger.add(damaged), refusal("corrupt_index"), part);
  }
  merger.add({ ...segment, dead: NONE });
  assert.deepEqual(merger.finish(), segment);
  merger.free();
  assert.throws(() => merger.finish(), /this merger is done/);
  const twice = new SegmentMerger();
  twice.add({ ...segment, dead: NONE });
  twice.add({ ...segment, dead: NONE });
  assert.throws(() => twice.finish(), refusal("bad_argument"));
  twice.free();
  new SegmentMerger().free();
  index.free();
});

test("replaceSegments() keeps what lives and the answers", () => {
  const samples = makeSamples(240);
  const { index, segments } = segmented(samples);
  const dead = [1, 2, 3].map((at) => index.dead(at));
  const merged = merge(segments.slice(1, 4), dead)!;
  for (const at of [50, 51, 130, 239]) index.remove(samples[at].record.kbid);
  const answers = () => [
    index.search({ query: "parcel runs", limit: 500, offset: 0 }),
    index.searchDocuments({ query: "box", limit: 30, offset: 0 }),
    index.list("section", { ref: "ref3" }),
    index.stats().kinds,
  ];
  const before = answers();
  index.replaceSegments(1, 3, { ...merged, dead: NONE }, dead);
  assert.deepEqual(answers(), before);
  const sizes = index.segments();
  assert.equal(sizes.length, 4);
  assert.deepEqual([sizes[1].entries, sizes[1].dead], [103, 3]);
  assert.ok(sizes.every(({ bytes }) => bytes > 1000));
  assert.equal(index.get(samples[130].record.kbid), null);
  index.free();
});

test("replaceSegments() refuses what does not fit and changes nothing", () => {
  const samples = makeSamples(120);
  const { index, segments } = segmented(samples);
  const dead = [0, 1].map((at) => index.dead(at));
  const merged = { ...merge(segments.slice(0, 2), dead)!, dead: NONE };
  const before = index.stats();
  const calls: [CoreErrorCode, () => void][] = [
    ["bad_argument", () => index.replaceSegments(0, 3, merged, dead)],
    ["bad_argument", () => index.replaceSegments(2, 2, merged, dead)],
    ["bad_argument", () => index.replaceSegments(-1, 2, merged, dead)],
    ["bad_argument", () => index.replaceSegments(0, 0, null, [])],
    ["corrupt_index", () => index.replaceSegments(1, 2, merged, dead)],
    ["corrupt_index", () => index.replaceSegments(0, 2, null, dead)],
    ["corrupt_index", () => index.replaceSegments(0, 2, { ...merged, terms: NONE }, dead)],
  ];
  for (const [code, call] of calls) assert.throws(call, refusal(code));
  assert.deepEqual(index.stats(), before);
  index.replaceSegments(0, 2, merged, dead);
  assert.equal(index.stats().segments, 2);
  index.free();
});

test("replaceSegments() takes out what is wholly dead", () => {
  const { index } = segmented(makeSamples(80));
  for (const { kbid } of index.list("section")) index.remove(kbid);
  index.replaceSegments(0, 2, null, [index.dead(0), index.dead(1)]);
  assert.deepEqual(index.segments(), []);
  assert.equal(index.stats().sections, 0);
  index.free();
});
