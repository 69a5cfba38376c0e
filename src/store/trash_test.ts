import assert from "node:assert/strict";
import { test } from "node:test";
import type { MemoryFiles } from "../platform/memory_files.ts";
import { DatabasePaths } from "./paths.ts";
import { removalName } from "./removal.ts";
import type { Store } from "./store.ts";
import {
  bytesOf,
  countChanges,
  crashWithNames,
  documentOf,
  failAfter,
  idOf,
  newDisk,
  NOON,
  openStore,
  removalOf,
  ROOT,
  sectionOf,
} from "./testing.ts";

const paths = new DatabasePaths(ROOT);
const HOUR = 60 * 60 * 1000;

interface Removed {
  readonly texts?: readonly string[];
  readonly docids?: readonly string[];
  readonly at?: Date;
}

async function learn(store: Store, texts: readonly string[], type = "text/markdown") {
  const seq = store.takeSeq();
  const sections = texts.map((text) => ({ ...sectionOf(text, { seq, type }), docids: [] }));
  await store.commit({ seq, sections, documents: [documentOf("d", { texts, seq })], requests: [] });
}

async function remove(store: Store, items: Removed): Promise<string> {
  const seq = store.takeSeq();
  const removal = { ...removalOf(seq, items), at: (items.at ?? NOON).toISOString() };
  await store.commit({ seq, sections: [], documents: [], requests: [], removal });
  return removal.name;
}

/** Three entries: two texts, an image, a document; each an hour after the one before. */
async function filled(): Promise<{ files: MemoryFiles; store: Store; names: string[] }> {
  const files = await newDisk();
  const store = await openStore(files, { create: {} });
  await learn(store, ["a", "b", "live"]);
  await learn(store, ["picture"], "image/png");
  const at = (hours: number) => new Date(NOON.getTime() + hours * HOUR);
  const names = [
    await remove(store, { texts: ["a", "b"], at: at(0) }),
    await remove(store, { texts: ["picture"], at: at(1) }),
    await remove(store, { docids: ["d"], at: at(2) }),
  ];
  return { files, store, names };
}

/** Index, journal: nothing of the past is replayed any more. */
async function checkpoint(store: Store): Promise<void> {
  const { seq } = store;
  const part = await store.rotateJournal();
  await store.flushFiles();
  const generation = store.indexFiles.begin("settings");
  await store.indexFiles.commit(generation, { indexedSeq: seq, flushedSeq: seq, segments: [] });
  await store.dropJournal(part);
}

function namesIn(store: Store): string[] {
  return store.trash.list().map(({ name }) => name);
}

function foldersIn(files: MemoryFiles): string[] {
  return files.list(paths.trash).map(({ name }) => name);
}

test("Trash list() gives entries newest first", async () => {
  const { files, store, names } = await filled();
  assert.deepEqual(namesIn(store), [...names].reverse());
  await checkpoint(store);
  await crashWithNames(files);
  assert.deepEqual(namesIn(await openStore(files)), [...names].reverse());
});

test("Trash list() leaves out what is in use", async () => {
  const { store, names } = await filled();
  await learn(store, ["a"]);
  const [first, second] = store.trash.list(store);
  assert.deepEqual([first.name, second.name], [names[1], names[0]]);
  assert.deepEqual(second.sections.map(({ kbid }) => kbid), [idOf("b")]);
  assert.equal(store.trash.list().length, 3);
});

test("Trash list() leaves out an entry that it cannot read, and says so", async () => {
  const { files, store, names } = await filled();
  await checkpoint(store);
  files.write(paths.trashListing(names[0]), bytesOf("name = "));
  files.remove(paths.trashListing(names[1]));
  files.write(`${paths.trash}/notes.txt`, bytesOf("x"));
  files.makeDir(`${paths.trash}/99`);
  const second = await openStore(files);
  assert.deepEqual(namesIn(second), [names[2]]);
  assert.deepEqual(namesIn(second), [names[2]]);
  const warned = second.warnings.filter((sentence) => sentence.startsWith("The trash's entry "));
  assert.equal(warned.length, 2, `${warned}`);
  assert.match(warned.join(), new RegExp(`entry ${names[1]} is left out: removal.toml is missing`));
});

test("Trash find() takes the newest entry", async () => {
  const { store, names } = await filled();
  assert.equal(store.trash.find(idOf("a"))?.name, names[0]);
  assert.equal(store.trash.find("d")?.name, names[2]);
  assert.equal(store.trash.find(idOf("live")), null);
  assert.equal(store.trash.find("../x"), null);
  await learn(store, ["a"]);
  assert.equal(store.trash.find(idOf("a"), store), null);
  const newer = await remove(store, { texts: ["a"] });
  assert.equal(store.trash.find(idOf("a"), store)?.name, newer);
});

test("Trash reads nothing outside an entry (B44)", async () => {
  const { store } = await filled();
  const [entry] = store.trash.list();
  const wrong = { ...entry, name: "../sections" };
  assert.throws(() => store.trash.readSection(wrong, idOf("live")), RangeError);
  assert.throws(() => store.trash.readDocument(wrong, "d"), RangeError);
  assert.equal(store.trash.readSection(entry, "../x").state, "unreadable");
  assert.equal(store.trash.readSection(entry, idOf("live")).state, "missing");
  assert.equal(store.trash.readDocument(entry, "other").state, "missing");
});

test("Trash drop() takes items out, then the entry", async () => {
  const { files, store, names } = await filled();
  await checkpoint(store);
  const entry = store.trash.find(idOf("a"))!;
  await store.trash.drop(entry, { kbids: [idOf("a")] });
  assert.equal(store.trash.find(idOf("a")), null);
  assert.equal(store.trash.find(idOf("b"))?.name, names[0]);
  assert.equal(store.trash.readSection(entry, idOf("a")).state, "missing");
  assert.equal(store.trash.readSection(entry, idOf("b")).state, "found");
  // Two at once, of which the second knows an older state.
  await Promise.all([
    store.trash.drop(entry, { kbids: [idOf("b")] }),
    store.trash.drop(entry, { kbids: [idOf("a")], docids: ["d"] }),
    store.trash.drop(store.trash.find("d")!, { docids: ["d"] }),
  ]);
  assert.deepEqual(foldersIn(files), [names[1]]);
});

test("Trash drop() can be cut off anywhere", async () => {
  for (const power of [false, true]) {
    for (let calls = 0;; calls++) {
      const { files, store, names } = await filled();
      await checkpoint(store);
      const entry = store.trash.find(idOf("a"))!;
      failAfter(files, calls, { all: true });
      const items = { kbids: [idOf("a")] };
      const done = await store.trash.drop(entry, items).then(() => true, () => false);
      files.beforeChange = undefined;
      if (power) files.crash();
      const second = await openStore(files);
      const there = second.trash.find(idOf("a"));
      if (there) assert.equal(second.trash.readSection(there, idOf("a")).state, "found");
      if (done) assert.equal(there, null);
      const other = second.trash.find(idOf("b"))!;
      assert.equal(other.name, names[0]);
      assert.equal(second.trash.readSection(other, idOf("b")).state, "found");
      if (done) break;
    }
  }
});

test("Trash empty() frees all", async () => {
  const { files, store } = await filled();
  await checkpoint(store);
  const bytes = store.trash.list().flatMap(({ sections, documents }) => [...sections, ...documents])
    .reduce((sum, item) => sum + item.bytes, 0);
  assert.deepEqual(await store.trash.empty(), { removed: 4, freedBytes: bytes });
  assert.deepEqual(foldersIn(files), []);
  assert.deepEqual(store.trash.list(), []);
  assert.deepEqual(await store.trash.empty(), { removed: 0, freedBytes: 0 });
  assert.equal(store.hasSection(idOf("live")), true);
});

test("Trash empty() before a time keeps what is newer", async () => {
  const { files, store, names } = await filled();
  await checkpoint(store);
  const { removed } = await store.trash.empty(new Date(NOON.getTime() + HOUR));
  assert.equal(removed, 2);
  assert.deepEqual(foldersIn(files), names.slice(1));
});

test("Trash empty() removes what it cannot read, but not by date", async () => {
  const { files, store, names } = await filled();
  await checkpoint(store);
  files.write(paths.trashListing(names[0]), bytesOf("name = "));
  const second = await openStore(files);
  await second.trash.empty(new Date(NOON.getTime() + 99 * HOUR));
  assert.deepEqual(foldersIn(files), [names[0]]);
  await second.trash.empty();
  assert.deepEqual(foldersIn(files), []);
});

test("Trash empty() lets nothing come back from the journal", async () => {
  for (const power of [false, true]) {
    const { files, store, names } = await filled();
    await store.trash.empty();
    assert.deepEqual(store.trash.list(), []);
    if (power) files.crash();
    const second = await openStore(files);
    assert.deepEqual(second.trash.list(), []);
    assert.equal(second.hasSection(idOf("a")), false);
    // Once the journal no longer names the removals, their folders go too.
    assert.deepEqual(foldersIn(files), names);
    await checkpoint(second);
    await second.trash.empty();
    assert.deepEqual(foldersIn(files), []);
  }
});

test("Trash empty() works on a full disk", async () => {
  const { files, store } = await filled();
  await checkpoint(store);
  await learn(store, ["new"]);
  files.beforeChange = ({ action, path }) => {
    if (action === "flush" && path.startsWith(paths.sections)) throw new Error("no space");
  };
  assert.equal((await store.trash.empty()).removed, 4);
});

test("Trash leaves alone what is on its way into it", async () => {
  const { files, store, names } = await filled();
  await checkpoint(store);
  const name = removalName(store.seq + 1);
  files.beforeChange = ({ action, path }) => {
    if (action === "remove" && path === paths.section(idOf("live"))) throw new Error("not now");
  };
  await remove(store, { texts: ["live"] });
  assert.deepEqual(namesIn(store), [...names].reverse());
  await store.trash.empty();
  assert.deepEqual(foldersIn(files), [name]);
  files.beforeChange = undefined;
  await store.flushFiles();
  assert.deepEqual(namesIn(store), [name]);
});

test("Trash gives back what is restored by a transaction, whatever fails", async () => {
  const restore = async (store: Store) => {
    const entry = store.trash.find(idOf("a"), store);
    if (!entry) return;
    const stored = store.trash.readSection(entry, idOf("a"));
    assert(stored.state === "found");
    const seq = store.takeSeq();
    const { meta, content } = stored.value;
    const sections = [{ meta: { ...meta, seq }, content, docids: [] }];
    await store.commit({ seq, sections, documents: [], requests: [] });
    await store.trash.drop(entry, { kbids: [idOf("a")] });
  };
  const first = await filled();
  const total = await countChanges(first.files, () => restore(first.store));
  for (const power of [false, true]) {
    for (let calls = 0; calls <= total; calls++) {
      const { files, store } = await filled();
      failAfter(files, calls, { all: true });
      const done = await restore(store).then(() => true, () => false);
      files.beforeChange = undefined;
      if (power) files.crash();
      const second = await openStore(files);
      if (done) assert.equal(second.hasSection(idOf("a")), true, `${calls}`);
      await restore(second);
      assert.equal(second.readSection(idOf("a")).state, "found");
      assert.equal(second.trash.find(idOf("a"), second), null);
      assert.notEqual(second.trash.find(idOf("b"), second), null);
    }
  }
});
