import assert from "node:assert/strict";
import { test } from "node:test";
import { chartOf } from "./harness/chart.ts";
import { reportOf, tableOf } from "./harness/table.ts";
import { measured, resultOf } from "./harness/testing.ts";
import { charts, latest } from "./report.ts";

const small = resultOf([
  measured("search/warm", 1.5),
  measured("batch-learn/sequential", 20, { throughput_ops_per_s: 9090.9 }),
  measured("start/least-pair", 120, { wasm_memory_bytes: null, daemon_rss_bytes: null }),
]);
const medium = resultOf([measured("search/warm", 20), measured("rebuild/lexical", 3000)], {
  corpus_size: "medium",
  sections: 10_000,
});

test("tableOf() gives the table that is expected", () => {
  assert.equal(
    tableOf(small),
    `## small (1,000 sections), deno-2, linux-x86_64

kbdb 0.1.0, 2026-06-23T10:00:00Z; 2 cores of Example CPU, Linux 6.1, runtime 2.9.6; fresh database, seed 42.

| operation   | variant    | runs | p50 ms | p95 ms | p99 ms | limit ms | min to max ms | sections/s |   WASM |     RSS |
| ----------- | ---------- | ---: | -----: | -----: | -----: | -------: | ------------: | ---------: | -----: | ------: |
| search      | warm       |   10 |   0.75 |   1.50 |   1.50 |      < 5 |  0.15 to 1.50 |            | 4.2 MB | 52.4 MB |
| batch-learn | sequential |   10 |   10.0 |   20.0 |   20.0 |          |  2.00 to 20.0 |       9091 | 4.2 MB | 52.4 MB |
| start       | least-pair |   10 |   60.0 |    120 |    120 |          |   12.0 to 120 |            |        |         |

Index: terms 1.0 MB, positions 0.5 MB, corpus 0.1 MB, no vectors.
`,
  );
});

test("reportOf() puts a runtime together and small sizes first", () => {
  const node = { ...small, runtime: "node-20" };
  const headings = reportOf([node, medium, small]).match(/^#.*$/gm);
  assert.deepEqual(headings, [
    "# Benchmarks",
    "## small (1,000 sections), deno-2, linux-x86_64",
    "## medium (10,000 sections), deno-2, linux-x86_64",
    "## small (1,000 sections), node-20, linux-x86_64",
  ]);
});

test("latest() takes the newest result of each size and runtime", () => {
  const older = { ...small, timestamp: "2026-06-22T10:00:00Z" };
  const node = { ...older, runtime: "node-20" };
  assert.deepEqual(latest([small, older, medium, node]), [small, medium, node]);
});

test("charts() makes one file a platform and runtime", () => {
  const made = charts([small, medium, { ...small, runtime: "node-20" }]);
  assert.deepEqual([...made.keys()], ["linux-x86_64-deno-2.svg", "linux-x86_64-node-20.svg"]);
});

test("chartOf() gives the same bytes for the same results in any order", () => {
  assert.equal(chartOf([small, medium]), chartOf([medium, small]));
});

test("chartOf() has a panel an operation, with axes, values, limits and a legend", () => {
  const chart = chartOf([small, medium]);
  const texts = [...chart.matchAll(/<text[^>]*>([^<]*)</g)].map((match) => match[1]);
  for (const text of ["Search, warm", "Rebuild", "p50", "p99", "documented limit of p99"]) {
    assert.ok(texts.includes(text), text);
  }
  assert.ok(!texts.includes("Check"), "a panel without results");
  for (const text of ["1k", "10k", "1 ms", "10 ms", "1.50 ms", "3.0 s"]) {
    assert.ok(texts.includes(text), text);
  }
  assert.match(chart, /prefers-color-scheme: dark/);
  assert.equal(chart.match(/class="limit" d="M[\d.]+ [\d.]+h28"/g)?.length, 3);
});

test("chartOf() draws larger values higher and keeps to its panel", () => {
  const chart = chartOf([small, medium]);
  const heights = [...chart.matchAll(/<circle class="p50" cx="[\d.]+" cy="([\d.]+)"/g)]
    .map((match) => Number(match[1]));
  assert.ok(heights[1] < heights[0], "10k above 1k");
  assert.ok(heights.every((y) => y >= 34 && y <= 186));
});

test("chartOf() escapes what it quotes", () => {
  const odd = { ...small, machine: { ...small.machine, cpu: `A & <B> "C"` } };
  assert.ok(chartOf([odd]).includes("A &amp; &lt;B> &quot;C&quot;"));
});
