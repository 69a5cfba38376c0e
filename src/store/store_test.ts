import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import type { MemoryFiles } from "../platform/memory_files.ts";
import { encodeRecord, type JournalRecord, type RequestMemory } from "./journal_record.ts";
import { DatabasePaths } from "./paths.ts";
import { REQUEST_MEMORY_MS } from "./request_memory.ts";
import type { Store } from "./store.ts";
import {
  bytesOf,
  crashWithNames,
  documentOf,
  idOf,
  newDisk,
  NOON,
  openStore,
  ROOT,
  sectionOf,
} from "./testing.ts";

const paths = new DatabasePaths(ROOT);

function recordOf(store: Store, text: string, requests: RequestMemory[] = []): JournalRecord {
  const seq = store.takeSeq();
  return {
    seq,
    sections: [{ ...sectionOf(text, { seq }), docids: [] }],
    documents: [documentOf(`doc of ${text}`, { texts: [text], seq })],
    requests,
  };
}

async function newStore(): Promise<{ files: MemoryFiles; store: Store }> {
  const files = await newDisk();
  return { files, store: await openStore(files, { create: {} }) };
}

/** Drops the journal, with files flushed up to the last transaction. */
async function checkpoint(store: Store): Promise<void> {
  const { seq } = store;
  const part = await store.rotateJournal();
  await store.flushFiles();
  const generation = store.indexFiles.begin("settings");
  await store.indexFiles.commit(generation, { indexedSeq: seq, flushedSeq: seq, segments: [] });
  await store.dropJournal(part);
}

test("Store commit() writes files and takes numbers once", async () => {
  const { files, store } = await newStore();
  await Promise.all(["a", "b", "c"].map((text) => store.commit(recordOf(store, text))));
  assert.equal(store.seq, 3);
  assert.deepEqual(store.listSections().kbids.sort(), ["a", "b", "c"].map(idOf).sort());
  assert.equal(files.stat(paths.document("doc of b")).kind, "file");
  assert.equal((await openStore(files)).seq, 3);
});

test("Store serves what it could not write to files (B05)", async () => {
  const { files, store } = await newStore();
  const record = recordOf(store, "late");
  files.beforeChange = ({ path }) => {
    if (!path.startsWith(paths.journal)) throw new Error(`Cannot write ${path}: the disk is full`);
  };
  await store.commit(record);
  assert.equal(store.readSection(idOf("late")).state, "found");
  assert.equal(store.hasSection(idOf("late")), true);
  assert.deepEqual(store.listSections().kbids, [idOf("late")]);
  assert.equal([...store.allDocuments()][0].outcome.state, "found");
  assert.match(store.warnings.join(), /the disk is full. The write is safe in the journal/);
  await assert.rejects(store.flushFiles(), /the disk is full/);
  files.beforeChange = undefined;
  await store.flushFiles();
  assert.deepEqual(store.warnings, []);
  files.crash();
  assert.equal((await openStore(files)).readSection(idOf("late")).state, "found");
});

test("Store keeps numbers rising where the journal is gone", async () => {
  const { files, store } = await newStore();
  for (const text of ["a", "b", "c"]) await store.commit(recordOf(store, text));
  await store.flushFiles();
  const generation = store.indexFiles.begin("settings");
  await store.indexFiles.commit(generation, { indexedSeq: 0, flushedSeq: 3, segments: [] });
  files.removeTree(paths.journal);
  const second = await openStore(files);
  assert.equal(second.seq, 3);
  await second.commit(recordOf(second, "d"));
  files.crash();
  assert.equal((await openStore(files)).readSection(idOf("d")).state, "found");
});

test("Store flushes what a killed process only wrote (B02)", async () => {
  const { files, store } = await newStore();
  await store.commit(recordOf(store, "a"));
  const second = await openStore(files);
  await checkpoint(second);
  await crashWithNames(files);
  const third = await openStore(files);
  assert.equal(third.readSection(idOf("a")).state, "found");
  assert.equal(third.readDocument("doc of a").state, "found");
});

test("Store makes missing folders durably, as after git clone", async () => {
  const { files, store } = await newStore();
  await store.commit(recordOf(store, "a"));
  await checkpoint(store);
  for (const folder of [paths.journal, paths.documents]) files.removeTree(folder);
  await files.flush(ROOT);
  const second = await openStore(files);
  await second.commit(recordOf(second, "b"));
  files.crash();
  assert.equal((await openStore(files)).readSection(idOf("b")).state, "found");
});

test("Store leaves a person's edit alone when it recovers (D47)", async () => {
  const { files, store } = await newStore();
  await store.commit(recordOf(store, "a text that somebody edits"));
  const path = paths.section(idOf("a text that somebody edits"));
  const edited = new TextDecoder().decode(files.read(path)).replace("somebody", "a person");
  files.write(path, bytesOf(edited));
  await openStore(files);
  assert.equal(new TextDecoder().decode(files.read(path)), edited);
});

test("Store mends files that a power cut tore (B02)", async () => {
  const { files, store } = await newStore();
  await store.commit(recordOf(store, "a text of some length"));
  const path = paths.section(idOf("a text of some length"));
  const whole = files.read(path);
  for (let size = 0; size < whole.length; size++) {
    files.write(path, whole.subarray(0, size));
    await openStore(files);
    assert.deepEqual(files.read(path), whole, `${size} bytes`);
    files.write(path, whole.slice().fill(0, size));
    await openStore(files);
    assert.deepEqual(files.read(path), whole, `zeros from ${size}`);
  }
});

test("Store remembers requests across restarts and checkpoints (D46)", async () => {
  const { files, store } = await newStore();
  const at = NOON.getTime();
  await store.commit(recordOf(store, "a", [{ key: "k", at, answer: { ok: "first" } }]));
  await checkpoint(store);
  assert.deepEqual(store.remembered("k")?.answer, { ok: "first" });
  const second = await openStore(files);
  assert.deepEqual(second.remembered("k")?.answer, { ok: "first" });
  const late = new Date(at + REQUEST_MEMORY_MS + 1);
  const third = await openStore(files, { now: () => late });
  assert.equal(third.remembered("k"), undefined);
});

test("Store forgets the request of a write that failed", async () => {
  const { files, store } = await newStore();
  const record = recordOf(store, "a", [{ key: "k", at: NOON.getTime(), answer: 1 }]);
  files.failNext("no_space");
  await assert.rejects(store.commit(record));
  assert.equal(store.remembered("k"), undefined);
  assert.equal(store.readSection(idOf("a")).state, "missing");
});

test("Store remembers a bounded number of requests (B40)", async () => {
  const { store } = await newStore();
  const requests = Array.from({ length: 20_000 }, (_, i) => ({
    key: `k${i}`,
    at: NOON.getTime(),
    answer: i,
  }));
  await store.commit(recordOf(store, "a", requests));
  assert.equal(store.remembered("k19999")?.answer, 19_999);
  assert.equal(store.remembered("k0"), undefined);
  await checkpoint(store);
  assert.ok(store.journalBytes < 1_000_000, `${store.journalBytes}`);
});

test("Store reads the journal without writing where it may not (D54)", async () => {
  const { files, store } = await newStore();
  await store.commit(recordOf(store, "a"));
  files.remove(paths.section(idOf("a")));
  files.removeTree(paths.documents);
  files.beforeChange = (change) => assert.fail(JSON.stringify(change));
  const reading = await openStore(files, { writable: false });
  assert.equal(reading.readSection(idOf("a")).state, "found");
  assert.deepEqual(reading.listSections().kbids, [idOf("a")]);
  assert.equal([...reading.allDocuments()].length, 1);
});

test("Store keeps the journal's text of an unreadable section", async () => {
  const { files, store } = await newStore();
  await store.commit(recordOf(store, "a"));
  files.remove(paths.section(idOf("a")));
  files.makeDir(paths.section(idOf("a")));
  const second = await openStore(files);
  assert.equal(second.readSection(idOf("a")).state, "found");
  assert.match(second.warnings.join(), /Cannot read/);
  await assert.rejects(checkpoint(second));
});

test("Store exists() notices that its folder is gone", async () => {
  const { files, store } = await newStore();
  assert.equal(store.exists(), true);
  files.removeTree(paths.sections);
  assert.equal(store.exists(), false);
});

test("Store takes no content for a record where the journal is torn (B44)", async () => {
  const { files, store } = await newStore();
  const planted = encodeRecord(recordOf(store, "planted"), crc32);
  const text = sectionOf("carrier", { seq: store.takeSeq() });
  const carrier = { ...text, content: planted, docids: [] };
  const record = { seq: store.seq, sections: [carrier], documents: [], requests: [] };
  await store.commit(record);
  await store.close();
  const [{ name }] = files.list(paths.journal);
  const path = `${paths.journal}/${name}`;
  const bytes = files.read(path);
  files.write(path, bytes.subarray(0, bytes.length - 1));
  files.removeTree(paths.sections);
  const again = await openStore(files);
  assert.equal(again.readSection(idOf("planted")).state, "missing");
  assert.equal(files.stat(path).size, 0);
});

test("Store writes a manifest once for many changes that come together", async () => {
  const { files, store } = await newStore();
  let writes = 0;
  files.beforeChange = ({ action, path }) => {
    if (action === "write" && path === paths.document("shared")) writes += 1;
  };
  const commits = Array.from({ length: 50 }, (_, i) => {
    const seq = store.takeSeq();
    const documents = [documentOf("shared", { texts: [`${i}`], seq })];
    return store.commit({ seq, sections: [], documents, requests: [] });
  });
  await Promise.all(commits);
  assert.ok(writes <= 2, `${writes} writes`);
  const stored = store.readDocument("shared");
  assert.equal(stored.state === "found" && stored.value.seq, 50);
});

test("Store keeps the manifest before one that failed", async () => {
  const { files, store } = await newStore();
  await store.commit(recordOf(store, "a"));
  const commit = (seq: number) =>
    store.commit({ seq, sections: [], documents: [documentOf("d", { seq })], requests: [] });
  let later: Promise<void> | undefined;
  let flushes = 0;
  files.beforeChange = ({ action, path }) => {
    if (action !== "flush" || !path.startsWith(paths.journal)) return;
    flushes += 1;
    // The next one comes while this one is being flushed, and fails.
    if (flushes === 1) later = commit(3);
    later?.catch(() => {});
    if (flushes === 2) throw new Error("no space");
  };
  await commit(2);
  await assert.rejects(later!, /no space/);
  files.beforeChange = undefined;
  const seqIn = (store: Store) => {
    const stored = store.readDocument("d");
    return stored.state === "found" && stored.value.seq;
  };
  assert.equal(seqIn(store), 2);
  await store.flushFiles();
  assert.equal(seqIn(await openStore(files)), 2);
});
