import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf } from "../../store/testing.ts";
import { docidKey, idKey, nameKey, referenceKeys, referencesIn } from "./references.ts";

function keysOf(text: string, docids: string[] = ["notes/guide/a.md"], type = "text/markdown") {
  return referenceKeys({ content: bytesOf(text), type, docids });
}

test("referenceKeys() has markers as written", () => {
  const text = "$(link:1cy96vmqxgmc72dt1v5b2vkrmy|x) $(include:notes/Cafe\u0301.md) $(code:b)";
  assert.deepEqual(keysOf(text), [
    "m:1cy96vmqxgmc72dt1v5b2vkrmy",
    "m:b",
    "m:notes/Café.md",
  ]);
});

test("referenceKeys() has the anchor of a marker, and its document", () => {
  assert.deepEqual(keysOf("$(link:C#/x.md#Next Steps)"), [
    "m:C#/x.md",
    "m:C#/x.md#Next Steps",
    "m:C#/x.md#next-steps",
  ]);
  assert.equal(idKey("x.md", "Next Steps"), "m:x.md#next-steps");
});

test("referenceKeys() resolves relative links", () => {
  const cases: [text: string, keys: string[]][] = [
    ["[x](b.md)", ["d:notes/guide/b.md"]],
    ["[x](./b%20c.md)", ["d:notes/guide/b c.md"]],
    ["[x](../b.md)", ["d:notes/b.md"]],
    ["[x](../../b.md)", ["d:b.md"]],
    ["[x](../../../b.md)", []],
    ["[x](/b.md) [y](https://a.b/c) [z](#here)", []],
    ["![x](../pictures/b.png)", ["d:notes/pictures/b.png"]],
  ];
  for (const [text, keys] of cases) assert.deepEqual(keysOf(text), keys, text);
  assert.ok(keysOf("[x](b.md#Part-One)").includes(docidKey("notes/guide/b.md", "part-one")));
  assert.ok(keysOf("[x](b.md#part-one)").includes(docidKey("notes/guide/b.md")));
});

test("referenceKeys() resolves against every document, and against the top", () => {
  assert.deepEqual(keysOf("[x](b.md)", ["a/x.md", "c/d/x.md"]), ["d:a/b.md", "d:c/d/b.md"]);
  assert.deepEqual(keysOf("[x](notes/b.md)", []), ["d:notes/b.md"]);
});

test("referenceKeys() has names of wiki links, folded", () => {
  assert.deepEqual(keysOf("[[My  Plan|x]] ![[Map.PNG]]"), ["w:map.png", "w:my plan"]);
  assert.deepEqual(keysOf("[[Plan#Next Steps]]"), ["w:plan", "w:plan#next-steps"]);
  assert.deepEqual(keysOf("[[#Here]]"), []);
  assert.equal(nameKey("plan", "Next Steps"), "w:plan#next-steps");
});

test("referenceKeys() reads markers alone in plain text, nothing in other types", () => {
  const text = "`$(link:a)` [x](b.md) [[c]]";
  assert.deepEqual(keysOf(text, [], "text/plain"), ["m:a"]);
  assert.deepEqual(keysOf(text, [], "text/markdown"), ["d:b.md", "w:c"]);
  for (const type of ["text/x-python", "application/json", "image/svg+xml", "skill"]) {
    assert.deepEqual(keysOf(text, [], type), [], type);
  }
});

test("referenceKeys() are few and short whatever a text holds", () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `[[n${i}]]`).join(" ");
  assert.equal(keysOf(many).length, 10_000);
  assert.deepEqual(keysOf(`[[${"x".repeat(2000)}]]`), []);
  assert.deepEqual(keysOf("[[b]] [[a]] [[b]]"), ["w:a", "w:b"]);
});

test("referencesIn() gives the bytes of the constructs", () => {
  const content = bytesOf("é $(link:a|b) [c](d.md)");
  const found = referencesIn({ content, type: "text/markdown", docids: [] });
  const cut = found.map(({ start, end }) => new TextDecoder().decode(content.slice(start, end)));
  assert.deepEqual(cut, ["$(link:a|b)", "[c](d.md)"]);
  assert.deepEqual(found.map(({ marker, label }) => [marker, label]), [
    ["link", "b"],
    ["mdlink", "c"],
  ]);
});
