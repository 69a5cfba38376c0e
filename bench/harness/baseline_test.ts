import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { tempDir } from "../../tests/support/temp_dir.ts";
import { baselinePath, differences, readBaseline, updated, writeBaseline } from "./baseline.ts";
import { measured, resultOf } from "./testing.ts";
import { judge } from "./verdict.ts";

const small = resultOf([measured("search/warm", 1), measured("check/full-scan", 100)]);
const medium = resultOf([measured("search/warm", 3)], { corpus_size: "medium", sections: 10_000 });

test("baselinePath is named by platform and runtime", () => {
  assert.match(baselinePath, /bench[\\/]baselines[\\/]\w+-\w+-(deno|node)-\d+\.json$/);
});

test("writeBaseline() and readBaseline() give the same object, keyed by size", () => {
  using folder = tempDir();
  const path = folder.join("deep/linux-x86_64-deno-2.json");
  assert.equal(readBaseline(path), undefined);
  writeBaseline(path, updated({}, [medium, small]));
  const read = readBaseline(path)!;
  assert.deepEqual(Object.keys(read), ["small", "medium"]);
  assert.deepEqual(read, { small, medium });
});

test("readBaseline() refuses what is no baseline", () => {
  using folder = tempDir();
  const path = folder.join("x.json");
  writeFileSync(path, JSON.stringify(small));
  assert.throws(() => readBaseline(path), /no baseline/);
});

test("updated() keeps sizes and operations that were not measured", () => {
  const search = resultOf([measured("search/warm", 2)]);
  const { small: now, ...others } = updated({ small, medium }, [search]);
  assert.deepEqual(now.results, [search.results[0], small.results[1]]);
  assert.deepEqual(others, { medium });
});

test("differences() names another machine and another corpus", () => {
  assert.deepEqual(differences(small, small), []);
  const other = { ...small, seed: 7, machine: { ...small.machine, cores: 8 } };
  assert.equal(differences(small, other).length, 2);
});

test("judge() passes equal results and says what it compared", () => {
  const { passed, lines } = judge([small, medium], { small, medium });
  assert.ok(passed);
  assert.deepEqual(lines, [
    "PASS: 0 regressions; 3 compared with the baseline, 2 with documented limits",
  ]);
});

test("judge() fails on one regression in one size", () => {
  const slow = resultOf([measured("search/warm", 1), measured("check/full-scan", 150)]);
  const { passed, lines } = judge([slow, medium], { small, medium });
  assert.ok(!passed);
  assert.match(lines[0], /^REGRESSION: check, full-scan, small: .* 50 % over/);
  assert.match(lines[1], /^FAIL: 1 regression;/);
});

test("judge() notes a size that the baseline lacks", () => {
  const { passed, lines } = judge([medium], { small });
  assert.ok(passed);
  assert.equal(lines[0], "Note: The baseline has no size medium");
});
