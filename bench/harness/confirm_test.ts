import assert from "node:assert/strict";
import { test } from "node:test";
import { compare } from "./compare.ts";
import { confirmed } from "./confirm.ts";
import type { Measurement } from "./result_file.ts";
import type { Operation } from "./sizes.ts";
import { measured, resultOf } from "./testing.ts";

const baseline = resultOf([measured("check/full-scan", 100), measured("search/during-rebuild", 5)]);

/** Confirms results with a second measurement; what stays, and what was asked for again. */
async function secondLook(now: Measurement[], again: Measurement[], retries = 1) {
  const asked: (readonly Operation[])[] = [];
  const result = await confirmed(resultOf(now), {
    baseline,
    retries,
    measure: (operations) => {
      asked.push(operations);
      return Promise.resolve(resultOf(again));
    },
  });
  return { result, asked };
}

test("confirmed() measures nothing again where nothing is worse", async () => {
  const { result, asked } = await secondLook([measured("check/full-scan", 110)], []);
  assert.deepEqual(asked, []);
  assert.deepEqual(result, resultOf([measured("check/full-scan", 110)]));
});

test("confirmed() lets a pause of the machine go", async () => {
  const again = [measured("check/full-scan", 105)];
  const { result, asked } = await secondLook([measured("check/full-scan", 300)], again);
  assert.deepEqual(asked, [["check"]]);
  assert.equal(result.results[0].p99_ms, 105);
  assert.equal(result.results[0].attempts, 2);
  assert.deepEqual(compare(result, baseline).regressions, []);
});

test("confirmed() keeps what is worse again, with the better of both figures", async () => {
  const again = [measured("check/full-scan", 290)];
  const { result } = await secondLook([measured("check/full-scan", 300)], again);
  assert.equal(result.results[0].p99_ms, 290);
  assert.equal(compare(result, baseline).regressions.length, 1);
});

test("confirmed() leaves other figures of the second measurement out", async () => {
  const now = [measured("check/full-scan", 300), measured("search/warm", 3)];
  const again = [measured("check/full-scan", 100), measured("search/warm", 1)];
  const { result } = await secondLook(now, again);
  assert.equal(result.results[1], now[1]);
});

test("confirmed() knows in which operation a search is measured", async () => {
  const now = [measured("search/during-rebuild", 50)];
  const { asked } = await secondLook(now, now, 2);
  assert.deepEqual(asked, [["rebuild"], ["rebuild"]]);
});

test("confirmed() with no retries takes every figure as it is", async () => {
  const { result, asked } = await secondLook([measured("check/full-scan", 300)], [], 0);
  assert.deepEqual(asked, []);
  assert.equal(result.results[0].attempts, undefined);
});
