import assert from "node:assert/strict";
import { test } from "node:test";
import { type Line, LineReader } from "./lines.ts";

const encoder = new TextEncoder();
const SAMPLE = '{"a":"漢字 naïve 🐘 ─"}\r\n\n["b\u2028c"]\nend';
const EXPECTED = ['{"a":"漢字 naïve 🐘 ─"}', '["b\u2028c"]', "end"];

function texts(lines: readonly Line[]): string[] {
  return lines.map((line) => line.kind === "text" ? line.text : `<${line.kind}>`);
}

/** All lines of a stream that arrives in these chunks. */
function read(chunks: readonly Uint8Array[], maxBytes?: number): string[] {
  const reader = new LineReader(maxBytes);
  const lines = chunks.flatMap((chunk) => reader.push(chunk));
  return texts([...lines, ...reader.end()]);
}

test("LineReader keeps characters split at any byte (B19)", () => {
  const bytes = encoder.encode(SAMPLE);
  for (let at = 0; at <= bytes.length; at++) {
    assert.deepEqual(read([bytes.slice(0, at), bytes.slice(at)]), EXPECTED, `split at ${at}`);
  }
});

test("LineReader reads byte by byte (B19)", () => {
  const bytes = encoder.encode(SAMPLE);
  assert.deepEqual(read(Array.from(bytes, (byte) => Uint8Array.of(byte))), EXPECTED);
});

test("LineReader keeps nothing of a chunk", () => {
  const reader = new LineReader();
  const chunk = encoder.encode("[1,");
  reader.push(chunk);
  chunk.fill(0);
  assert.deepEqual(texts(reader.push(encoder.encode("2]\n"))), ["[1,2]"]);
});

test("LineReader finds all lines of a chunk", () => {
  assert.deepEqual(read([encoder.encode("1\n2\r\n3\n")]), ["1", "2", "3"]);
});

test("LineReader leaves out blank lines and a byte order mark", () => {
  assert.deepEqual(read([encoder.encode("\ufeff1\n\n\r\n \t\n2\n")]), ["1", "2"]);
});

test("LineReader ends a line at the line feed only", () => {
  assert.deepEqual(read([encoder.encode("a\u2028b\u2029c\u0085d\re\n")]), [
    "a\u2028b\u2029c\u0085d\re",
  ]);
});

test("LineReader reads a line of 9 MB in no time [client-sdk-2]", () => {
  const chunk = new Uint8Array(64 * 1024).fill(120);
  const reader = new LineReader();
  const start = performance.now();
  for (let done = 0; done < 9_000_000; done += chunk.length) reader.push(chunk);
  const [line] = texts(reader.push(encoder.encode("\n")));
  const took = performance.now() - start;
  assert(line.length >= 9_000_000);
  // A few milliseconds; repeated joining takes over a second.
  assert(took < 300, `${took} ms`);
});

test("LineReader reads 300,000 bytes one at a time in no time [client-sdk-2]", () => {
  const reader = new LineReader();
  const byte = Uint8Array.of(120);
  const start = performance.now();
  for (let done = 0; done < 300_000; done++) reader.push(byte);
  assert.equal(texts(reader.end())[0].length, 300_000);
  const took = performance.now() - start;
  assert(took < 1000, `${took} ms`);
});

test("LineReader tells a line over the limit once, and reads on", () => {
  const chunks = ["12345", "6789", "0\n{}\n", "123456789\n1234\n"].map((text) =>
    encoder.encode(text)
  );
  assert.deepEqual(read(chunks, 4), ["<too_long>", "{}", "<too_long>", "1234"]);
  assert.deepEqual(read([encoder.encode("12345")], 4), ["<too_long>"]);
});

test("LineReader holds no line without an end (B19)", () => {
  const reader = new LineReader(100_000);
  const chunk = new Uint8Array(64 * 1024).fill(120);
  const lines = Array.from({ length: 1600 }, () => reader.push(chunk)).flat();
  assert.deepEqual(lines, [{ kind: "too_long" }]);
});

test("LineReader tells what is not UTF-8, and reads on", () => {
  const cut = encoder.encode("漢").subarray(0, 2);
  const chunks = [Uint8Array.of(0x22, 0xff, 0x22, 10), cut, encoder.encode("\n1\n"), cut];
  assert.deepEqual(read(chunks), ["<not_utf8>", "<not_utf8>", "1", "<not_utf8>"]);
});
