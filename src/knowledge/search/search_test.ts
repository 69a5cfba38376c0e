import assert from "node:assert/strict";
import { test } from "node:test";
import { FileError } from "../../platform/types.ts";
import { MAX_QUERY_BYTES } from "../../rpc/protocol.ts";
import type { SearchParams } from "../../rpc/searching.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { agentCreate } from "../prompts/agents.ts";
import { skillDelete, skillLearn } from "../prompts/skills.ts";
import { find, idOfText, learn, newBase, newKey, openBase, paths, SMALL } from "../testing.ts";

async function refused(base: KnowledgeBase, params: SearchParams) {
  let found: { code?: string; message: string } | undefined;
  await base.search(params).catch((error) => found = error);
  assert.ok(found, JSON.stringify(params).slice(0, 100));
  return found;
}

/** 120 sections of one text that differ in their last word. */
async function many(base: KnowledgeBase): Promise<void> {
  const items = Array.from({ length: 120 }, (_, i) => ({ content: `parcels wait here w${i}` }));
  const { results } = await base.learn({ key: "many", items }, () => {});
  assert.ok(results.every((result) => result.ok));
}

/** The ids of all pages of a query. */
async function pagesOf(base: KnowledgeBase, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0;; offset += limit) {
    const page = await base.search({ query: "parcel", limit, offset });
    ids.push(...page.items.map((item) => item.kbid));
    assert.equal(page.total, 120);
    assert.equal(page.has_more, ids.length < 120);
    if (!page.has_more) return ids;
  }
}

test("search() refuses an empty query in these words", async () => {
  const { base } = await newBase();
  for (const query of ["", " ", "\t\n\u3000"]) {
    const { code, message } = await refused(base, { query });
    assert.deepEqual([code, message], ["bad_request", "Query must not be empty"]);
  }
  const none = await refused(base, {} as SearchParams);
  assert.equal(none.message, "Query must not be empty");
});

test("search() refuses a query over the limit (D57)", async () => {
  const { base } = await newBase();
  await base.search({ query: "a".repeat(MAX_QUERY_BYTES) });
  for (const query of ["a".repeat(MAX_QUERY_BYTES + 1), "é".repeat(MAX_QUERY_BYTES / 2 + 1)]) {
    const { code, message } = await refused(base, { query });
    assert.equal(code, "too_large");
    assert.match(message, /the query is over the limit of 65536 bytes. Shorten it.$/);
  }
});

const B26_TEXTS = [
  "a/b",
  "don't",
  "multi-step",
  '"',
  '"open',
  "(",
  "a AND",
  "NOT",
  "NEAR(",
  "col:x",
  "*",
  "^",
  "\\",
  "{{x}}",
  "the who",
  "to be or not to be",
  "what's going on?",
  "a\0b",
  "🐘",
  "-x",
  "--help me",
  "half \ud83d pair",
  "tag:",
  "%_' OR 1=1",
];

test("search() takes any text for words (B26)", async () => {
  const { base } = await newBase();
  for (const text of B26_TEXTS) {
    await learn(base, { content: `holds ${text.toWellFormed()} inside` });
  }
  for (const text of B26_TEXTS) {
    const ids = await find(base, text);
    if (!/[\p{L}\p{N}🐘]/u.test(text)) continue;
    assert.ok(ids.includes(idOfText(`holds ${text.toWellFormed()} inside`)), text);
  }
  await base.search({ query: "word ".repeat(10_000) });
});

test("search() lowers a limit above 100 and says so (D44)", async () => {
  const { base } = await newBase();
  await many(base);
  for (const limit of [101, 5_000_000]) {
    const page = await base.search({ query: "parcel", limit });
    assert.deepEqual([page.limit, page.items.length, page.total], [100, 100, 120]);
    assert.deepEqual(page.notes, ["The limit was lowered to 100"]);
  }
  const page = await base.search({ query: "parcel" });
  assert.deepEqual([page.limit, page.items.length, page.offset, page.notes], [
    20,
    20,
    0,
    undefined,
  ]);
});

test("search() refuses a limit or offset that is no count", async () => {
  const { base } = await newBase();
  for (const limit of [0, -1, 1.5, NaN, Infinity, "5" as unknown as number]) {
    const { code, message } = await refused(base, { query: "a", limit });
    assert.equal(code, "bad_request");
    assert.match(message, /^Cannot search: limit must be a whole number from 1 to \d+, not /);
  }
  for (const offset of [-1, 0.5, NaN, 1_000_001]) {
    const { message } = await refused(base, { query: "a", offset });
    assert.match(message, /^Cannot search: offset must be a whole number from 0 to 1000000, not /);
  }
});

test("search() pages do not overlap or change (B31)", async () => {
  const { base, files } = await newBase(SMALL);
  await many(base);
  const ids = await pagesOf(base, 10);
  assert.equal(new Set(ids).size, 120);
  assert.deepEqual(await pagesOf(base, 50), ids);
  assert.deepEqual(await pagesOf(base, 100), ids);
  await base.rebuild(() => {});
  assert.deepEqual(await pagesOf(base, 10), ids);
  await base.close();
  assert.deepEqual(await pagesOf(await openBase(files), 7), ids);
});

test("search() answers beyond the end with nothing", async () => {
  const { base } = await newBase();
  await many(base);
  for (const offset of [120, 1_000_000]) {
    const page = await base.search({ query: "parcel", offset });
    assert.deepEqual([page.items, page.total, page.has_more], [[], 120, false]);
  }
});

test("search() shows what was stored with a section", async () => {
  const { base } = await newBase();
  const content = "# Counter\n\nThe parcels wait at the counter.";
  const kbid = (await learn(base, { content, docid: "post", tags: ["b", "a"] })).kbid;
  const page = await base.search({ query: "parcel COUNTER absent", content: true });
  assert.deepEqual(Object.keys(page), [
    "items",
    "total",
    "offset",
    "limit",
    "has_more",
    "elapsed_ms",
  ]);
  const [{ snippet, ...item }] = page.items;
  assert.deepEqual(item, {
    kbid,
    heading: "Counter",
    type: "text/markdown",
    docids: ["post"],
    matched_terms: ["parcel", "counter"],
    content,
    tags: ["b", "a"],
  });
  assert.match(snippet, /parcels wait/);
  const plain = await base.search({ query: "parcel" });
  assert.equal("content" in plain.items[0], false);
});

test("search() filters by tag, type and document", async () => {
  const { base } = await newBase();
  const one = (await learn(base, { content: "word one", tags: ["a", "b"], docid: "d" })).kbid;
  const two = (await learn(base, { content: "word two", tags: ["a"], type: "text/plain" })).kbid;
  const cases: [params: Partial<SearchParams>, ids: string[]][] = [
    [{}, [one, two]],
    [{ tag: ["a"] }, [one, two]],
    [{ tag: ["a", "b"] }, [one]],
    [{ tag: ["A"] }, []],
    [{ tag: ["\ud800"] }, []],
    [{ type: ["text/plain"] }, [two]],
    [{ type: ["text/*"] }, [one, two]],
    [{ type: ["image/*"] }, []],
    [{ docid: ["d", "e"] }, [one]],
    [{ docid: ["../d"] }, []],
    [{ docid: ["d"], tag: ["b"], type: ["text/markdown"] }, [one]],
  ];
  for (const [params, ids] of cases) {
    assert.deepEqual((await find(base, "word", params)).sort(), ids.sort(), JSON.stringify(params));
  }
});

test("search() leaves out what the disk lost, and counts right", async () => {
  const { base, files } = await newBase();
  await many(base);
  const ids = await find(base, "parcel");
  for (const kbid of ids.slice(0, 30)) files.remove(paths.section(kbid));
  files.write(paths.section(ids[30]), new Uint8Array(50));
  await base.close();
  const second = await openBase(files);
  const page = await second.search({ query: "parcel", limit: 100 });
  assert.deepEqual([page.total, page.items.length], [89, 89]);
  const { warnings, sections } = second.status();
  assert.equal(sections, 89);
  assert.ok(
    warnings.includes(`Section ${ids[0]} is left out: its file is missing. Run: kbdb check`),
  );
});

test("search() counts losses that are too many to name", async () => {
  const { base, files } = await newBase();
  await many(base);
  const ids = await find(base, "parcel");
  await base.close();
  for (const kbid of ids) files.remove(paths.section(kbid));
  const second = await openBase(files);
  assert.equal((await second.search({ query: "parcel" })).total, 20);
  const { warnings } = second.status();
  assert.equal(warnings.length, 51);
  assert.equal(warnings[50], "50 more files cannot be used. Run: kbdb check");
});

test("search() says so when the folder is gone", async () => {
  const { base, files } = await newBase();
  await learn(base, { content: "word" });
  await base.close();
  const second = await openBase(files);
  files.removeTree(paths.sections);
  const { code, message } = await refused(second, { query: "word" });
  assert.equal(code, "damaged");
  assert.match(message, /^Cannot search: the database folder .*\.kbdb is gone. Put it back.$/);
});

test("search() names what it could not read", async () => {
  const { base, files } = await newBase();
  const { kbid } = await learn(base, { content: "word" });
  await base.close();
  const path = paths.section(kbid);
  const unreadable = new Proxy(files, {
    get(_, key) {
      const value = Reflect.get(files, key, files);
      if (key !== "read") return typeof value === "function" ? value.bind(files) : value;
      return (asked: string) => {
        if (asked === path) throw new FileError("permission", "read", path, "permission denied");
        return files.read(asked);
      };
    },
  });
  const second = await openBase(unreadable);
  const page = await second.search({ query: "word" });
  assert.equal(page.total, 1);
  assert.match(page.notes?.[0] ?? "", /^Section .* could not be read: .*permission denied$/);
});

/** Three documents of which two hold words of post, and a note outside of all. */
async function post(base: KnowledgeBase): Promise<void> {
  const documents = {
    "post/counter.md": "# Counter\n\nParcels wait at the counter.\n\n# Hours\n\nParcels until six.",
    "post/letters.md": "# Letters\n\nLetters and one parcel.",
    "other.md": "# Other\n\nNothing of that.",
  };
  for (const [docid, content] of Object.entries(documents)) {
    await learn(base, { content, docid, document: true });
  }
  await learn(base, { content: "a note about a parcel" });
}

test("search() of documents shows each once, with its best section (D44)", async () => {
  const { base } = await newBase();
  await post(base);
  const page = await base.search({ query: "parcel counter", mode: "documents" });
  assert.deepEqual(page.items.map(({ best: _, ...item }) => item), [
    { docid: "post/counter.md", title: "Counter", type: "text/markdown", section_count: 2 },
    { docid: "post/letters.md", title: "Letters", type: "text/markdown", section_count: 1 },
  ]);
  assert.deepEqual([page.total, page.offset, page.limit, page.has_more], [2, 0, 20, false]);
  const sections = await base.search({ query: "parcel counter" });
  for (const { docid, best } of page.items) {
    const first = sections.items.find(({ docids }) => docids.includes(docid));
    assert.deepEqual(best, first);
  }
});

test("search() of documents pages and filters like any other", async () => {
  const { base } = await newBase();
  await post(base);
  const one = await base.search({ query: "parcel", mode: "documents", limit: 1 });
  assert.deepEqual([one.items.length, one.total, one.has_more], [1, 2, true]);
  const two = await base.search({
    query: "parcel",
    mode: "documents",
    limit: 1,
    cursor: one.cursor,
  });
  assert.deepEqual([two.items.length, two.offset, two.has_more, two.cursor], [
    1,
    1,
    false,
    undefined,
  ]);
  assert.notEqual(two.items[0].docid, one.items[0].docid);
  const filtered = await base.search({
    query: "parcel",
    mode: "documents",
    docid: ["post/letters.md"],
  });
  assert.deepEqual(filtered.items.map(({ docid }) => docid), ["post/letters.md"]);
});

test("search() for stats counts sections, documents and words (D44)", async () => {
  const { base } = await newBase();
  await post(base);
  assert.deepEqual(await base.search({ query: "parcel letters absent", mode: "stats" }), {
    total: 4,
    documents: 2,
    terms: [
      { term: "parcel", sections: 4 },
      { term: "letters", sections: 1 },
      { term: "absent", sections: 0 },
    ],
  });
});

test("search() with match all wants every word", async () => {
  const { base } = await newBase();
  await post(base);
  const ids = await find(base, "parcel counter", { match: "all" });
  assert.deepEqual(ids, [idOfText("# Counter\n\nParcels wait at the counter.")]);
  const stats = await base.search({ query: "parcel letter", mode: "stats", match: "all" });
  assert.deepEqual([stats.total, stats.documents], [1, 1]);
});

test("search() refuses a mode or match that is none", async () => {
  const { base } = await newBase();
  const { message } = await refused(base, { query: "a", mode: "all" as "stats" });
  assert.equal(
    message,
    'Cannot search: mode must be sections or documents or stats, not "all"',
  );
  const { code } = await refused(base, { query: "a", match: "some" as "any" });
  assert.equal(code, "bad_request");
});

test("search() cursors page through everything, once", async () => {
  const { base } = await newBase(SMALL);
  await many(base);
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await base.search({ query: "parcel", limit: 17, cursor });
    assert.deepEqual([page.offset, page.notes], [ids.length, undefined]);
    assert.equal(page.cursor !== undefined, page.has_more);
    ids.push(...page.items.map(({ kbid }) => kbid));
    cursor = page.cursor;
  } while (cursor !== undefined);
  assert.deepEqual(ids, await pagesOf(base, 17));
});

test("search() cursors belong to query, filters and mode", async () => {
  const { base } = await newBase();
  await many(base);
  const { cursor } = await base.search({ query: "parcel", limit: 5 });
  for (
    const params of [
      { query: "parcels" },
      { query: "parcel", tag: ["a"] },
      { query: "parcel", match: "all" as const },
      { query: "parcel", mode: "documents" as const },
    ]
  ) {
    const { code, message } = await refused(base, { ...params, cursor });
    assert.equal(code, "bad_request");
    assert.match(message, /^Cannot search: the cursor cannot be used: it belongs to another/);
  }
  const { message } = await refused(base, { query: "parcel", cursor: "nonsense" });
  assert.match(message, /^Cannot search: the cursor cannot be used: it is none of this database/);
  const page = await base.search({ query: "parcel", limit: 9, content: true, cursor });
  assert.deepEqual([page.offset, page.items.length], [5, 9]);
});

test("search() says that the index changed between pages", async () => {
  const { base } = await newBase();
  await many(base);
  const { cursor } = await base.search({ query: "parcel" });
  await learn(base, { content: "another parcel" });
  const { notes } = await base.search({ query: "parcel", cursor });
  assert.deepEqual(notes, [
    "The index changed since the page before: results may be missing or come twice",
  ]);
});

test("search() ends a page before it has too many bytes", async () => {
  const { base } = await newBase();
  await many(base);
  const all = await base.search({ query: "parcel", limit: 100, content: true });
  for (const max_bytes of [1000, 5000, 20_000]) {
    const page = await base.search({ query: "parcel", limit: 100, content: true, max_bytes });
    assert.ok(JSON.stringify(page.items, null, 2).length <= max_bytes);
    assert.ok(page.items.length > 0 && page.has_more);
    assert.deepEqual(page.items, all.items.slice(0, page.items.length));
    const next = await base.search({ query: "parcel", cursor: page.cursor });
    assert.equal(next.items[0].kbid, all.items[page.items.length].kbid);
  }
});

test("search() leaves out a content that fits into no page, and says so", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: `# Big\n\nparcel ${"word ".repeat(1000)}` });
  await learn(base, { content: "another parcel" });
  const page = await base.search({ query: "big parcel", content: true, max_bytes: 2000 });
  assert.deepEqual([page.items[0].kbid, "content" in page.items[0]], [kbid, false]);
  assert.deepEqual(page.notes, [
    `The content of ${kbid} did not fit: recall or content gives it`,
  ]);
});

test("search() finds images by title and description, without a snippet", async () => {
  const { base } = await newBase();
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const image = { content: png, type: "image/png", title: "Map", description: "the harbour" };
  const { kbid } = await learn(base, image);
  for (const query of ["map", "harbour"]) {
    const { items: [item] } = await base.search({ query });
    assert.deepEqual([item.kbid, item.snippet, item.matched_terms], [kbid, "", [query]]);
  }
  const { items: [item] } = await base.search({ query: "map", content: true });
  assert.deepEqual([item.content, item.encoding], [png, "base64"]);
});

test("search() snippets do not begin with the heading that stands beside them", async () => {
  const { base } = await newBase();
  await post(base);
  const { items } = await base.search({ query: "parcel" });
  for (const { heading, snippet } of items) {
    if (heading) assert.equal(snippet.includes("#"), false, snippet);
    assert.match(snippet, /parcel/i);
  }
  const { items: [hours] } = await base.search({ query: "hours" });
  assert.match(hours.snippet, /^# Hours/);
});

test("search() shows no score, and matched words as a flat list", async () => {
  const { base } = await newBase();
  await post(base);
  const { items: [item] } = await base.search({ query: "parcels counter" });
  assert.deepEqual(Object.keys(item), [
    "kbid",
    "heading",
    "type",
    "docids",
    "snippet",
    "matched_terms",
    "tags",
  ]);
  assert.deepEqual(item.matched_terms, ["parcels", "counter"]);
});

/** A skill and an agent that has it; their ids. */
async function prompts(base: KnowledgeBase): Promise<{ skill: string; agent: string }> {
  const given = { name: "post-helper", description: "Helps", body: "Find the parcel {{ name }}" };
  const { kbid } = await base.run((parts) => skillLearn(parts, { key: newKey(), ...given }));
  const agent = { name: "clerk", description: "Knows parcels", persona: "You sort letters." };
  const { docid } = await base.run((parts) =>
    agentCreate(parts, { key: newKey(), ...agent, skills: [kbid] })
  );
  return { skill: kbid, agent: docid };
}

test("search() finds skills and agents only where asked for (D44)", async () => {
  const { base } = await newBase();
  await post(base);
  const { skill, agent } = await prompts(base);
  assert.equal((await find(base, "parcel")).length, 4);
  assert.deepEqual(await find(base, "parcel", { type: ["skill"] }), [skill]);
  assert.deepEqual(await find(base, "letters", { type: ["agent"] }), [agent]);
  assert.deepEqual(
    (await find(base, "parcel", { type: ["skill", "agent"] })).sort(),
    [
      skill,
      agent,
    ].sort(),
  );
  const { items: [item] } = await base.search({ query: "parcel", type: ["skill"], content: true });
  assert.deepEqual([item.heading, item.type, item.docids], ["post-helper", "skill", [agent]]);
  assert.equal(item.snippet, "Find the parcel {{ name }}");
  assert.equal(JSON.parse(item.content!).name, "post-helper");
});

test("search() mixes types by score, with an exact total", async () => {
  const { base } = await newBase();
  await post(base);
  const { skill, agent } = await prompts(base);
  const type = ["text/*", "skill", "agent"];
  const all = await base.search({ query: "parcel", type });
  assert.equal(all.total, 6);
  const ids = all.items.map(({ kbid }) => kbid);
  assert.ok(ids.includes(skill) && ids.includes(agent));
  const paged: string[] = [];
  for (let offset = 0; offset < 6; offset += 2) {
    const page = await base.search({ query: "parcel", type, limit: 2, offset });
    paged.push(...page.items.map(({ kbid }) => kbid));
  }
  assert.deepEqual(paged, ids);
  const stats = await base.search({ query: "parcel", type, mode: "stats" });
  assert.deepEqual([stats.total, stats.terms], [6, [{ term: "parcel", sections: 6 }]]);
  const documents = await base.search({ query: "letters", type, mode: "documents" });
  assert.deepEqual(documents.items.map(({ docid, type }) => [docid, type]).sort(), [
    ["agent-clerk", "agent"],
    ["post/letters.md", "text/markdown"],
  ]);
});

test("search() for skills follows changes", async () => {
  const { base, files } = await newBase();
  const { skill } = await prompts(base);
  const found = () => find(base, "parcel", { type: ["skill"] });
  assert.deepEqual(await found(), [skill]);
  const second = { name: "other", description: "d", body: "a parcel" };
  const { kbid } = await base.run((parts) => skillLearn(parts, { key: newKey(), ...second }));
  assert.deepEqual((await found()).sort(), [skill, kbid].sort());
  await base.run((parts) => skillDelete(parts, { key: newKey(), kbid: skill }));
  assert.deepEqual(await found(), [kbid]);
  await learn(base, { content: "a parcel" });
  assert.deepEqual(await found(), [kbid]);
  files.remove(paths.section(kbid));
  await base.close();
  const again = await openBase(files);
  assert.deepEqual(await find(again, "parcel", { type: ["skill"] }), []);
  assert.match(again.status().warnings.join(), /its file is missing/);
});

test("search() reports what the disk lost in every mode", async () => {
  const { base, files } = await newBase();
  await post(base);
  await base.close();
  files.remove(paths.section(idOfText("# Letters\n\nLetters and one parcel.")));
  const second = await openBase(files);
  const page = await second.search({ query: "parcel", mode: "documents" });
  assert.deepEqual(page.items.map(({ docid }) => docid), ["post/counter.md"]);
  assert.equal(page.total, 1);
  assert.match(second.status().warnings.join(), /is left out: its file is missing/);
  const stats = await second.search({ query: "parcel", mode: "stats" });
  assert.deepEqual([stats.total, stats.documents], [3, 1]);
});
