import assert from "node:assert/strict";
import { test } from "node:test";
import type { MemoryFiles } from "../platform/memory_files.ts";
import { decodeDocument } from "./document_store.ts";
import type { JournalRecord } from "./journal_record.ts";
import { decodeSection } from "./section_file.ts";
import type { Store } from "./store.ts";
import {
  countChanges,
  crashWithNames,
  documentOf,
  failAfter,
  idOf,
  newDisk,
  NOON,
  openStore,
  sectionOf,
} from "./testing.ts";

/** Content of a section that every transaction changes. */
const SHARED = "shared by all";

/** One transaction: a section and a document of its own, and a change of the shared ones. */
function recordOf(store: Store, number: number): JournalRecord {
  const seq = store.takeSeq();
  const own = sectionOf(`text of ${number}`, { seq });
  const shared = sectionOf(SHARED, { seq, tags: [`${number}`] });
  return {
    seq,
    sections: [
      { ...own, docids: [] },
      { ...shared, docids: [] },
    ],
    documents: [
      documentOf(`doc ${number}`, { texts: [`text of ${number}`], seq }),
      documentOf("shared", { texts: [`text of ${number}`, SHARED], seq }),
    ],
    requests: [{ key: `key ${number}`, at: NOON.getTime(), answer: number }],
  };
}

/** What a run was told: transactions that were acknowledged, and those that were refused. */
interface Told {
  readonly acknowledged: Set<number>;
  readonly refused: Set<number>;
}

async function commit(store: Store, number: number, told: Told): Promise<void> {
  try {
    await store.commit(recordOf(store, number));
    told.acknowledged.add(number);
  } catch {
    told.refused.add(number);
  }
}

/** What the index does when it seals: flush, switch, drop. */
async function checkpoint(store: Store): Promise<void> {
  const { seq } = store;
  const part = await store.rotateJournal();
  await store.flushFiles();
  const generation = store.indexFiles.begin("settings");
  await store.indexFiles.commit(generation, { indexedSeq: seq, flushedSeq: seq, segments: [] });
  await store.dropJournal(part);
}

/** Numbers below `limit` that a seed decides; the same on every machine. */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % limit;
  };
}

/** Transactions alone and together, and checkpoints, in an order that the seed decides. */
async function script(store: Store, options: { seed: number; told: Told }): Promise<void> {
  const { seed, told } = options;
  const pick = random(seed);
  let number = 1;
  for (let step = 0; step < 5; step++) {
    if (pick(3) === 0) await checkpoint(store).catch(() => {});
    const together = 1 + pick(3);
    const commits = Array.from({ length: together }, () => commit(store, number++, told));
    await Promise.all(commits);
  }
  await checkpoint(store).catch(() => {});
  await commit(store, number++, told);
}

/** A database with transaction 0 in it, as a power cut would leave it. */
async function prepared(): Promise<{ files: MemoryFiles; store: Store; told: Told }> {
  const files = await newDisk();
  const store = await openStore(files, { create: {} });
  const told = { acknowledged: new Set<number>(), refused: new Set<number>() };
  await commit(store, 0, told);
  return { files, store, told };
}

/** Every acknowledged transaction is there, every other one whole or not at all. */
function verify(store: Store, told: Told, options: { refusedAreGone: boolean }): void {
  const present = (number: number) => {
    const section = store.readSection(idOf(`text of ${number}`));
    const document = store.readDocument(`doc ${number}`);
    assert.equal(document.state, section.state, `transaction ${number} is half there`);
    if (section.state === "missing") return false;
    assert(section.state === "found", `${number}: ${section.state}`);
    assert.equal(new TextDecoder().decode(section.value.content), `text of ${number}`);
    return true;
  };
  for (const number of told.acknowledged) assert.ok(present(number), `${number} is lost`);
  for (const number of told.refused) {
    assert.ok(!present(number) || !options.refusedAreGone, `${number} was refused and is there`);
  }
  const shared = store.readSection(idOf(SHARED));
  assert(shared.state === "found", `shared section ${shared.state}`);
  const last = Number(shared.value.meta.tags[0]);
  assert.ok(last >= Math.max(...told.acknowledged), `shared section is of ${last}`);
  assert.ok(present(last));
  const document = store.readDocument("shared");
  assert(document.state === "found");
  assert.equal(document.value.sections[0].kbid, idOf(`text of ${last}`));
}

/** Whatever lies on the disk can be read. */
function verifyFiles(files: MemoryFiles, folder: string): void {
  for (const { name, kind } of files.list(folder)) {
    const path = `${folder}/${name}`;
    if (kind === "directory") verifyFiles(files, path);
    else if (name.endsWith(".md")) decodeSection(files.read(path));
    else if (name.endsWith(".toml")) decodeDocument(files.read(path));
  }
}

/** What happens at the failing call. */
const ENDS = {
  "one call fails": { all: false, restart: async () => {} },
  "the process is killed": { all: true, restart: async () => {} },
  "the power is cut": { all: true, restart: (files: MemoryFiles) => crash(files, 0) },
  "the power is cut, torn": { all: true, restart: (files: MemoryFiles) => crash(files, 11) },
  "the power is cut, names stay": { all: true, restart: crashWithNames },
} as const;

function crash(files: MemoryFiles, tornBytes: number): Promise<void> {
  files.crash({ tornBytes });
  return Promise.resolve();
}

async function runFailing(
  options: { seed: number; calls: number; end: keyof typeof ENDS },
): Promise<void> {
  const { seed, calls } = options;
  const { all, restart } = ENDS[options.end];
  const { files, store, told } = await prepared();
  failAfter(files, calls, { all });
  await script(store, { seed, told });
  files.beforeChange = undefined;
  if (!all) verify(store, told, { refusedAreGone: true });
  await restart(files);
  const second = await openStore(files);
  verify(second, told, { refusedAreGone: !all });
  // What the first one left unflushed has to survive the second one's checkpoint too.
  await commit(second, 100, told);
  await checkpoint(second);
  await commit(second, 101, told);
  await crashWithNames(files);
  const third = await openStore(files);
  verify(third, told, { refusedAreGone: !all });
  await third.flushFiles();
  verifyFiles(files, third.paths.sections);
  verifyFiles(files, third.paths.documents);
  assert.equal(third.remembered("key 101")?.answer, 101);
}

for (const end of Object.keys(ENDS) as (keyof typeof ENDS)[]) {
  for (const seed of [1, 2]) {
    test(`Store recovers at any call: ${end} (B02, seed ${seed})`, async () => {
      const { files, store, told } = await prepared();
      const total = await countChanges(files, () => script(store, { seed, told }));
      assert.ok(total > 60, `only ${total} calls`);
      const calls = Array.from({ length: total + 1 }, (_, call) => call);
      await Promise.all(calls.map((calls) =>
        runFailing({ seed, calls, end }).catch((error) => {
          throw new Error(`Failing call ${calls}: ${error.stack}`, { cause: error });
        })
      ));
    });
  }
}
