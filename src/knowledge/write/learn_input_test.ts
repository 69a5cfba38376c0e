import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { MAX_SECTION_BYTES } from "../../rpc/protocol.ts";
import { find, idOfText, learn, newBase, refusal } from "../testing.ts";

const HALF = "half \ud83d pair";

const REFUSED: [what: string, item: Parameters<typeof refusal>[1], code: string, say: RegExp][] = [
  ["empty text", { content: "" }, "bad_request", /: the content is empty$/],
  ["white space", { content: " \r\n\t\n\ufeff" }, "bad_request", /: the content is empty$/],
  ["half a surrogate pair", { content: HALF }, "bad_request", /: the text holds half a? ?of/],
  ["half a pair in the title", { content: "a", title: HALF }, "bad_request", /the title holds/],
  [
    "half a pair in the description",
    { content: "a", description: HALF },
    "bad_request",
    /the description holds half/,
  ],
  ["half a pair in the source", { content: "a", source: HALF }, "bad_request", /the source holds/],
  ["half a pair in a tag", { content: "a", tags: [HALF] }, "bad_request", /a tag holds half/],
  ["half a pair in the docid", { content: "a", docid: HALF }, "bad_request", /the docid holds/],
  ["an empty docid", { content: "a", docid: "" }, "bad_request", /: the docid is empty$/],
  [
    "a docid of 514 bytes",
    { content: "a", docid: "é".repeat(257) },
    "too_large",
    /514 bytes.*512$/,
  ],
  ["a document without docid", { content: "a", document: true }, "bad_request", /docid is missing/],
  ["an empty tag", { content: "a", tags: ["b", " "] }, "bad_request", /: a tag is empty/],
  ["a type that is none", { content: "a", type: "markdown" }, "bad_request", /: not a MIME type/],
  ["a PDF", { content: "a", type: "application/pdf" }, "unsupported", /only texts and images are/],
  ["broken base64", { content: "a!b=", base64: true }, "bad_request", /not valid base64$/],
  ["base64 that ends early", { content: "YWJjZ", base64: true }, "bad_request", /valid base64$/],
  ["base64 of several words", { content: "YWJj YWJj", base64: true }, "bad_request", /base64$/],
  ["base64 with = inside", { content: "YQ==YQ==", base64: true }, "bad_request", /valid base64$/],
  [
    "a broken byte",
    { content: Buffer.from([97, 98, 0xff, 99]).toString("base64"), base64: true, source: "/f.md" },
    "bad_request",
    /^Cannot learn \/f\.md: .*2/,
  ],
];

for (const [what, item, code, sentence] of REFUSED) {
  test(`learn() refuses ${what} (B38)`, async () => {
    const { base } = await newBase();
    const error = await refusal(base, item);
    assert.equal(error.code, code);
    assert.match(error.message, sentence);
    assert.match(error.message, /^Cannot learn/);
    assert.equal(base.status().sections, 0);
  });
}

test("learn() refuses a section over the limit (D57, B40)", async () => {
  const { base } = await newBase();
  const word = "word ".repeat(4);
  const line = "x".repeat(MAX_SECTION_BYTES);
  const { code, message } = await refusal(base, { content: `${line}y`, title: "Big" });
  assert.equal(code, "too_large");
  assert.match(message, /^Cannot learn Big: a section of 16777217 bytes is over .* headings\.$/);
  await learn(base, { content: word });
});

test("learn() takes long words and lines (B40)", async () => {
  const { base } = await newBase();
  const contents = [
    `${"w".repeat(1 << 20)} needle`,
    `${"a\u0301".repeat(1 << 17)} needle`,
    `${">".repeat(20_000)} needle`,
    `${"[".repeat(20_000)} needle`,
  ];
  for (const content of contents) await learn(base, { content });
  assert.equal((await find(base, "needle")).length, contents.length);
});

test("learn() decodes what bytes say (D8, B38)", async () => {
  const { base } = await newBase();
  const text = "Größe café 中文";
  const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
  const bigEndian = Buffer.from(utf16).swap16();
  const forms = [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16, bigEndian];
  for (const bytes of forms) {
    const content = bytes.toString("base64").replace(/(.{8})/g, "$1\n");
    assert.equal((await learn(base, { content, base64: true })).kbid, idOfText(text));
  }
  const latin = Buffer.from("Größe", "latin1").toString("base64");
  const result = await learn(base, { content: latin, base64: true, encoding: "latin1" });
  assert.equal(result.kbid, idOfText("Größe"));
});

test("learn() gives one kbid to equal texts (D8)", async () => {
  const { base } = await newBase();
  for (const content of ["one\ntwo é", "one\r\ntwo é", "one\rtwo e\u0301", "\n\none\ntwo é \n\n"]) {
    assert.equal((await learn(base, { content })).kbid, idOfText("one\ntwo é"));
  }
});

test("learn() keeps NUL and finds words around it (B38)", async () => {
  const { base } = await newBase();
  const content = "# before\0\n\nbehind \0 it";
  const { kbid } = await learn(base, { content });
  for (const query of ["before", "behind"]) assert.deepEqual(await find(base, query), [kbid]);
  const { items } = await base.recall({ kbids: [kbid] });
  assert("content" in items[0]);
  assert.equal(items[0].content, content);
});

test("learn() refuses base64 in time, however long", async () => {
  const { base } = await newBase();
  const start = performance.now();
  await refusal(base, { content: `${" ".repeat(1 << 20)}!`, base64: true });
  assert.ok(performance.now() - start < 2000);
});
