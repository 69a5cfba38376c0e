import assert from "node:assert/strict";
import { test } from "node:test";
import { mean, rankScores } from "./evaluation_scores.ts";

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

test("rankScores() is 1 throughout for the ideal ranking", () => {
  assert.deepEqual(rankScores([1], 10), { first: 1, reciprocalRank: 1, recall: 1, ndcg: 1 });
  assert.equal(rankScores([2, 1], 10).ndcg, 1);
});

test("rankScores() is 0 throughout where nothing is found", () => {
  const nothing = { first: null, reciprocalRank: 0, recall: 0, ndcg: 0 };
  assert.deepEqual(rankScores([null, null], 10), nothing);
});

test("rankScores() discounts by the logarithm of the rank", () => {
  // Found at rank 3: 1/log2(4) = 0.5; two expected: ideal 1 + 1/log2(3) = 1.6309...
  const { first, reciprocalRank, recall, ndcg } = rankScores([null, 3], 10);
  assert.deepEqual([first, recall], [3, 0.5]);
  near(reciprocalRank, 1 / 3);
  near(ndcg, 0.5 / (1 + Math.log(2) / Math.log(3)));
});

test("rankScores() expects no more ids in a ranking than it has places", () => {
  assert.equal(rankScores([1, null, null], 1).ndcg, 1);
});

test("rankScores() stays at 1 where one result is expected twice", () => {
  assert.equal(rankScores([1, 1], 10).ndcg, 1);
});

test("mean() rounds to six digits and is 0 of none", () => {
  assert.deepEqual([mean([1, 0, 0]), mean([])], [0.333333, 0]);
});
