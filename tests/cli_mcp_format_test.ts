import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchDatabase } from "./accept/scratch.ts";
import { kbdb, kbdbJson } from "./support/command.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJ" +
  "RU5ErkJggg==";

interface ToolResult {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** A database with one section, and its answers in the form of MCP. */
async function mcp() {
  const database = await scratchDatabase();
  const ask = async (args: readonly string[], input = "") => {
    const run = await kbdb([...args, "--format", "mcp", "--db", database.path], { input });
    return { ...run, result: JSON.parse(run.stdout) as ToolResult };
  };
  const { result } = await ask(["learn", "-", "--docid", "x"], "hello");
  return {
    path: database.path,
    ask,
    learned: result,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

const HELLO = "1cy96vmqxgmc72dt1v5b2vkrmy";

test("--format mcp of learn, content and unlearn is compact (D19)", async () => {
  await using db = await mcp();
  const results = [
    db.learned,
    (await db.ask(["content", "x"])).result,
    (await db.ask(["unlearn", HELLO])).result,
  ];
  for (const { content, structuredContent, isError } of results) {
    assert.equal(content[0].text, JSON.stringify(structuredContent));
    assert.equal(isError, undefined);
  }
  assert.equal(results[0].structuredContent?.kbid, HELLO);
});

test("--format mcp of other commands is indented, and arrays are wrapped (D19)", async () => {
  await using db = await mcp();
  for (const args of [["search", "hello"], ["recall", HELLO], ["status"], ["check"], ["gc"]]) {
    const { content, structuredContent } = (await db.ask(args)).result;
    assert.equal(content[0].text, JSON.stringify(structuredContent, null, 2), args.join(" "));
  }
  const { content, structuredContent } = (await db.ask(["retrieve", HELLO])).result;
  assert.deepEqual(JSON.parse(content[0].text), structuredContent?.result);
  assert.deepEqual((await db.ask(["skill", "list"])).result.structuredContent, { result: [] });
});

test("--format mcp of a recalled image is an image block (D19)", async () => {
  await using db = await mcp();
  const image = join(db.path, "../plan.png");
  writeFileSync(image, Buffer.from(PIXEL, "base64"));
  const learn = ["learn", image, "--title", "Plan", "--db", db.path];
  const { kbid } = await kbdbJson<{ kbid: string }>(learn);
  const { content, structuredContent } = (await db.ask(["recall", kbid])).result;
  assert.deepEqual(content[0], { type: "image", data: PIXEL, mimeType: "image/png" });
  assert.equal(structuredContent, undefined);
});

test("--format mcp tells a failure on standard output, with its exit code (D35)", async () => {
  await using db = await mcp();
  const expected: [number, string[], RegExp][] = [
    [3, ["recall", "0".repeat(26)], /^Section not found: 0+$/],
    [2, ["search"], /^Cannot search for nothing/],
    [2, ["serach", "x"], /Did you mean kbdb search\?/],
    [2, ["search", "x", "--limt", "3"], /Did you mean --limit\?/],
  ];
  for (const [code, args, text] of expected) {
    const { code: actual, stderr, result } = await db.ask(args);
    assert.deepEqual([actual, stderr], [code, ""]);
    assert.deepEqual(Object.keys(result), ["content", "isError"]);
    assert.match(result.content[0].text, text);
  }
});
