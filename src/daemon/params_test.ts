import assert from "node:assert/strict";
import { test } from "node:test";
import { KbdbError } from "../rpc/errors.ts";
import type { ServiceMethod } from "../rpc/protocol.ts";
import { checkedParams, isServiceMethod } from "./params.ts";

/** The sentence of a refusal. */
function refusal(method: ServiceMethod, params: unknown): string {
  try {
    checkedParams(method, params);
  } catch (error) {
    assert.ok(error instanceof KbdbError && error.code === "bad_request", String(error));
    return error.message;
  }
  throw new Error("Nothing was refused");
}

test("checkedParams() takes right kinds and unknown names", () => {
  const params = { query: "x", limit: 5, tag: ["a"], content: true, later: 1 };
  assert.equal(checkedParams("search", params), params);
  const learning = { key: "k", items: [{ content: "x", tags: [], document: true, docid: "d" }] };
  assert.equal(checkedParams("learn", learning), learning);
});

for (
  const [method, params, message] of [
    ["search", {}, "Cannot search: query must be a string, not nothing"],
    ["search", { query: 5 }, "Cannot search: query must be a string, not 5"],
    ["search", { query: "x", limit: "5" }, 'Cannot search: limit must be a number, not "5"'],
    [
      "search",
      { query: "x", docid: [5] },
      "Cannot search: docid must be an array of strings, not [5]",
    ],
    ["search", 5, "Cannot search: the parameters must be an object, not 5"],
    ["learn", { items: [] }, "Cannot learn: key must be a string, not nothing"],
    [
      "learn",
      { key: "k", items: [null] },
      "Cannot learn: items must be an array of objects, not [null]",
    ],
    ["learn", { key: "k", items: [{}] }, "Cannot learn: content must be a string, not nothing"],
    ["recall", { kbids: "x" }, 'Cannot recall: kbids must be an array of strings, not "x"'],
    ["listTags", [], "Cannot list tags: the parameters must be an object, not []"],
    ["skillGet", { name: 5 }, "Cannot get the skill: name must be a string, not 5"],
    ["agentDelete", { key: "k" }, "Cannot delete the agent: docid must be a string, not nothing"],
    [
      "skillRender",
      { arguments: { a: 5 } },
      'Cannot render the skill: arguments must be an object of strings, not {"a":5}',
    ],
  ] as const
) {
  test(`checkedParams() says: ${message} (B20)`, () => {
    assert.equal(refusal(method, params), message);
  });
}

test("checkedParams() looks at the arguments of a skill (B20)", () => {
  const skill = { key: "k", name: "n", description: "d", body: "b" };
  assert.equal(
    refusal("skillLearn", { ...skill, arguments: [{ name: "a", required: "yes" }] }),
    'Cannot learn the skill: required must be true or false, not "yes"',
  );
});

test("isServiceMethod() knows names and nothing that objects have", () => {
  assert.ok(isServiceMethod("search") && isServiceMethod("agentDelete"));
  for (const name of ["hello", "subscribe", "stop", "toString", "__proto__", ""]) {
    assert.ok(!isServiceMethod(name), name);
  }
});
