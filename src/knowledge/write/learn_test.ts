import assert from "node:assert/strict";
import { test } from "node:test";
import { DocumentStore } from "../../store/document_store.ts";
import { checkOf, find, idOfText, learn, learnItem, newBase, paths, refusal } from "../testing.ts";

test("learn() stores a text as one section (D10)", async () => {
  const { base } = await newBase();
  const answer = await learnItem(base, { content: "# Parcel sorting\n\nBy weight.\n\n" });
  assert.ok(answer.ok);
  const { indexed_terms_count, elapsed_ms, ...rest } = answer.result;
  assert.equal(answer.outcome, "added");
  assert.deepEqual(rest, {
    kbid: idOfText("# Parcel sorting\n\nBy weight."),
    type: "text/markdown",
    title: "Parcel sorting",
    description: null,
    attached: false,
  });
  assert.ok(indexed_terms_count >= 4, `${indexed_terms_count}`);
  assert.ok(elapsed_ms >= 0);
  assert.deepEqual(Object.keys(answer.result).slice(0, 7), [
    "kbid",
    "type",
    "title",
    "description",
    "indexed_terms_count",
    "elapsed_ms",
    "attached",
  ]);
});

test("learn() keeps title, description, type and tags", async () => {
  const { base } = await newBase();
  const odd = 'a "quoted" \0 \x7f 🐘\n+++\n';
  const item = { content: "let x = 1;", type: " Text/TypeScript ", title: odd, description: odd };
  const result = await learn(base, { ...item, tags: [" b ", "a", "b", odd.trim()] });
  assert.equal(result.type, "text/typescript");
  assert.equal(result.title, odd);
  assert.equal(result.description, odd);
  const { items } = await base.recall({ kbids: [result.kbid] });
  assert("tags" in items[0]);
  assert.deepEqual(items[0].tags, ["b", "a", odd.trim()]);
  assert.equal(items[0].heading, odd);
  assert.deepEqual(await find(base, "quoted"), [result.kbid]);
});

test("learn() skips what is known, and says so", async () => {
  const { base } = await newBase();
  await learn(base, { content: "known text" });
  const answer = await learnItem(base, { content: "known text\r\n" });
  assert.ok(answer.ok);
  assert.equal(answer.outcome, "unchanged");
  assert.equal(answer.result.existing, true);
  assert.equal(answer.result.indexed_terms_count, 0);
  assert.equal(answer.result.attached, false);
  assert.equal(base.status().sections, 1);
});

test("learn() merges tags, and first words stay (D40)", async () => {
  const { base } = await newBase();
  await learn(base, { content: "text", title: "First", description: "one", tags: ["a"] });
  const again = { content: "text", title: "Second", description: "two", tags: ["b"] };
  const result = await learn(base, { ...again, type: "text/plain" });
  const id = idOfText("text");
  assert.deepEqual(result.warnings, [
    `Section ${id} keeps its first type text/markdown, not text/plain`,
    `Section ${id} keeps its first title`,
    `Section ${id} keeps its first description`,
  ]);
  assert.equal(result.type, "text/markdown");
  assert.equal(result.title, "First");
  assert.equal(result.description, "one");
  assert.deepEqual(await find(base, "text", { tag: ["a", "b"] }), [id]);
});

test("learn() says nothing where nothing differs", async () => {
  const { base } = await newBase();
  const item = { content: "text", title: "First", description: "one" };
  await learn(base, item);
  assert.equal((await learn(base, item)).warnings, undefined);
  assert.equal((await learn(base, { content: "text" })).warnings, undefined);
  assert.equal((await learn(base, { content: "text" })).title, "First");
});

test("learn() makes several headings a document (D10)", async () => {
  const { base } = await newBase();
  const content = "# Post Office\n\nintro\n\n## Hours\n\nnine to five";
  const result = await learn(base, { content });
  assert.match(result.docid ?? "", /^post-office-[0-9a-z]{8}$/);
  assert.equal(result.title, "Post Office");
  assert.deepEqual(result.sections, [
    { kbid: idOfText("# Post Office\n\nintro"), heading: "Post Office", type: "text/markdown" },
    { kbid: idOfText("## Hours\n\nnine to five"), heading: "Hours", type: "text/markdown" },
  ]);
  assert.equal(result.kbid, result.sections?.[0].kbid);
  const again = await learnItem(base, { content });
  assert.ok(again.ok && again.outcome === "unchanged");
  assert.equal(again.result.docid, result.docid);
  assert.deepEqual([base.status().documents, base.status().sections], [1, 2]);
});

test("learn() derives docids from any title", async () => {
  const { base } = await newBase();
  const docidOf = async (content: string) => (await learn(base, { content })).docid;
  assert.match(await docidOf("# Зоны 中文\n\n## a") ?? "", /^зоны-中文-[0-9a-z]{8}$/);
  assert.match(await docidOf("# ../..\n\n## b") ?? "", /^untitled-[0-9a-z]{8}$/);
  assert.match(await docidOf(`# ${"w".repeat(900)}\n\n## c`) ?? "", /^w{60}-[0-9a-z]{8}$/);
});

test("learn() adds a section to a document (D11)", async () => {
  const { base } = await newBase();
  const first = await learn(base, { content: "one", docid: "d" });
  assert.deepEqual([first.attached, first.docid, first.existing], [true, "d", undefined]);
  const second = await learn(base, { content: "two", docid: "d" });
  assert.equal(second.attached, true);
  assert.equal(base.status().documents, 1);
  assert.deepEqual(new Set(await find(base, "one two", { docid: ["d"] })).size, 2);
});

test("learn() attaches known text without indexing it again", async () => {
  const { base } = await newBase();
  await learn(base, { content: "one" });
  const joined = await learn(base, { content: "one", docid: "d" });
  assert.deepEqual([joined.attached, joined.existing], [true, true]);
  assert.equal(joined.indexed_terms_count, 0);
  const again = await learn(base, { content: "one", docid: "d" });
  assert.deepEqual([again.attached, again.existing], [false, true]);
  await learn(base, { content: "one", docid: "a" });
  const { items } = await base.search({ query: "one" });
  assert.deepEqual(items[0].docids, ["a", "d"]);
});

test("learn() lists many additions of one turn once each (B01)", async () => {
  const { base } = await newBase();
  const contents = Array.from({ length: 150 }, (_, i) => `note number ${i % 100}`);
  const results = await Promise.all(
    contents.map((content) => learn(base, { content, docid: "d" })),
  );
  assert.equal(results.filter((result) => result.attached).length, 100);
  const { total } = await base.search({ query: "note", docid: ["d"] });
  assert.equal(total, 100);
  const { ok, documents_checked, references_checked } = await checkOf(base);
  assert.deepEqual([ok, documents_checked, references_checked], [true, 1, 100]);
});

test("learn() adds several sections with their own gaps (D9)", async () => {
  const { base, files } = await newBase();
  const content = "# One\n\n\n\n## Two\n## Three";
  await learn(base, { content, docid: "new" });
  await learn(base, { content: "start", docid: "old" });
  await learn(base, { content, docid: "old" });
  const gapsOf = (docid: string) => {
    const outcome = new DocumentStore(files, paths).read(docid);
    assert(outcome.state === "found");
    return [outcome.value.title, ...outcome.value.sections.map((entry) => entry.gap)];
  };
  assert.deepEqual(gapsOf("new"), ["One", "", "\n\n\n\n", "\n"]);
  assert.deepEqual(gapsOf("old"), [null, "", "\n\n", "\n\n\n\n", "\n"]);
});

test("learn() keeps docids as data (B43, B44)", async () => {
  const { base, files } = await newBase();
  const docids = ["../x", "a\0b", ".", "my file.md", "my-file.md", "Foo", "foo", "é".repeat(256)];
  for (const docid of docids) await learn(base, { content: `text of ${docid}`, docid });
  for (const docid of docids) {
    const { items } = await base.search({ query: "text", docid: [docid] });
    assert.deepEqual(items.map((item) => item.docids), [[docid]]);
  }
  assert.deepEqual(files.list("/home/notes").map(({ name }) => name), [".kbdb"]);
});

test("learn() refuses one item and takes the others", async () => {
  const { base } = await newBase();
  const items = [{ content: "one" }, { content: "" }, { content: "three" }];
  const { results } = await base.learn({ key: "k", items }, () => {});
  assert.deepEqual(results.map((result) => result.ok), [true, false, true]);
});

test("learn() never writes over what it cannot read", async () => {
  const { base, files } = await newBase();
  const { kbid } = await learn(base, { content: "one" });
  files.write(paths.section(kbid), new Uint8Array(9));
  const { code, message } = await refusal(base, { content: "one", tags: ["new"] });
  assert.equal(code, "damaged");
  assert.match(message, /^Cannot write over section .*: what is there is damaged: .*try again\.$/);
  assert.deepEqual(files.read(paths.section(kbid)), new Uint8Array(9));
});
