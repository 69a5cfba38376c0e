import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { tempDir } from "../../tests/support/temp_dir.ts";
import { runBenchmark } from "../run-benchmark.ts";
import { parseOptions } from "./options.ts";
import { readResult, type ResultFile } from "./result_file.ts";

/** The documented variants, and those that this harness has besides. */
const VARIANTS = [
  "search/cold",
  "search/warm",
  "search/varied",
  "search/during-rebuild",
  "search/after-restart",
  "learn/without-embedding",
  "learn/many",
  "learn/cold",
  "batch-learn/sequential",
  "rebuild/lexical",
  "gc/superseded-10-percent",
  "check/full-scan",
  "bulk-learn/batch-file",
  "bulk-learn/folder",
  "start/whole-process",
];

/** A run of all operations, small enough for a test; nothing about time is asserted. */
async function smallRun(folder: string): Promise<{ result: ResultFile; told: string[] }> {
  const told: string[] = [];
  const args = ["--sizes=200", "--n=2", "--queries=10", "--retries=0", `--out=${folder}/results`];
  const options = parseOptions([
    ...args,
    "--update-baseline",
    `--baseline=${folder}/baseline.json`,
  ]);
  await runBenchmark(options, { print: () => {}, tell: (line) => told.push(line) });
  const [name] = readdirSync(`${folder}/results`);
  return { result: readResult(`${folder}/results/${name}`), told };
}

test("runBenchmark() measures every operation and writes the documented file", async () => {
  using folder = tempDir("kbdb-bench-test-");
  const { result, told } = await smallRun(folder.path);
  assert.equal(result.corpus_size, "200");
  // Whether a search falls into the look for edits, or a least pair is built, depends on the machine.
  const names = result.results.map(({ operation, variant }) => `${operation}/${variant}`)
    .filter((name) => name !== "search/during-scan" && name !== "start/least-pair");
  assert.deepEqual(names.sort(), [...VARIANTS].sort());
  for (const one of result.results.filter(({ variant }) => variant !== "least-pair")) {
    assert.ok(one.wasm_memory_bytes! > 0 && one.daemon_rss_bytes! > 0, one.operation);
  }
  assert.ok(result.index_sizes.terms_idx_bytes > 0);
  assert.ok(result.index_sizes.positions_idx_bytes > 0);
  assert.ok(result.index_sizes.corpus_dat_bytes > 0);
  assert.equal(result.index_sizes.vectors_idx_bytes, null);
  const of = (name: string) => result.results.find(({ operation }) => operation === name)!;
  assert.equal(of("rebuild").sections, 400);
  assert.equal(of("check").sections, 400);
  assert.equal(of("batch-learn").sections, 200);
  assert.ok(of("gc").sections! > 0 && of("gc").sections! <= 40);
  assert.ok(told.some((line) => line.includes("hybrid measurements are skipped")));
  assert.ok(told.some((line) => line.startsWith("Baseline written")));
});
