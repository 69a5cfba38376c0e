import assert from "node:assert/strict";
import { test } from "node:test";
import { KbdbError } from "./errors.ts";
import { encodeFrame, FrameSplitter, MAX_FRAME_BYTES } from "./framing.ts";

const encoder = new TextEncoder();
const SAMPLE = "漢字 naïve 🐘 ─";

/** All frames of a stream that arrives in these chunks. */
function framesOf(chunks: readonly Uint8Array[], splitter = new FrameSplitter()): string[] {
  return chunks.flatMap((chunk) => splitter.push(chunk));
}

function isError(code: string): (error: unknown) => boolean {
  return (error) => error instanceof KbdbError && error.code === code;
}

test("FrameSplitter keeps characters split at any byte (B19)", () => {
  const bytes = encodeFrame(SAMPLE);
  for (let at = 0; at <= bytes.length; at++) {
    const frames = framesOf([bytes.slice(0, at), bytes.slice(at)]);
    assert.deepEqual(frames, [JSON.stringify(SAMPLE)], `split at byte ${at}`);
  }
});

test("FrameSplitter reads byte by byte (B19)", () => {
  const bytes = encodeFrame({ text: SAMPLE });
  assert.deepEqual(framesOf(Array.from(bytes, (byte) => Uint8Array.of(byte))), [
    JSON.stringify({ text: SAMPLE }),
  ]);
});

test("FrameSplitter finds several frames in one chunk", () => {
  assert.deepEqual(framesOf([encoder.encode("1\n2\n3")]), ["1", "2"]);
});

test("FrameSplitter joins the end of a chunk to the next", () => {
  const splitter = new FrameSplitter();
  assert.deepEqual(splitter.push(encoder.encode("1\n[2,")), ["1"]);
  assert.equal(splitter.inFrame, true);
  assert.deepEqual(splitter.push(encoder.encode("3]\n")), ["[2,3]"]);
  assert.equal(splitter.inFrame, false);
});

test("FrameSplitter ends a line at the line feed only (B19)", () => {
  const text = "a\u2028b\u2029c\u0085d";
  assert.deepEqual(framesOf([encodeFrame(text)]).map((frame) => JSON.parse(frame)), [text]);
});

test("FrameSplitter takes CRLF and leaves out blank lines", () => {
  assert.deepEqual(framesOf([encoder.encode("1\r\n\r\n \n\n2\n")]), ["1", "2"]);
});

test("encodeFrame() writes line ends and lone surrogates as escapes (B19)", () => {
  const text = "a\nb\r\n\ud800";
  const bytes = encodeFrame(text);
  assert.equal(bytes.indexOf(10), bytes.length - 1);
  assert.equal(JSON.parse(framesOf([bytes])[0]), text);
});

test("FrameSplitter takes a line of exactly the limit", () => {
  assert.deepEqual(framesOf([encoder.encode("12345\n")], new FrameSplitter(5)), ["12345"]);
});

test("FrameSplitter refuses an over-long line at the limit (B19)", () => {
  const splitter = new FrameSplitter(1000);
  const chunk = new Uint8Array(100).fill(97);
  for (let i = 0; i < 10; i++) assert.deepEqual(splitter.push(chunk), []);
  assert.throws(() => splitter.push(chunk), isError("too_large"));
});

test("FrameSplitter refuses 100 MB without a line end at 32 MiB (B19)", () => {
  const splitter = new FrameSplitter();
  const chunk = new Uint8Array(1024 * 1024).fill(97);
  let taken = 0;
  assert.throws(() => {
    for (; taken < 100; taken++) splitter.push(chunk);
  }, isError("too_large"));
  assert.equal(taken, MAX_FRAME_BYTES / chunk.length);
});

test("FrameSplitter joins a large frame from many chunks", () => {
  const text = "x".repeat(5_000_000);
  const bytes = encodeFrame(text);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 65_536) chunks.push(bytes.slice(at, at + 65_536));
  assert.equal(JSON.parse(framesOf(chunks)[0]), text);
});

test("FrameSplitter refuses what is not UTF-8", () => {
  assert.throws(() => new FrameSplitter().push(Uint8Array.of(34, 0xff, 34, 10)), (error) => {
    return isError("bad_request")(error) && /UTF-8/.test((error as Error).message);
  });
});

test("encodeFrame() refuses a message over the limit", () => {
  assert.throws(() => encodeFrame("x".repeat(MAX_FRAME_BYTES)), isError("too_large"));
});
