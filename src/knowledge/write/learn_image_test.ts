import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { kbid } from "../../core/text.ts";
import {
  checkOf,
  entriesOf,
  find,
  learn,
  learnItem,
  newBase,
  nowAndReopened,
  recalled,
  refusal,
} from "../testing.ts";

const PNG = Buffer.from([0x89, 80, 78, 71, 13, 10, 26, 10, 0, 13, 10, 32, 10]);
const IMAGE = { type: "image/png", title: "Map of the depot", content: PNG.toString("base64") };

test("learn() stores an image verbatim, found by title and description", async () => {
  const { base, files } = await newBase();
  const answer = await learnItem(base, { ...IMAGE, description: "where parcels wait" });
  assert.ok(answer.ok);
  const { elapsed_ms: _, ...rest } = answer.result;
  assert.deepEqual(rest, {
    kbid: kbid(PNG),
    type: "image/png",
    title: "Map of the depot",
    description: "where parcels wait",
    indexed_terms_count: 0,
    attached: false,
  });
  for await (const opened of nowAndReopened(base, files)) {
    for (const word of ["depot", "parcels"]) {
      const { items } = await opened.search({ query: word });
      assert.deepEqual(items.map(({ kbid, snippet }) => [kbid, snippet]), [[kbid(PNG), ""]]);
    }
    const { content, encoding } = await recalled(opened, kbid(PNG));
    assert.deepEqual([content, encoding], [PNG.toString("base64"), "base64"]);
    assert.equal((await checkOf(opened)).ok, true);
    await opened.rebuild(() => {});
    assert.deepEqual(await find(opened, "depot"), [kbid(PNG)]);
  }
});

test("learn() lets images join documents", async () => {
  const { base } = await newBase();
  await learn(base, { content: "# Depot", docid: "d" });
  const { attached } = await learn(base, { ...IMAGE, docid: "d" });
  assert.equal(attached, true);
  assert.equal((await entriesOf(base, "d"))?.[1].kbid, kbid(PNG));
  const again = await learn(base, { ...IMAGE, docid: "d" });
  assert.deepEqual([again.existing, again.attached], [true, false]);
});

const REFUSED: [what: string, item: object, code: string, says: RegExp][] = [
  ["without title", { title: undefined }, "bad_request", /^Cannot learn an image: its title is mi/],
  ["with a blank title", { title: " " }, "bad_request", /^Cannot learn an image: its title is mis/],
  ["with broken base64", { content: "a!b=" }, "bad_request", /not valid base64$/],
  ["that is empty", { content: "" }, "bad_request", /the content is empty$/],
  ["that is text", { content: "bm8gaW1hZ2U=" }, "bad_request", /content is text, not image\/png$/],
  ["that is words", { content: "a picture of a map" }, "bad_request", /not valid base64$/],
  [
    "that is no drawing",
    { type: "image/svg+xml", content: "bm8gaW1hZ2U=" },
    "bad_request",
    /the content is no SVG drawing$/,
  ],
];

for (const [what, facts, code, says] of REFUSED) {
  test(`learn() refuses an image ${what}`, async () => {
    const { base } = await newBase();
    const error = await refusal(base, { ...IMAGE, ...facts });
    assert.equal(error.code, code);
    assert.match(error.message, says);
    assert.equal(base.status().sections, 0);
  });
}

test("learn() warns of bytes that are another image's", async () => {
  const { base } = await newBase();
  const warnings = async (type: string, bytes: Uint8Array) =>
    (await learn(base, { ...IMAGE, type, content: Buffer.from(bytes).toString("base64") }))
      .warnings;
  assert.deepEqual(await warnings("image/jpeg", PNG), [
    "The bytes are not those of image/jpeg but of image/png",
  ]);
  assert.deepEqual(await warnings("image/gif", Buffer.from([0, 1, 2, 255])), [
    "The bytes are not those of image/gif",
  ]);
  assert.equal(await warnings("image/x-own", Buffer.from([9, 1, 2, 255])), undefined);
  const svg = Buffer.from("<?xml version='1.0'?>\n<svg></svg>");
  assert.equal(await warnings("image/svg+xml", svg), undefined);
});
