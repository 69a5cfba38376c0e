import assert from "node:assert/strict";
import { test } from "node:test";
import { KbdbError } from "../rpc/errors.ts";
import type { SearchParams } from "../rpc/searching.ts";
import { type AskedClient, evaluate } from "./evaluation.ts";

const ID = "1cy96vmqxgmc72dt1v5b2vkrmy";
const NEWER = "0b3n1kv45vqwxae97zt5pmh2bk";

/** A client that finds the sections whose docid the query names, in that order. */
function client(
  parts: { histories?: Record<string, string | null>; documents?: string[] } = {},
): { asked: SearchParams[]; client: AskedClient } {
  const { histories = {}, documents = [] } = parts;
  const asked: SearchParams[] = [];
  const search = (params: SearchParams) => {
    asked.push(params);
    if (params.query === "") return refuse("bad_request", "Query must not be empty");
    if (params.query === "lost") return refuse("unreachable", "Cannot reach the daemon");
    const docids = params.query === "nothing" ? [] : params.query.split(" ");
    const items = docids.map((docid) => ({ kbid: `k-${docid}`, heading: docid, docids: [docid] }));
    return Promise.resolve({ items: items.slice(0, params.limit) });
  };
  const history = (id: string) =>
    id in histories ? Promise.resolve({ current: histories[id] }) : refuse("not_found", "No");
  const document = (id: string) =>
    documents.includes(id) ? Promise.resolve({ docid: id }) : refuse("not_found", "No");
  return { asked, client: { search, history, document } as unknown as AskedClient };
}

function refuse(code: "bad_request" | "not_found" | "unreachable", message: string) {
  return Promise.reject(new KbdbError(code, message));
}

const line = (query: string, ...expected: string[]) => JSON.stringify({ query, expected });

test("evaluate() means over queries, by kbid and by docid", async () => {
  const lines = [line("a b c", "a"), line("a b c", "k-b"), line("a b c d", "d", "x"), ""];
  const result = await evaluate(client({ documents: ["x"] }).client, { lines });
  const { queries, limit, found_at, mrr, recall, no_result } = result;
  assert.deepEqual({ queries, limit, recall, no_result }, {
    queries: 3,
    limit: 10,
    recall: 0.833333,
    no_result: 0,
  });
  assert.equal(mrr, 0.583333);
  assert.deepEqual(found_at, [
    { rank: 1, share: 0.333333 },
    { rank: 3, share: 0.666667 },
    { rank: 10, share: 1 },
  ]);
  // 1, 1/log2(3), and 1/log2(5) of 1 + 1/log2(3).
  assert.equal(result.ndcg, 0.631666);
  assert.deepEqual([result.missed, result.unfindable, result.failed], [[], [], []]);
});

test("evaluate() looks no further than its limit", async () => {
  const lines = [line("a b c", "c")];
  const { found_at, mrr } = await evaluate(client().client, { lines, limit: 2 });
  assert.deepEqual([found_at, mrr], [[{ rank: 1, share: 0 }, { rank: 2, share: 0 }], 0]);
});

test("evaluate() names queries that missed, with what was found instead", async () => {
  const lines = [line("a", "a"), "", line("b c d e", "x", "x"), line("nothing", "x")];
  const result = await evaluate(client({ documents: ["x"] }).client, { lines });
  assert.deepEqual(result.missed.map(({ line, expected }) => [line, expected]), [[3, ["x"]], [
    4,
    ["x"],
  ]]);
  assert.deepEqual(result.missed[0].found.map(({ heading }) => heading), ["b", "c", "d"]);
  assert.equal(result.no_result, 0.333333);
});

test("evaluate() sends filters and nothing that was not given", async () => {
  const { client: made, asked } = client();
  const filters = { tag: ["t"], type: ["text/*"], docid: ["a"], match: "all" };
  const lines = [JSON.stringify({ query: "a", expected: ["a"], ...filters }), line("a", "a")];
  await evaluate(made, { lines, limit: 5 });
  const plain = { query: "a", limit: 5 };
  assert.deepEqual(asked, [{ ...plain, ...filters }, plain]);
});

test("evaluate() tells which expected ids no query can find", async () => {
  const histories = { [ID]: NEWER, [NEWER]: NEWER, gone: null };
  const { client: made } = client({ histories, documents: ["there"] });
  const lines = [line("a", ID, NEWER, "gone"), line("a", "there", "never"), line("a", "never")];
  const { unfindable } = await evaluate(made, { lines });
  assert.deepEqual(unfindable, [
    { line: 1, id: ID, reason: `was superseded by ${NEWER}` },
    { line: 1, id: "gone", reason: "was removed" },
    { line: 2, id: "never", reason: "is not stored" },
    { line: 3, id: "never", reason: "is not stored" },
  ]);
});

test("evaluate() names bad lines and goes on", async () => {
  const lines = [
    "{",
    "[]",
    '{"query": 5, "expected": []}',
    line("a"),
    line("", "a"),
    line("a", "a"),
  ];
  const { failed, queries, mrr } = await evaluate(client().client, { lines });
  assert.deepEqual([queries, mrr], [1, 1]);
  assert.match(failed[0].message, /^Cannot evaluate line 1: no JSON \(/);
  assert.deepEqual(failed.slice(1).map(({ message }) => message), [
    "Cannot evaluate line 2: the parameters must be an object, not []",
    "Cannot evaluate line 3: query must be a string, not 5",
    "Cannot evaluate line 4: expected must name at least one id",
    "Cannot evaluate line 5: Query must not be empty",
  ]);
});

test("evaluate() warns of names that it does not know", async () => {
  const lines = ['{"query": "a", "expected": ["a"], "tags": ["x"]}'];
  const { warnings } = await evaluate(client().client, { lines });
  assert.deepEqual(warnings, ['line 1: "tags" is not known and is left out']);
});

test("evaluate() ends with an unreachable database", async () => {
  const lines = [line("lost", "a")];
  await assert.rejects(evaluate(client().client, { lines }), { code: "unreachable" });
});

test("evaluate() tells how far it is", async () => {
  const done: number[] = [];
  const onProgress = (progress: { done: number }) => done.push(progress.done);
  await evaluate(client().client, { lines: [line("a", "a"), "", "{"], onProgress });
  assert.deepEqual(done, [1, 2, 3]);
});
