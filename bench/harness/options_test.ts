import assert from "node:assert/strict";
import { test } from "node:test";
import { HELP, parseOptions, UsageError } from "./options.ts";
import { OPERATIONS } from "./sizes.ts";

test("parseOptions() measures the documented sizes ten times by default", () => {
  const options = parseOptions([]);
  assert.deepEqual(options.sizes.map(({ sections }) => sections), [1e3, 1e4, 5e4, 1e5]);
  assert.deepEqual(options.operations, OPERATIONS);
  assert.equal(options.n, 10);
  assert.equal(options.seed, 42);
  assert.equal(options.out, "bench/results");
  assert.equal(options.updateBaseline, false);
  assert.equal(options.keep, undefined);
  assert.equal(options.embeddingProvider, undefined);
});

test("parseOptions() reads labels and numbers of sizes", () => {
  const { sizes } = parseOptions(["--sizes", "small, 200,25k,1M,50000"]);
  assert.deepEqual(sizes, [
    { label: "small", sections: 1_000 },
    { label: "200", sections: 200 },
    { label: "25000", sections: 25_000 },
    { label: "1000000", sections: 1_000_000 },
    { label: "large", sections: 50_000 },
  ]);
});

test("parseOptions() takes a size once, however it is named", () => {
  const { sizes } = parseOptions(["--sizes", "small,1000,1k"]);
  assert.deepEqual(sizes.map(({ label }) => label), ["small"]);
});

test("parseOptions() reads every flag", () => {
  const args =
    "--operations search,gc --n 3 --queries 50 --retries 0 --seed 7 --out o --baseline b.json " +
    "--update-baseline --keep k --embedding-provider local --sizes small";
  const { sizes: _, ...rest } = parseOptions(args.split(" "));
  assert.deepEqual(rest, {
    operations: ["search", "gc"],
    n: 3,
    queries: 50,
    retries: 0,
    seed: 7,
    out: "o",
    baseline: "b.json",
    updateBaseline: true,
    keep: "k",
    embeddingProvider: "local",
    help: false,
  });
});

test("parseOptions() refuses what it does not know, by name", () => {
  const refused: [string[], RegExp][] = [
    [["--sizes", "huge"], /huge/],
    [["--sizes", "0"], /"0"/],
    [["--sizes", ","], /empty/],
    [["--operations", "search,dance"], /dance/],
    [["--n", "0"], /--n/],
    [["--n", "1.5"], /--n/],
    [["--size", "small"], /--size/],
    [["small"], /small/],
  ];
  for (const [args, message] of refused) {
    assert.throws(() => parseOptions(args), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, message);
      return true;
    });
  }
});

test("the help names every flag and operation, and has examples", () => {
  assert.equal(parseOptions(["--help"]).help, true);
  for (const name of OPERATIONS) assert.ok(HELP.includes(name), name);
  for (const flag of ["sizes", "operations", "n", "queries", "seed", "out", "baseline", "keep"]) {
    assert.match(HELP, new RegExp(`^ {2}--${flag} `, "m"));
  }
  assert.match(HELP, /Examples:/);
});
