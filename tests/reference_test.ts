import assert from "node:assert/strict";
import { test } from "node:test";
import { TOOLS_PAGE, toolsReference } from "./reference.ts";
import { toolsPage } from "./reference_page.ts";
import { readProjectFile } from "./support/project.ts";

test(`${TOOLS_PAGE} is what the tools give`, async () => {
  const given = await toolsReference();
  assert.equal(readProjectFile(TOOLS_PAGE), given, "run deno task reference");
});

test("toolsPage() refuses a tool without an example", () => {
  const tool = {
    name: "fly",
    title: "Fly",
    description: "Flies.",
    inputSchema: { type: "object", properties: {} },
    annotations: {},
  } as const;
  assert.throws(() => toolsPage([tool], new Map()), /Cannot show fly: it has no example/);
  const call = { args: {}, result: ["a", "b"] };
  assert.match(toolsPage([tool], new Map([["fly", call]])), /\["a", "b"\]/);
});
