import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { projectRoot } from "../../tests/support/project.ts";
import { tempDir } from "../../tests/support/temp_dir.ts";
import { runQuality } from "./quality.ts";
import type { CollectionResult } from "./run.ts";

const PARCELS = join(projectRoot, "bench/quality/parcels");
const rounded = (value: number) => Number(value.toFixed(6));

/** Runs the program on the collection of parcels, and reads what it leaves behind. */
async function measured(...more: string[]) {
  const folder = tempDir("kbdb-quality-test-");
  const [printed, told]: string[][] = [[], []];
  try {
    const args = ["--data", PARCELS, "--out", folder.path, ...more];
    const code = await runQuality(args, {
      print: (text) => printed.push(text),
      tell: (line) => told.push(line),
    });
    const path = told.at(-1)?.match(/^Written to (.*)$/)?.[1];
    const report = path === undefined ? null : JSON.parse(readFileSync(path, "utf8"));
    return { code, printed: printed.join(""), told, path, report };
  } finally {
    folder.remove();
  }
}

/**
 * By hand. `q1`: the section with both words, of grade 1, stands before the one of grade 2 with one
 * word; a third relevant entry is empty. `q2`: an entry with headings, and one that is only a title.
 * `q3`: no section has the word. `q4`: of two equal entries one is judged, and stands first because it
 * is shorter. `q5`: the group has one section, though another has more words of the query.
 */
const HALF = 1 / Math.log2(3);
const NDCG = {
  q1: (1 + 2 * HALF) / (2 + HALF + 1 / 2),
  q2: 1,
  q3: 0,
  q4: (1 + 2 * HALF) / (2 + HALF),
  q5: 1,
};

test("runQuality() gives the measures that were computed by hand", async () => {
  const { code, report } = await measured();
  const [result]: CollectionResult[] = report.results;
  const { entries, empty, equal, queries, by_query } = result;
  assert.deepEqual([code, entries, empty, equal, queries], [0, 10, 1, 1, 5]);
  const expected = Object.entries(NDCG).map(([id, ndcg]) => [id, rounded(ndcg)]);
  assert.deepEqual(by_query.map(({ id, ndcg_at_10 }) => [id, ndcg_at_10]), expected);
  assert.deepEqual(by_query.map(({ recall_at_100 }) => recall_at_100), [0.666667, 1, 0, 1, 1]);
  assert.deepEqual(by_query.map(({ results }) => results), [2, 2, 0, 2, 1]);
  const mean = Object.values(NDCG).reduce((sum, one) => sum + one, 0) / 5;
  const { ndcg_at_10, recall_at_100, mrr, no_result } = result;
  assert.deepEqual(
    [ndcg_at_10, recall_at_100, mrr, no_result],
    [rounded(mean), rounded((2 / 3 + 3) / 5), 0.8, 0.2],
  );
});

test("runQuality() prints a table beside the figures that it is given", async () => {
  const { printed, told, path } = await measured("--published", "parcels: a|b = .5/.6");
  assert.deepEqual(printed.replace(/kbdb [\d.]+/, "kbdb").split("\n").slice(2, 4), [
    "| parcels | kbdb | 5 | 0.716 | 0.733 | 0.800 | 20.0 % |",
    "| parcels | a\\|b |  | 0.500 | 0.600 |  |  |",
  ]);
  assert.match(told[0], /^parcels: 10 entries \(1 empty, 1 equal to another\), 5 queries, /);
  assert.match(path!, /quality-\d{8}T\d{6}\.\d{3}Z\.json$/);
});

test("runQuality() gives the same measures again", async () => {
  const [one, other] = [await measured(), await measured()];
  assert.deepEqual(one.report.results, other.report.results);
});

test("runQuality() refuses figures of a collection that is not measured", async () => {
  const { code, told } = await measured("--published", "scifact: x = .5");
  const message = "Cannot compare with figures for scifact: it is not measured";
  assert.deepEqual([code, told], [2, [message]]);
});

test("runQuality() fails where a folder holds no collection", async () => {
  const { code, told } = await measured("--data", join(PARCELS, "nothing"));
  assert.equal(code, 1);
  assert.match(told[0], /corpus\.jsonl/);
});
