import assert from "node:assert/strict";
import { test } from "node:test";
import { countIn, countsIn, makeCursor, readCursor, textIn } from "./cursor.ts";

const owner = { action: "search", question: ["parcel", { tag: ["a"] }] };
const refusal = /^KbdbError: Cannot search: the cursor cannot be used: .* Send the one of the/;

test("a cursor gives its position back", () => {
  const cursor = makeCursor(owner, { offset: 20, after: "é/ä", rest: [1, 3] });
  assert.match(cursor, /^[\w-]+$/);
  const position = readCursor(owner, cursor);
  assert.equal(countIn(position, "offset", owner), 20);
  assert.equal(textIn(position, "after", owner), "é/ä");
  assert.deepEqual(countsIn(position, { name: "rest", below: 4 }, owner), [1, 3]);
});

test("a cursor of another question is refused", () => {
  const cursor = makeCursor(owner, { offset: 20 });
  for (const other of [{ action: "search", question: ["x"] }, { ...owner, action: "recall" }]) {
    assert.throws(() => readCursor(other, cursor), /it belongs to another question/);
  }
});

test("what is no cursor is refused", () => {
  for (const cursor of ["", "x", "e30", "bnVsbA", "W10", "💥", "x".repeat(100_000)]) {
    assert.throws(() => readCursor(owner, cursor), refusal);
  }
  const position = readCursor(owner, makeCursor(owner, { offset: -1, rest: [1, 9], after: 5 }));
  assert.throws(() => countIn(position, "offset", owner), refusal);
  assert.throws(() => countIn(position, "none", owner), refusal);
  assert.throws(() => textIn(position, "after", owner), refusal);
  assert.throws(() => countsIn(position, { name: "rest", below: 9 }, owner), refusal);
});
