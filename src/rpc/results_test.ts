import assert from "node:assert/strict";
import { test } from "node:test";
import { recallJson, toolFailure, toolResult } from "./results.ts";

const SECTION = {
  kbid: "1cy96vmqxgmc72dt1v5b2vkrmy",
  heading: "A",
  type: "text/markdown",
  content: "hello",
  docids: ["x"],
  tags: [],
  created_at: "2026-01-01T00:00:00.000Z",
};
const UNREAD = { kbid: "x", error: { code: "not_found", message: "Section not found: x" } };

for (
  const tool of [
    "learn",
    "unlearn",
    "content",
    "skill-learn",
    "skill-delete",
    "agent-create",
    "agent-delete",
  ]
) {
  test(`toolResult() of ${tool} is compact`, () => {
    assert.deepEqual(toolResult(tool, { a: [1] }), {
      content: [{ type: "text", text: '{"a":[1]}' }],
      structuredContent: { a: [1] },
    });
  });
}

for (
  const tool of ["search", "recall", "status", "skill-list", "skill-get", "agent-get", "revise"]
) {
  test(`toolResult() of ${tool} is indented by two spaces`, () => {
    const { content } = toolResult(tool, { a: [1] });
    assert.deepEqual(content, [{ type: "text", text: '{\n  "a": [\n    1\n  ]\n}' }]);
  });
}

test("toolResult() wraps what is no object (D19)", () => {
  assert.deepEqual(toolResult("agent-list", [1]).structuredContent, { result: [1] });
  assert.deepEqual(toolResult("x", null).structuredContent, { result: null });
});

test("toolResult() of one image is an image block with its facts (D19)", () => {
  const image = { ...SECTION, type: "image/png", content: "AAAA", encoding: "base64" };
  const result = toolResult("recall", image);
  assert.deepEqual(result.content[0], { type: "image", data: "AAAA", mimeType: "image/png" });
  assert.equal("structuredContent" in result, false);
  const [, facts] = result.content;
  assert.ok(facts.type === "text" && !facts.text.includes("AAAA"));
  const { content: _, encoding: _base64, ...known } = image;
  assert.deepEqual(JSON.parse(facts.text), known);
});

test("toolResult() keeps images of a batch in its array", () => {
  const image = { ...SECTION, type: "image/png", content: "AAAA", encoding: "base64" };
  assert.deepEqual(toolResult("recall", [image]).structuredContent, { result: [image] });
});

test("toolFailure() tells the message, or what was thrown", () => {
  assert.deepEqual(toolFailure(new RangeError("Cannot go")), {
    content: [{ type: "text", text: "Cannot go" }],
    isError: true,
  });
  assert.deepEqual(toolFailure("odd").content, [{ type: "text", text: "odd" }]);
});

test("recallJson() gives one object, or an array of a batch", () => {
  assert.equal(recallJson([SECTION]), SECTION);
  assert.deepEqual(recallJson([SECTION], true), [SECTION]);
  assert.deepEqual(recallJson([SECTION, UNREAD]), [SECTION, UNREAD]);
});
