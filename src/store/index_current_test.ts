import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { type Current, decodeCurrent, encodeCurrent } from "./index_current.ts";
import { bytesOf } from "./testing.ts";

const CURRENT: Current = {
  generation: "00000007",
  settings: "language=english",
  indexedSeq: 5,
  flushedSeq: 6,
  scannedMs: 1_772_000_000_000,
  segments: [],
};

function segmentOf(dead: Uint8Array) {
  return { number: 3, terms: 10, positions: 0, corpus: 9000, dead };
}

function signed(json: string, format = "2"): Uint8Array {
  const sum = crc32(json).toString(16).padStart(8, "0");
  return bytesOf(`${json}\nkbdb-current ${format} ${sum}\n`);
}

test("decodeCurrent() gives back every bitmap", () => {
  const sparse = new Uint8Array(8192);
  sparse.set([1, 128], 700);
  const bitmaps = [
    new Uint8Array(),
    sparse,
    new Uint8Array([0, 0, 7]),
    new Uint8Array([7, 0, 0, 0]),
    new Uint8Array(1000).map((_, i) => i % 3 === 0 ? 0 : i),
    new Uint8Array(600).fill(255),
  ];
  const current = { ...CURRENT, segments: bitmaps.map(segmentOf) };
  assert.deepEqual(decodeCurrent(encodeCurrent(current, crc32), crc32), current);
});

test("encodeCurrent() stays small where little is dead", () => {
  const segments = Array.from({ length: 30 }, () => {
    const dead = new Uint8Array(8192);
    dead[4000] = 1;
    return segmentOf(dead);
  });
  assert.ok(encodeCurrent({ ...CURRENT, segments }, crc32).length < 6000);
  const none = { ...CURRENT, segments: [segmentOf(new Uint8Array(8192))] };
  assert.deepEqual(decodeCurrent(encodeCurrent(none, crc32), crc32).segments[0].dead.length, 0);
});

test("decodeCurrent() refuses what is damaged or of another format", () => {
  const whole = encodeCurrent(CURRENT, crc32);
  for (const bytes of [whole.slice(0, -1), whole.slice(1), new Uint8Array(40), bytesOf("")]) {
    assert.throws(() => decodeCurrent(bytes, crc32), { message: "CURRENT is damaged" });
  }
  assert.throws(
    () => decodeCurrent(signed('{"format":1}', "1"), crc32),
    /^Error: its format is 1$/,
  );
});

test("decodeCurrent() refuses what would lead elsewhere (B44)", () => {
  const segment = { number: 1, terms: 1, positions: 1, corpus: 100, dead: "" };
  const changes = [
    { generation: "../../x" },
    { generation: 7 },
    { indexedSeq: -1 },
    { scannedMs: "today" },
    { segments: null },
    ...[null, {}, { ...segment, number: "../x" }, { ...segment, terms: 0.5 }, {
      ...segment,
      dead: 1,
    }]
      .map((one) => ({ segments: [one] })),
    // A run of zeros that no segment of that size could need.
    { segments: [{ ...segment, dead: btoa("\0\xff".repeat(9)) }] },
  ];
  for (const change of changes) {
    const json = JSON.stringify({ format: 2, ...CURRENT, segments: [segment], ...change });
    const decode = () => decodeCurrent(signed(json), crc32);
    assert.throws(decode, { message: "CURRENT is damaged" }, JSON.stringify(change));
  }
});
