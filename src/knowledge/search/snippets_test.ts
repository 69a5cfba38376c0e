import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf } from "../../store/testing.ts";
import { headingEnd, snippetOf } from "./snippets.ts";

/** The snippet of a Markdown section, where a snippet is the whole text. */
function snippet(body: string, terms: string[], heading: string | null = "The Counter"): string {
  const record = { heading, type: "text/markdown" };
  const cut = (text: Uint8Array) => new TextDecoder().decode(text);
  return snippetOf({ record, matched_terms: terms, body: bytesOf(body) }, cut);
}

test("snippetOf() leaves the heading out where the match is below it", () => {
  const body = "# The Counter\n\nParcels wait here.";
  assert.equal(snippet(body, ["parcel"]), "\nParcels wait here.");
  assert.equal(snippet(body, ["parcel", "counter"]), "\nParcels wait here.");
  assert.equal(snippet(body, ["counter"]), body);
  assert.equal(snippet("# The Counter", ["counter"]), "# The Counter");
});

test("snippetOf() leaves texts without heading whole", () => {
  assert.equal(snippet("# not\n\ntext", ["text"], null), "# not\n\ntext");
  assert.equal(snippet("text\nmore", ["text"], "Given title"), "text\nmore");
});

test("headingEnd() finds both kinds of headings", () => {
  const cases: [body: string, end: number][] = [
    ["# a\nb", 4],
    ["   ## é\nb", 9],
    ["# a", 3],
    ["a\n===\nb", 6],
    ["a\nb\n ---  \nc", 11],
    ["a\n\n---\nb", 0],
    ["text", 0],
    ["", 0],
  ];
  for (const [body, end] of cases) assert.equal(headingEnd(bytesOf(body)), end, body);
});
