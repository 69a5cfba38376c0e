import assert from "node:assert/strict";
import { test } from "node:test";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { SectionReader } from "../sections.ts";
import { ContentCache } from "../content_cache.ts";
import { DocumentStore } from "../../store/document_store.ts";
import { checksum } from "../../core/text.ts";
import { Store } from "../../store/store.ts";
import { NOON, ROOT } from "../../store/testing.ts";
import {
  checkOf,
  find,
  idOfText,
  learn,
  learnItem,
  newBase,
  openBase,
  paths,
  refusal,
} from "../testing.ts";

const ONE = "# One\n\nfirst parcel";
const TWO = "# Two\n\nsecond parcel";
const THREE = "# Three\n\nthird parcel";

/** Learns a document of these sections. */
function document(base: KnowledgeBase, docid: string, ...sections: string[]) {
  return learnItem(base, { content: sections.join("\n\n"), docid, document: true });
}

async function recalled(base: KnowledgeBase, text: string) {
  const { items } = await base.recall({ kbids: [idOfText(text)] });
  assert("content" in items[0], JSON.stringify(items[0]));
  return items[0];
}

test("learn() replaces a document as a whole (D11)", async () => {
  const { base } = await newBase();
  const added = await document(base, "d", ONE, TWO);
  const unchanged = await document(base, "d", ONE, TWO);
  const replaced = await document(base, "d", THREE, TWO);
  assert.deepEqual(
    [added, unchanged, replaced].map((answer) => answer.ok && answer.outcome),
    ["added", "unchanged", "replaced"],
  );
  assert.deepEqual(await find(base, "parcel"), [idOfText(TWO), idOfText(THREE)].sort());
  assert.equal(base.status().documents, 1);
});

test("learn() retires what only the old version held", async () => {
  const { base } = await newBase();
  await document(base, "d", ONE, TWO);
  await document(base, "other", TWO);
  await learn(base, { content: THREE });
  await document(base, "d", ONE, THREE);
  await document(base, "d", ONE);
  assert.equal((await recalled(base, TWO)).retired, undefined);
  assert.equal((await recalled(base, THREE)).retired, undefined);
  await document(base, "other", ONE);
  const two = await recalled(base, TWO);
  assert.equal(two.retired, NOON.toISOString());
  assert.deepEqual([two.content, two.docids], [TWO, []]);
  assert.deepEqual(await find(base, "second"), []);
  assert.deepEqual(await find(base, "third"), [idOfText(THREE)]);
  assert.equal((await checkOf(base)).ok, true);
});

test("learn() revives what was retired (B32)", async () => {
  const { base } = await newBase();
  await document(base, "d", ONE, TWO);
  await document(base, "d", ONE);
  assert.deepEqual(await find(base, "second"), []);
  const { existing, docid } = await learn(base, { content: TWO, docid: "d" });
  assert.deepEqual([existing, docid], [true, "d"]);
  assert.deepEqual(await find(base, "second"), [idOfText(TWO)]);
  assert.deepEqual((await recalled(base, TWO)).docids, ["d"]);
  assert.equal((await recalled(base, TWO)).retired, undefined);
});

test("learn() lists equal sections of a document twice (D40)", async () => {
  const { base, files } = await newBase();
  const answer = await document(base, "d", ONE, TWO, ONE);
  assert.ok(answer.ok);
  assert.deepEqual(answer.result.sections?.map((section) => section.heading), [
    "One",
    "Two",
    "One",
  ]);
  assert.equal(base.status().sections, 2);
  const manifest = new DocumentStore(files, paths).read("d");
  assert(manifest.state === "found");
  assert.equal(manifest.value.sections.length, 3);
  const single = await learn(base, { content: ONE, docid: "d" });
  assert.equal(single.attached, false);
});

test("learn() gives documents back byte for byte (D9, B34, B35)", async () => {
  const { base, files } = await newBase();
  const source = [
    "---\ntitle: x\n---\n\nintro\n\n\n# A\n```\n# no heading\n```\n## C#\n\n\n",
    "Sub\n---\n# A\nsame\n# A\nother\n##\n> # quoted\n\n- # in a list\n\n<pre>\n# html\n</pre>\n",
  ].join("");
  await learn(base, { content: source, docid: "odd", document: true });
  const { store } = await Store.open({
    files,
    checksum,
    root: ROOT,
    writable: false,
    now: () => NOON,
  });
  const manifest = store.readDocument("odd");
  assert(manifest.state === "found");
  const reader = new SectionReader(store, new ContentCache());
  const joined = manifest.value.sections.map(({ kbid, gap }) => {
    const content = reader.content(kbid);
    assert(content.state === "found");
    return gap + new TextDecoder().decode(content.value);
  }).join("");
  assert.equal(joined, source.trimEnd());
});

test("learn() keeps two sources of one docid apart (D42)", async () => {
  const { base } = await newBase();
  const readme = { docid: "README.md", document: true };
  await learn(base, { ...readme, content: ONE, source: "/a/README.md" });
  const { code, message } = await refusal(base, {
    ...readme,
    content: TWO,
    source: "/b/README.md",
  });
  assert.equal(code, "conflict");
  assert.equal(
    message,
    "Cannot learn README.md from /b/README.md: the document of that docid comes from " +
      "/a/README.md. Choose another with --docid or --prefix.",
  );
  assert.equal((await refusal(base, { content: TWO, docid: "README.md" })).code, "conflict");
  assert.deepEqual(await find(base, "parcel"), [idOfText(ONE)]);
  await learn(base, { content: ONE, docid: "plain" });
  const fromFile = { content: TWO, docid: "plain", document: true, source: "/plain" };
  assert.match((await refusal(base, fromFile)).message, /was not learned from a file/);
});

test("learn() heals a section whose file is gone", async () => {
  for (const noticed of [false, true]) {
    const { base, files } = await newBase();
    await document(base, "a", ONE, TWO);
    await document(base, "b", TWO);
    await learn(base, { content: TWO });
    files.remove(paths.section(idOfText(TWO)));
    if (noticed) assert.deepEqual(await find(base, "second"), []);
    const result = await learn(base, { content: TWO, docid: "c" });
    assert.equal(result.existing, undefined);
    assert.deepEqual(await find(base, "second"), [idOfText(TWO)]);
    assert.deepEqual((await recalled(base, TWO)).docids, ["a", "b", "c"]);
    for (const docid of ["a", "b", "c"]) await document(base, docid, ONE);
    assert.equal((await recalled(base, TWO)).retired, undefined, "it was learned alone too");
  }
});

test("learn() heals a document of missing sections", async () => {
  const { base, files } = await newBase();
  await document(base, "d", ONE, TWO);
  for (const text of [ONE, TWO]) files.remove(paths.section(idOfText(text)));
  const answer = await document(base, "d", ONE, TWO);
  assert.ok(answer.ok);
  assert.equal(answer.outcome, "replaced");
  assert.equal((await checkOf(base)).ok, true);
  assert.deepEqual(new Set(await find(base, "parcel")).size, 2);
});

test("learn() keeps what it knows across a restart", async () => {
  const { base, files } = await newBase();
  await document(base, "d", ONE, TWO);
  await document(base, "d", ONE);
  await base.close();
  const second = await openBase(files);
  assert.deepEqual(await find(second, "parcel"), [idOfText(ONE)]);
  assert.equal((await recalled(second, TWO)).retired, NOON.toISOString());
  const again = await document(second, "d", ONE);
  assert.ok(again.ok && again.outcome === "unchanged");
});
