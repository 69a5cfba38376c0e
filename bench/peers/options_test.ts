import assert from "node:assert/strict";
import { test } from "node:test";
import { commandsOf, ENGINES } from "./engines.ts";
import { HELP, parseOptions, UsageError } from "./options.ts";

test("parseOptions() without flags measures everything", () => {
  assert.deepEqual(parseOptions([]), {
    sizes: [1000, 10_000, 100_000],
    queries: 1000,
    trials: 3,
    engines: ["kbdb", "kbdb-in-process", "fts5", "tantivy", "minisearch", "flexsearch"],
    kbdb: "deno",
    out: "bench/results",
    help: false,
  });
});

test("parseOptions() reads each flag", () => {
  const args = "--sizes 200,1000 --queries 50 --trials 1 --engines kbdb,fts5 --kbdb node --keep k";
  const options = parseOptions(args.split(" "));
  assert.deepEqual(options.sizes, [200, 1000]);
  assert.deepEqual(options.engines, ["kbdb", "fts5"]);
  assert.deepEqual([options.queries, options.trials], [50, 1]);
  assert.deepEqual([options.kbdb, options.keep], ["node", "k"]);
});

test("parseOptions() refuses what it does not know", () => {
  const wrong = [
    "--sizes 0",
    "--sizes 1000,",
    "--queries many",
    "--trials -1",
    "--engines lucene",
    "--kbdb bun",
    "--fast",
    "rest",
  ];
  for (const args of wrong) {
    assert.throws(() => parseOptions(args.split(" ")), UsageError, args);
  }
});

test("HELP names every engine", () => {
  for (const { id } of ENGINES) assert.ok(HELP.includes(id), id);
});

test("ENGINES pin the versions of their packages", () => {
  for (const name of ENGINES.flatMap(({ packages }) => packages)) {
    assert.match(name, /^@?[\w/-]+@\d+\.\d+\.\d+$/);
  }
});

test("commandsOf() gives peers their packages and kbdb its module", () => {
  const command = (id: string) => {
    const engine = ENGINES.find((one) => one.id === id)!;
    return commandsOf(engine, { packages: "/packages", kbdb: "node" })[0]("/data");
  };
  assert.deepEqual(command("fts5").slice(-2), ["/data", "/packages"]);
  assert.match(command("kbdb").at(-1)!, /^file:.*\/npm\/mod\.js$/);
  assert.equal(command("kbdb-in-process").at(-1), "--no-daemon");
});
