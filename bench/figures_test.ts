import assert from "node:assert/strict";
import { test } from "node:test";
import { megabytes, milliseconds, percentile, spread } from "./figures.ts";

const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);

test("percentile() takes the nearest rank", () => {
  assert.equal(percentile(hundred, 0.5), 50);
  assert.equal(percentile(hundred, 0.95), 95);
  assert.equal(percentile(hundred, 0.99), 99);
  assert.equal(percentile(hundred, 1), 100);
  assert.equal(percentile(hundred, 0), 1);
});

test("percentile() is not led astray by rounding", () => {
  assert.ok(0.07 * 100 > 7);
  assert.equal(percentile(hundred, 0.07), 7);
});

test("percentile() of ten samples is the largest from the 91st on", () => {
  const ten = hundred.slice(0, 10);
  assert.equal(percentile(ten, 0.9), 99);
  assert.equal(percentile(ten, 0.95), 100);
  assert.equal(percentile(ten, 0.99), 100);
});

test("percentile() of one sample is that sample, of none an error", () => {
  assert.equal(percentile([7], 0.5), 7);
  assert.throws(() => percentile([], 0.5), RangeError);
});

test("percentile() leaves the samples in their order", () => {
  const samples = [3, 1, 2];
  percentile(samples, 0.5);
  assert.deepEqual(samples, [3, 1, 2]);
});

test("figures are printed with few digits", () => {
  assert.equal(milliseconds(0.4567), "0.46");
  assert.equal(milliseconds(45.67), "45.7");
  assert.equal(milliseconds(4567.8), "4568");
  assert.equal(megabytes(1_250_000), "1.3 MB");
  assert.equal(spread([1, 2]), "p50 1.00 ms, p99 2.00 ms (2 runs)");
});
