import assert from "node:assert/strict";
import { test } from "node:test";
import { platform } from "../platform/host.ts";
import { MemoryFiles } from "../platform/memory_files.ts";
import { decodeDocument, DocumentStore, encodeDocument } from "./document_store.ts";
import { DatabasePaths } from "./paths.ts";
import { bytesOf, documentOf, idOf, ROOT, temporaryFolder } from "./testing.ts";

const paths = new DatabasePaths(ROOT);

/** Names that file systems merge, refuse or misread. */
const B43_NAMES = [
  "my file.md",
  "my-file.md",
  "my_file.md",
  "Foo.md",
  "foo.md",
  "FOO.MD",
  "[.md",
  "🐘.md",
  "Зоны.md",
  "con.md",
  "a.md.",
  "a.md",
  `${"n".repeat(252)}.md`,
  "caf\u00e9.md",
  "cafe\u0301.md",
];

/** Names that walk out of the folder if they are taken for paths. */
const B44_NAMES = [
  "../x",
  "..%2f..%2fetc%2fpasswd",
  "%252e%252e",
  "..\\..\\x",
  "/etc/hostname",
  "C:\\x",
  "file:///etc/hostname",
  "kbdb://section/../../x",
  "a\0b",
  ".",
  "..",
  " ",
  "\u{ff0e}\u{ff0e}/x",
  "é".repeat(256),
  "\n\x7f+++\n'\"",
];

function storeIn(files: MemoryFiles): DocumentStore {
  files.makeDir(paths.documents);
  return new DocumentStore(files, paths);
}

test("document paths are distinct and safe (B43, B44, D41)", () => {
  const all = [...B43_NAMES, ...B44_NAMES].map((docid) => paths.document(docid));
  assert.equal(new Set(all.map((path) => path.toLowerCase())).size, all.length);
  for (const path of all) {
    const name = path.slice(paths.documents.length);
    assert.match(name, /^\/[0-9a-z]{2}\/[a-z0-9][a-z0-9._-]*~[0-9a-hj-km-np-tv-z]{16}\.toml$/);
    assert.ok(name.length <= 4 + 60 + 1 + 16 + 5, name);
    assert.doesNotMatch(name, /\/[^/]*[. ](\/|$)/);
  }
});

test("document path of a docid stays what it was", () => {
  assert.equal(
    paths.document("Guide/Parcel Sorting.md").slice(ROOT.length),
    "/documents/2c/guide-parcel-sorting.md~2cz9f0dx941p64v3.toml",
  );
});

for (const where of ["in memory", "on disk"]) {
  test(`DocumentStore ${where} keeps any docid as data (B43, B44)`, () => {
    const files = where === "on disk" ? platform.files : new MemoryFiles();
    const own = new DatabasePaths(where === "on disk" ? temporaryFolder() : ROOT);
    const store = new DocumentStore(files, own);
    const docids = [...B43_NAMES, ...B44_NAMES];
    for (const [i, docid] of docids.entries()) store.write(documentOf(docid, { seq: i }));
    for (const [i, docid] of docids.entries()) {
      const outcome = store.read(docid);
      assert(outcome.state === "found", `${docid}: ${outcome.state}`);
      assert.deepEqual(outcome.value, documentOf(docid, { seq: i }));
    }
    const found = [...store.all()].map(({ outcome }) =>
      outcome.state === "found" ? outcome.value.docid : outcome.state
    );
    assert.deepEqual(found.sort(), docids.sort());
  });
}

test("encodeDocument() keeps every gap (D39)", () => {
  const gaps = [
    "",
    "\n\n",
    "\n",
    "\n\n\n",
    "\n \t\n",
    "\r\n",
    "\n\f\n",
    "\n\v\n",
    "\n\u2003\u2028\n",
  ];
  const sections = gaps.map((gap, i) => ({ kbid: idOf(`${i}`), gap }));
  const first = { kbid: idOf("first"), gap: "\n\n" };
  for (const list of [sections, [first, ...sections], []]) {
    const document = documentOf("gaps", { sections: list });
    assert.deepEqual(decodeDocument(encodeDocument(document)), document);
  }
});

/** Personas that a quick hand would break. */
const PERSONAS = [
  "",
  "one line",
  'She said "no".',
  "\n",
  "\n\nleading and trailing\n\n",
  'ends with a quote\n"',
  'ends with three\n"""',
  '"""\n"""""" and "" too',
  "back\\slash at the end\\\n\\n \\u0041 \\",
  "tab\t, return\r\n, nul \0, del \x7f, esc \x1b\n",
  "🐘 é 中文 \u2028 \u0085\n  indented\n\ttabbed  ",
  "[agent]\nname = 'other'\n# no comment",
];

test("encodeDocument() keeps an agent of any persona (D58)", () => {
  for (const persona of PERSONAS) {
    const agent = { name: "sorter", description: 'of "parcels"', persona };
    const document = documentOf("agent-sorter", { type: "agent", texts: ["a"], agent });
    assert.deepEqual(decodeDocument(encodeDocument(document)), document, JSON.stringify(persona));
  }
});

test("encodeDocument() writes a persona as a person would", () => {
  const agent = { name: "sorter", description: "Sorts", persona: 'You sort.\n\nSay "done".\n' };
  const text = new TextDecoder().decode(encodeDocument(documentOf("d", { agent })));
  assert.equal(
    text.slice(text.indexOf("sections")),
    'sections = [\n]\n\n[agent]\nname = "sorter"\ndescription = "Sorts"\n' +
      'persona = """\nYou sort.\n\nSay "done".\n"""\n',
  );
});

test("decodeDocument() refuses an agent without a name", () => {
  for (const agent of ["agent = 1", "[agent]", "[agent]\nname = 1"]) {
    assert.throws(() => decodeDocument(bytesOf(`docid = "d"\nsections = []\n${agent}`)), agent);
  }
  const bare = decodeDocument(bytesOf('docid = "d"\nsections = []\n[agent]\nname = "a"'));
  assert.deepEqual(bare.agent, { name: "a", description: "", persona: "" });
});

test("encodeDocument() writes one line a section", () => {
  const text = new TextDecoder().decode(encodeDocument(documentOf("d", { texts: ["a", "b"] })));
  assert.equal(
    text,
    'docid = "d"\ntype = "text/markdown"\ncreated = "2026-03-04T12:00:00.000Z"\n' +
      'updated = "2026-03-04T12:00:00.000Z"\nseq = 1\nsections = [\n' +
      `  { kbid = "${idOf("a")}" },\n  { kbid = "${idOf("b")}" },\n]\n`,
  );
});

test("decodeDocument() takes what a person left out", () => {
  const kbid = idOf("a");
  const text = `docid = "d"\nsections = [{ kbid = "${kbid}" }, { kbid = "${kbid}", gap = " " }]`;
  assert.deepEqual(decodeDocument(bytesOf(text)), {
    ...documentOf("d", { sections: [{ kbid, gap: "" }, { kbid, gap: " " }], seq: 0 }),
    created: "",
    updated: "",
  });
});

test("decodeDocument() refuses what is no manifest", () => {
  const ways = ["", "\0\0\0", 'docid = "d"', "docid = 1\nsections = []", 'docid = "d', "# text"];
  const lists = ["1", '["x"]', '[{ gap = "" }]', '[{ kbid = "../../x" }]', "[{ kbid = 1 }]"];
  for (const text of [...ways, ...lists.map((list) => `docid = "d"\nsections = ${list}`)]) {
    assert.throws(() => decodeDocument(bytesOf(text)), text);
  }
});

test("DocumentStore read() tells missing, damaged and unreadable apart", () => {
  const files = new MemoryFiles();
  const store = storeIn(files);
  assert.equal(store.read("d").state, "missing");
  store.write(documentOf("d"));
  files.write(paths.document("d"), bytesOf('docid = "d'));
  assert.equal(store.read("d").state, "damaged");
  files.write(paths.document("d"), encodeDocument(documentOf("other")));
  assert.equal(store.read("d").state, "damaged");
  files.remove(paths.document("d"));
  files.makeDir(paths.document("d"));
  assert.equal(store.read("d").state, "unreadable");
});

test("DocumentStore all() names what it cannot use (B04)", () => {
  const files = new MemoryFiles();
  const store = storeIn(files);
  for (const docid of ["one", "two", "three"]) store.write(documentOf(docid));
  files.write(paths.document("two"), bytesOf("docid = "));
  files.write(`${paths.document("one").slice(0, -5)} copy.toml`, encodeDocument(documentOf("one")));
  files.write(`${paths.documents}/notes.bak`, bytesOf("x"));
  const states = [...store.all()].map(({ outcome }) => outcome.state).sort();
  assert.deepEqual(states, ["damaged", "damaged", "found", "found"]);
});

test("DocumentStore flush() makes manifests survive a crash", async () => {
  const files = new MemoryFiles();
  const store = storeIn(files);
  for (const folder of ["/", "/home", "/home/notes", ROOT]) await files.flush(folder);
  store.write(documentOf("flushed"));
  store.write(documentOf("lost"));
  await store.flush(["flushed", "never written"]);
  files.crash();
  assert.equal(store.read("flushed").state, "found");
  assert.notEqual(store.read("lost").state, "found");
});
