import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { MAX_IDS } from "../../rpc/protocol.ts";
import { decodeSection, encodeSection } from "../../store/section_file.ts";
import { NOON } from "../../store/testing.ts";
import type { RecalledSection, RecallItem, RecallParams } from "../../rpc/reading.ts";
import { jsonBytes } from "./budget.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import {
  find,
  idOfText,
  learn,
  newBase,
  openBase,
  paths,
  recalled,
  restoreIds,
  reviseText,
  unlearnOne,
} from "../testing.ts";

function errorOf(item: object): { code: string; message: string } {
  assert("error" in item, JSON.stringify(item));
  return item.error as { code: string; message: string };
}

test("recall() gives sections back in the order asked", async () => {
  const { base } = await newBase();
  await learn(base, { content: "# One\n\ntext", tags: ["t"], docid: "d" });
  await learn(base, { content: "two", type: "text/plain" });
  const kbids = [idOfText("two"), idOfText("# One\n\ntext"), idOfText("two")];
  const { items } = await base.recall({ kbids });
  assert.deepEqual(items[1], {
    kbid: kbids[1],
    heading: "One",
    type: "text/markdown",
    content: "# One\n\ntext",
    docids: ["d"],
    tags: ["t"],
    created_at: NOON.toISOString(),
  });
  assert.deepEqual(items[0], items[2]);
});

test("recall() gives contents back byte for byte", async () => {
  const { base } = await newBase();
  for (
    const content of [
      "\ufeff\ufefftwo marks",
      "in\ufeffside",
      "nul \0",
      "+++\na\n+++\nb",
      "🐘\u2028\x7f",
    ]
  ) {
    const { kbid } = await learn(base, { content });
    const { items } = await base.recall({ kbids: [kbid] });
    assert("content" in items[0]);
    assert.equal(items[0].content, content.replace(/^\ufeff+/, ""));
  }
});

test("recall() lets an unknown id cost only itself", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "one" });
  const { items } = await base.recall({ kbids: [idOfText("other"), kbid] });
  assert.deepEqual(errorOf(items[0]), {
    code: "not_found",
    message: `Section not found: ${idOfText("other")}`,
  });
  assert.equal("content" in items[1], true);
});

test("recall() takes nothing but kbids (B44)", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "one" });
  const odd = [
    "../x",
    "..%2f..%2fetc%2fpasswd",
    "/etc/hostname",
    "a\0b",
    ".",
    "",
    "x".repeat(10_240),
    kbid.slice(0, 25),
    kbid.toUpperCase(),
    `${kbid} `,
    5 as unknown as string,
    null as unknown as string,
  ];
  const { items } = await base.recall({ kbids: odd });
  for (const item of items) {
    const { code, message } = errorOf(item);
    assert.equal(code, "bad_request");
    assert.match(message, /^Cannot recall ".*": not a kbid\. /);
    assert.ok(message.length < 300);
  }
});

test("recall() refuses no ids and too many (D57)", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "one" });
  await assert.rejects(base.recall({ kbids: [] }), /give at least one kbid/);
  const all = new Array<string>(MAX_IDS).fill(kbid);
  assert.equal((await base.recall({ kbids: all })).items.length, MAX_IDS);
  await assert.rejects(
    base.recall({ kbids: [...all, kbid] }),
    /^KbdbError: Cannot recall 1001 sections at once: the limit is 1000$/,
  );
});

test("recall() refuses a section edited outside (D47)", async () => {
  const { base, files } = await newBase();
  const { kbid } = await learn(base, { content: "a text to be edited" });
  await learn(base, { content: "another text" });
  const path = paths.section(kbid);
  const { meta } = decodeSection(files.read(path));
  files.write(path, encodeSection({ meta, content: new TextEncoder().encode("an edited text") }));
  const { items } = await base.recall({ kbids: [kbid] });
  assert.equal(errorOf(items[0]).code, "damaged");
  assert.match(errorOf(items[0]).message, /its bytes no longer give its id, so it was/);
  assert.deepEqual(await find(base, "text"), [idOfText("another text")]);
});

test("recall() takes edits of front matter as they are (D47)", async () => {
  const { base, files } = await newBase();
  const { kbid } = await learn(base, { content: "a text", tags: ["old"] });
  const path = paths.section(kbid);
  const text = new TextDecoder().decode(files.read(path)).replace('"old"', '"new"');
  files.write(path, new TextEncoder().encode(text));
  const { items } = await base.recall({ kbids: [kbid] });
  assert("tags" in items[0]);
  assert.deepEqual(items[0].tags, ["new"]);
});

test("recall() tells missing, damaged and unreadable apart", async () => {
  const { base, files } = await newBase();
  const ids = ["one", "two", "three"].map(idOfText);
  for (const content of ["one", "two", "three"]) await learn(base, { content });
  files.remove(paths.section(ids[0]));
  files.write(paths.section(ids[1]), new Uint8Array(30));
  files.remove(paths.section(ids[2]));
  files.makeDir(paths.section(ids[2]));
  const { items } = await base.recall({ kbids: ids });
  assert.deepEqual(items.map((item) => errorOf(item).code), ["not_found", "damaged", "permission"]);
});

test("recall() answers after a restart as before", async () => {
  const { base, files } = await newBase();
  await learn(base, { content: "one", docid: "d", tags: ["t"] });
  const kbids = [idOfText("one")];
  const before = await base.recall({ kbids });
  await base.close();
  assert.deepEqual(await (await openBase(files)).recall({ kbids }), before);
});

/** Four documents that refer to each other in a row. */
async function chain(): Promise<KnowledgeBase> {
  const { base } = await newBase();
  const documents = {
    "a.md": "# A\n\nsee [b](b.md)",
    "b.md": "# B\n\nsee [c](c.md)\n\n# B2\n\nbeside",
    "c.md": "# C\n\nsee [d](d.md)\n\n# C2\n\nmore",
    "d.md": "# D\n\nthe end",
  };
  for (const [docid, content] of Object.entries(documents)) {
    await learn(base, { content, docid, document: true, source: `/notes/${docid}` });
  }
  return base;
}

const B = idOfText("# B\n\nsee [c](c.md)");

async function recallOne(
  base: KnowledgeBase,
  kbid: string,
  params: Partial<RecallParams> = {},
): Promise<RecalledSection> {
  const { items } = await base.recall({ kbids: [kbid], ...params });
  return whole(items[0]);
}

function whole(item: RecallItem): RecalledSection {
  assert("content" in item, JSON.stringify(item));
  return item;
}

const PLAIN = ["kbid", "heading", "type", "content", "docids", "tags", "sources", "created_at"];
const LEVELS = [
  [],
  ["documents", "back_references"],
  ["documents", "back_references", "siblings", "references"],
  ["documents", "back_references", "siblings", "references"],
];

test("recall() has the keys of a level and of those below it", async () => {
  const base = await chain();
  for (const [depth, keys] of LEVELS.entries()) {
    const item = await recallOne(base, B, { depth });
    const [own, extra] = [PLAIN.slice(0, 5), PLAIN.slice(5)];
    assert.deepEqual(Object.keys(item), [...own, ...keys, ...extra]);
  }
});

test("recall() at depth 1 adds outlines and back-references", async () => {
  const item = await recallOne(await chain(), B, { depth: 1 });
  assert.deepEqual(item.documents, [{
    docid: "b.md",
    title: "B",
    sections: [
      { kbid: B, heading: "B", type: "text/markdown" },
      { kbid: idOfText("# B2\n\nbeside"), heading: "B2", type: "text/markdown" },
    ],
  }]);
  assert.deepEqual(item.back_references, [{
    kbid: idOfText("# A\n\nsee [b](b.md)"),
    heading: "A",
    type: "text/markdown",
    marker_type: "mdlink",
    context_snippet: "see [b](b.md)",
    direction: "back",
  }]);
});

test("recall() at depth 2 adds siblings in full, and references", async () => {
  const item = await recallOne(await chain(), B, { depth: 2 });
  assert.deepEqual(item.siblings, [{
    kbid: idOfText("# B2\n\nbeside"),
    heading: "B2",
    type: "text/markdown",
    content: "# B2\n\nbeside",
  }]);
  assert.deepEqual(item.references, [{
    kbid: idOfText("# C\n\nsee [d](d.md)"),
    heading: "C",
    type: "text/markdown",
    marker_type: "mdlink",
    context_snippet: "see [c](c.md)",
    direction: "forward",
    target: "c.md",
    docid: "c.md",
  }]);
});

test("recall() at depth 3 stops one level deep", async () => {
  const base = await chain();
  const { references } = await recallOne(base, B, { depth: 3 });
  assert.equal(references?.length, 1);
  const [{ content, back_references, ...rest }] = references!;
  assert.equal(content, "# C\n\nsee [d](d.md)");
  assert.equal("references" in rest || "siblings" in rest, false);
  assert.deepEqual(back_references?.map(({ kbid, direction }) => [kbid, direction]), [[B, "back"]]);
});

test("recall() takes a depth above 3 for 3, and refuses what is no depth", async () => {
  const base = await chain();
  const deepest = await recallOne(base, B, { depth: 3 });
  for (const depth of [4, 1000]) {
    assert.deepEqual(await recallOne(base, B, { depth }), deepest);
  }
  for (const depth of [-1, 1.5, NaN, Infinity, "2" as unknown as number]) {
    await assert.rejects(
      base.recall({ kbids: [B], depth }),
      /^KbdbError: Cannot recall: depth must be a whole number from 0 to 3, not /,
    );
  }
});

test("recall() gives a section in several documents once, with all of them", async () => {
  const { base } = await newBase();
  const shared = "# Shared\n\ntext";
  await learn(base, { content: `${shared}\n\n# X`, docid: "x", document: true });
  await learn(base, { content: `# Y\n\n${shared}\n\n# X`, docid: "y", document: true });
  const item = await recallOne(base, idOfText(shared), { depth: 2 });
  assert.deepEqual(item.docids, ["x", "y"]);
  assert.deepEqual(item.documents?.map(({ docid }) => docid), ["x", "y"]);
  assert.deepEqual(item.siblings?.map(({ heading }) => heading), ["X", "Y"]);
});

test("recall() tells description, sources, retired and superseded_by", async () => {
  const { base } = await newBase();
  const content = "# One\n\ntext";
  const given = { content, docid: "d", description: "short", source: "/n/d.md", document: true };
  const { kbid } = await learn(base, given);
  const before = await recalled(base, kbid);
  assert.deepEqual([before.description, before.sources], ["short", ["/n/d.md"]]);
  assert.equal("retired" in before || "superseded_by" in before, false);
  const revised = await reviseText(base, kbid, { content: "# One\n\nbetter" });
  const after = await recalled(base, kbid);
  assert.equal(after.content, content);
  assert.equal(after.superseded_by, revised.kbid);
  assert.ok(after.retired);
});

test("recall() names the way back from the trash (D49)", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "a text" });
  await unlearnOne(base, { kbid });
  const { items } = await base.recall({ kbids: [kbid], depth: 3 });
  assert.deepEqual(errorOf(items[0]), {
    code: "not_found",
    message: `Section ${kbid} was removed. Bring it back with: kbdb restore ${kbid}`,
  });
  await restoreIds(base, kbid);
  assert.equal((await recalled(base, kbid)).content, "a text");
});

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("recall() gives images as base64", async () => {
  const { base } = await newBase();
  const image = { content: PIXEL, type: "image/png", title: "A dot" };
  const { kbid } = await learn(base, { ...image, docid: "album" });
  await learn(base, { content: "# Beside", docid: "album" });
  const item = await recallOne(base, kbid);
  assert.deepEqual([item.content, item.encoding, item.type], [PIXEL, "base64", "image/png"]);
  const beside = await recallOne(base, idOfText("# Beside"), { depth: 2 });
  assert.deepEqual(beside.siblings, [{
    kbid,
    heading: "A dot",
    type: "image/png",
    content: PIXEL,
    encoding: "base64",
  }]);
});

/** Thirty sections of about a thousand bytes; their ids. */
async function shelf(base: KnowledgeBase): Promise<string[]> {
  const contents = Array.from({ length: 30 }, (_, i) => `# Book ${i}\n\n${"word ".repeat(200)}end`);
  for (const content of contents) await learn(base, { content });
  return contents.map(idOfText);
}

test("recall() gives what does not fit as stubs, and the rest by cursor (D50)", async () => {
  const { base } = await newBase();
  const kbids = await shelf(base);
  const max_bytes = 16_000;
  const first = await base.recall({ kbids, max_bytes });
  assert.equal(first.items.length, 30);
  const stubs = first.items.filter((item) => "omitted" in item);
  assert.ok(stubs.length > 10 && stubs.length < 30, `${stubs.length}`);
  const at = kbids.indexOf(stubs[0].kbid);
  assert.deepEqual(stubs[0], {
    kbid: kbids[at],
    heading: `Book ${at}`,
    type: "text/markdown",
    bytes: (await recalled(base, kbids[at])).content.length,
    omitted: true,
  });
  assert.match(first.notice!, /^\d+ sections are left out as stubs: send the cursor with the same/);
  const got = new Map<string, string>();
  let page = first;
  for (let pages = 1;; pages++) {
    assert.ok(JSON.stringify(page, null, 2).length <= max_bytes);
    for (const item of page.items) if ("content" in item) got.set(item.kbid, item.content);
    if (page.cursor === undefined) break;
    assert.ok(pages < 10);
    page = await base.recall({ kbids, max_bytes, cursor: page.cursor });
  }
  assert.deepEqual([...got.keys()].sort(), [...kbids].sort());
  assert.equal(page.notice, undefined);
});

test("recall() cursors belong to their ids and depth", async () => {
  const { base } = await newBase();
  const kbids = await shelf(base);
  const { cursor } = await base.recall({ kbids, max_bytes: 16_000 });
  const wrong: Partial<RecallParams>[] = [
    { kbids: kbids.slice(1), cursor },
    { kbids, depth: 1, cursor },
    { kbids, cursor: "nonsense" },
    { kbids, cursor: "" },
    { kbids, cursor: btoa('{"of":1,"rest":[999]}') },
  ];
  for (const params of wrong) {
    const refused = base.recall({ kbids, ...params });
    await assert.rejects(refused, /^KbdbError: Cannot recall: the cursor cannot be used: /);
  }
});

test("recall() names the way to a section that is larger than any answer", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: `# Big\n\n${"x".repeat(5000)}` });
  const { kbid: small } = await learn(base, { content: "# Small" });
  const { items, cursor, notice } = await base.recall({ kbids: [kbid, small], max_bytes: 3000 });
  assert.deepEqual(items[0], {
    kbid,
    heading: "Big",
    type: "text/markdown",
    bytes: 5007,
    omitted: true,
  });
  assert.equal(whole(items[1]).content, "# Small");
  assert.equal(cursor, undefined);
  assert.equal(
    notice,
    `Section ${kbid} of 5007 bytes is too large for an answer: content gives it in parts, ` +
      "with a cursor.",
  );
});

test("recall() has a whole section in every answer, or refuses", async () => {
  const { base } = await newBase();
  const kbids = await shelf(base);
  const refusals = new Set<string>();
  for (let max_bytes = 500; max_bytes < 10_000; max_bytes += 250) {
    const page = await base.recall({ kbids, max_bytes }).catch((error) => {
      assert.equal(error.code, "too_large");
      refusals.add(error.message.replace(/\d+ bytes/, "N bytes"));
    });
    if (page) assert.ok(page.items.some((item) => "content" in item), `${max_bytes}`);
  }
  assert.deepEqual([...refusals], [
    "Cannot recall 30 sections within N bytes: their stubs alone have more. Recall fewer at a time.",
    "Cannot recall 30 sections within N bytes: beside their stubs none of them has room. " +
    "Recall fewer at a time.",
  ]);
  for (const max_bytes of [0, -1, 1.5]) {
    await assert.rejects(base.recall({ kbids, max_bytes }), /max_bytes must be a whole number/);
  }
});

test("recall() without a limit still fits into a frame (D57)", async () => {
  const { base } = await newBase();
  const kbids: string[] = [];
  for (const fill of [1, 2]) {
    const bytes = Buffer.concat([Buffer.from(PIXEL, "base64"), Buffer.alloc(12 << 20, fill)]);
    const image = { content: bytes.toString("base64"), type: "image/png", title: `${fill}` };
    kbids.push((await learn(base, image)).kbid);
  }
  const first = await base.recall({ kbids });
  assert.deepEqual(first.items.map((item) => "omitted" in item), [false, true]);
  const { items: [second], cursor } = await base.recall({ kbids, cursor: first.cursor });
  assert.equal(whole(second).kbid, kbids[1]);
  assert.equal(cursor, undefined);
});

test("recall() puts contents before what is around them, and counts what is left out", async () => {
  const { base } = await newBase();
  const text = (i: number) => `# Part ${i}\n\n${"word ".repeat(100)}${i}`;
  const parts = Array.from({ length: 40 }, (_, i) => text(i));
  await learn(base, { content: parts.join("\n\n"), docid: "book.md", document: true });
  const kbids = parts.slice(0, 2).map(idOfText);
  for (const max_bytes of [3600, 6000, 9000, 14_000, 30_000, 100_000]) {
    const result = await base.recall({ kbids, depth: 2, max_bytes });
    assert.ok(JSON.stringify(result, null, 2).length <= max_bytes, `${max_bytes}`);
    const items = result.items.map(whole);
    for (const { documents, siblings, left_out = {} } of items) {
      assert.equal(documents!.length + (left_out.documents ?? 0), 1);
      assert.equal(siblings!.length + (left_out.siblings ?? 0), 39);
      for (const sibling of siblings!) assert.equal("content" in sibling, !sibling.omitted);
    }
    const isWhole = items.every(({ siblings }) =>
      siblings!.length === 39 && siblings!.every(({ omitted }) => !omitted)
    );
    assert.equal(result.notice === undefined, isWhole, `${max_bytes}`);
    if (!isWhole) assert.match(result.notice!, /^Around the sections \d+ entries are left out/);
  }
});

test("recall() at depth 3 fits, whatever refers to what", async () => {
  const { base } = await newBase();
  const hub = "# Hub\n\n" + Array.from({ length: 20 }, (_, i) => `[${i}](s${i}.md)`).join(" ");
  await learn(base, { content: hub, docid: "hub.md", document: true });
  for (let i = 0; i < 20; i++) {
    const content = `# S${i}\n\n[hub](hub.md) [next](s${(i + 1) % 20}.md) ${"text ".repeat(60)}`;
    await learn(base, { content, docid: `s${i}.md`, document: true });
  }
  for (const max_bytes of [3000, 8000, 15_000, 40_000, 200_000]) {
    const result = await base.recall({ kbids: [idOfText(hub)], depth: 3, max_bytes });
    assert.ok(JSON.stringify(result, null, 2).length <= max_bytes, `${max_bytes}`);
    const { references, back_references, left_out = {} } = whole(result.items[0]);
    assert.equal(back_references!.length + (left_out.back_references ?? 0), 20);
    assert.equal(references!.length + (left_out.references ?? 0), 20);
  }
  const { references } = await recallOne(base, idOfText(hub), { depth: 3 });
  for (const { content, back_references } of references!) {
    assert.ok(content?.startsWith("# S"));
    assert.equal(back_references?.length, 2);
  }
});

test("jsonBytes() is never less than an answer takes", async () => {
  const base = await chain();
  const result = await base.recall({ kbids: [B], depth: 3 });
  assert.ok(jsonBytes(result.items[0]) >= JSON.stringify(result, null, 2).length - 30);
});
