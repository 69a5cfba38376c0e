import assert from "node:assert/strict";
import { test } from "node:test";
import { CoreError, type CoreErrorCode } from "./core_error.ts";
import { CORE_VERSION } from "./load.ts";
import { kbid, preprocess, references, splitMarkdown, wasmMemoryBytes } from "./text.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const bytes = (text: string) => encoder.encode(text);
const refusal = (code: CoreErrorCode, words: RegExp) => (error: unknown) =>
  error instanceof CoreError && error.code === code && words.test(error.message);

test("core has the version of this layer", () => {
  assert.equal(CORE_VERSION, 2);
  assert.ok(wasmMemoryBytes() > 0);
});

test("kbid() is the documented id", () => {
  assert.equal(kbid(bytes("hello")), "1cy96vmqxgmc72dt1v5b2vkrmy");
  assert.match(kbid(new Uint8Array()), /^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
});

test("b38_preprocess() makes copies equal", () => {
  const stored = "caf\u00e9\n\nline";
  const utf16 = new Uint8Array([0xff, 0xfe, ...new Uint8Array(new Uint16Array([104, 105]).buffer)]);
  for (const copy of ["cafe\u0301\r\n\r\nline\r\n", "\ufeffcaf\u00e9\r\rline", stored]) {
    assert.equal(decoder.decode(preprocess(bytes(copy))), stored);
  }
  assert.equal(decoder.decode(preprocess(utf16)), "hi");
  assert.equal(decoder.decode(preprocess(new Uint8Array([0x63, 0xe9]), "latin1")), "c\u00e9");
  assert.equal(preprocess(bytes(" \n\t\n")).length, 0);
});

test("b38_preprocess() names the offset of a bad byte", () => {
  assert.throws(() => preprocess(new Uint8Array([65, 0xff])), refusal("bad_encoding", /offset 1/));
  assert.throws(
    () => preprocess(new Uint8Array([0xff, 0xfe, 0x41])),
    refusal("bad_encoding", /UTF-16.*offset 2/),
  );
});

test("splitMarkdown() counts in bytes and loses none", () => {
  const text = "---\ntitle: Öl\n---\nvorher\n\n# Größe\n\ntext\n\nUnter\n---\n\nende";
  const source = bytes(text);
  const split = splitMarkdown(source);
  assert.equal(split.title, "Öl");
  assert.deepEqual(split.sections.map((s) => [s.heading, s.level]), [[null, 0], ["Größe", 1], [
    "Unter",
    2,
  ]]);
  let joined = "";
  let at = 0;
  for (const { start, end } of split.sections) {
    assert.equal(decoder.decode(source.subarray(at, start)).trim(), "");
    joined += decoder.decode(source.subarray(at, end));
    at = end;
  }
  assert.equal(joined, text);
});

test("splitMarkdown() refuses bytes that are no text", () => {
  assert.throws(() => splitMarkdown(new Uint8Array([0xff])), refusal("bad_encoding", /offset 0/));
});

test("b35_splitMarkdown() warns of broken front matter", () => {
  const split = splitMarkdown(bytes("---\na: [\n---\n\n# B"));
  assert.equal(split.warnings.length, 1);
  assert.equal(split.sections.at(-1)?.heading, "B");
});

test("references() finds markers and links outside of code", () => {
  const text = "Über $(link:a b.md|an A), `$(link:no)`, [[Name#part|it]]\n\n" +
    "![pic](img/x%20y.png) and [out](https://x.y)\n\n    $(code:no)\n\n[def]: ../z.md\n";
  const source = bytes(text);
  const found = references(source, "markdown");
  assert.deepEqual(found.map(({ marker, target, label }) => [marker, target, label]), [
    ["link", "a b.md", "an A"],
    ["wikilink", "Name#part", "it"],
    ["mdlink", "img/x y.png", "pic"],
    ["mdlink", "../z.md", "def"],
  ]);
  const [first, , , last] = found.map(({ start, end }) =>
    decoder.decode(source.subarray(start, end))
  );
  assert.deepEqual([first, last], ["$(link:a b.md|an A)", "[def]: ../z.md"]);
  assert.deepEqual(references(source, "plain").map(({ target }) => target), ["a b.md", "no", "no"]);
  assert.deepEqual(references(bytes("[a](b"), "markdown"), []);
  assert.deepEqual(references(new Uint8Array([0xff]), "plain"), []);
  assert.throws(() => references(source, "html" as "plain"), refusal("bad_argument", /html/));
});
