import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { platform } from "../platform/host.ts";
import type { MemoryFiles } from "../platform/memory_files.ts";
import { encodeDocument } from "./document_store.ts";
import type { JournalRecord } from "./journal_record.ts";
import { DatabasePaths } from "./paths.ts";
import { encodeMeta, encodeSection } from "./section_file.ts";
import { Store } from "./store.ts";
import {
  bytesOf,
  documentOf,
  failAfter,
  idOf,
  newDisk,
  NOON,
  openStore,
  removalOf,
  ROOT,
  sectionOf,
  temporaryFolder,
} from "./testing.ts";

const paths = new DatabasePaths(ROOT);

/** A section of this type, with a document of its own. */
async function learn(store: Store, text: string, type = "text/markdown"): Promise<number> {
  const seq = store.takeSeq();
  await store.commit({
    seq,
    sections: [{ ...sectionOf(text, { seq, type, title: `Title of ${text}` }), docids: [] }],
    documents: [documentOf(`doc of ${text}`, { texts: [text], seq })],
    requests: [],
  });
  return seq;
}

function removing(
  store: Store,
  items: { texts?: string[]; docids?: string[] },
): JournalRecord {
  const seq = store.takeSeq();
  return { seq, sections: [], documents: [], requests: [], removal: removalOf(seq, items) };
}

/** Removes a section and its document. */
async function unlearn(store: Store, text: string): Promise<string> {
  const record = removing(store, { texts: [text], docids: [`doc of ${text}`] });
  await store.commit(record);
  return record.removal!.name;
}

async function newStore(): Promise<{ files: MemoryFiles; store: Store }> {
  const files = await newDisk();
  return { files, store: await openStore(files, { create: {} }) };
}

/** All that reads tell of a section and its document. */
function seen(store: Store, text: string) {
  const docid = `doc of ${text}`;
  return {
    section: store.readSection(idOf(text)).state,
    hasSection: store.hasSection(idOf(text)),
    listed: store.listSections().kbids.includes(idOf(text)),
    document: store.readDocument(docid).state,
    hasDocument: store.hasDocument(docid),
    all: [...store.allDocuments()].some(({ outcome }) =>
      outcome.state === "found" && outcome.value.docid === docid
    ),
  };
}

const GONE = {
  section: "missing",
  hasSection: false,
  listed: false,
  document: "missing",
  hasDocument: false,
  all: false,
};
const THERE = {
  section: "found",
  hasSection: true,
  listed: true,
  document: "found",
  hasDocument: true,
  all: true,
};

/** Fails whatever touches one of the places. */
function failAt(files: MemoryFiles, ...places: string[]): void {
  files.beforeChange = ({ action, path }) => {
    if (places.some((place) => path.startsWith(place))) {
      throw new Error(`Cannot ${action} ${path}: not now`);
    }
  };
}

for (const type of ["text/markdown", "image/png"]) {
  test(`Store commit() moves ${type} to the trash`, async () => {
    const { files, store } = await newStore();
    const seq = await learn(store, "a", type);
    assert.deepEqual(seen(store, "a"), THERE);
    const name = await unlearn(store, "a");
    assert.deepEqual(seen(store, "a"), GONE);
    const folder = paths.sectionFolder(idOf("a"));
    assert.deepEqual(files.list(folder), []);
    const [entry] = store.trash.list();
    const { bytes, ...section } = entry.sections[0];
    assert.deepEqual(section, { kbid: idOf("a"), title: "Title of a", type, places: [] });
    assert.ok(bytes > 100, `${bytes}`);
    assert.equal(entry.name, name);
    const facts = { type, seq, title: "Title of a" };
    assert.deepEqual(store.trash.readSection(entry, idOf("a")), {
      state: "found",
      value: sectionOf("a", facts),
    });
    const document = store.trash.readDocument(entry, "doc of a");
    assert(document.state === "found");
    assert.deepEqual(document.value, documentOf("doc of a", { texts: ["a"], seq }));
    await store.flushFiles();
    files.crash();
    assert.deepEqual(seen(await openStore(files), "a"), GONE);
  });
}

test("Store commit() keeps in the trash what was never flushed", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  await unlearn(store, "a");
  files.removeTree(paths.journal);
  await files.flush(ROOT);
  files.crash();
  const second = await openStore(files);
  const [entry] = second.trash.list();
  assert.equal(second.trash.readSection(entry, idOf("a")).state, "found");
  assert.equal(second.trash.readDocument(entry, "doc of a").state, "found");
});

test("Store commit() changes first, then removes", async () => {
  const { store } = await newStore();
  await learn(store, "a");
  await learn(store, "b");
  const record = removing(store, { texts: ["a"], docids: ["doc of a"] });
  const { seq } = record;
  await store.commit({
    ...record,
    sections: [
      { ...sectionOf("a", { seq, superseded_by: idOf("b") }), docids: [] },
      { ...sectionOf("b", { seq, supersedes: [idOf("a")] }), docids: [] },
    ],
    documents: [documentOf("doc of b", { texts: ["b"], seq })],
  });
  assert.deepEqual(seen(store, "a"), GONE);
  const [entry] = store.trash.list();
  const trashed = store.trash.readSection(entry, idOf("a"));
  assert(trashed.state === "found");
  assert.equal(trashed.value.meta.superseded_by, idOf("b"));
  const stored = store.readSection(idOf("b"));
  assert(stored.state === "found");
  assert.deepEqual(stored.value.meta.supersedes, [idOf("a")]);
});

test("Store commit() passes over what has no file", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  await store.commit(removing(store, { texts: ["never"], docids: ["never"] }));
  assert.deepEqual(store.trash.list(), []);
  assert.throws(() => files.list(paths.trash), { code: "not_found" });
  await store.commit(removing(store, { texts: ["never", "a"], docids: ["never"] }));
  assert.deepEqual(store.trash.list()[0].sections.map(({ kbid }) => kbid), [idOf("a")]);
  assert.deepEqual(store.trash.list()[0].documents, []);
});

test("Store commit() moves damaged files as they are", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  await learn(store, "img", "image/gif");
  files.write(paths.section(idOf("a")), bytesOf("torn"));
  files.write(paths.document("doc of a"), bytesOf("docid = "));
  const sidecar = paths.section(idOf("img")).replace(".md", ".toml");
  files.write(sidecar, bytesOf("kbid"));
  await store.commit(removing(store, { texts: ["a", "img"], docids: ["doc of a"] }));
  assert.deepEqual(store.warnings, []);
  const [entry] = store.trash.list();
  assert.deepEqual(entry.sections.map(({ type, bytes }) => ({ type, bytes })), [
    { type: null, bytes: 4 },
    { type: null, bytes: 7 },
  ]);
  assert.equal(store.trash.readSection(entry, idOf("a")).state, "damaged");
  assert.equal(store.trash.readDocument(entry, "doc of a").state, "damaged");
  const folder = paths.trashEntry(entry.name);
  assert.deepEqual(files.read(`${folder}/${idOf("a")}.md`), bytesOf("torn"));
  assert.deepEqual(files.read(`${folder}/${idOf("img")}.gif`), bytesOf("img"));
  assert.deepEqual(seen(store, "a"), GONE);
  assert.equal(store.hasSection(idOf("img")), false);
});

test("Store commit() moves what it cannot read, such as a folder", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  for (const path of [paths.section(idOf("a")), paths.document("doc of a")]) {
    files.remove(path);
    files.makeDir(`${path}/inner`);
    for (const folder of [path, `${path}/..`]) await files.flush(folder);
  }
  const name = await unlearn(store, "a");
  assert.deepEqual(store.warnings, []);
  assert.deepEqual(seen(store, "a"), GONE);
  assert.equal(store.trash.list()[0].name, name);
  await store.flushFiles();
  files.crash();
  const moved = [
    `${paths.trashEntry(name)}/${idOf("a")}.md`,
    paths.trashDocument(name, "doc of a"),
  ];
  for (const path of moved) assert.deepEqual(files.list(path).map(({ name }) => name), ["inner"]);
});

test("Store commit() takes a link for itself, not for its target (B41)", async () => {
  const { files } = platform;
  const root = temporaryFolder();
  const options = { checksum: crc32, root, writable: true, now: () => NOON };
  const { store } = await Store.open({ files, create: {}, ...options });
  const own = new DatabasePaths(root);
  files.makeDir(own.sectionFolder(idOf("a")));
  symlinkSync("/dev/zero", own.section(idOf("a")));
  const name = await unlearn(store, "a");
  assert.deepEqual(store.warnings, []);
  assert.equal(store.hasSection(idOf("a")), false);
  assert.equal(files.lstat(`${own.trashEntry(name)}/${idOf("a")}.md`).kind, "symlink");
  const [entry] = store.trash.list();
  assert.equal(store.trash.readSection(entry, idOf("a")).state, "unreadable");
  await store.close();
});

test("Store commit() hides what it cannot move yet", async () => {
  for (const place of [paths.trash, paths.sectionFolder(idOf("a"))]) {
    const { files, store } = await newStore();
    await learn(store, "a");
    failAt(files, place);
    await unlearn(store, "a");
    assert.deepEqual(seen(store, "a"), GONE);
    assert.match(store.warnings.join(), /not now. The removal is safe in the journal and will be/);
    await assert.rejects(store.flushFiles(), /not now/);
    assert.deepEqual(store.trash.list(), []);
    files.beforeChange = undefined;
    await store.flushFiles();
    assert.deepEqual(store.warnings, []);
    assert.deepEqual(seen(store, "a"), GONE);
    assert.equal(store.trash.list()[0].sections.length, 1);
    assert.deepEqual(files.list(paths.sectionFolder(idOf("a"))), []);
  }
});

test("Store commit() of what is removed at the moment is not lost", async () => {
  for (const fails of [false, true]) {
    const { files, store } = await newStore();
    await learn(store, "a");
    if (fails) failAt(files, paths.trash);
    const removed = unlearn(store, "a");
    const learned = learn(store, "a");
    const removedAgain = unlearn(store, "a");
    const learnedAgain = learn(store, "a");
    const seqs = [await learned, await learnedAgain];
    assert.deepEqual(seen(store, "a"), THERE);
    await Promise.all([removed, removedAgain]);
    files.beforeChange = undefined;
    await store.flushFiles();
    assert.deepEqual(store.warnings, []);
    const stored = store.readSection(idOf("a"));
    assert(stored.state === "found");
    assert.equal(stored.value.meta.seq, seqs[1]);
    const trashed = store.trash.list().map((entry) => store.trash.readSection(entry, idOf("a")));
    assert.deepEqual(
      trashed.map((outcome) => outcome.state === "found" && outcome.value.meta.seq),
      [seqs[0], 1],
    );
    const files2 = files.list(paths.sectionFolder(idOf("a"))).map(({ name }) => name);
    assert.deepEqual(files2, [`${idOf("a")}.md`]);
  }
});

test("Store learns a removed id again, whatever the journal says", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  const name = await unlearn(store, "a");
  const seq = await learn(store, "a");
  for (const crash of [false, true]) {
    if (crash) files.crash();
    const second = await openStore(files);
    assert.deepEqual(seen(second, "a"), THERE);
    const stored = second.readSection(idOf("a"));
    assert.equal(stored.state === "found" && stored.value.meta.seq, seq);
    assert.equal(second.trash.list()[0].name, name);
    assert.deepEqual(second.trash.list(second), []);
  }
});

test("Store reads a removal in the journal without writing (D54)", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  await learn(store, "b");
  failAt(files, paths.trash);
  await unlearn(store, "a");
  await unlearn(store, "b");
  await learn(store, "b");
  files.beforeChange = (change) => assert.fail(JSON.stringify(change));
  const reading = await openStore(files, { writable: false });
  assert.deepEqual(seen(reading, "a"), GONE);
  assert.deepEqual(seen(reading, "b"), THERE);
  assert.deepEqual(reading.trash.list(), []);
});

test("Store commit() refuses a removal that cannot be", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  const good = removing(store, { texts: ["a"] });
  const bytes = store.journalBytes;
  const ways = [
    { ...good.removal!, name: "000000000001" },
    { ...good.removal!, name: "../../x" },
    { ...good.removal!, sections: [{ kbid: "../x", places: [] }] },
  ];
  for (const removal of ways) {
    await assert.rejects(store.commit({ ...good, removal }), RangeError);
  }
  const { seq } = good;
  const asImage = { ...sectionOf("a", { seq, type: "image/png" }), docids: [] };
  const change = { seq, sections: [asImage], documents: [], requests: [] };
  await assert.rejects(store.commit(change), /stored as/);
  assert.equal(store.journalBytes, bytes);
  assert.deepEqual(seen(store, "a"), THERE);
  assert.deepEqual(seen(await openStore(files), "a"), THERE);
});

test("Store commit() lets an id come back in another form", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  failAt(files, paths.trash);
  await unlearn(store, "a");
  await learn(store, "a", "image/svg+xml");
  files.beforeChange = undefined;
  await store.flushFiles();
  const stored = store.readSection(idOf("a"));
  assert(stored.state === "found");
  assert.equal(stored.value.meta.type, "image/svg+xml");
  assert.equal(store.trash.list()[0].sections[0].type, "text/markdown");
});

test("Store numbers removals above those in the trash", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  await learn(store, "b");
  const before = encodeDocument(documentOf("doc of a", { texts: ["b"], seq: 1 }));
  await unlearn(store, "a");
  await store.flushFiles();
  // As after git clone, with an older manifest checked out.
  for (const folder of [paths.journal, paths.indexes]) files.removeTree(folder);
  files.write(paths.document("doc of a"), before);
  const second = await openStore(files);
  assert.equal(second.seq, 3);
  const name = await unlearn(second, "a");
  assert.equal(second.trash.list().length, 2);
  assert.deepEqual(files.read(paths.trashDocument(name, "doc of a")), before);
});

test("Store finishes a removal that was cut off before its files went", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  const section = files.read(paths.section(idOf("a")));
  const document = files.read(paths.document("doc of a"));
  const name = await unlearn(store, "a");
  // The files came back at a power cut, one of them torn.
  files.write(paths.section(idOf("a")), section.subarray(0, 5));
  files.write(paths.document("doc of a"), document);
  const second = await openStore(files);
  assert.deepEqual(seen(second, "a"), GONE);
  const [entry] = second.trash.list();
  assert.deepEqual(files.read(`${paths.trashEntry(name)}/${idOf("a")}.md`), section);
  assert.equal(second.trash.readSection(entry, idOf("a")).state, "found");
});

test("Store keeps a removed file that came back by hand and has no copy", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  files.removeTree(paths.sectionFolder(idOf("a")));
  const name = await unlearn(store, "a");
  assert.deepEqual(store.trash.list()[0].sections, []);
  files.makeDir(paths.sectionFolder(idOf("a")));
  const back = encodeSection(sectionOf("a", { title: "by hand", seq: 1 }));
  files.write(paths.section(idOf("a")), back);
  const second = await openStore(files);
  assert.deepEqual(seen(second, "a"), GONE);
  const [entry] = second.trash.list();
  assert.equal(entry.name, name);
  assert.equal(entry.sections[0].title, "by hand");
  assert.equal(entry.documents.length, 1);
});

test("Store takes no torn file for one that was removed before", async () => {
  const { files, store } = await newStore();
  await store.commit(removing(store, { texts: ["a"], docids: ["doc of a"] }));
  await learn(store, "a");
  files.write(paths.section(idOf("a")), bytesOf(""));
  files.write(paths.document("doc of a"), bytesOf("\0\0"));
  const second = await openStore(files);
  assert.deepEqual(seen(second, "a"), THERE);
  assert.deepEqual(second.trash.list(), []);
});

test("Store removes both forms of an id that was brought from outside", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  const { meta, content } = sectionOf("a", { type: "image/svg+xml" });
  const path = paths.section(idOf("a")).replace(".md", "");
  files.write(`${path}.svg`, content);
  files.write(`${path}.toml`, encodeMeta(meta));
  await unlearn(store, "a");
  assert.deepEqual(seen(store, "a"), GONE);
  assert.deepEqual(files.list(paths.sectionFolder(idOf("a"))), []);
});

test("Store brings nothing back when the index is deleted after a checkpoint", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  const first = await store.rotateJournal();
  await unlearn(store, "a");
  const second = await store.rotateJournal();
  await store.flushFiles();
  failAfter(files, 1, { all: true });
  await assert.rejects(store.dropJournal(second));
  files.beforeChange = undefined;
  files.crash();
  assert.ok(first < second);
  files.removeTree(paths.indexes);
  const third = await openStore(files);
  assert.deepEqual(seen(third, "a"), GONE);
  assert.equal(third.trash.list().length, 1);
});

test("Store close() waits for files that are being moved", async () => {
  const { files, store } = await newStore();
  await learn(store, "a");
  const removed = unlearn(store, "a");
  await store.close();
  let changes = 0;
  files.beforeChange = () => void changes++;
  await removed;
  assert.equal(changes, 0);
  assert.equal(store.trash.list().length, 1);
});

test("Store moves many files while it answers", async () => {
  const { store } = await newStore();
  const texts = Array.from({ length: 500 }, (_, i) => `text ${i}`);
  await Promise.all(texts.map((text) => learn(store, text)));
  let turns = 0;
  let done = false;
  const counted = (async () => {
    while (!done) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      turns += 1;
    }
  })();
  await store.commit(removing(store, { texts }));
  done = true;
  await counted;
  assert.ok(turns > 20, `${turns} turns`);
  assert.equal(store.trash.list()[0].sections.length, 500);
});
