import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anchorsOf,
  docidAt,
  htmlAnchors,
  linkTargets,
  nameOf,
  namesOf,
  slugOf,
  wikiTarget,
} from "./names.ts";

test("slugOf() follows GitHub's rule", () => {
  const cases: [heading: string, slug: string][] = [
    ["Getting Started", "getting-started"],
    ["What's new?", "whats-new"],
    ["a  b", "a--b"],
    ["snake_case & more", "snake_case--more"],
    ["C++ / Rust", "c--rust"],
    ["v1.2.3", "v123"],
    ["Größe 東京", "größe-東京"],
    ["-x-", "-x-"],
    ["🚀 Start", "-start"],
    ["intro-1", "intro-1"],
  ];
  for (const [heading, slug] of cases) assert.equal(slugOf(heading), slug, heading);
});

test("anchorsOf() numbers equal headings", () => {
  assert.deepEqual(anchorsOf(["A", "a", null, "A", "B"]), ["a", "a-1", null, "a-2", "b"]);
  assert.deepEqual(anchorsOf(["A", "A-1", "A"]), ["a", "a-1", "a-2"]);
  assert.deepEqual(anchorsOf(["?", "!"]), ["", "-1"]);
});

test("htmlAnchors() finds ids of elements and names of anchors", () => {
  const text = `<a id="top"></a> <A class=x NAME='Old-Name'> <h2 align="center" id=Usage>Usage</h2>
    <input name="field"> id="none" <a href="#x" <b>`;
  assert.deepEqual(htmlAnchors(text), ["top", "old-name", "usage"]);
});

test("nameOf() folds case, form and spaces", () => {
  assert.equal(nameOf("  Cafe\u0301  Plan\n"), "café plan");
});

test("namesOf() has path and base name, with and without extension", () => {
  assert.deepEqual(namesOf("Notes/Plan.md"), ["notes/plan.md", "notes/plan", "plan.md", "plan"]);
  assert.deepEqual(namesOf("doc-5678"), ["doc-5678"]);
  assert.deepEqual(namesOf("a/.env"), ["a/.env", ".env"]);
  assert.deepEqual(namesOf("v1.2/plan"), ["v1.2/plan", "plan"]);
});

test("wikiTarget() splits name and heading", () => {
  assert.deepEqual(wikiTarget("Plan"), { name: "plan", heading: null });
  assert.deepEqual(wikiTarget("Plan#Next Steps"), { name: "plan", heading: "Next Steps" });
  assert.deepEqual(wikiTarget("Plan#A#B"), { name: "plan", heading: "B" });
  for (const inside of ["#Here", " ", ""]) assert.equal(wikiTarget(inside), null);
});

test("linkTargets() takes relative links alone", () => {
  assert.deepEqual(linkTargets("../a b.md"), [{ path: "../a b.md", fragment: null }]);
  assert.deepEqual(linkTargets("C#/x.md#Cafe\u0301"), [
    { path: "C#/x.md", fragment: "Café" },
    { path: "C#/x.md#Café", fragment: null },
  ]);
  assert.deepEqual(linkTargets("x.md#")[0], { path: "x.md", fragment: null });
  for (const other of ["/x.md", "#here"]) assert.deepEqual(linkTargets(other), [], other);
});

test("docidAt() resolves . and .. and stays inside", () => {
  const cases: [docid: string, path: string, found: string | null][] = [
    ["notes/a/x.md", "y.md", "notes/a/y.md"],
    ["notes/a/x.md", "./y.md", "notes/a/y.md"],
    ["notes/a/x.md", "../y.md", "notes/y.md"],
    ["notes/a/x.md", "../../y.md", "y.md"],
    ["notes/a/x.md", "../../../y.md", null],
    ["notes/a/x.md", "b/../../c/./d.md", "notes/c/d.md"],
    ["x.md", "y.md", "y.md"],
    ["x.md", "../y.md", null],
    ["a/x.md", "..", null],
  ];
  for (const [docid, path, found] of cases) assert.equal(docidAt(docid, path), found, path);
});
