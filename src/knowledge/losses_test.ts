import assert from "node:assert/strict";
import { test } from "node:test";
import { Losses } from "./losses.ts";

test("sentences name each section once, as it was last", () => {
  const losses = new Losses();
  losses.loseSection("a", "its file is missing");
  losses.loseSection("a", "its bytes are wrong");
  losses.doubtManifest("aa/page.toml", "it is torn");
  assert.deepEqual(losses.sentences, [
    "Section a is left out: its bytes are wrong. Run: kbdb check",
    "documents/aa/page.toml counts as it was before: it is torn. Run: kbdb check",
  ]);
});

test("forget() takes back what was said", () => {
  const losses = new Losses();
  losses.loseSection("a", "its file is missing");
  losses.doubtFolder("sections/0a", "no access");
  losses.forget("a");
  losses.forget("sections/0a");
  assert.deepEqual(losses.sentences, []);
});

test("sentences name 50 and count the others", () => {
  const losses = new Losses();
  for (let i = 0; i < 60; i++) losses.loseSection(`${i}`, "its file is missing");
  assert.equal(losses.sentences.length, 51);
  assert.equal(losses.sentences[50], "10 more files cannot be used. Run: kbdb check");
  losses.clear();
  assert.deepEqual(losses.sentences, []);
});
