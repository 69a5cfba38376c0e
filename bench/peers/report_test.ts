import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES } from "./engines.ts";
import { reportOf, sizeReport, table } from "./report.ts";
import { type PeerResults, perFigure, spreadOf, summarize, type Trial } from "./results.ts";

/** A trial all of whose figures are the same number. */
function trial(figure: number, more: Partial<Trial["figures"]> = {}): Trial {
  const figures = { ...perFigure(() => figure), ...more };
  return { figures, results_mean: 20, snippet_chars_mean: 150, load: 0.5 };
}

const engines = ENGINES.map((engine) => ({ ...engine, version: "1.0" }));
const inMemory = { insert_p50_ms: null, insert_p99_ms: null, disk_bytes: null };

const size = {
  sections: 10_000,
  corpus_bytes: 19e6,
  engines: summarize([
    { engine: "kbdb", trials: [trial(2), trial(4), trial(3)], failures: [] },
    { engine: "minisearch", trials: [trial(30, inMemory)], failures: [] },
    { engine: "tantivy", trials: [], failures: ["Cannot index: no room"] },
  ]),
};

test("spreadOf() takes the mean of the two in the middle", () => {
  assert.deepEqual(spreadOf([4, 1, 2, 10]), { median: 3, min: 1, max: 10 });
  assert.deepEqual(spreadOf([5]), { median: 5, min: 5, max: 5 });
});

test("summarize() divides medians by those of kbdb", () => {
  const [own, other, failed] = size.engines;
  assert.deepEqual(own.summary.index_ms, { median: 3, min: 2, max: 4 });
  assert.equal(own.times_kbdb.index_ms, 1);
  assert.equal(other.times_kbdb.search_p50_ms, 10);
  assert.equal(other.times_kbdb.disk_bytes, null);
  assert.equal(failed.summary.index_ms, null);
});

test("summarize() gives no ratios without kbdb", () => {
  const [one] = summarize([{ engine: "fts5", trials: [trial(2)], failures: [] }]);
  assert.equal(one.times_kbdb.index_ms, null);
});

test("sizeReport() shows spread, ratios and failures", () => {
  const report = sizeReport(size, engines);
  assert.match(report, /^## 10,000 sections \(19 MB\)/);
  assert.match(report, /\| kbdb, daemon +\|.* 3\.00 \(2\.00 to 4\.00\) \|/);
  assert.match(report, /\| MiniSearch +\|( +10\.0× \|){4} +– \| +– \| +10\.0× \| +– \|/);
  assert.match(report, /Failed: tantivy in Turso: Cannot index: no room\.$/);
});

test("reportOf() tells the machine, the method and what is missing", () => {
  const results: PeerResults = {
    format: 1,
    timestamp: "2026-06-23T10:00:00Z",
    machine: {
      cpu: "Example CPU",
      cores: 2,
      memory_bytes: 8e9,
      os: "Linux 6.1",
      runtime_version: "2.9.6",
      load: 0.5,
    },
    method: {
      seeds: { corpus: 42, queries: 7, inserts: 43 },
      queries: 1000,
      words_per_query: 3,
      warm_up: 100,
      inserts: 100,
      limit: 20,
      trials: 3,
      in_memory_files: true,
    },
    engines: [{ ...engines[0], version: null, missing: "no network" }],
    sizes: [size],
  };
  const report = reportOf(results);
  assert.match(report, /2 cores of Example CPU, 8 GB, Linux 6\.1; load 0\.5/);
  assert.match(report, /of 3 trials, .* 1000 different queries of 3 words/);
  assert.match(report, /files lay in memory/);
  assert.match(report, /not to be had here: no network/);
});

test("table() lines up columns and escapes bars", () => {
  assert.equal(table(["a", "b"], [["x|y", "10"]]), "| a    |  b |\n| ---- | -: |\n| x\\|y | 10 |");
});
