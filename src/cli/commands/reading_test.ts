import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContentParams, RecalledSection } from "../../rpc/reading.ts";
import type { SearchItem, SearchParams } from "../../rpc/searching.ts";
import { ran } from "../testing.ts";

const ID = "1cy96vmqxgmc72dt1v5b2vkrmy";
const OTHER = "0b3n1kv45vqwxae97zt5pmh2bk";

const FOUND: SearchItem = {
  kbid: ID,
  heading: "Parcels",
  type: "text/markdown",
  docids: ["post.md"],
  snippet: "Blue parcels go left.",
  matched_terms: ["parcels"],
  tags: ["work"],
};

function page<Item>(items: Item[], more: Record<string, unknown> = {}) {
  const rest = { total: items.length, offset: 0, limit: 20, has_more: false, elapsed_ms: 1.2 };
  return { items, ...rest, ...more };
}

/** A client whose search gives this, and the parameters that it was called with. */
function searching(result: unknown) {
  const asked: SearchParams[] = [];
  const search = (params: SearchParams) => {
    asked.push(params);
    return Promise.resolve(result);
  };
  return { client: { search }, asked };
}

const RECALLED: RecalledSection = {
  kbid: ID,
  heading: "Parcels",
  type: "text/markdown",
  content: "Blue parcels go left.",
  docids: ["post.md"],
  tags: ["work"],
  created_at: "2026-01-02T03:04:05.678Z",
};

function recalling(...items: unknown[]) {
  return { client: { recall: () => Promise.resolve({ items }) } };
}

test("search sends what its flags say", async () => {
  const { client, asked } = searching(page([]));
  const words = "search a b --mode sections --match all --limit 5 --tag x --tag y --type text/*";
  await ran([...words.split(" "), "--docid", "d", "--content", "--cursor", "c"], { client });
  assert.deepEqual(asked, [{
    query: "a b",
    mode: "sections",
    match: "all",
    limit: 5,
    cursor: "c",
    content: true,
    tag: ["x", "y"],
    type: ["text/*"],
    docid: ["d"],
  }]);
});

for (
  const [words, reason] of [
    [[], /give a word/],
    [["x", "--mode", "section"], /--mode section: choose sections, documents, stats/],
    [["x", "--match", "some"], /--match some: choose any, all/],
    [["x", "--cursor", "c", "--offset", "3"], /--offset beside --cursor/],
  ] as const
) {
  test(`search ${words.join(" ")} is refused`, async () => {
    const { client, asked } = searching(page([]));
    await assert.rejects(ran(["search", ...words], { client }), { message: reason });
    assert.deepEqual(asked, []);
  });
}

test("search --mode documents shows a block for each document (D62)", async () => {
  const item = { docid: "post.md", title: "Post", type: "text/markdown", section_count: 2 };
  const { client } = searching(page([{ ...item, best: FOUND }]));
  const { out } = await ran(["search", "parcels", "--mode", "documents"], { client });
  assert.deepEqual(out.split("\n"), [
    "1. Post  post.md  (2 sections)",
    "   Parcels  #work",
    "   Blue parcels go left.",
    `   ${ID}`,
    "",
    "1 found (1.2 ms)",
    "",
  ]);
});

test("search --mode stats is a small table", async () => {
  const terms = [{ term: "parcel", sections: 12 }, { term: "blue", sections: 3 }];
  const { client } = searching({ total: 13, documents: 1, terms });
  const { out } = await ran(["search", "parcel", "blue", "--mode", "stats"], { client });
  assert.equal(
    out,
    "word    sections\nparcel        12\nblue           3\n13 sections in 1 document\n",
  );
});

test("search says how the next page is asked for", async () => {
  const { client } = searching(page([FOUND], { total: 9, offset: 4, has_more: true }));
  const { out } = await ran(["search", "parcels"], { client });
  assert.match(out, /^5\. Parcels {2}post\.md {2}#work$/m);
  assert.match(out, /^9 found \(1\.2 ms\); more with --offset 5$/m);
});

test("search shows an image by its type", async () => {
  const image = { ...FOUND, type: "image/png", snippet: "", content: "iVBORw0KGgo" };
  const { client } = searching(page([image]));
  const { out } = await ran(["search", "parcels", "--content"], { client });
  assert.match(out, /^ {3}\(image\/png\)$/m);
  assert.doesNotMatch(out, /iVBOR/);
});

test("recall --depth asks for more and shows it", async () => {
  const reference = { kbid: OTHER, heading: "Letters", type: "text/markdown" };
  const back = { marker_type: "link", context_snippet: "see parcels", direction: "back" };
  const forward = { marker_type: "wikilink", context_snippet: "", direction: "forward" };
  const item = {
    ...RECALLED,
    documents: [{ docid: "post.md", title: "Post", sections: [reference] }],
    back_references: [{ ...reference, ...back }],
    siblings: [{ ...reference, content: "All letters\ngo right." }],
    references: [{ ...forward, kbid: null, heading: null, type: null, target: "Nowhere" }],
  };
  const { out } = await ran(["recall", ID, "--depth", "3"], recalling(item));
  const lines = out.split("\n");
  assert.deepEqual(lines.slice(0, 3), [
    `${ID}  Parcels  post.md  #work`,
    "",
    "Blue parcels go left.",
  ]);
  for (
    const line of [
      "  post.md  Post",
      `  link  ${OTHER}  Letters  text/markdown  see parcels`,
      "  wikilink  Nowhere (not stored)",
      "    go right.",
    ]
  ) assert.ok(lines.includes(line), `${line} in ${out}`);
});

test("recall shows an image and a stub by their sizes", async () => {
  const image = { ...RECALLED, type: "image/png", content: "A".repeat(4000), encoding: "base64" };
  const stub = { kbid: OTHER, heading: null, type: "text/markdown", bytes: 5e6, omitted: true };
  const { out } = await ran(["recall", ID, OTHER], recalling(image, stub));
  assert.match(out, /^\(image\/png, 3\.0 kB\)$/m);
  assert.match(out, /^\(5\.0 MB: recall it by itself\)$/m);
});

test("recall --format mcp of an image is an image block (D19)", async () => {
  const image = { ...RECALLED, type: "image/png", content: "AAAA", encoding: "base64" };
  const { out } = await ran(["recall", ID, "--format", "mcp"], recalling(image));
  const { content, structuredContent } = JSON.parse(out);
  assert.deepEqual(content[0], { type: "image", data: "AAAA", mimeType: "image/png" });
  assert.equal(structuredContent, undefined);
});

/** A client whose content comes in these parts. */
function composing(parts: Record<string, unknown>[]) {
  const asked: ContentParams[] = [];
  const content = (params: ContentParams) => {
    asked.push(params);
    const at = Number(params.cursor ?? 0);
    const cursor = at + 1 < parts.length ? { cursor: String(at + 1) } : {};
    return Promise.resolve({ type: "text/markdown", ...parts[at], ...cursor });
  };
  return { client: { content }, asked };
}

test("content prints all parts as they are", async () => {
  const { client, asked } = composing([{ data: "# A\n\x1b[2J", total: 8 }, {
    data: "b",
    total: 1,
  }]);
  const { code, out } = await ran(["content", "x", ID], { client });
  assert.deepEqual([code, out], [0, "# A\n\x1b[2Jb\n"]);
  assert.deepEqual(asked, [{ ids: ["x", ID] }, { ids: ["x", ID], cursor: "1" }]);
});

test("content makes control characters visible on a terminal", async () => {
  const { client } = composing([{ data: "a\x1b[2J\n", total: 6 }]);
  const { out } = await ran(["content", "x"], { client, isTerminal: true });
  assert.equal(out, "a␛[2J\n");
});

test("content --json is one object of all parts", async () => {
  const { client } = composing([{ data: "a🐘", total: 2 }, {
    data: "b",
    total: 1,
    missing: ["y"],
  }]);
  const { code, out, error } = await ran(["content", "x", "y", "--json"], { client });
  assert.deepEqual(JSON.parse(out), {
    type: "text/markdown",
    data: "a🐘b",
    total: 3,
    missing: ["y"],
  });
  assert.deepEqual([code, error], [3, "kbdb: Not stored: y\n"]);
});

test("content stops where nobody reads on", async () => {
  const { client, asked } = composing([{ data: "a", total: 1 }, { data: "b", total: 1 }]);
  const { code } = await ran(["content", "x"], { client, closed: true });
  assert.deepEqual([code, asked.length], [0, 1]);
});

test("retrieve gives the array of the documents, or the text", async () => {
  const section = { kbid: ID, sectionType: "text/markdown", content: "hello", size: 5 };
  const client = { read: () => Promise.resolve({ sections: [section] }) };
  assert.deepEqual(JSON.parse((await ran(["retrieve", ID, "--json"], { client })).out), [section]);
  assert.equal((await ran(["retrieve", ID], { client })).out, "hello\n");
});

test("retrieve of an image writes its bytes, but not to a terminal", async () => {
  const section = { kbid: ID, sectionType: "image/png", content: "aGk=", size: 2 };
  const client = { read: () => Promise.resolve({ sections: [section] }) };
  assert.equal((await ran(["retrieve", ID], { client })).out, "hi");
  const seen = await ran(["retrieve", ID], { client, isTerminal: true });
  assert.equal(seen.out, "(image/png, 2 B; save it with > FILE)\n");
});

test("retrieve of what is not there is not found (D35)", async () => {
  const error = { code: "not_found", message: `Section not found: ${ID}` };
  const client = { read: () => Promise.resolve({ sections: [{ kbid: ID, error }] }) };
  await assert.rejects(ran(["retrieve", ID], { client }), error);
});

for (const words of [[], [ID, OTHER], [ID, "--docid", "x"]]) {
  test(`retrieve ${words.join(" ")} is refused`, async () => {
    await assert.rejects(ran(["retrieve", ...words]), {
      message: /give one kbid, or one document/,
    });
  });
}

test("retrieve --docid shows what a document is made of", async () => {
  const document = {
    docid: "post.md",
    title: null,
    type: "text/markdown",
    source: "/home/me/post.md",
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-02T00:00:00.000Z",
    sections: [{ kbid: ID, heading: "Parcels", type: "text/markdown" }],
  };
  const client = { document: () => Promise.resolve(document) };
  const { out } = await ran(["retrieve", "--docid", "post.md"], { client });
  assert.deepEqual(out.split("\n"), [
    "(no title)  post.md  text/markdown",
    "  stored 2026-01-01T00:00:00.000Z, changed 2026-01-02T00:00:00.000Z, learned from /home/me/post.md",
    `  ${ID}  Parcels  text/markdown`,
    "",
  ]);
});

/** A client that lists these documents, two on a page. */
function listing(docids: string[]) {
  const asked: Record<string, unknown>[] = [];
  const listDocuments = (params: { cursor?: string }) => {
    asked.push(params);
    const at = Number(params.cursor ?? 0);
    const items = docids.slice(at, at + 2).map((docid) => ({
      docid,
      title: "T",
      type: "text/markdown",
      section_count: 1,
      source: null,
    }));
    const cursor = at + 2 < docids.length ? { cursor: String(at + 2) } : {};
    return Promise.resolve({ items, ...cursor });
  };
  return { client: { listDocuments }, asked };
}

test("list documents prints all pages", async () => {
  const { client, asked } = listing(["a", "b", "c"]);
  const { out } = await ran(["list", "documents", "--prefix", "p"], { client });
  assert.equal(out, "abc".replace(/./g, "$&  T  text/markdown  (1 section)\n"));
  assert.deepEqual(asked, [{ prefix: "p" }, { prefix: "p", cursor: "2" }]);
  const json = await ran(["list", "documents", "--json"], { client });
  const { items, ...rest } = JSON.parse(json.out);
  assert.deepEqual([items.length, rest], [3, {}]);
});

test("list documents --limit prints one page and names the next", async () => {
  const { client } = listing(["a", "b", "c"]);
  const { out } = await ran(["list", "documents", "--limit", "2"], { client });
  assert.match(out, /^b {2}T.*\nMore with --cursor 2\n$/m);
  const json = await ran(["list", "documents", "--limit", "2", "--json"], { client });
  assert.equal(JSON.parse(json.out).cursor, "2");
  const last = await ran(["list", "documents", "--cursor", "2"], { client });
  assert.match(last.out, /^c {2}T[^\n]*\n$/);
});

test("list documents says so where there are none, and stops where nobody reads", async () => {
  assert.equal((await ran(["list", "documents"], listing([]))).out, "No documents\n");
  const { client, asked } = listing(["a", "b", "c"]);
  await ran(["list", "documents"], { client, closed: true });
  assert.equal(asked.length, 1);
});

test("list sections and list tags show a line for each", async () => {
  const section = { kbid: ID, heading: null, type: "text/plain", docids: ["d"], tags: ["t"] };
  const client = {
    listSections: () => Promise.resolve({ items: [section] }),
    listTags: () => Promise.resolve({ tags: [{ tag: "t", sections: 12 }] }),
  };
  const sections = await ran(["list", "sections"], { client });
  assert.equal(sections.out, `${ID}  (no title)  d  #t  text/plain\n`);
  assert.equal((await ran(["list", "tags"], { client })).out, "12  t\n");
});

test("watch prints a line for each id, and lines of JSON", async () => {
  const none = { added: [], updated: [], removed: [] };
  const event = {
    seq: 7,
    sections: { ...none, added: [ID] },
    documents: { ...none, updated: ["d\x1b[2J"] },
    prompts: false,
  };
  const client = {
    subscribe: (onChange: (event: unknown) => void) => Promise.resolve(onChange(event)),
  };
  const text = await ran(["watch"], { client, closed: true });
  assert.equal(text.out, `7  added    section   ${ID}\n7  updated  document  d␛[2J\n`);
  const json = await ran(["watch", "--json"], { client, closed: true });
  assert.equal(json.out, `${JSON.stringify(event)}\n`);
  await assert.rejects(ran(["watch", "--format", "mcp"], { client }), { message: /Use --json/ });
});
