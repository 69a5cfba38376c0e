import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { tempDir } from "../../tests/support/temp_dir.ts";
import { measurement, readResult, throughput, writeResult } from "./result_file.ts";
import { measured, resultOf } from "./testing.ts";

const ABOUT = {
  operation: "search",
  variant: "warm",
  wasm_memory_bytes: 4194304,
  daemon_rss_bytes: 52428800,
};

test("measurement() begins with the documented keys in their order", () => {
  const made = measurement(ABOUT, [4, 1, 3, 2]);
  assert.deepEqual(Object.keys(made).slice(0, 8), [
    "operation",
    "variant",
    "n",
    "p50_ms",
    "p95_ms",
    "p99_ms",
    "wasm_memory_bytes",
    "daemon_rss_bytes",
  ]);
});

test("measurement() computes percentiles and spread", () => {
  const { n, p50_ms, p99_ms, min_ms, mean_ms, max_ms, stddev_ms } = measurement(ABOUT, [
    4,
    1,
    3,
    2,
  ]);
  assert.deepEqual([n, p50_ms, p99_ms, min_ms, mean_ms, max_ms], [4, 2, 4, 1, 2.5, 4]);
  assert.equal(stddev_ms, 1.118);
});

test("throughput() divides all sections by all time", () => {
  assert.equal(throughput(100, [100, 300]), 500);
});

test("writeResult() writes the documented keys first, in a file with the time at its end", () => {
  using folder = tempDir();
  const result = resultOf([measured("search/warm", 1)]);
  const path = writeResult(folder.join("results"), result);
  assert.equal(basename(path), "linux-x86_64-deno-2-small-20260623T100000Z.json");
  const read = readResult(path);
  assert.deepEqual(read, result);
  assert.deepEqual(Object.keys(read).slice(0, 6), [
    "timestamp",
    "platform",
    "runtime",
    "corpus_size",
    "results",
    "index_sizes",
  ]);
});

test("readResult() refuses what is no result", () => {
  using folder = tempDir();
  writeFileSync(folder.join("x.json"), "{}");
  assert.throws(() => readResult(folder.join("x.json")), /no result/);
});
