import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { MemoryFiles } from "../platform/memory_files.ts";
import { IndexFiles, type SegmentBytes } from "./index_files.ts";
import { DatabasePaths } from "./paths.ts";
import { bytesOf, failAfter, ROOT } from "./testing.ts";

const paths = new DatabasePaths(ROOT);
const SETTINGS = "language=english";
const DEAD = new Uint8Array([5, 0, 255]);

function segmentOf(text: string): SegmentBytes {
  const part = (name: string) => bytesOf(`${name} of ${text}`);
  return { terms: part("terms"), positions: part("positions"), corpus: part("corpus") };
}

function openIn(files: MemoryFiles): IndexFiles {
  return new IndexFiles(files, { paths, checksum: crc32 });
}

/** The texts of the segments that are served, or why there are none. */
function served(files: MemoryFiles, settings = SETTINGS): string[] | string | null {
  const loaded = openIn(files).load(settings);
  if ("reason" in loaded) return loaded.reason;
  return loaded.segments.map(({ corpus }) => new TextDecoder().decode(corpus).slice(10));
}

/** A generation of `texts`, committed as standing for transaction `seq`. */
async function commit(files: MemoryFiles, texts: string[], seq: number): Promise<IndexFiles> {
  const index = openIn(files);
  const generation = index.begin(SETTINGS);
  for (const text of texts) generation.add(segmentOf(text));
  const dead = texts.map(() => DEAD);
  await index.commit(generation, { indexedSeq: seq, flushedSeq: seq, dead });
  return index;
}

function newFiles(): MemoryFiles {
  const files = new MemoryFiles();
  files.makeDir(ROOT);
  return files;
}

test("IndexFiles load() gives back what was committed", async () => {
  const files = newFiles();
  assert.equal(served(files), null);
  await commit(files, ["one", "two"], 7);
  const index = openIn(files);
  const loaded = index.load(SETTINGS);
  assert("segments" in loaded);
  assert.deepEqual(loaded.segments[1].terms, bytesOf("terms of two"));
  assert.deepEqual(loaded.segments[1].dead, DEAD);
  assert.equal(index.state?.indexedSeq, 7);
  assert.deepEqual(index.peek(), { indexedSeq: 7, flushedSeq: 7 });
  assert.equal(index.sizes.terms, files.stat(`${ROOT}/indexes/00000001/terms.idx`).size);
});

test("IndexFiles resume() adds to the generation in use", async () => {
  const files = newFiles();
  await commit(files, ["one"], 1);
  const index = openIn(files);
  index.load(SETTINGS);
  const generation = index.resume();
  generation.add(segmentOf("two"));
  await index.commit(generation, { indexedSeq: 2, flushedSeq: 3, dead: [DEAD, DEAD] });
  assert.deepEqual(served(files), ["one", "two"]);
  assert.deepEqual(openIn(files).peek(), { indexedSeq: 2, flushedSeq: 3 });
});

test("IndexFiles load() reports every flipped byte", async () => {
  const files = newFiles();
  await commit(files, ["one", "two"], 7);
  const folder = `${ROOT}/indexes/00000001`;
  for (const path of [`${folder}/terms.idx`, `${folder}/corpus.dat`, paths.current]) {
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
    const path = `${ROOT}/indexes/00000001/${name}`;
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
  assert.deepEqual(openIn(files).peek(), { indexedSeq: 0, flushedSeq: 0 });
});

test("IndexFiles load() refuses other settings and generations", async () => {
  const files = newFiles();
  await commit(files, ["one"], 7);
  assert.equal(served(files, "language=german"), "its analysis settings differ");
  await commit(files, ["two"], 8);
  const folder = `${ROOT}/indexes/00000002`;
  const other = newFiles();
  await commit(other, ["two"], 8);
  files.write(`${folder}/terms.idx`, other.read(`${ROOT}/indexes/00000001/terms.idx`));
  assert.match(String(served(files)), /terms.idx is damaged at byte 0/);
});

test("IndexFiles cuts what lies beyond CURRENT", async () => {
  const files = newFiles();
  await commit(files, ["one"], 1);
  const index = openIn(files);
  index.load(SETTINGS);
  index.resume().add(segmentOf("never committed, and longer than what comes"));
  assert.deepEqual(served(files), ["one"]);
  index.load(SETTINGS);
  const generation = index.resume();
  generation.add(segmentOf("two"));
  await index.commit(generation, { indexedSeq: 2, flushedSeq: 2, dead: [DEAD, DEAD] });
  assert.deepEqual(served(files), ["one", "two"]);
  assert.equal(index.sizes.corpus, files.stat(`${ROOT}/indexes/00000001/corpus.dat`).size);
});

test("Generation add() refuses a file that lost its end", async () => {
  const files = newFiles();
  await commit(files, ["one"], 1);
  const index = openIn(files);
  index.load(SETTINGS);
  const generation = index.resume();
  files.write(`${ROOT}/indexes/00000001/positions.idx`, bytesOf("short"));
  assert.throws(() => generation.add(segmentOf("two")), /positions.idx is shorter than it was$/);
  assert.equal(generation.current.segments.length, 1);
});

test("Generation add() can be repeated after any failure", async () => {
  for (let nth = 0;; nth++) {
    const files = newFiles();
    await commit(files, ["one"], 1);
    const index = openIn(files);
    index.load(SETTINGS);
    const generation = index.resume();
    failAfter(files, nth, { all: false });
    let failed = false;
    try {
      generation.add(segmentOf("two"));
    } catch {
      failed = true;
      generation.add(segmentOf("two"));
    }
    files.beforeChange = undefined;
    await index.commit(generation, { indexedSeq: 2, flushedSeq: 2, dead: [DEAD, DEAD] });
    assert.deepEqual(served(files), ["one", "two"]);
    if (!failed) break;
  }
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
      if (done) break;
    }
  });
}

test("IndexFiles removes generations that are not in use", async () => {
  const files = newFiles();
  await commit(files, ["one"], 1);
  openIn(files).begin(SETTINGS).add(segmentOf("cut off"));
  assert.equal(files.list(paths.indexes).length, 3);
  const index = openIn(files);
  index.load(SETTINGS);
  index.resume();
  assert.deepEqual(files.list(paths.indexes).map(({ name }) => name), ["00000001", "CURRENT"]);
  await commit(files, ["two"], 2);
  assert.deepEqual(files.list(paths.indexes).map(({ name }) => name), ["00000002", "CURRENT"]);
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

test("IndexFiles begin() gives every generation a folder of its own", () => {
  const index = openIn(newFiles());
  const [first, second] = [index.begin(SETTINGS), index.begin(SETTINGS)];
  assert.notEqual(first.current.generation, second.current.generation);
});

test("IndexFiles refuses a CURRENT that leads elsewhere (B44)", async () => {
  for (const change of [{ generation: "../../x" }, { generation: 7 }, { segments: [{}] }]) {
    const files = newFiles();
    await commit(files, ["one"], 1);
    const [json] = new TextDecoder().decode(files.read(paths.current)).split("\n");
    const forged = JSON.stringify({ ...JSON.parse(json), ...change });
    const sum = crc32(forged).toString(16).padStart(8, "0");
    files.write(paths.current, bytesOf(`${forged}\nkbdb-current 1 ${sum}\n`));
    assert.equal(served(files), "CURRENT is damaged", JSON.stringify(change));
    assert.deepEqual(openIn(files).peek(), { indexedSeq: 0, flushedSeq: 0 });
  }
});
