import assert from "node:assert/strict";
import { test } from "node:test";
import { excerpt, graphemeEnd } from "./excerpt.ts";

const encoder = new TextEncoder();

/** The excerpt around the first `construct` of a text. */
function around(text: string, construct: string): string {
  const at = text.indexOf(construct);
  assert.ok(at >= 0);
  const start = encoder.encode(text.slice(0, at)).length;
  const end = start + encoder.encode(construct).length;
  return excerpt(encoder.encode(text), { start, end });
}

test("excerpt() of a short text is the text", () => {
  assert.equal(
    around("For details,\n\n  see [it](x.md) there.", "[it](x.md)"),
    [
      "For details, see [it](x.md) there.",
    ][0],
  );
  assert.equal(around("[it](x.md)", "[it](x.md)"), "[it](x.md)");
});

test("excerpt() cuts at words on both sides", () => {
  const words = (letter: string) =>
    Array.from({ length: 100 }, (_, i) => `${letter}${i}`).join(" ");
  const shown = around(`${words("before")} [it](x.md) ${words("behind")}`, "[it](x.md)");
  assert.match(shown, /^…before\d+ (before\d+ )+\[it\]\(x\.md\)( behind\d+)+…$/);
  assert.ok(shown.length > 120 && shown.length <= 152, `${shown.length}`);
});

test("excerpt() gives the room of a short side to the other", () => {
  const behind = "word ".repeat(100);
  const shown = around(`see [it](x.md) ${behind}`, "[it](x.md)");
  assert.ok(shown.startsWith("see [it](x.md) word") && shown.endsWith("word…"));
  assert.ok(shown.length > 140, shown);
  const other = around(`${behind}[it](x.md)`, "[it](x.md)");
  assert.ok(other.startsWith("…word") && other.endsWith("[it](x.md)") && other.length > 140);
});

test("excerpt() never cuts inside a grapheme", () => {
  for (const grapheme of ["👨‍👩‍👧‍👦", "🇯🇵", "e\u0301\u0302", "한", "\u{1F3F3}\uFE0F\u200D\u{1F308}"]) {
    for (const pad of ["", "a", "ab", "abc"]) {
      const run = grapheme.repeat(400);
      const shown = around(`${pad}${run}[x](y)${run}`, "[x](y)");
      const [before, behind] = shown.split("[x](y)");
      const whole = (text: string) => text.split(grapheme).join("") === "…";
      assert.ok(whole(before) && whole(behind), JSON.stringify(shown));
      assert.ok(before.length > 40 && behind.length > 40);
    }
  }
});

test("excerpt() shows a long construct whole, a huge one cut", () => {
  const long = `[${"x".repeat(300)}](y)`;
  assert.ok(around(`a ${long} b`, long).includes(long));
  const huge = `[${"é".repeat(5000)}](y)`;
  assert.ok(around(`a ${huge} b`, huge).length < 420);
});

test("graphemeEnd() is at most where it was asked for", () => {
  assert.equal(graphemeEnd("abc", 2), 2);
  assert.equal(graphemeEnd("abc", 9), 3);
  assert.equal(graphemeEnd("a🇯🇵", 3), 1);
});
