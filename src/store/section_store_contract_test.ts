import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { test } from "node:test";
import { platform } from "../platform/host.ts";
import { MemoryFiles } from "../platform/memory_files.ts";
import { FileError, type Files } from "../platform/types.ts";
import { DatabasePaths } from "./paths.ts";
import { FileSectionStore, MemorySectionStore, type SectionStore } from "./section_store.ts";
import { bytesOf, idOf, ROOT, sectionOf, temporaryFolder } from "./testing.ts";

const ODD_TEXTS = [
  "nul \0 inside",
  "quotes \" ' \"\"\" '''",
  "back\\slash \\u0041",
  "del \x7f esc \x1b[0m bell \x07",
  "🐘 é e\u0301 中文 \u2028 \u0085",
  "line one\nline two\r\nline three",
  "+++\n",
  "= [x] # no comment",
  " spaces around ",
];

/** What every implementation of {@linkcode SectionStore} does. */
function contract(name: string, store: SectionStore): void {
  const found = (kbid: string) => {
    const outcome = store.read(kbid);
    assert(outcome.state === "found", outcome.state);
    return outcome.value;
  };

  test(`${name}: read() says missing where nothing is`, () => {
    assert.deepEqual(store.read(idOf("never written")), { state: "missing" });
    assert.equal(store.has(idOf("never written")), false);
  });

  test(`${name}: read() gives back odd words whole (B38)`, () => {
    for (const [i, text] of ODD_TEXTS.entries()) {
      const section = sectionOf(`odd ${i}`, { title: text, description: text, tags: [text, "b"] });
      store.write(section);
      assert.deepEqual(found(section.meta.kbid).meta, section.meta);
    }
  });

  test(`${name}: read() gives back contents byte for byte`, () => {
    const contents = [...ODD_TEXTS, "+++\na = 1\n+++\nb", "\n+++\n\n+++\n", "", "\n", "+++"];
    for (const [i, text] of contents.entries()) {
      const section = { ...sectionOf(`content ${i}`), content: bytesOf(text) };
      store.write(section);
      assert.equal(new TextDecoder().decode(found(section.meta.kbid).content), text);
    }
    const bytes = new Uint8Array(70_000).map((_, i) => i * 7 % 256);
    store.write({ ...sectionOf("bytes"), content: bytes });
    assert.deepEqual(found(idOf("bytes")).content, bytes);
  });

  test(`${name}: read() keeps every field of a section`, () => {
    const retired = "2026-03-05T00:00:00.000Z";
    const section = sectionOf("fields", { standalone: false, retired, seq: 2 ** 40, type: "a/b" });
    store.write(section);
    assert.deepEqual(found(section.meta.kbid).meta, section.meta);
  });

  test(`${name}: write() replaces a section whole`, () => {
    store.write(sectionOf("again", { title: "a long first title", tags: ["one", "two"] }));
    store.write(sectionOf("again", { seq: 2 }));
    assert.deepEqual(found(idOf("again")).meta, sectionOf("again", { seq: 2 }).meta);
    assert.equal(store.list().kbids.filter((kbid) => kbid === idOf("again")).length, 1);
  });

  test(`${name}: list() names every section once`, () => {
    const { kbids, strays } = store.list();
    assert.equal(new Set(kbids).size, kbids.length);
    for (const kbid of kbids) assert.equal(store.has(kbid), true);
    assert.deepEqual(strays, []);
  });

  test(`${name}: flush() passes over ids that are gone`, async () => {
    await store.flush([idOf("again"), idOf("never written")]);
    await store.flush([]);
  });
}

/** What those do that keep one file a section. */
function fileContract(name: string, options: { files: Files; root: string }): void {
  const { files, root } = options;
  const paths = new DatabasePaths(root);
  files.makeDir(paths.sections);
  const store = new FileSectionStore(files, paths);
  contract(name, store);

  const damages: [what: string, bytes: string][] = [
    ["an empty file", ""],
    ["zero bytes (B02)", "\0".repeat(200)],
    ["front matter that never closes", "+++\nkbid = "],
    ["front matter that is no TOML", "+++\nkbid ? x\n+++\ntext"],
    ["front matter without kbid", '+++\ntype = "text/markdown"\n+++\ntext'],
    ["another kbid", `+++\nkbid = "${idOf("other")}"\ntype = "a/b"\n+++\ntext`],
    ["plain text", "# Parcels"],
  ];
  test(`${name}: read() says damaged, never missing or empty`, () => {
    const kbid = idOf("damaged");
    store.write(sectionOf("damaged"));
    for (const [what, bytes] of damages) {
      files.write(paths.section(kbid), bytesOf(bytes));
      assert.equal(store.read(kbid).state, "damaged", what);
      assert.equal(store.has(kbid), true, what);
    }
    store.write(sectionOf("damaged"));
    assert.equal(store.read(kbid).state, "found");
  });

  test(`${name}: read() says unreadable, never missing`, () => {
    const kbid = idOf("folder in the way");
    files.makeDir(paths.section(kbid));
    const outcome = store.read(kbid);
    assert.equal(outcome.state, "unreadable");
    assert.match("reason" in outcome ? outcome.reason : "", /^Cannot read .*folder/);
    assert.equal(store.has(kbid), true);
    files.removeTree(paths.section(kbid));
  });

  test(`${name}: write() makes a removed folder again`, () => {
    const section = sectionOf("checked out elsewhere");
    store.write(section);
    files.removeTree(paths.sectionFolder(section.meta.kbid));
    store.write(section);
    assert.equal(store.read(section.meta.kbid).state, "found");
  });

  test(`${name}: list() tells strays from sections (B04)`, () => {
    const folder = paths.sectionFolder(idOf("again"));
    const wrong = folder.slice(0, -2) + "zz";
    files.makeDir(wrong);
    files.makeDir(folder.slice(0, -1));
    files.write(`${paths.sections}/notes.bak`, bytesOf("x"));
    files.write(`${folder}/.${idOf("x")}.md.abc.tmp`, bytesOf("x"));
    files.write(`${wrong}/${idOf("again")}.md`, bytesOf("x"));
    files.write(`${folder.slice(0, -1)}/${idOf("again")}.md`, bytesOf("x"));
    const { kbids, strays } = store.list();
    assert.equal(kbids.filter((kbid) => kbid === idOf("again")).length, 1);
    assert.equal(strays.length, 4, JSON.stringify(strays));
  });

  test(`${name}: list() takes a missing folder for empty`, () => {
    const none = new FileSectionStore(files, new DatabasePaths(`${root}/none`));
    assert.deepEqual(none.list(), { kbids: [], strays: [] });
  });

  test(`${name}: paths take nothing but kbids (B44)`, () => {
    for (const id of ["../x", "..%2f", "", ".", "a\0b", "/etc/hostname", "8".repeat(26)]) {
      assert.equal(store.read(id).state, "unreadable");
      assert.throws(() => store.has(id), RangeError);
    }
  });
}

fileContract("FileSectionStore on disk", { files: platform.files, root: temporaryFolder() });
fileContract("FileSectionStore in memory", { files: new MemoryFiles(), root: ROOT });
contract("MemorySectionStore", new MemorySectionStore());

test("FileSectionStore flush() makes sections survive a crash", async () => {
  const files = new MemoryFiles();
  const paths = new DatabasePaths(ROOT);
  files.makeDir(paths.sections);
  for (const folder of ["/", "/home", "/home/notes", ROOT]) await files.flush(folder);
  const store = new FileSectionStore(files, paths);
  for (let i = 0; i < 40; i++) store.write(sectionOf(`text ${i}`));
  await store.flush(Array.from({ length: 39 }, (_, i) => idOf(`text ${i}`)));
  files.crash();
  for (let i = 0; i < 39; i++) assert.equal(store.read(idOf(`text ${i}`)).state, "found");
  assert.notEqual(store.read(idOf("text 39")).state, "found");
});

test("FileSectionStore flush() rejects when a flush fails", async () => {
  const files = new MemoryFiles();
  files.makeDir(new DatabasePaths(ROOT).sections);
  const store = new FileSectionStore(files, new DatabasePaths(ROOT));
  for (let i = 0; i < 40; i++) store.write(sectionOf(`text ${i}`));
  files.failNext("no_space");
  await assert.rejects(
    store.flush(store.list().kbids),
    (error) => error instanceof FileError && error.code === "no_space",
  );
});

test("FileSectionStore never reads through a link (B41)", () => {
  const root = temporaryFolder();
  const paths = new DatabasePaths(root);
  const store = new FileSectionStore(platform.files, paths);
  const kbid = idOf("link");
  platform.files.makeDir(paths.sectionFolder(kbid));
  symlinkSync("/dev/zero", paths.section(kbid));
  assert.equal(store.read(kbid).state, "unreadable");
});
