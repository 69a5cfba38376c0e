import assert from "node:assert/strict";
import { test } from "node:test";
import { documentUri, fileUri, parseUri, sectionUri } from "./uris.ts";

const KBID = "1cy96vmqxgmc72dt1v5b2vkrmy";
const DOCIDS = [
  "a/b c",
  "50%",
  "%2F",
  "what?#now",
  "日本/ä",
  "..",
  "a&b=c",
  "a\\b",
  '"',
  "\n",
  "😀",
];

test("parseUri() reads what documentUri() writes [missed-resource-5]", () => {
  for (const docid of DOCIDS) {
    const uri = documentUri(docid);
    assert.match(uri, /^kbdb:\/\/document\/[\x21-\x7e]+$/);
    assert.deepEqual(parseUri(uri), { kind: "document", docid });
  }
  assert.deepEqual(parseUri(sectionUri(KBID)), { kind: "section", kbid: KBID });
});

test("parseUri() reads docids that nobody encoded [missed-resource-5]", () => {
  for (const docid of ["a/b c", "50% of it", "what?#now", "日本"]) {
    assert.deepEqual(parseUri(`kbdb://document/${docid}`), { kind: "document", docid });
  }
});

test("parseUri() knows no other addresses", () => {
  const others = ["", "kbdb://", "kbdb://section/", "kbdb://document/", "kbdb://documents/x"];
  for (const uri of [...others, "file:///etc/passwd", `x kbdb://section/${KBID}`, KBID]) {
    assert.equal(parseUri(uri), null, uri);
  }
});

const FOLDERS = [
  ["/notes/.kbdb", "file:///notes/.kbdb"],
  ["/my notes/ä.kbdb", "file:///my%20notes/%C3%A4.kbdb"],
  ["/50%/a#b?c/.kbdb", "file:///50%25/a%23b%3Fc/.kbdb"],
  ["/back\\slash/.kbdb", "file:///back%5Cslash/.kbdb"],
  ["/", "file:///"],
  ["C:\\my notes\\ä.kbdb", "file:///C:/my%20notes/%C3%A4.kbdb"],
  ["c:/notes", "file:///c:/notes"],
  ["\\\\server\\share\\a b.kbdb", "file://server/share/a%20b.kbdb"],
];

test("fileUri() is an absolute address, percent-encoded [roots-2 missed-roots-1]", () => {
  for (const [path, uri] of FOLDERS) {
    assert.equal(fileUri(path), uri);
    assert.equal(new URL(uri).href, uri);
  }
});
