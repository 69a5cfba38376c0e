import assert from "node:assert/strict";
import { test } from "node:test";
import { compare, sentence } from "./compare.ts";
import type { Measurement } from "./result_file.ts";
import { measured, resultOf } from "./testing.ts";

/** What `now` is found to be worse in than `before`. */
function regressions(now: Measurement, before: Measurement, size = "custom"): string[] {
  const sized = { corpus_size: size };
  return compare(resultOf([now], sized), resultOf([before], sized)).regressions.map(sentence);
}

test("compare() passes what is the same", () => {
  assert.deepEqual(
    regressions(measured("check/full-scan", 100), measured("check/full-scan", 100)),
    [],
  );
});

test("compare() allows 20 % and no more", () => {
  const before = measured("check/full-scan", 100);
  assert.deepEqual(regressions(measured("check/full-scan", 120), before), []);
  assert.deepEqual(regressions(measured("check/full-scan", 121), before), [
    "check, full-scan, custom: p99 121 ms is 21 % over the baseline's 100 ms",
  ]);
});

test("compare() sees a search that sleeps 30 ms", () => {
  const found = regressions(measured("search/warm", 31), measured("search/warm", 1));
  assert.equal(found.length, 1);
});

test("compare() takes two milliseconds of few runs for noise", () => {
  const before = measured("search/warm", 0.4);
  assert.deepEqual(regressions(measured("search/warm", 2.3), before), []);
  assert.equal(regressions(measured("search/warm", 2.5), before).length, 1);
});

test("compare() takes half a millisecond of many runs for noise", () => {
  const many = (ms: number) => measured("search/varied", Array(100).fill(ms));
  assert.deepEqual(regressions(many(0.8), many(0.4)), []);
  assert.equal(regressions(many(1), many(0.4)).length, 1);
});

test("compare() looks at p99, not at the middle", () => {
  const before = measured("search/varied", Array(200).fill(1));
  const now = measured("search/varied", [...Array(197).fill(1), 9, 9, 9]);
  assert.equal(now.p50_ms, before.p50_ms);
  assert.equal(regressions(now, before).length, 1);
});

test("compare() holds the documented limits without a baseline", () => {
  const result = resultOf([measured("search/warm", 5), measured("learn/without-embedding", 99)]);
  const { regressions, compared, limited } = compare(result);
  assert.deepEqual(regressions.map(sentence), [
    "search, warm, small: p99 5.00 ms is not below the limit of 5.00 ms",
  ]);
  assert.deepEqual([compared, limited], [0, 2]);
});

test("compare() holds the limits however slow the baseline was", () => {
  const found = regressions(
    measured("rebuild/lexical", 2500),
    measured("rebuild/lexical", 2500),
    "small",
  );
  assert.equal(found.length, 1);
});

test("compare() holds a limit of any size for every size", () => {
  const learn = measured("learn/without-embedding", 101);
  for (const corpus_size of ["small", "large", "1000000"]) {
    assert.equal(compare(resultOf([learn], { corpus_size })).regressions.length, 1);
  }
});

test("compare() passes over what the baseline lacks, what ran once and the least pair", () => {
  const names = ["gc/superseded-10-percent", "start/least-pair"];
  const once = (ms: number) => measured("bulk-learn/folder", [ms]);
  const result = resultOf([...names.map((name) => measured(name, 900)), once(900)]);
  const baseline = resultOf([measured("start/least-pair", 100), once(100)]);
  const { regressions, compared } = compare(result, baseline);
  assert.deepEqual(regressions, []);
  assert.equal(compared, 0);
});
