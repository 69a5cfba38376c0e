import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { tempDir } from "../../tests/support/temp_dir.ts";
import { programPath, start } from "./engines.ts";
import { EngineProcess } from "./engine_process.ts";
import { diskBytes, makeInserts, makeQueries, rotated, runTrial, writeSections } from "./trial.ts";

const SECTIONS = 40;
const runtime = process.versions.deno === undefined ? "node" : "deno";

/** The built-in engine, which needs no package. */
function trivial(data: string): string[] {
  return [...start(runtime), programPath("trivial.mjs"), data, data];
}

function workload(corpus: string) {
  writeSections(corpus, SECTIONS);
  const [warmUp, ...queries] = makeQueries(9);
  const inserts = makeInserts(3);
  return { corpus, sections: SECTIONS, warmUp: [warmUp], queries, inserts };
}

test("runTrial() takes an engine through everything", async () => {
  using folder = tempDir();
  const work = workload(folder.join("corpus.ndjson"));
  const engine = { command: trivial, durable: true, data: folder.path };
  const { figures, results_mean, snippet_chars_mean } = await runTrial(work, engine);
  for (const [name, figure] of Object.entries(figures)) assert.ok(figure! > 0, name);
  assert.ok(figures.search_p50_ms! <= figures.search_p99_ms!);
  assert.ok(results_mean > 0 && results_mean <= 20);
  assert.ok(snippet_chars_mean > 50 && snippet_chars_mean < 170);
});

test("runTrial() leaves out what an engine in memory does not have", async () => {
  using folder = tempDir();
  const work = workload(folder.join("corpus.ndjson"));
  const engine = { command: trivial, durable: false, data: folder.path };
  const { figures } = await runTrial(work, engine);
  assert.equal(figures.insert_p50_ms, null);
  assert.equal(figures.disk_bytes, null);
});

test("runTrial() refuses an index that is not whole", async () => {
  using folder = tempDir();
  const work = { ...workload(folder.join("corpus.ndjson")), sections: SECTIONS + 1 };
  const engine = { command: trivial, durable: false, data: folder.path };
  await assert.rejects(runTrial(work, engine), /40 of 41 sections/);
});

test("EngineProcess tells what failed and goes on", async () => {
  using folder = tempDir();
  await using engine = new EngineProcess(trivial(folder.path));
  await assert.rejects(
    engine.request("index", folder.join("none")),
    /^Error: Cannot index: ENOENT/,
  );
  assert.match((await engine.request("describe", true)).version, /^trivial 1, (Deno|Node) \d/);
});

test("EngineProcess tells that a program ended", async () => {
  await using engine = new EngineProcess([process.execPath, "--none"], "ignore");
  await assert.rejects(engine.request("describe", true), /Cannot describe: .* ended with code \d/);
});

test("EngineProcess tells that a program is not there", async () => {
  await using engine = new EngineProcess(["kbdb-no-such-program"]);
  await assert.rejects(engine.request("describe", true), /Cannot describe: .*ENOENT/);
});

test("EngineProcess closes a program that has closed", async () => {
  using folder = tempDir();
  const engine = new EngineProcess(trivial(folder.path));
  await engine.close();
  await engine.close();
});

test("makeQueries() gives different queries, the same ones each time", () => {
  const queries = makeQueries(50);
  assert.equal(new Set(queries).size, 50);
  assert.deepEqual(makeQueries(20), queries.slice(0, 20));
  for (const query of queries) assert.equal(query.split(" ").length, 3);
});

test("diskBytes() counts files in folders", () => {
  using folder = tempDir();
  writeFileSync(folder.join("one"), "x".repeat(10_000));
  assert.ok(diskBytes(folder.path) >= 10_000);
});

test("rotated() lets each engine begin once", () => {
  assert.deepEqual([0, 1, 2, 3].map((by) => rotated(["a", "b", "c"], by).join("")), [
    "abc",
    "bca",
    "cab",
    "abc",
  ]);
});
