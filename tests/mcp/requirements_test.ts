import assert from "node:assert/strict";
import { test } from "node:test";
import { REQUIREMENTS } from "./requirements.ts";
import { citations, citedIn } from "./requirements/citations.ts";
import { missingPromises } from "./requirements/compare.ts";
import { COUNTS } from "./requirements/counts.ts";
import { ID, type Requirement } from "./requirements/requirement.ts";

const AREAS = new Set(REQUIREMENTS.map(({ id }) => id.split("-")[0]));

/** Ids under their documents, for people who look for what is left to test. */
function listed(entries: readonly Requirement[]): string {
  const documents = [...new Set(entries.map(({ document }) => document))];
  return documents.map((name) => {
    const own = entries.filter(({ document }) => document === name);
    const lines = own.map(({ id, promise }) => `  ${id}: ${promise}`);
    return [`${name} (${own.length})`, ...lines].join("\n");
  }).join("\n");
}

test("Requirements have ids of their own in the agreed form", () => {
  const ids = REQUIREMENTS.map(({ id }) => id);
  assert.deepEqual(ids.filter((id, index) => ids.indexOf(id) !== index), []);
  assert.deepEqual(ids.filter((id) => !ID.test(id)), []);
});

test("Requirements hold one line of text each", () => {
  const faulty = REQUIREMENTS.filter(({ promise }) => promise === "" || promise.includes("\n"));
  assert.deepEqual(faulty, []);
});

test("Requirements have an entry for each row and error case of the pages", () => {
  assert.deepEqual(missingPromises(COUNTS, REQUIREMENTS), []);
});

test("missingPromises() names a heading with too few entries", () => {
  const counts = { page: { one: 1, two: 2 } };
  const entries = ["one", "two"].map((heading, index) => ({
    id: `x-${index}`,
    document: "page",
    heading,
    promise: heading,
  }));
  assert.deepEqual(missingPromises(counts, entries), [
    "page, two: 2 rows and error cases, 1 promises",
  ]);
});

test("citedIn() reads names of tests and tables", () => {
  const text = `
    test("search pages [tool-search-04 wire-01]", () => {});
    test(\`\${name} is read [wire-02]\`, () => {});
    wireTest("a line [wire-03, tol-04]", () => {});
    test("keeps [a b] and [utf-8]", () => {});
    const rows = [{ name: "x [wire-05]", cites: ["wire-06", "wire-0x"] }];`;
  assert.deepEqual(citedIn(text, new Set(["tool", "wire"])), [
    "tool-search-04",
    "wire-01",
    "wire-02",
    "wire-03",
    "tol-04",
    "wire-06",
    "wire-0x",
  ]);
});

test("Tests cite no requirement that does not exist", () => {
  const known = new Set(REQUIREMENTS.map(({ id }) => id));
  const unknown = citations(AREAS).filter(({ id }) => !known.has(id));
  assert.deepEqual(unknown, []);
});

test("Every requirement is cited by a test", () => {
  const cited = new Set(citations(AREAS).map(({ id }) => id));
  const left = REQUIREMENTS.filter(({ id }) => !cited.has(id));
  assert.ok(
    left.length === 0,
    `${left.length} of ${REQUIREMENTS.length} requirements have no test:\n${listed(left)}`,
  );
});
