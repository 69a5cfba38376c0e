import assert from "node:assert/strict";
import { test } from "node:test";
import { FileError } from "../platform/types.ts";
import { MAX_QUERY_BYTES, type SearchParams } from "../rpc/protocol.ts";
import type { KnowledgeBase } from "./knowledge_base.ts";
import { find, idOfText, learn, newBase, openBase, paths, SMALL } from "./testing.ts";

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
  assert.equal(warnings[50], "50 more sections are left out. Run: kbdb check");
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
