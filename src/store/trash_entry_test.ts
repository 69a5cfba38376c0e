import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryFiles } from "../platform/memory_files.ts";
import { bytesOf, idOf, NOON } from "./testing.ts";
import { decodeEntry, encodeEntry, readEntry, type TrashEntry } from "./trash_entry.ts";

const NAME = "000000000012";

const ENTRY: TrashEntry = {
  name: NAME,
  at: NOON.toISOString(),
  reason: "unlearn",
  sections: [
    {
      kbid: idOf("a"),
      title: 'Of "parcels"\n\0',
      type: "text/markdown",
      bytes: 12,
      places: [
        { docid: "../x", index: 0, gap: "" },
        { docid: "handbook/parcels.md", index: 7, gap: "\n \t\n" },
      ],
    },
    { kbid: idOf("b"), title: null, type: null, bytes: 0, places: [] },
  ],
  documents: [
    { docid: "é\n[x]", title: "T", type: "agent", bytes: 3 },
    { docid: "", title: null, type: null, bytes: 0 },
  ],
};

test("encodeEntry() keeps every fact", () => {
  assert.deepEqual(decodeEntry(NAME, encodeEntry(ENTRY)), ENTRY);
  const empty = { ...ENTRY, sections: [], documents: [] };
  assert.deepEqual(decodeEntry(NAME, encodeEntry(empty)), empty);
});

test("decodeEntry() refuses what is no entry (B44)", () => {
  const head = `name = "${NAME}"\nat = "2026-03-04T12:00:00.000Z"\nreason = "gc"\n`;
  const place = (facts: string) => `kbid = "${idOf("a")}", places = [{ ${facts} }]`;
  const ways = [
    "",
    "\0\0",
    "name = ",
    head,
    `${head}sections = []`,
    `${head}sections = [1]\ndocuments = []`,
    `${head}sections = [{ kbid = "../x", places = [] }]\ndocuments = []`,
    `${head}sections = [{ kbid = 1, places = [] }]\ndocuments = []`,
    `${head}sections = [{ kbid = "${idOf("a")}" }]\ndocuments = []`,
    `${head}sections = [{ ${place('docid = "d", gap = ""')} }]\ndocuments = []`,
    `${head}sections = [{ ${place('docid = "d", index = 0.5, gap = ""')} }]\ndocuments = []`,
    `${head}sections = []\ndocuments = [{ title = "x" }]`,
    `${head.replace(NAME, "000000000013")}sections = []\ndocuments = []`,
  ];
  for (const text of ways) assert.throws(() => decodeEntry(NAME, bytesOf(text)), text);
  decodeEntry(NAME, bytesOf(`${head}sections = []\ndocuments = []`));
});

test("readEntry() tells missing from damaged and unreadable", () => {
  const files = new MemoryFiles();
  const place = { path: "/removal.toml", name: NAME };
  assert.equal(readEntry(files, place), null);
  files.write(place.path, encodeEntry(ENTRY));
  assert.deepEqual(readEntry(files, place), ENTRY);
  files.write(place.path, bytesOf("name"));
  assert.throws(() => readEntry(files, place));
  files.remove(place.path);
  files.makeDir(place.path);
  assert.throws(() => readEntry(files, place), { name: "FileError" });
});
