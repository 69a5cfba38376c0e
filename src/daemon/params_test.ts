import assert from "node:assert/strict";
import { test } from "node:test";
import { KbdbError } from "../rpc/errors.ts";
import type { Params } from "../rpc/protocol.ts";
import { checkedLearn, checkedSearch } from "./params.ts";

function learning(item: unknown): Params<"learn"> {
  return { key: "k", items: [item] } as Params<"learn">;
}

/** The sentence of a refusal. */
function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof KbdbError && error.code === "bad_request", String(error));
    return error.message;
  }
  throw new Error("Nothing was refused");
}

test("checkedSearch() takes right kinds and unknown names", () => {
  const params = { query: "x", limit: 5, tag: ["a"], content: true, later: 1 };
  assert.equal(checkedSearch(params), params);
});

test("checkedSearch() says what was expected and what came (B20)", () => {
  const wrong: [object, string][] = [
    [{}, "Cannot search: query must be a string, not nothing"],
    [{ query: 5 }, "Cannot search: query must be a string, not 5"],
    [{ query: "x", tag: "a" }, 'Cannot search: tag must be an array of strings, not "a"'],
    [{ query: "x", docid: [5] }, "Cannot search: docid must be an array of strings, not [5]"],
    [{ query: "x", content: "yes" }, 'Cannot search: content must be true or false, not "yes"'],
  ];
  for (const [params, message] of wrong) {
    assert.equal(refusal(() => checkedSearch(params as Params<"search">)), message);
  }
});

test("checkedLearn() takes right kinds", () => {
  const params = learning({ content: "x", tags: [], document: true, docid: "d" });
  assert.equal(checkedLearn(params), params);
});

test("checkedLearn() refuses wrong kinds and shapes (B20)", () => {
  for (const item of [null, 5, {}, { content: 5 }, { content: "x", tags: "a" }]) {
    assert.match(refusal(() => checkedLearn(learning(item))), /must be/);
  }
  for (const params of [{}, { key: "", items: [] }, { key: "k", items: {} }]) {
    assert.match(refusal(() => checkedLearn(params as Params<"learn">)), /a key and items/);
  }
});
