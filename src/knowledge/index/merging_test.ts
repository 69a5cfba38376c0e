import assert from "node:assert/strict";
import { test } from "node:test";
import type { MemoryFiles } from "../../platform/memory_files.ts";
import { ThreadError } from "../../platform/types.ts";
import {
  countChanges,
  crashWithNames,
  failAfter,
  newDisk,
  processOn,
} from "../../store/testing.ts";
import type { Sealing } from "./keeper.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import {
  checkOf,
  find,
  idOfText,
  indexerOn,
  learn,
  learnItem,
  openBase,
  paths,
  pictureOf,
  silentThread,
  SMALL,
} from "../testing.ts";

/** Every entry becomes a segment, so that eight of them are merged. */
const TINY: Sealing = { entries: 4, bytes: 1 << 24, keep: 1 };

const QUERIES = ["parcel", "number", "w3 w4", "absent"];

async function fill(base: KnowledgeBase, numbers: Iterable<number>): Promise<void> {
  for (const i of numbers) {
    const docid = i % 3 === 0 ? { docid: `doc ${i % 5}` } : {};
    await learn(base, { content: `# Parcel ${i}\n\nnumber w${i % 7} x${i}`, ...docid });
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** Waits for what goes on in the background. */
async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 2000 && !isSo(); i++) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(isSo(), what);
}

function merged(base: KnowledgeBase): Promise<void> {
  return until(() => base.status().index.segments < 20, "there are many segments still");
}

/** Folders of segments on disk. */
function foldersOf(files: MemoryFiles, base: KnowledgeBase): number {
  const { generation } = base.status().index;
  return files.list(paths.generation(generation!)).length;
}

test("merging changes no answer and leaves few segments", async () => {
  const files = await newDisk();
  const plain = await openBase(await newDisk());
  const base = await openBase(files, { sealing: TINY, startIndexer: indexerOn(files) });
  for (const target of [plain, base]) await fill(target, range(0, 60));
  await merged(base);
  assert.deepEqual(await pictureOf(base, QUERIES), await pictureOf(plain, QUERIES));
  await base.close();
  const again = await openBase(files, { sealing: TINY });
  assert.deepEqual(await pictureOf(again, QUERIES), await pictureOf(plain, QUERIES));
  assert.equal(foldersOf(files, again), again.status().index.segments);
  assert.deepEqual(again.status().warnings, []);
});

test("segments that died go, without a thread too", async () => {
  const files = await newDisk();
  const base = await openBase(files, { sealing: SMALL });
  for (const tag of ["old", "new", "newer"]) {
    for (const i of range(0, 6)) await learn(base, { content: `# Parcel ${i}`, tags: [tag] });
  }
  await until(() => base.status().index.segments <= 3, "dead segments stay");
  await until(() => foldersOf(files, base) <= 3, "their files stay");
  assert.equal((await base.search({ query: "parcel", tag: ["newer"] })).total, 6);
  assert.equal((await base.search({ query: "parcel" })).total, 6);
});

test("writes go on while segments are merged", async () => {
  const files = await newDisk();
  const base = await openBase(files, { sealing: TINY, startIndexer: indexerOn(files) });
  const plain = await openBase(await newDisk());
  for (let round = 0; round < 4; round++) {
    const numbers = range(round * 20, round * 20 + 20);
    await Promise.all([fill(base, numbers), fill(plain, numbers)]);
    // Known already: new tags take the entries out of their segments.
    for (const target of [base, plain]) {
      await learn(target, { content: `# Parcel 1\n\nnumber w1 x1`, tags: [`round ${round}`] });
    }
    assert.deepEqual(await pictureOf(base, QUERIES), await pictureOf(plain, QUERIES));
  }
  await merged(base);
  assert.deepEqual(await pictureOf(base, QUERIES), await pictureOf(plain, QUERIES));
  assert.equal((await checkOf(base)).ok, true);
});

test("a segment that cannot be merged is told of and served on", async () => {
  const files = await newDisk();
  const base = await openBase(files, { sealing: TINY, startIndexer: indexerOn(files) });
  await fill(base, range(0, 4));
  await until(() => base.status().index.generation !== null, "nothing was committed");
  const generation = paths.generation(base.status().index.generation!);
  const [first] = files.list(generation).map((entry) => `${generation}/${entry.name}`);
  const positions = files.read(`${first}/positions.idx`);
  positions[positions.length - 40] ^= 1;
  files.write(`${first}/positions.idx`, positions);
  await fill(base, range(4, 12));
  await until(() => base.status().warnings.length > 0, "nothing is told");
  assert.match(base.status().warnings.join(), /could not be merged: .*positions\.idx is damaged/);
  assert.equal((await base.search({ query: "parcel" })).total, 12);
  await base.rebuild(() => {});
  await fill(base, range(12, 40));
  await until(() => base.status().warnings.length === 0, "it is told on and on");
  await merged(base);
});

test("a thread that fails leaves many segments and is told of", async () => {
  const files = await newDisk();
  let starts = 0;
  const startIndexer = () => {
    starts += 1;
    const receive = () => Promise.reject(new ThreadError("failed", "it broke"));
    return { ...silentThread(), receive };
  };
  const base = await openBase(files, { sealing: TINY, startIndexer });
  await fill(base, range(0, 30));
  await until(() => starts > 0, "no thread was started");
  await fill(base, range(30, 40));
  assert.match(base.status().warnings.join(), /more slowly: Cannot use a thread: it broke$/);
  assert.equal((await base.search({ query: "parcel" })).total, 40);
  assert.equal(starts, 1);
});

test("close() does not wait for a merge", async () => {
  const files = await newDisk();
  const base = await openBase(files, { sealing: TINY, startIndexer: silentThread });
  await fill(base, range(0, 20));
  await new Promise((resolve) => setTimeout(resolve, 20));
  await base.close();
  const again = await openBase(files, { sealing: TINY });
  assert.equal((await again.search({ query: "parcel" })).total, 20);
  assert.deepEqual(again.status().warnings, []);
});

const ENDS = {
  "one call fails": { all: false, restart: async () => {} },
  "it is killed": { all: true, restart: async () => {} },
  "the power is cut": {
    all: true,
    restart: (files: MemoryFiles) => Promise.resolve(files.crash({ tornBytes: 33 })),
  },
  "the power is cut, names stay": { all: true, restart: crashWithNames },
};

/** Writes with merges and a rebuild between; returns the words that were acknowledged. */
async function script(base: KnowledgeBase): Promise<string[]> {
  const told: string[] = [];
  let rebuilt: Promise<unknown> | undefined;
  for (const i of range(0, 14)) {
    const word = `w${i}`;
    if (i === 9) rebuilt = base.rebuild(() => {}).catch(() => {});
    if ((await learnItem(base, { content: `text ${word}` })).ok) told.push(word);
  }
  await rebuilt;
  for (let i = 0; i < 30; i++) await new Promise((resolve) => setTimeout(resolve, 1));
  await base.close().catch(() => {});
  return told;
}

async function runFailing(options: { calls: number; end: keyof typeof ENDS }): Promise<void> {
  const files = await newDisk();
  await (await openBase(files, { sealing: TINY })).close();
  const { all, restart } = ENDS[options.end];
  const first = processOn(files);
  const startIndexer = indexerOn(first.files);
  const base = await openBase(first.files, { sealing: TINY, startIndexer });
  failAfter(files, options.calls, { all });
  const told = await script(base);
  first.kill();
  files.beforeChange = undefined;
  await restart(files);
  const second = await openBase(files, { sealing: TINY, startIndexer: indexerOn(files) });
  for (const word of told) {
    assert.deepEqual(await find(second, word), [idOfText(`text ${word}`)], `${word} is lost`);
  }
  assert.deepEqual((await checkOf(second)).errors, []);
  const before = await pictureOf(second, ["text", ...told]);
  await second.rebuild(() => {});
  assert.deepEqual(await pictureOf(second, ["text", ...told]), before);
  await second.close();
}

for (const end of Object.keys(ENDS) as (keyof typeof ENDS)[]) {
  test(`merging and rebuilding survive at any call: ${end} (B02)`, async () => {
    const files = await newDisk();
    const base = await openBase(files, { sealing: TINY, startIndexer: indexerOn(files) });
    const total = await countChanges(files, () => script(base));
    assert.ok(total > 100, `only ${total} calls`);
    const calls = Array.from({ length: total + 2 }, (_, call) => call);
    while (calls.length > 0) {
      await Promise.all(
        calls.splice(0, 16).map((calls) =>
          runFailing({ calls, end }).catch((error) => {
            throw new Error(`Failing call ${calls}: ${error.stack}`, { cause: error });
          })
        ),
      );
    }
  });
}
