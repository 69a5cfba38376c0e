import assert from "node:assert/strict";
import { test } from "node:test";
import { platform } from "../platform/host.ts";
import { MemoryFiles } from "../platform/memory_files.ts";
import type { Files } from "../platform/types.ts";
import { BATCH_BYTES, type Params } from "../rpc/protocol.ts";
import type { LearnItem } from "../rpc/writing.ts";
import { type BatchSource, learnBatch } from "./learn_batch.ts";
import { fakeClient, taken } from "./testing.ts";

/** What became of a batch, and the requests that it took. */
async function learned(source: BatchSource, files: Files = platform.files) {
  const requests: LearnItem[][] = [];
  const machine = { ...platform, files };
  const client = fakeClient(machine, (_, params) => {
    const { items } = params as Params<"learn">;
    requests.push(items);
    return {
      results: items.map((item) =>
        item.content === "bad"
          ? { ok: false, error: { code: "conflict", message: "Cannot learn: taken" } }
          : taken(item)
      ),
    };
  });
  const { elapsed_ms, ...result } = await learnBatch({ platform: machine, client }, { source });
  assert.ok(elapsed_ms >= 0);
  return { result, requests };
}

/** A file of these bytes. */
function fileOf(bytes: string | Uint8Array): Files {
  const files = new MemoryFiles();
  files.write("/batch", typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
  return files;
}

test("learnBatch() sends what a line says (D57)", async () => {
  const item = {
    content: "漢字",
    type: "text/plain",
    title: "t",
    description: "d",
    docid: "x",
    tags: ["a"],
    source: "s",
  };
  const { result, requests } = await learned([JSON.stringify(item), '{"content":"b"}\r\n']);
  assert.deepEqual(requests, [[item, { content: "b" }]]);
  assert.deepEqual([result.lines, result.added, result.sections], [2, 2, 2]);
});

test("learnBatch() names bad lines and learns the others (D57)", async () => {
  const { result, requests } = await learned([
    '{"content":"a"}',
    "",
    "{",
    "[]",
    '{"content":5}',
    '{"content":"bad"}',
    '{"content":"b","tags":"x"}',
    '{"content":"c"}',
  ]);
  assert.deepEqual(requests[0].map(({ content }) => content), ["a", "bad", "c"]);
  assert.deepEqual([result.lines, result.added], [7, 2]);
  assert.deepEqual(result.failed.map(({ line, code }) => [line, code]), [
    [3, "bad_request"],
    [4, "bad_request"],
    [5, "bad_request"],
    [6, "conflict"],
    [7, "bad_request"],
  ]);
  assert.match(result.failed[0].message, /^Cannot learn line 3: no JSON \(/);
  assert.equal(
    result.failed[2].message,
    "Cannot learn line 5: content must be a string, not 5",
  );
});

test("learnBatch() warns once of a name that is not known", async () => {
  const { result, requests } = await learned([
    '{"content":"a","tag":"x"}',
    '{"content":"b","tag":"x","toString":1,"__proto__":{}}',
  ]);
  assert.deepEqual(requests, [[{ content: "a" }, { content: "b" }]]);
  assert.deepEqual(result.warnings, [
    'line 1: "tag" is not known and is left out',
    'line 2: "toString" is not known and is left out',
    'line 2: "__proto__" is not known and is left out',
  ]);
});

test("learnBatch() takes lines as they come", async () => {
  async function* lines() {
    yield '{"content":"a"}';
    await Promise.resolve();
    yield '{"content":"b"}';
  }
  assert.equal((await learned(lines())).result.added, 2);
});

test("learnBatch() sends requests of a bounded size (D57)", async () => {
  const line = (i: number) => JSON.stringify({ content: `${i}`.padEnd(10_000, "x") });
  const { result, requests } = await learned(Array.from({ length: 300 }, (_, i) => line(i)));
  assert.equal(result.added, 300);
  const sizes = requests.map((items) =>
    items.reduce((sum, { content }) => sum + content.length, 0)
  );
  assert.ok(sizes.every((size) => size <= BATCH_BYTES), String(sizes));
  assert.equal(requests.length, 3);
});

test("learnBatch() reads a file line by line", async () => {
  const files = fileOf('\ufeff{"content":"a"}\r\n\n{"content":"漢"}');
  const { result, requests } = await learned("/batch", files);
  assert.deepEqual(requests, [[{ content: "a" }, { content: "漢" }]]);
  assert.deepEqual([result.lines, result.failed], [2, []]);
});

test("learnBatch() reads lines that are longer than what is read at once", async () => {
  const content = "漢".repeat(1_500_000);
  const { requests } = await learned("/batch", fileOf(`{"content":"${content}"}\n{"content":"b"}`));
  assert.deepEqual(requests.map((items) => items.map((item) => item.content.length)), [
    [1_500_000],
    [1],
  ]);
});

test("learnBatch() names a line that is no UTF-8 (B38)", async () => {
  const bytes = new Uint8Array([123, 255, 125, 10, ...new TextEncoder().encode('{"content":"a"}')]);
  const { result } = await learned("/batch", fileOf(bytes));
  assert.deepEqual(result.failed, [{
    line: 1,
    code: "bad_request",
    message: "Cannot learn line 1: it is not UTF-8",
  }]);
  assert.equal(result.added, 1);
});

test("learnBatch() passes over a line without end and goes on (B40)", async () => {
  const bytes = new Uint8Array(33 * 1024 * 1024 + 20).fill(120);
  bytes.set(new TextEncoder().encode('\n{"content":"a"}'), 33 * 1024 * 1024);
  const { result } = await learned("/batch", fileOf(bytes.subarray(0, 33 * 1024 * 1024 + 16)));
  assert.deepEqual(result.failed.map(({ line, code }) => [line, code]), [[1, "too_large"]]);
  assert.equal(result.added, 1);
});

test("learnBatch() fails where there is no file", async () => {
  await assert.rejects(learned("/none", new MemoryFiles()), { code: "not_found" });
});
