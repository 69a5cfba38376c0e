import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOptions, parsePublished, UsageError } from "./options.ts";

test("parseOptions() takes folders and published figures", () => {
  const args = ["--data", "a", "--data", "b/", "--published", "a: x = .5", "--out", "o"];
  const { data, published, out } = parseOptions(args);
  assert.deepEqual([data, published.length, out], [["a", "b/"], 1, "o"]);
});

test("parsePublished() reads one to three figures", () => {
  assert.deepEqual(parsePublished("cran-field: BM25 k1=1.2: flat = .367 / .737/0.532"), {
    collection: "cran-field",
    system: "BM25 k1=1.2: flat",
    ndcg_at_10: 0.367,
    recall_at_100: 0.737,
    mrr: 0.532,
  });
  const { recall_at_100, mrr } = parsePublished("a:b=1");
  assert.deepEqual([recall_at_100, mrr], [null, null]);
});

test("parsePublished() refuses what is no such row", () => {
  for (const text of ["", "a: b", "b = .5", "a: b = .5/.5/.5/.5", "a: b = 66", "a: b = .5/"]) {
    assert.throws(() => parsePublished(text), UsageError, text);
  }
});

test("parseOptions() refuses an unknown flag and no data", () => {
  assert.throws(() => parseOptions(["--date", "a"]), UsageError);
  assert.throws(() => parseOptions([]), { message: "Cannot measure nothing: give --data FOLDER" });
  assert.equal(parseOptions(["--help"]).help, true);
});
