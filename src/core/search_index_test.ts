import assert from "node:assert/strict";
import { test } from "node:test";
import { CoreError } from "./core_error.ts";
import { SearchIndex, type Segment } from "./search_index.ts";
import { add, encoder, generator, type Sample, sample } from "./testing.ts";

const find = (index: SearchIndex, query: string) => index.search({ query, limit: 5000, offset: 0 });

const ENDINGS = ["", "s", "ing", "ed", "er", "ly"];
const STEMS =
  "parcel walk paint sort box connect nation relat general form camera river stone cloud"
    .split(" ");

function makeSamples(count: number): Sample[] {
  const below = generator(7);
  const word = () => {
    if (below(40) === 0) return ["getUserName", "C++", "src/a_b.ts", "café", "naïve"][below(5)];
    const spread = below(300) + 1;
    const stem = STEMS[below(STEMS.length)] + (spread > 20 ? spread % 97 : "");
    return stem + ENDINGS[below(ENDINGS.length)];
  };
  const words = (most: number) => Array.from({ length: 1 + below(most) }, word).join(" ");
  return Array.from({ length: count }, () =>
    sample(words(60), {
      heading: below(3) > 0 ? words(4) : null,
      description: below(4) === 0 ? words(10) : null,
    }));
}

/** BM25 over what `analyze()` says a text holds, written apart from the core. */
class PlainScorer {
  #sections: { kbid: string; length: number; counts: Map<string, number> }[] = [];
  #forms = new Map<string, Set<string>>();
  #groups = new Map<string, string>();

  constructor(private index: SearchIndex, samples: Iterable<Sample>) {
    for (const { record, body } of samples) {
      const section = { kbid: record.kbid, length: 0, counts: new Map<string, number>() };
      this.#count(section, body, 1);
      this.#count(section, record.description ?? "", 1);
      this.#count(section, record.heading ?? "", 2);
      this.#sections.push(section);
    }
  }

  #count(section: { length: number; counts: Map<string, number> }, text: string, weight: number) {
    for (const { term, group } of this.index.analyze(text)) {
      section.length += weight;
      section.counts.set(term, (section.counts.get(term) ?? 0) + weight);
      this.#groups.set(term, group);
      if (!this.#forms.has(group)) this.#forms.set(group, new Set());
      this.#forms.get(group)!.add(term);
    }
  }

  search(query: string): { kbid: string; score: number }[] {
    const count = this.#sections.length;
    const average = this.#sections.reduce((sum, s) => sum + s.length, 0) / count;
    const scores = new Map<string, number>();
    const words = new Map(this.index.analyze(query).map(({ term, group }) => [term, group]));
    for (const [term, group] of words) {
      const forms = [...this.#forms.get(group) ?? []];
      const weigh = (counts: Map<string, number>) =>
        forms.reduce((sum, form) => sum + (form === term ? 1 : .7) * (counts.get(form) ?? 0), 0);
      const holders = this.#sections
        .map((section) => ({ section, tf: weigh(section.counts) }))
        .filter(({ tf }) => tf > 0);
      const idf = Math.log(1 + (count - holders.length + .5) / (holders.length + .5));
      for (const { section, tf } of holders) {
        const norm = 1.2 * (.25 + .75 * section.length / average);
        const score = idf * tf * 2.2 / (tf + norm);
        scores.set(section.kbid, (scores.get(section.kbid) ?? 0) + score);
      }
    }
    return [...scores]
      .map(([kbid, score]) => ({ kbid, score: Math.round(score * 1e6) / 1e6 }))
      .sort((a, b) => b.score - a.score || (a.kbid < b.kbid ? -1 : 1));
  }
}

function makeQueries(samples: Sample[], count: number): string[] {
  const below = generator(23);
  const word = () => {
    const words = samples[below(samples.length)].body.split(" ");
    return words[below(words.length)];
  };
  return Array.from(
    { length: count },
    () => Array.from({ length: 1 + below(4) }, word).join(" "),
  );
}

function assertAgrees(index: SearchIndex, scorer: PlainScorer, queries: string[]) {
  for (const query of queries) {
    const { total, items } = find(index, query);
    const expected = scorer.search(query);
    assert.equal(total, expected.length, query);
    assert.deepEqual(
      items.map((item) => ({ kbid: item.record.kbid, score: item.score })),
      expected,
      query,
    );
  }
}

function reloaded(index: SearchIndex, segments: Segment[]): SearchIndex {
  const again = new SearchIndex();
  segments.forEach((segment, at) => again.load({ ...segment, dead: index.dead(at) }));
  return again;
}

test("search() orders as a plain scorer does, also after loading", () => {
  const samples = new Map(makeSamples(2000).map((made) => [made.record.kbid, made]));
  const queries = makeQueries([...samples.values()], 500);
  const index = new SearchIndex();
  const segments: Segment[] = [];
  for (const made of samples.values()) {
    add(index, made);
    if (index.stats().tail_entries === 700) segments.push(index.seal()!);
  }
  const scorer = new PlainScorer(index, samples.values());
  assertAgrees(index, scorer, queries);

  for (const [at, key] of [...samples.keys()].entries()) {
    if (at % 9 === 0) assert.equal(index.remove(key) && samples.delete(key), true);
  }
  const fewer = new PlainScorer(index, samples.values());
  assertAgrees(index, fewer, queries.slice(0, 100));
  segments.push(index.seal()!);
  const again = reloaded(index, segments);
  assertAgrees(again, fewer, queries);
  assert.equal(again.stats().sections, samples.size);
  index.free();
  again.free();
});

test("search() filters and pages with an exact total", () => {
  const index = new SearchIndex();
  for (let n = 0; n < 30; n++) {
    add(
      index,
      sample(`parcel number${n}`, {
        tags: n % 2 ? ["odd"] : ["even", "all"],
        type: n % 3 ? "text/markdown" : "image/png",
        docids: [`doc ${n % 5}`],
      }),
    );
  }
  const total = (filters: object) =>
    index.search({ query: "parcel", limit: 3, offset: 0, ...filters }).total;
  assert.equal(total({}), 30);
  assert.equal(total({ tags: ["even", "all"] }), 15);
  assert.equal(total({ types: ["image/*"] }), 10);
  assert.equal(total({ docids: ["doc 1", "doc 2"] }), 12);
  assert.equal(total({ docids: ["doc 1"], tags: ["odd"], types: ["text/markdown"] }), 2);
  const pages = [0, 10, 20, 30].flatMap((offset) =>
    index.search({ query: "parcel", limit: 10, offset }).items.map((item) => item.record.kbid)
  );
  assert.equal(new Set(pages).size, 30);
  index.free();
});

test("add() keeps the record, get() and list() give it back", () => {
  const index = new SearchIndex();
  const made = sample("body", {
    heading: "Titel ü",
    description: "short",
    tags: ["a", "b"],
    docids: ["x/y.md"],
    refs: ["key a", "key b"],
    flags: 0xffff_ffff,
    bytes: 2 ** 40,
  });
  const document = sample("", { heading: "Doc", kind: "document" });
  assert.equal(add(index, made), 4);
  assert.equal(add(index, document), 0);
  for (const sealed of [false, true]) {
    if (sealed) index.seal();
    assert.deepEqual(index.get(made.record.kbid), made.record);
    assert.deepEqual(index.list("section"), [made.record]);
    assert.deepEqual(index.list("document", { limit: 5 }), [document.record]);
    assert.deepEqual(index.list("document", { after: document.record.kbid }), []);
    assert.deepEqual(index.stats().kinds, { document: 1, section: 1 });
  }
  assert.equal(index.remove(made.record.kbid), true);
  assert.equal(index.remove(made.record.kbid), false);
  assert.equal(index.get(made.record.kbid), null);
  assert.deepEqual([...index.dead(0)], [1]);
  index.free();
});

test("seal() of an empty tail gives null", () => {
  const index = new SearchIndex();
  assert.equal(index.seal(), null);
  assert.equal(find(index, "anything").total, 0);
  index.free();
});

test("load() refuses damaged bytes and keeps working", () => {
  const index = new SearchIndex();
  add(index, sample("the parcel"));
  const segment = index.seal()!;
  const isCorrupt = (error: unknown) =>
    error instanceof CoreError && error.code === "corrupt_index";
  const again = new SearchIndex();
  const dead = new Uint8Array();
  for (const part of ["terms", "corpus"] as const) {
    for (const cut of [0, 3, 20, 60, segment[part].length - 1]) {
      const damaged = { ...segment, [part]: segment[part].slice(0, cut), dead };
      assert.throws(() => again.load(damaged), isCorrupt, `${part} ${cut}`);
    }
  }
  again.load({ ...segment, dead });
  assert.equal(find(again, "parcels").total, 1);
  index.free();
  again.free();
});

test("snippet() shows the match", () => {
  const index = new SearchIndex();
  const body = encoder.encode(`${"lorem ".repeat(100)}the parcels wait ${"ipsum ".repeat(100)}`);
  add(index, sample("the parcels wait"));
  assert.match(index.snippet("parcel", body), /^….*parcels wait.*…$/);
  assert.ok(index.snippet("parcel", body, 40).length <= 42);
  assert.match(index.snippet("nothing", body), /^lorem lorem/);
  index.free();
});

test("b26_search() takes any text", () => {
  const index = new SearchIndex();
  add(index, sample("a/b don't C++ 👍 nul\0in"));
  for (const query of ["a/b", "don’t", "C++", "👍", "NEAR(a", "nul\0", "\ud800 a", "{{a}}"]) {
    assert.equal(find(index, query).total, 1, query);
  }
  for (const query of ["", "  ", "*", '"', "\\", "^("]) assert.equal(find(index, query).total, 0);
  assert.equal(find(index, "x".repeat(1 << 20)).total, 0);
  index.free();
});

test("b40_add() takes hard texts in linear time", () => {
  const index = new SearchIndex();
  const hard = [
    "x".repeat(1 << 20),
    "\u0301".repeat(1 << 19),
    "東".repeat(1 << 17),
    "aB.".repeat(1 << 18),
    "🇯".repeat(1 << 16),
    Array.from({ length: 200_000 }, (_, n) => `w${n.toString(36)}`).join(" "),
  ];
  const start = performance.now();
  hard.forEach((body) => add(index, sample(`${body} needle`)));
  assert.ok(performance.now() - start < 20_000);
  assert.equal(find(index, "needle").total, hard.length);
  index.free();
});

test("constructor refuses an unknown language", () => {
  assert.throws(
    () => new SearchIndex({ language: "klingon" }),
    (error: unknown) => error instanceof CoreError && error.code === "bad_argument",
  );
});
