import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_IDS } from "../rpc/protocol.ts";
import { decodeSection, encodeSection } from "../store/section_file.ts";
import { find, idOfText, learn, newBase, openBase, paths } from "./testing.ts";

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
  assert.match(errorOf(items[0]).message, /its bytes no longer give its id, so it was edited/);
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
