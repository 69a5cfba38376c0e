import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { test } from "node:test";
import { platform } from "../platform/host.ts";
import { MemoryFiles } from "../platform/memory_files.ts";
import { FileError, type Files } from "../platform/types.ts";
import { DatabasePaths } from "./paths.ts";
import { encodeMeta } from "./section_file.ts";
import { FileSectionStore, MemorySectionStore, type SectionStore } from "./section_store.ts";
import { bytesOf, idOf, newDisk, ROOT, sectionOf, temporaryFolder } from "./testing.ts";

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

/** How the files of images end. */
const IMAGE_TYPES = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
  ["image/svg+xml", "svg"],
  ["image/avif", "avif"],
  ["image/bmp", "bmp"],
  ["image/tiff", "tiff"],
  ["image/x-icon", "ico"],
  ["image/vnd.microsoft.icon", "ico"],
  ["image/x-unheard-of", "bin"],
]);

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
      // Stored texts end in no line break.
      const whole = text.replace(/[\r\n]+$/, "");
      assert.equal(new TextDecoder().decode(found(section.meta.kbid).content), whole);
    }
    const bytes = new Uint8Array(70_000).map((_, i) => i * 7 % 256);
    store.write({ ...sectionOf("bytes"), content: bytes });
    assert.deepEqual(found(idOf("bytes")).content, bytes);
  });

  test(`${name}: read() keeps every field of a section`, () => {
    const retired = "2026-03-05T00:00:00.000Z";
    const facts = { standalone: false, retired, seq: 2 ** 40, type: "a/b" };
    const revisions = { supersedes: [idOf("one"), idOf("two")], superseded_by: idOf("three") };
    for (const type of ["a/b", "image/png"]) {
      const section = sectionOf(`fields ${type}`, { ...facts, ...revisions, type });
      store.write(section);
      assert.deepEqual(found(section.meta.kbid).meta, section.meta);
    }
  });

  test(`${name}: read() gives back images byte for byte`, () => {
    for (const [i, type] of [...IMAGE_TYPES.keys()].entries()) {
      const content = new Uint8Array(3000).map((_, at) => (at * 31 + i) % 256);
      const section = { ...sectionOf(`image ${type}`, { type, title: type }), content };
      store.write(section);
      assert.deepEqual(found(section.meta.kbid), section);
    }
    store.write({ ...sectionOf("no bytes", { type: "image/png" }), content: new Uint8Array() });
    assert.equal(found(idOf("no bytes")).content.length, 0);
  });

  test(`${name}: write() replaces what is known of an image`, () => {
    const type = "image/png";
    store.write(sectionOf("picture", { type, tags: ["one", "two"] }));
    store.write(sectionOf("picture", { type, seq: 2 }));
    assert.deepEqual(found(idOf("picture")), sectionOf("picture", { type, seq: 2 }));
  });

  test(`${name}: checkForm() keeps the form of an id`, () => {
    store.write(sectionOf("as text"));
    store.write(sectionOf("as image", { type: "image/svg+xml" }));
    const changes: [text: string, type: string][] = [
      ["as text", "image/svg+xml"],
      ["as image", "text/markdown"],
      ["as image", "image/png"],
    ];
    for (const [text, type] of changes) {
      const section = sectionOf(text, { type, seq: 9 });
      const is = {
        name: "RangeError",
        message: /^Cannot store section .* as .*: it is stored as /,
      };
      assert.throws(() => store.checkForm(section.meta), is);
    }
    store.checkForm(sectionOf("as image", { type: "image/svg+xml" }).meta);
    store.checkForm(sectionOf("free", { type: "image/svg+xml" }).meta);
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

  test(`${name}: write() puts images beside what is known of them`, () => {
    for (const [type, ending] of IMAGE_TYPES) {
      const section = sectionOf(`beside ${type}`, { type });
      store.write(section);
      const path = paths.section(section.meta.kbid).slice(0, -3);
      assert.deepEqual(files.read(`${path}.${ending}`), section.content);
      assert.deepEqual(files.read(`${path}.toml`), encodeMeta(section.meta));
    }
  });

  test(`${name}: read() says damaged of half an image`, () => {
    const section = sectionOf("half an image", { type: "image/png" });
    const { kbid } = section.meta;
    const path = paths.section(kbid).slice(0, -3);
    store.write(section);
    for (const bytes of ["", "\0\0", "kbid = ", `kbid = "${idOf("other")}"\ntype = "image/png"`]) {
      files.write(`${path}.toml`, bytesOf(bytes));
      assert.equal(store.read(kbid).state, "damaged", bytes);
    }
    files.write(`${path}.toml`, encodeMeta(section.meta));
    files.remove(`${path}.png`);
    assert.equal(store.read(kbid).state, "damaged");
    assert.equal(store.has(kbid), true);
    assert.ok(store.list().kbids.includes(kbid));
    store.write(section);
    assert.equal(store.read(kbid).state, "found");
    files.remove(`${path}.toml`);
    assert.equal(store.read(kbid).state, "missing");
    assert.equal(store.has(kbid), false);
    const { kbids, strays } = store.list();
    assert.equal(kbids.includes(kbid), false);
    assert.deepEqual(strays, [{ name: `${kbid.slice(0, 2)}/${kbid}.png` }]);
    store.write(section);
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
    files.write(`${folder}/${idOf("again")}.toml`, bytesOf("x"));
    files.write(`${folder}/${idOf("again")}.png`, bytesOf("x"));
    files.write(`${folder}/${idOf("again")}.mdx`, bytesOf("x"));
    files.write(`${folder.slice(0, -1)}/${idOf("again")}.md`, bytesOf("x"));
    const { kbids, strays } = store.list();
    assert.equal(kbids.filter((kbid) => kbid === idOf("again")).length, 1);
    assert.equal(strays.length, 7, JSON.stringify(strays));
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

test("FileSectionStore flush() makes images survive a crash", async () => {
  const files = await newDisk();
  const paths = new DatabasePaths(ROOT);
  files.makeDir(paths.sections);
  for (const folder of ["/home/notes", ROOT]) await files.flush(folder);
  const store = new FileSectionStore(files, paths);
  const picture = sectionOf("picture", { type: "image/png" });
  store.write(picture);
  await store.flush([picture.meta.kbid]);
  files.crash();
  assert.deepEqual(store.read(picture.meta.kbid), { state: "found", value: picture });
});

test("FileSectionStore looks for images only where some are", () => {
  const files = new MemoryFiles();
  const paths = new DatabasePaths(ROOT);
  files.makeDir(paths.sections);
  const before = new FileSectionStore(files, paths);
  const ids = Array.from({ length: 400 }, (_, i) => idOf(`text ${i}`));
  for (let i = 0; i < 200; i++) before.write(sectionOf(`text ${i}`));
  before.write(sectionOf("picture", { type: "image/png" }));
  const looks: string[] = [];
  const lstat = files.lstat.bind(files);
  files.lstat = (path) => {
    if (path.endsWith(".toml")) looks.push(path);
    return lstat(path);
  };
  const folders = new Set(ids.map((id) => id.slice(0, 2))).size;
  for (const store of [before, new FileSectionStore(files, paths)]) {
    for (const id of ids) store.has(id);
    looks.length = 0;
    for (let round = 0; round < 16; round++) {
      for (const id of ids) store.has(id);
    }
    assert.ok(looks.length <= folders * 16, `${looks.length} looks`);
    looks.length = 0;
    for (const id of ids) assert.equal(store.has(id), ids.indexOf(id) < 200);
    assert.equal(looks.length, 0);
    assert.equal(store.has(idOf("picture")), true);
    assert.throws(() => store.checkForm(sectionOf("picture").meta), RangeError);
    store.write(sectionOf("another picture", { type: "image/png" }));
    assert.equal(store.has(idOf("another picture")), true);
  }
  // What somebody else brings is noticed with the next list.
  const other = new FileSectionStore(files, paths);
  other.write(sectionOf("from outside", { type: "image/png" }));
  before.list();
  assert.equal(before.has(idOf("from outside")), true);
});

test("FileSectionStore write() puts an image's bytes first", () => {
  const files = new MemoryFiles();
  const store = new FileSectionStore(files, new DatabasePaths(ROOT));
  const written: string[] = [];
  files.makeDir(new DatabasePaths(ROOT).sections);
  files.beforeChange = ({ action, path }) => {
    if (action === "write") written.push(path.slice(path.lastIndexOf(".") + 1));
  };
  store.write(sectionOf("picture", { type: "image/png" }));
  assert.deepEqual(written, ["png", "toml"]);
  // The bytes are the same, so only what is known of them is written again.
  store.write(sectionOf("picture", { type: "image/png", seq: 2 }));
  assert.deepEqual(written, ["png", "toml", "toml"]);
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
