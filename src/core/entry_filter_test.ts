import assert from "node:assert/strict";
import { test } from "node:test";
import { CoreError } from "./core_error.ts";
import type { EntryFilter, ValueName } from "./entry_filter.ts";
import { SearchIndex } from "./search_index.ts";
import { add, type Sample, sample } from "./testing.ts";

function made(): Sample[] {
  return Array.from({ length: 60 }, (_, n) =>
    sample(`text ${n}`, {
      kind: n % 10 === 9 ? "document" : "section",
      type: n % 4 === 0 ? "image/png" : "text/markdown",
      tags: n % 2 ? ["odd"] : ["even", "all"],
      docids: [`doc ${n % 7}`, `doc ${n % 11}`],
      refs: [`ref ${n % 5}`],
    }));
}

function filled(samples: Sample[]): SearchIndex {
  const index = new SearchIndex();
  samples.forEach((one, at) => {
    add(index, one);
    if (at % 25 === 24) index.seal();
  });
  return index;
}

function expected(samples: Sample[], kind: string, filter: EntryFilter): string[] {
  const { docid, ref, tag, type } = filter;
  const has = (values: string[], wanted?: string) =>
    wanted === undefined || values.includes(wanted);
  const isOf = (own: string) => type === "image/*" ? own.startsWith("image/") : has([own], type);
  return samples
    .map(({ record }) => record)
    .filter((record) => record.kind === kind && isOf(record.type))
    .filter(({ docids, refs, tags }) => has(docids, docid) && has(refs!, ref) && has(tags, tag))
    .map(({ kbid }) => kbid)
    .sort();
}

test("list() and count() heed all filters", () => {
  const samples = made();
  const index = filled(samples);
  const filters: EntryFilter[] = [
    {},
    { docid: "doc 3" },
    { ref: "ref 4", tag: "odd" },
    { tag: "all", type: "image/*" },
    { docid: "doc 2", ref: "ref 2", tag: "even", type: "text/markdown" },
    { docid: "none" },
    { docid: undefined, type: "image/png" },
  ];
  for (const kind of ["section", "document"]) {
    for (const filter of filters) {
      const keys = expected(samples, kind, filter);
      const shown = `${kind} ${JSON.stringify(filter)}`;
      assert.deepEqual(index.list(kind, filter).map(({ kbid }) => kbid), keys, shown);
      assert.equal(index.count(kind, filter), keys.length, shown);
      const [first, ...others] = keys;
      const page = index.list(kind, { ...filter, after: first, limit: 3 });
      assert.deepEqual(page.map(({ kbid }) => kbid), others.slice(0, 3), shown);
    }
  }
  assert.equal(index.list("section", { limit: undefined }).length, 54);
  index.free();
});

test("list() refuses a kbid that is none", () => {
  const index = new SearchIndex();
  assert.throws(() => index.list("section", { after: "x" }), CoreError);
  index.free();
});

test("values() count live sections in byte order", () => {
  const samples = made();
  const index = filled(samples);
  index.remove(samples[0].record.kbid);
  assert.deepEqual(index.values("tag"), [
    { value: "all", count: 29 },
    { value: "even", count: 29 },
    { value: "odd", count: 24 },
  ]);
  assert.deepEqual(index.values("type", { prefix: "image/" }), [{ value: "image/png", count: 14 }]);
  const docids = index.values("docid").map(({ value }) => value);
  assert.deepEqual(docids, [...docids].sort());
  assert.equal(docids.length, 11);
  const page = index.values("docid", { after: "doc 1", limit: 2 });
  assert.deepEqual(page.map(({ value }) => value), ["doc 10", "doc 2"]);
  assert.throws(() => index.values("kind" as ValueName), CoreError);
  index.free();
});
