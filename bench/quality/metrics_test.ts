import assert from "node:assert/strict";
import { test } from "node:test";
import { means, measure } from "./metrics.ts";

const LOG2_3 = Math.log2(3);
const ids = (count: number) => Array.from({ length: count }, (_, i) => `x${i}`);
const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

test("measure() takes the grade itself as gain", () => {
  const grades = new Map([["a", 1], ["b", 3], ["c", 2]]);
  const { ndcg_at_10, recall_at_100, mrr } = measure(["a", "b"], grades);
  // 2^grade - 1 would give 1 + 7 / log2(3) of 7 + 3 / log2(3) + 1 / 2.
  near(ndcg_at_10, (1 + 3 / LOG2_3) / (3 + 2 / LOG2_3 + 1 / 2));
  assert.deepEqual([recall_at_100, mrr], [2 / 3, 1]);
});

test("measure() cuts nDCG at 10, recall and the first rank at 100", () => {
  const grades = new Map([["a", 1]]);
  const eleventh = measure([...ids(10), "a"], grades);
  assert.deepEqual(eleventh, { ndcg_at_10: 0, recall_at_100: 1, mrr: 1 / 11 });
  const later = measure([...ids(100), "a"], grades);
  assert.deepEqual(later, { ndcg_at_10: 0, recall_at_100: 0, mrr: 0 });
});

test("measure() makes the ideal of at most 10 judgements", () => {
  const grades = new Map(ids(12).map((id) => [id, 1]));
  const { ndcg_at_10, recall_at_100 } = measure(ids(10), grades);
  assert.deepEqual([ndcg_at_10, recall_at_100], [1, 10 / 12]);
});

test("measure() counts grades of 0 and below as not relevant", () => {
  const grades = new Map([["a", 0], ["b", -1], ["c", 1]]);
  const { ndcg_at_10, recall_at_100, mrr } = measure(["a", "b", "c"], grades);
  near(ndcg_at_10, 1 / 2);
  assert.deepEqual([recall_at_100, mrr], [1, 1 / 3]);
});

test("measure() refuses a query without anything relevant", () => {
  assert.throws(() => measure(["a"], new Map([["a", 0]])), RangeError);
});

test("means() counts every query the same", () => {
  const one = { ndcg_at_10: 0.5, recall_at_100: 1, mrr: 0.25, results: 100 };
  const none = { ndcg_at_10: 0, recall_at_100: 0, mrr: 0, results: 0 };
  const expected = { ndcg_at_10: 0.25, recall_at_100: 0.5, mrr: 0.125, no_result: 0.5 };
  assert.deepEqual(means([one, none]), expected);
  assert.throws(() => means([]), RangeError);
});
