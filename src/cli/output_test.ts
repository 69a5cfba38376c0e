import assert from "node:assert/strict";
import { test } from "node:test";
import { visible, visibleLine } from "./output.ts";
import { fakeOutput as output } from "./testing.ts";

const HALF = { done: 1, total: 2, message: "learning" };

test("visible() shows what would act on a terminal", () => {
  assert.equal(visible("\x1b[2Jx\r\x07\x7f\x9b"), "␛[2Jx␍␇␡␡");
  assert.equal(visible("a\tb\nc"), "a\tb\nc");
  assert.equal(visible("a\u202eb\u2066"), "a<U+202E>b<U+2066>");
  assert.equal(visible("漢字 🐘 👨‍👩‍👧 é"), "漢字 🐘 👨‍👩‍👧 é");
});

test("visibleLine() keeps a text on one line", () => {
  assert.equal(visibleLine("a\n1. forged\x1b"), "a␊1. forged␛");
});

test("Output.result() prints JSON that acts on no terminal", async () => {
  const { output: json, written } = output({ format: "json" });
  const value = { text: "\x1b[2J\x7f\x9b31m\u202e漢", list: [] };
  await json.result(value, () => "unused");
  assert.deepEqual(JSON.parse(written.out), value);
  assert.equal(
    written.out,
    '{\n  "text": "\\u001b[2J\\u007f\\u009b31m\\u202e漢",\n  "list": []\n}\n',
  );
});

test("Output.result() prints a tool result of MCP (D36)", async () => {
  const { output: mcp, written } = output({ format: "mcp", tool: "unlearn" });
  await mcp.result({ removed: true }, () => "unused");
  assert.deepEqual(JSON.parse(written.out), {
    content: [{ type: "text", text: '{"removed":true}' }],
    structuredContent: { removed: true },
  });
});

test("Output.line() prints one line of JSON, or a text", async () => {
  const { output: json, written } = output({ format: "json" });
  assert.equal(await json.line({ a: [1] }, () => "unused"), true);
  assert.equal(written.out, '{"a":[1]}\n');
  const text = output();
  await text.output.line({}, () => "a change\n");
  assert.equal(text.written.out, "a change\n");
});

test("Output.stored() keeps a text exactly, but for a terminal", () => {
  assert.equal(output().output.stored("a\x1b[2J"), "a\x1b[2J");
  assert.equal(output({ terminal: true }).output.stored("a\x1b[2J"), "a␛[2J");
});

test("Output.end() takes the progress away", () => {
  const { output: shown, written } = output({ terminal: true });
  shown.end();
  assert.equal(written.error, "");
  shown.progress(HALF);
  shown.end();
  assert.ok(written.error.endsWith("\r\x1b[K"));
});

test("Output sends remarks to standard error only (B17)", async () => {
  const { output: text, written } = output();
  text.note("remark");
  text.error("failure");
  await text.result({}, () => "data\n");
  assert.deepEqual(written, { out: "data\n", error: "remark\nkbdb: failure\n" });
});

test("Output makes remarks and errors visible", () => {
  const { output: text, written } = output();
  text.note("a\x1b[2J");
  text.error("b\x1b[2J");
  assert.equal(written.error, "a␛[2J\nkbdb: b␛[2J\n");
});

test("Output.progress() is for terminals only (D36)", () => {
  const { output: piped, written } = output();
  piped.progress(HALF);
  assert.equal(written.error, "");
  const quiet = output({ terminal: true, quiet: true });
  quiet.output.progress(HALF);
  assert.equal(quiet.written.error, "");
});

test("Output.progress() is one line, gone before a result", async () => {
  const { output: shown, written } = output({ terminal: true });
  shown.progress({ done: 1, total: 2, message: `learning ${"x".repeat(80)}` });
  assert.equal(written.error, `\rlearning ${"x".repeat(10)}\x1b[K`);
  await shown.result({}, () => "");
  assert.ok(written.error.endsWith("\r\x1b[K"));
});

test("Output.note() is silent with --quiet, errors are not", () => {
  const { output: quiet, written } = output({ quiet: true });
  quiet.note("remark");
  quiet.error("failure");
  assert.equal(written.error, "kbdb: failure\n");
});

test("Output styles text only with colour (D62)", () => {
  assert.equal(output().output.bold("x"), "x");
  assert.equal(output({ color: true }).output.bold("x"), "\x1b[1mx\x1b[0m");
});
