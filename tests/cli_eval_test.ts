import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchDatabase } from "./accept/scratch.ts";
import { kbdb, kbdbJson } from "./support/command.ts";

interface Evaluated {
  queries: number;
  limit: number;
  found_at: { rank: number; share: number }[];
  mrr: number;
  ndcg: number;
  recall: number;
  no_result: number;
  missed: { line: number; query: string; found: { docids: string[] }[] }[];
  unfindable: { line: number; id: string; reason: string }[];
  failed: { line: number; code: string; message: string }[];
}

/** A database of `post` with two sections and `hours`, tagged `desk`. */
async function desk() {
  const database = await scratchDatabase();
  const on = (args: readonly string[]) => [...args, "--db", database.path];
  const learn = (input: string, ...args: string[]) =>
    kbdbJson<{ kbid: string }>(on(["learn", "-", ...args]), { input });
  await learn("# Parcels\n\nParcels go left.\n\n# Letters\n\nLetters go right.", "--docid", "post");
  const { kbid } = await learn("The desk opens at nine.", "--docid", "hours", "--tag", "desk");
  return {
    hours: kbid,
    run: (lines: string[], ...args: string[]) =>
      kbdb(on(["eval", "-", ...args]), { input: lines.join("\n") }),
    json: (lines: string[], ...args: string[]) =>
      kbdbJson<Evaluated>(on(["eval", "-", ...args]), { input: lines.join("\n") }),
    on,
    path: database.path,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

const line = (query: string, ...expected: string[]) => JSON.stringify({ query, expected });

test("eval measures queries by docid and kbid", async () => {
  await using db = await desk();
  const lines = [line("parcels", "post"), line("desk nine", db.hours), line("zebra", "hours")];
  const result = await db.json(lines);
  assert.deepEqual([result.queries, result.limit, result.failed], [3, 10, []]);
  assert.deepEqual(result.found_at.map(({ rank }) => rank), [1, 3, 10]);
  const { mrr, ndcg, recall, no_result } = result;
  assert.deepEqual([mrr, ndcg, recall, no_result], [0.666667, 0.666667, 0.666667, 0.333333]);
  assert.deepEqual(result.missed.map(({ line, found }) => [line, found]), [[3, []]]);
});

test("eval shows a person what was found instead", async () => {
  await using db = await desk();
  const { code, stdout, stderr } = await db.run([line("parcels", "post"), line("left", "hours")]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^line 2 missed: left\n {2}expected hours\n {2}1\. Parcels {2}post\n\n/);
  assert.match(stdout, /^2 queries, 1 missed \(\d+ ms\)$/m);
  assert.match(stdout, /^ {2}found at 1 +50\.0 %$/m);
  assert.match(stdout, /^ {2}MRR +0\.500$/m);
});

test("eval narrows queries by the filters of their lines", async () => {
  await using db = await desk();
  const filtered = JSON.stringify({ query: "parcels desk", expected: ["post"], tag: ["desk"] });
  const { missed } = await db.json([filtered]);
  assert.deepEqual(missed[0].found.map(({ docids }) => docids), [["hours"]]);
});

test("eval reads a file and keeps to its limit", async () => {
  await using db = await desk();
  const file = join(db.path, "../queries.jsonl");
  writeFileSync(file, `${line("letters right left", "post")}\r\n`);
  const { found_at, mrr } = await kbdbJson<Evaluated>(db.on(["eval", file, "--limit", "1"]));
  assert.deepEqual([found_at, mrr], [[{ rank: 1, share: 1 }], 1]);
});

test("eval names bad lines by number and fails", async () => {
  await using db = await desk();
  const lines = [line("parcels", "post"), "{", line("a"), line(" ", "post")];
  const { code, stdout, stderr } = await db.run(lines, "--json");
  const { queries, failed } = JSON.parse(stdout) as Evaluated;
  assert.deepEqual([code, queries], [1, 1]);
  assert.deepEqual(failed.map(({ line, code }) => [line, code]), [
    [2, "bad_request"],
    [3, "bad_request"],
    [4, "bad_request"],
  ]);
  assert.match(stderr, /^kbdb: Cannot evaluate line 2: no JSON/m);
  assert.match(stderr, /^kbdb: Cannot evaluate line 4: Query must not be empty$/m);
});

test("eval names expected ids that are not stored or superseded", async () => {
  await using db = await desk();
  const input = "The desk opens at ten.";
  const { kbid } = await kbdbJson<{ kbid: string }>(db.on(["revise", db.hours, "-"]), { input });
  const unknown = "00000000000000000000000000";
  const { code, stderr } = await db.run([line("desk", db.hours), line("desk", unknown, "no.md")]);
  assert.equal(code, 0);
  assert.deepEqual(stderr.trimEnd().split("\n"), [
    `line 1: ${db.hours} was superseded by ${kbid}`,
    `line 2: ${unknown} is not stored`,
    "line 2: no.md is not stored",
  ]);
});

test("eval --min-mrr fails below the number only", async () => {
  await using db = await desk();
  const lines = [line("parcels", "post"), line("zebra", "post")];
  assert.equal((await db.run(lines, "--min-mrr", "0.5")).code, 0);
  const { code, stdout, stderr } = await db.run(lines, "--min-mrr", "0.6");
  assert.equal(code, 1);
  assert.match(stdout, /MRR/);
  assert.equal(stderr, "kbdb: MRR of - is 0.5: below --min-mrr 0.6\n");
});

test("eval refuses what it cannot use", async () => {
  await using db = await desk();
  const refused = async (...args: string[]) => {
    const { code, stderr } = await kbdb(db.on(["eval", ...args]), { input: "\n\n" });
    return [code, stderr.trimEnd()];
  };
  const file = "Cannot evaluate: name one file of queries, or -";
  assert.deepEqual(await refused(), [2, `kbdb: ${file}`]);
  assert.deepEqual(await refused("a", "b"), [2, `kbdb: ${file}`]);
  assert.deepEqual(await refused("-"), [
    2,
    "kbdb: Cannot evaluate -: it holds no queries. See: kbdb eval --help",
  ]);
  assert.equal((await refused("no-such-file.jsonl"))[0], 3);
  assert.deepEqual(await refused("-", "--limit", "101"), [
    2,
    "kbdb: Cannot use --limit: it goes from 1 to 100",
  ]);
  assert.deepEqual(await refused("-", "--min-mrr", "60"), [
    2,
    "kbdb: Cannot use --min-mrr 60: it takes a number from 0 to 1",
  ]);
});
