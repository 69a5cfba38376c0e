import assert from "node:assert/strict";
import { test } from "node:test";
import { platform } from "../platform/host.ts";
import { MemoryFiles } from "../platform/memory_files.ts";
import type { Files } from "../platform/types.ts";
import { DatabasePaths } from "./paths.ts";
import { encodeMeta } from "./section_file.ts";
import type { ScanKind, ScannedFile } from "./scan.ts";
import type { Store } from "./store.ts";
import {
  bytesOf,
  documentOf,
  idOf,
  newDisk,
  openStore,
  removalOf,
  ROOT,
  sectionOf,
  temporaryFolder,
} from "./testing.ts";

/** What a scan of all folders finds, by id. */
function scan(store: Store, kind: ScanKind): Map<string, ScannedFile> {
  const found = store.scanFolders(kind).flatMap((name) => store.scanFolder(kind, name));
  return new Map(found.map((file) => [file.id, file]));
}

async function learn(store: Store, text: string, type = "text/markdown"): Promise<void> {
  const seq = store.takeSeq();
  const sections = [{ ...sectionOf(text, { seq, type }), docids: [] }];
  const documents = [documentOf(`doc of ${text}`, { texts: [text], seq })];
  await store.commit({ seq, sections, documents, requests: [] });
}

const DISKS: [where: string, files: () => Promise<Files>, root: () => string][] = [
  ["in memory", newDisk, () => ROOT],
  ["on disk", () => Promise.resolve(platform.files), temporaryFolder],
];

for (const [where, disk, folder] of DISKS) {
  test(`scanFolder() tells sizes and times ${where} (D47)`, async () => {
    const files = await disk();
    const root = folder();
    const before = Date.now() - 1000;
    const store = await openStore(files, { create: {}, root });
    await learn(store, "a");
    await learn(store, "picture", "image/png");
    const paths = new DatabasePaths(root);
    const sections = scan(store, "sections");
    assert.deepEqual([...sections.keys()].sort(), [idOf("a"), idOf("picture")].sort());
    assert.equal(sections.get(idOf("a"))?.size, files.stat(paths.section(idOf("a"))).size);
    const beside = files.stat(paths.section(idOf("picture")).replace(".md", ".toml")).size;
    assert.equal(sections.get(idOf("picture"))?.size, beside + "picture".length);
    const documents = scan(store, "documents");
    assert.deepEqual(
      [...documents.keys()].sort(),
      [...store.allDocuments()].map(({ name }) => name).sort(),
    );
    for (const { modifiedMs, changedMs } of [...sections.values(), ...documents.values()]) {
      for (const time of [modifiedMs, changedMs]) {
        assert.ok(Number.isInteger(time) && time >= before && time < before + 60_000, `${time}`);
      }
    }
    await store.close();
  });
}

test("scanFolder() notices an edit, and a document can be read by its file", async () => {
  const files = await newDisk();
  const store = await openStore(files, { create: {} });
  await learn(store, "a");
  const [[name, before]] = scan(store, "documents");
  const path = `${store.paths.documents}/${name}`;
  const edited = new TextDecoder().decode(files.read(path)).replace("[", "[ # edited");
  files.write(path, bytesOf(edited));
  assert.notEqual(scan(store, "documents").get(name)?.size, before.size);
  const stored = store.readDocumentFile(name);
  assert.equal(stored.state === "found" && stored.value.docid, "doc of a");
  assert.equal(store.readDocumentFile("zz/none.toml").state, "missing");
  assert.equal(store.readDocumentFile("../kbdb.toml").state, "unreadable");
});

test("scanFolder() leaves out what the files do not tell", async () => {
  const files = await newDisk();
  const store = await openStore(files, { create: {} });
  for (const text of ["removed", "unwritten", "plain"]) await learn(store, text);
  files.beforeChange = ({ action, path }) => {
    if (action !== "flush" && !path.includes("journal")) throw new Error("not now");
  };
  const seq = store.takeSeq();
  const removal = removalOf(seq, { texts: ["removed"], docids: ["doc of removed"] });
  await store.commit({ seq, sections: [], documents: [], requests: [], removal });
  await learn(store, "unwritten");
  await learn(store, "never written");
  assert.deepEqual([...scan(store, "sections").keys()], [idOf("plain")]);
  assert.deepEqual([...scan(store, "documents").keys()], [
    store.paths.documentName("doc of plain"),
  ]);
  assert.equal(store.hasSection(idOf("unwritten")), true);
  const name = store.paths.documentName("doc of removed");
  assert.deepEqual(store.readDocumentFile(name), { state: "missing" });
});

test("scanFolder() lets the store know images from outside", async () => {
  const files = await newDisk();
  const store = await openStore(files, { create: {} });
  const { meta, content } = sectionOf("picture", { type: "image/png" });
  const path = store.paths.section(meta.kbid).replace(".md", "");
  // The store made the folder, so it knows that no image is in it.
  await learn(store, "picture");
  files.remove(`${path}.md`);
  files.write(`${path}.png`, content);
  files.write(`${path}.toml`, encodeMeta(meta));
  assert.deepEqual([...scan(store, "sections").keys()], [meta.kbid]);
  assert.equal(store.hasSection(meta.kbid), true);
});

test("scanFolder() passes over strays and takes no paths (B44)", async () => {
  const files = await newDisk();
  const store = await openStore(files, { create: {} });
  await learn(store, "a");
  const folder = store.paths.sectionFolder(idOf("a"));
  files.write(`${folder}/notes.txt`, bytesOf("x"));
  files.makeDir(`${folder}/${idOf("b")}.md`);
  assert.deepEqual([...scan(store, "sections").keys()], [idOf("a")]);
  for (const name of ["..", "../documents", "", "ab/cd", "none"]) {
    assert.deepEqual(store.scanFolder("sections", name), []);
  }
  files.removeTree(store.paths.documents);
  assert.deepEqual(store.scanFolders("documents"), []);
  assert.ok(files instanceof MemoryFiles);
});
