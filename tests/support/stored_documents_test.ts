import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { joinedSections, preprocess, storedDocuments } from "./stored_documents.ts";
import { tempDir } from "./temp_dir.ts";

test("preprocess() follows D8", () => {
  const text = (source: string) => preprocess(Buffer.from(source));
  assert.equal(text("\uFEFF \t\r\n\r\n  a\r\n\rb \u00a0\n"), "  a\n\nb");
  assert.equal(text("e\u0301"), "\u00e9");
  assert.equal(text("\n \n"), "");
  assert.equal(preprocess(Buffer.from("\uFEFFhé\r\n", "utf16le")), "hé");
  assert.throws(() => preprocess(Uint8Array.of(0x61, 0xff)));
});

test("joinedSections() puts a document together", () => {
  using folder = tempDir();
  for (const name of ["documents/ab", "sections/aa", "sections/bb"]) {
    mkdirSync(folder.join(name), { recursive: true });
  }
  const manifest = 'docid = "x"\nsource = "/x"\nsections = [\n' +
    '  { kbid = "aa1" },\n  { kbid = "bb2" },\n  { kbid = "aa1", gap = "\\n\\n\\n" },\n]\n';
  writeFileSync(folder.join("documents/ab/x~1.toml"), manifest);
  writeFileSync(folder.join("sections/aa/aa1.md"), '+++\nkbid = "aa1"\n+++\n# A\n+++\nmore');
  writeFileSync(folder.join("sections/bb/bb2.md"), '+++\nkbid = "bb2"\n+++\n# B');
  const [document] = storedDocuments(folder.path);
  assert.equal(document.docid, "x");
  const text = joinedSections(folder.path, document).toString();
  assert.equal(text, "# A\n+++\nmore\n\n# B\n\n\n# A\n+++\nmore");
});
