import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "../tests/support/temp_dir.ts";
import { generate, parseCorpusOptions, type Section, writeCorpus } from "./generate-corpus.ts";
import { sectionId } from "./section_id.ts";
import { makeVocabulary, TOPIC_TAGS, VOCABULARY_SIZE } from "./vocabulary.ts";

const LINK = /\$\(link:([0-9a-hjkmnp-tv-z]{26})\)/g;

function words(section: Section): string[] {
  return section.content.replace(/ ?See \$\(link:\w+\)\./, "").toLowerCase().match(/[a-z]+/g) ?? [];
}

test("sectionId() gives the documented id of a word", () => {
  assert.equal(sectionId("hello"), "1cy96vmqxgmc72dt1v5b2vkrmy");
});

test("sectionId() looks at preprocessed text", () => {
  assert.equal(sectionId("\uFEFF \r\n\nhello\r\n \n"), sectionId("hello"));
  assert.equal(sectionId("a\rb"), sectionId("a\nb"));
  assert.equal(sectionId("e\u0301"), sectionId("\u00e9"));
  assert.notEqual(sectionId("  hello"), sectionId("hello"));
});

test("makeVocabulary() gives distinct words, short ones first", () => {
  const vocabulary = makeVocabulary();
  assert.equal(new Set(vocabulary).size, VOCABULARY_SIZE);
  assert.ok(vocabulary.every((word) => /^[a-z]{2,}$/.test(word)));
  const letters = (part: string[]) => part.join("").length / part.length;
  assert.ok(letters(vocabulary.slice(0, 100)) < letters(vocabulary.slice(-100)));
});

test("generate() repeats itself for one seed", () => {
  assert.deepEqual([...generate({ count: 30 })], [...generate({ count: 30 })]);
  assert.notDeepEqual([...generate({ count: 30 })], [...generate({ count: 30, seed: 43 })]);
});

test("generate() gives the same bytes as ever", () => {
  const lines = [...generate({ count: 200, refDensity: 0.5 })].map((one) => JSON.stringify(one));
  assert.equal(sectionId(lines.join("\n")), "2eqyyhqh9s9z3vf0hxx3kwcr1e");
});

test("generate() only adds sections where count grows", () => {
  assert.deepEqual([...generate({ count: 40 })].slice(0, 20), [...generate({ count: 20 })]);
});

test("generate() keeps titles, bodies and tags in bounds", () => {
  for (const section of generate({ count: 300 })) {
    const titleWords = section.title.split(" ").length;
    assert.ok(titleWords >= 3 && titleWords <= 8, section.title);
    const bodyWords = words(section).length;
    assert.ok(bodyWords >= 100 && bodyWords <= 500, `${bodyWords} words`);
    assert.ok(section.tags.length >= 1 && section.tags.length <= 3);
    assert.equal(new Set(section.tags).size, section.tags.length);
    assert.ok(section.tags.every((tag) => TOPIC_TAGS.includes(tag)));
  }
  assert.equal(TOPIC_TAGS.length, 20);
});

test("generate() meets the average body length", () => {
  for (const avgBodyLength of [100, 250]) {
    const sizes = [...generate({ count: 2000, avgBodyLength })].map((one) => words(one).length);
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    assert.ok(Math.abs(mean / avgBodyLength - 1) < 0.03, `mean ${mean}`);
  }
});

test("generate() follows Zipf's law", () => {
  const counts = new Map<string, number>();
  for (const section of generate({ count: 2000 })) {
    for (const word of words(section)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const ranked = [...counts.values()].sort((a, b) => b - a);
  for (const rank of [2, 5, 10, 50, 100]) {
    const ratio = ranked[0] / ranked[rank - 1];
    assert.ok(Math.abs(ratio / rank - 1) < 0.15, `rank ${rank}: ratio ${ratio}`);
  }
  assert.ok(ranked.length > 20_000, `${ranked.length} different words`);
});

test("generate() refers to earlier sections at the given density", () => {
  const seen = new Set<string>();
  let linking = 0;
  for (const section of generate({ count: 2000, refDensity: 0.1 })) {
    const links = [...section.content.matchAll(LINK)].map((match) => match[1]);
    assert.ok(links.length <= 1);
    assert.ok(links.every((id) => seen.has(id)));
    linking += links.length;
    seen.add(sectionId(section.content));
  }
  assert.ok(linking > 150 && linking < 250, `${linking} sections link`);
});

test("generate() writes text that preprocessing leaves alone", () => {
  for (const { content } of generate({ count: 50, refDensity: 1 })) {
    assert.equal(content, content.normalize("NFC").trim());
    assert.doesNotMatch(content, /\r|\n{3}/);
  }
});

test("writeCorpus() writes one line a section", () => {
  using folder = tempDir();
  const bytes = writeCorpus(folder.path, { count: 25 });
  const text = readFileSync(join(folder.path, "corpus.ndjson"), "utf8");
  assert.equal(new TextEncoder().encode(text).length, bytes);
  const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  const sections = lines.map(({ docid: _, ...section }) => section);
  assert.deepEqual(sections, [...generate({ count: 25 })]);
  const docids = lines.map(({ docid }) => docid);
  assert.deepEqual([docids[9], docids[10], docids[24]], [
    "doc-000000.md",
    "doc-000001.md",
    "doc-000002.md",
  ]);
});

test("writeCorpus() writes the same bytes as ever", () => {
  using folder = tempDir();
  writeCorpus(folder.path, { count: 100 });
  const batch = readFileSync(folder.join("corpus.ndjson"), "utf8");
  assert.equal(sectionId(batch), "43r0phdqaz22z991d3e75w13et");
  writeCorpus(folder.path, { count: 100, format: "files" });
  const names = readdirSync(folder.path).sort();
  const files = names.map((name) => readFileSync(folder.join(name), "utf8"));
  assert.equal(sectionId(files.join("")), "2fgpk4ppvsz42mrkmge5w6zfx7");
});

test("writeCorpus() removes the corpus that was there and nothing else", () => {
  using folder = tempDir();
  writeCorpus(folder.path, { count: 25, format: "files" });
  writeFileSync(folder.join("notes.md"), "mine");
  writeCorpus(folder.path, { count: 5, format: "files" });
  assert.deepEqual(readdirSync(folder.path).sort(), ["doc-000000.md", "notes.md"]);
});

test("parseCorpusOptions() has the documented defaults", () => {
  assert.deepEqual(parseCorpusOptions([]), {
    out: "./bench/corpus/",
    options: { count: 1000, avgBodyLength: 250, refDensity: 0.05, seed: 42, format: "ndjson" },
  });
  assert.equal(parseCorpusOptions(["--help"]), undefined);
});

test("parseCorpusOptions() refuses what makes no corpus", () => {
  for (const flags of ["--count=1.5", "--count=", "--ref-density=2", "--seed=-1", "--format=xml"]) {
    assert.throws(() => parseCorpusOptions([flags]), RangeError, flags);
  }
  assert.throws(() => parseCorpusOptions(["--size=5"]), TypeError);
});

test("writeCorpus() writes files whose references are ids of their sections", () => {
  using folder = tempDir();
  writeCorpus(folder.path, { count: 25, refDensity: 1, format: "files" });
  const names = readdirSync(folder.path).sort();
  assert.deepEqual(names, ["doc-000000.md", "doc-000001.md", "doc-000002.md"]);
  const text = names.map((name) => readFileSync(join(folder.path, name), "utf8")).join("\n");
  const sections = text.split(/^(?=## )/m);
  assert.equal(sections.length, 25);
  const ids = new Set(sections.map(sectionId));
  const links = [...text.matchAll(LINK)].map((match) => match[1]);
  assert.equal(links.length, 24);
  assert.ok(links.every((id) => ids.has(id)));
});
