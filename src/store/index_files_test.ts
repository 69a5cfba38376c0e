import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { MemoryFiles } from "../platform/memory_files.ts";
import { IndexFiles } from "./index_files.ts";
import type { Generation, SegmentBytes } from "./index_generation.ts";
import { DatabasePaths } from "./paths.ts";
import { bytesOf, failAfter, ROOT } from "./testing.ts";

const paths = new DatabasePaths(ROOT);
const SETTINGS = "language=english";
const DEAD = new Uint8Array([5, 0, 255]);
const FIRST = `${ROOT}/indexes/00000001`;

function segmentOf(text: string): SegmentBytes {
  const part = (name: string) => bytesOf(`${name} of ${text}`);
  return { terms: part("terms"), positions: part("positions"), corpus: part("corpus") };
}

function openIn(files: MemoryFiles): IndexFiles {
  return new IndexFiles(files, { paths, checksum: crc32 });
}

/** The texts of the segments that are served, or why there are none. */
function served(files: MemoryFiles, settings = SETTINGS): string[] | string | null {
  const texts: string[] = [];
  const loaded = openIn(files).load(settings, ({ corpus }) => {
    texts.push(new TextDecoder().decode(corpus).slice(10));
  });
  if (loaded.state === "unusable") return loaded.reason;
  return loaded.state === "loaded" ? texts : null;
}

/** The index of `files`, loaded, and the generation to go on with. */
function resumeIn(files: MemoryFiles): { index: IndexFiles; generation: Generation } {
  const index = openIn(files);
  assert.equal(index.load(SETTINGS, () => {}).state, "loaded");
  return { index, generation: index.resume() };
}

async function commitAs(index: IndexFiles, generation: Generation, seq: number): Promise<void> {
  const segments = generation.segments.map((entry) => ({ ...entry, dead: DEAD }));
  await index.commit(generation, { indexedSeq: seq, flushedSeq: seq, segments });
}

/** A generation of `texts`, committed as standing for transaction `seq`. */
async function commit(files: MemoryFiles, texts: string[], seq: number): Promise<IndexFiles> {
  const index = openIn(files);
  const generation = index.begin(SETTINGS);
  for (const text of texts) generation.add(segmentOf(text));
  await commitAs(index, generation, seq);
  return index;
}

function newFiles(): MemoryFiles {
  const files = new MemoryFiles();
  files.makeDir(ROOT);
  return files;
}

function namesIn(files: MemoryFiles, path: string): string[] {
  return files.list(path).map(({ name }) => name);
}

test("IndexFiles load() gives back what was committed", async () => {
  const files = newFiles();
  assert.equal(served(files), null);
  await commit(files, ["one", "two"], 7);
  const index = openIn(files);
  const segments: unknown[] = [];
  assert.deepEqual(index.load(SETTINGS, (one) => segments.push(one)), { state: "loaded" });
  assert.deepEqual(segments[1], {
    terms: bytesOf("terms of two"),
    corpus: bytesOf("corpus of two"),
    dead: DEAD,
  });
  assert.equal(index.state?.indexedSeq, 7);
  assert.deepEqual(index.peek(), { indexedSeq: 7, flushedSeq: 7, scannedMs: 0 });
  const sizes = ["1", "2"].map((name) => files.stat(`${FIRST}/${name}/terms.idx`).size);
  assert.equal(index.sizes.terms, sizes[0] + sizes[1]);
});

test("IndexFiles resume() adds to the generation in use", async () => {
  const files = newFiles();
  await commit(files, ["one"], 1);
  const { index, generation } = resumeIn(files);
  generation.add(segmentOf("two"));
  assert.deepEqual(served(files), ["one"]);
  await commitAs(index, generation, 3);
  assert.deepEqual(served(files), ["one", "two"]);
  assert.equal(openIn(files).peek().flushedSeq, 3);
});

test("IndexFiles commit() of no segments can be resumed", async () => {
  const files = newFiles();
  await commit(files, [], 1);
  assert.deepEqual(served(files), []);
  const { index, generation } = resumeIn(files);
  generation.add(segmentOf("one"));
  await commitAs(index, generation, 2);
  assert.deepEqual(served(files), ["one"]);
});

test("IndexFiles commit() keeps the time of the scan unless told another", async () => {
  const files = newFiles();
  const index = await commit(files, [], 1);
  const generation = index.resume();
  const state = { indexedSeq: 1, flushedSeq: 1, segments: [] };
  await index.commit(generation, { ...state, scannedMs: 1234 });
  assert.equal(index.state?.scannedMs, 1234);
  await index.commit(generation, state);
  assert.equal(openIn(files).peek().scannedMs, 1234);
  await commit(files, ["made again"], 2);
  assert.equal(openIn(files).peek().scannedMs, 0);
});

test("IndexFiles load() reports every flipped byte", async () => {
  const files = newFiles();
  await commit(files, ["one", "two"], 7);
  for (const path of [`${FIRST}/1/terms.idx`, `${FIRST}/2/corpus.dat`, paths.current]) {
    const whole = files.read(path);
    for (let at = 0; at < whole.length; at++) {
      const flipped = whole.slice();
      flipped[at] ^= 1 << (at % 8);
      files.write(path, flipped);
      assert.equal(typeof served(files), "string", `${path} byte ${at}`);
    }
    files.write(path, whole);
  }
  assert.deepEqual(served(files), ["one", "two"]);
});

test("IndexFiles load() reports every missing end", async () => {
  const files = newFiles();
  await commit(files, ["one", "two"], 7);
  for (const name of ["terms.idx", "positions.idx", "corpus.dat"]) {
    const path = `${FIRST}/2/${name}`;
    const whole = files.read(path);
    for (const size of [0, 1, whole.length >> 1, whole.length - 1]) {
      files.write(path, whole.subarray(0, size));
      assert.equal(typeof served(files), "string", `${name} of ${size} bytes`);
    }
    files.remove(path);
    assert.equal(typeof served(files), "string", `${name} missing`);
    files.write(path, whole);
  }
  files.write(paths.current, new Uint8Array(40));
  assert.equal(served(files), "CURRENT is damaged");
  assert.deepEqual(openIn(files).peek(), { indexedSeq: 0, flushedSeq: 0, scannedMs: 0 });
});

test("IndexFiles load() refuses other settings, segments and generations", async () => {
  const files = newFiles();
  await commit(files, ["one", "two"], 7);
  assert.equal(served(files, "language=german"), "its analysis settings differ");
  const other = files.read(`${FIRST}/1/terms.idx`);
  const own = files.read(`${FIRST}/2/terms.idx`);
  files.write(`${FIRST}/2/terms.idx`, other);
  assert.match(String(served(files)), /terms.idx is damaged$/);
  files.write(`${FIRST}/2/terms.idx`, own);
  await commit(files, ["one", "two"], 8);
  files.write(`${ROOT}/indexes/00000002/2/terms.idx`, own);
  assert.match(String(served(files)), /terms.idx is damaged$/);
});

test("IndexFiles load() fails where a segment is refused", async () => {
  const files = newFiles();
  await commit(files, ["one"], 7);
  const index = openIn(files);
  const loaded = index.load(SETTINGS, () => {
    throw new Error("it cannot be read");
  });
  assert.deepEqual(loaded, { state: "unusable", reason: "it cannot be read" });
  assert.equal(index.state, null);
});

test("IndexFiles resume() removes what was cut off and uses no number twice", async () => {
  const files = newFiles();
  await commit(files, ["one"], 1);
  resumeIn(files).generation.add(segmentOf("never committed"));
  assert.deepEqual(namesIn(files, FIRST), ["1", "2"]);
  assert.deepEqual(served(files), ["one"]);
  const { index, generation } = resumeIn(files);
  assert.deepEqual(namesIn(files, FIRST), ["1"]);
  generation.add(segmentOf("two"));
  await commitAs(index, generation, 2);
  assert.deepEqual(served(files), ["one", "two"]);
  assert.deepEqual(namesIn(files, FIRST), ["1", "3"]);
});

test("IndexFiles commit() removes what was replaced, and not before", async () => {
  const files = newFiles();
  await commit(files, ["one", "two", "three", "four"], 1);
  const { index, generation } = resumeIn(files);
  const merged = generation.write(generation.takeNumber(), segmentOf("two and three"));
  generation.replace(1, 2, merged);
  assert.deepEqual(served(files), ["one", "two", "three", "four"]);
  await commitAs(index, generation, 2);
  assert.deepEqual(served(files), ["one", "two and three", "four"]);
  assert.deepEqual(namesIn(files, FIRST), ["1", "4", "5"]);
  generation.replace(0, 1, null);
  await commitAs(index, generation, 3);
  assert.deepEqual(served(files), ["two and three", "four"]);
  assert.deepEqual(namesIn(files, FIRST), ["4", "5"]);
});

test("IndexFiles commit() keeps a replaced segment that it still names", async () => {
  const files = newFiles();
  const index = await commit(files, ["one", "two"], 1);
  const generation = index.resume();
  const segments = generation.segments.map((entry) => ({ ...entry, dead: DEAD }));
  generation.replace(0, 2, generation.write(generation.takeNumber(), segmentOf("both")));
  await index.commit(generation, { indexedSeq: 1, flushedSeq: 1, segments });
  assert.deepEqual(served(files), ["one", "two"]);
  await commitAs(index, generation, 2);
  assert.deepEqual(served(files), ["both"]);
});

test("IndexFiles commit() names only what was given", async () => {
  const files = newFiles();
  const index = await commit(files, ["one"], 1);
  const generation = index.resume();
  const segments = generation.segments.map((entry) => ({ ...entry, dead: DEAD }));
  generation.add(segmentOf("sealed meanwhile"));
  await index.commit(generation, { indexedSeq: 1, flushedSeq: 1, segments });
  assert.deepEqual(served(files), ["one"]);
  await commitAs(index, generation, 2);
  assert.deepEqual(served(files), ["one", "sealed meanwhile"]);
});

for (const power of ["fails", "fails and power is cut", "fails and power is cut, torn"]) {
  test(`IndexFiles commit() is the one switch: any call ${power}`, async () => {
    for (let nth = 0;; nth++) {
      const files = newFiles();
      for (const folder of ["/", "/home", "/home/notes"]) await files.flush(folder);
      await commit(files, ["old"], 1);
      await files.flush(ROOT);
      failAfter(files, nth, { all: true });
      let done = true;
      await commit(files, ["new", "newer"], 2).catch(() => done = false);
      files.beforeChange = undefined;
      if (power !== "fails") files.crash({ tornBytes: power.endsWith("torn") ? 9 : 0 });
      const now = served(files);
      const [old, fresh] = [["old"], ["new", "newer"]];
      if (done) assert.deepEqual(now, fresh);
      else assert.ok([old, fresh].some((texts) => texts.join() === String(now)), `${nth}: ${now}`);
      await commit(files, ["next"], 3);
      assert.deepEqual(served(files), ["next"]);
      if (done && nth > 40) break;
    }
  });
}

test("IndexFiles removes generations that are not in use", async () => {
  const files = newFiles();
  await commit(files, ["one"], 1);
  openIn(files).begin(SETTINGS).add(segmentOf("cut off"));
  assert.equal(files.list(paths.indexes).length, 3);
  resumeIn(files);
  assert.deepEqual(namesIn(files, paths.indexes), ["00000001", "CURRENT"]);
  await commit(files, ["two"], 2);
  assert.deepEqual(namesIn(files, paths.indexes), ["00000002", "CURRENT"]);
});

test("IndexFiles begin() gives every generation a folder of its own", () => {
  const index = openIn(newFiles());
  assert.notEqual(index.begin(SETTINGS).name, index.begin(SETTINGS).name);
});

test("Generation add() leaves nothing of what failed", async () => {
  for (let nth = 0;; nth++) {
    const files = newFiles();
    await commit(files, ["one"], 1);
    const { index, generation } = resumeIn(files);
    failAfter(files, nth, { all: false });
    let failed = false;
    try {
      generation.add(segmentOf("two"));
    } catch {
      failed = true;
      assert.equal(generation.segments.length, 1);
      generation.add(segmentOf("two"));
    }
    files.beforeChange = undefined;
    await commitAs(index, generation, 2);
    assert.deepEqual(served(files), ["one", "two"]);
    assert.equal(namesIn(files, FIRST).length, 2);
    if (!failed) break;
  }
});

test("Generation adopt() takes up what another one wrote", async () => {
  const files = newFiles();
  for (const folder of ["/", "/home", "/home/notes"]) await files.flush(folder);
  const index = openIn(files);
  const generation = index.begin(SETTINGS);
  const writer = openIn(files).open(generation.name, SETTINGS);
  writer.add(segmentOf("one"));
  writer.add(segmentOf("two"));
  generation.adopt(writer.segments);
  generation.add(segmentOf("three"));
  await commitAs(index, generation, 1);
  await files.flush(ROOT);
  files.crash();
  assert.deepEqual(served(files), ["one", "two", "three"]);
});

test("Generation discard() leaves nothing and never throws", () => {
  const files = newFiles();
  const generation = openIn(files).begin(SETTINGS);
  generation.add(segmentOf("one"));
  files.failNext("permission");
  generation.discard();
  generation.discard();
  assert.deepEqual(files.list(paths.indexes), []);
});
