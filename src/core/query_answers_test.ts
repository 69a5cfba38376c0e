import assert from "node:assert/strict";
import { test } from "node:test";
import { SearchIndex } from "./search_index.ts";
import { add, sample } from "./testing.ts";

function index(): SearchIndex {
  const index = new SearchIndex();
  add(index, sample("parcels run", { docids: ["a.md"], tags: ["x"] }));
  add(index, sample("the parcel waits at the door", { docids: ["a.md", "b.md"] }));
  index.seal();
  add(index, sample("running water", { docids: ["b.md"], tags: ["x"] }));
  add(index, sample("parcel alone"));
  return index;
}

const page = { limit: 10, offset: 0 };

test("search() with match all wants every word", () => {
  const some = index();
  const total = (query: string, match?: "any" | "all") =>
    some.search({ query, match, ...page }).total;
  assert.deepEqual([total("parcel run"), total("parcel run", "any")], [4, 4]);
  assert.equal(total("parcel run", "all"), 1);
  assert.equal(total("parcel nothing", "all"), 0);
  const [hit] = some.search({ query: "run parcel", match: "all", ...page }).items;
  assert.deepEqual(hit.matched_terms, ["run", "parcel"]);
  some.free();
});

test("searchDocuments() ranks documents by their best section", () => {
  const some = index();
  const { total, items } = some.searchDocuments({ query: "parcel", ...page });
  assert.equal(total, 2);
  assert.deepEqual(items.map(({ docid, sections }) => [docid, sections]), [["a.md", 2], [
    "b.md",
    1,
  ]]);
  const hits = some.search({ query: "parcel", ...page }).items;
  assert.deepEqual(items[1].best, hits.find(({ record }) => record.docids.includes("b.md")));
  const second = some.searchDocuments({ query: "parcel", limit: 1, offset: 1 });
  assert.deepEqual([second.total, second.items], [2, [items[1]]]);
  assert.equal(some.searchDocuments({ query: "run", tags: ["x"], ...page }).total, 2);
  assert.equal(some.searchDocuments({ query: "", ...page }).total, 0);
  some.free();
});

test("queryStats() counts sections, documents and words", () => {
  const some = index();
  assert.deepEqual(some.queryStats({ query: "Run none PARCELS run", ...page }), {
    total: 4,
    documents: 2,
    terms: [
      { term: "run", sections: 2 },
      { term: "none", sections: 0 },
      { term: "parcels", sections: 3 },
    ],
  });
  const { total, terms } = some.queryStats({
    query: "run parcel",
    match: "all",
    tags: ["x"],
    ...page,
  });
  assert.deepEqual([total, terms.map(({ sections }) => sections)], [1, [2, 1]]);
  some.free();
});
