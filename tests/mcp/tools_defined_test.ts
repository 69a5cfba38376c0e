import assert from "node:assert/strict";
import { test } from "node:test";
import { createToolDefinitions } from "../../src/mcp/tools/table.ts";
import type { ArgumentSchema } from "../../src/mcp/types.ts";
import { openSession } from "./session.ts";

const TOOLS = createToolDefinitions();

/** Title and hints (`r`ead only, `d`estructive, `i`dempotent) of the documents. */
const ANNOTATIONS: { tool: string; title: string; hints: string; cites: string[] }[] = [
  { tool: "search", title: "Search KB", hints: "ri", cites: ["annotation-search-1"] },
  { tool: "learn", title: "Import Content", hints: "i", cites: ["annotation-learn-1"] },
  { tool: "unlearn", title: "Remove Section", hints: "di", cites: ["annotation-unlearn-1"] },
  { tool: "retrieve", title: "Fetch Content", hints: "ri", cites: ["annotation-retrieve-1"] },
  { tool: "recall", title: "Recall Context", hints: "ri", cites: ["annotation-recall-1"] },
  { tool: "content", title: "Compose Content", hints: "ri", cites: ["annotation-content-1"] },
  { tool: "status", title: "DB Status", hints: "ri", cites: ["annotation-status-1"] },
  { tool: "check", title: "Integrity Check", hints: "ri", cites: ["annotation-check-1"] },
  { tool: "gc", title: "Garbage Collect", hints: "d", cites: ["annotation-gc-1"] },
  { tool: "rebuild", title: "Rebuild Indexes", hints: "", cites: ["annotation-rebuild-1"] },
  { tool: "skill-learn", title: "Create Skill", hints: "i", cites: ["annotation-skill-learn-1"] },
  { tool: "skill-list", title: "List Skills", hints: "ri", cites: ["annotation-skill-list-1"] },
  { tool: "skill-get", title: "Get Skill", hints: "ri", cites: ["annotation-skill-get-1"] },
  {
    tool: "skill-delete",
    title: "Delete Skill",
    hints: "di",
    cites: ["annotation-skill-delete-1"],
  },
  { tool: "agent-create", title: "Create Agent", hints: "i", cites: ["annotation-agent-create-1"] },
  { tool: "agent-list", title: "List Agents", hints: "ri", cites: ["annotation-agent-list-1"] },
  { tool: "agent-get", title: "Get Agent", hints: "ri", cites: ["annotation-agent-get-1"] },
  {
    tool: "agent-delete",
    title: "Delete Agent",
    hints: "di",
    cites: ["annotation-agent-delete-1"],
  },
  { tool: "revise", title: "Correct Section", hints: "", cites: ["ruling-d43-10"] },
  { tool: "history", title: "Section History", hints: "ri", cites: ["annotation-any-1"] },
];

for (const { tool, title, hints } of ANNOTATIONS) {
  test(`${tool} is annotated as documented`, () => {
    const { annotations } = TOOLS.find(({ name }) => name === tool)!;
    assert.deepEqual(annotations, {
      title,
      readOnlyHint: hints.includes("r"),
      destructiveHint: hints.includes("d"),
      idempotentHint: hints.includes("i"),
      openWorldHint: false,
    });
  });
}

test("the documented tools, revise and history are listed, and no others [ruling-d18-1 annotation-any-1 client-names-5]", async () => {
  await using session = await openSession();
  const { tools } = await session.call("tools/list") as { tools: typeof TOOLS };
  assert.deepEqual(tools, TOOLS);
  const names = TOOLS.map(({ name }) => name);
  assert.deepEqual(names.toSorted(), ANNOTATIONS.map(({ tool }) => tool).sort());
  assert(names.length <= 21);
});

/** Arguments of each tool, required ones with `!`, in their kinds: the first letter of the type. */
const ARGUMENTS: { tool: string; args: string; cites: string[] }[] = [
  {
    tool: "search",
    args: "query!s mode:s limit:n offset:n content:b match:s tag:a type:a docid:a cursor:s",
    cites: ["func-tools-02", "tool-search-01", "ruling-d43-4"],
  },
  {
    tool: "learn",
    args: "content!s type:s title:s description:s docid:s tags:a replace:b source:s",
    cites: ["func-tools-03", "tool-learn-01", "ruling-d43-1"],
  },
  { tool: "unlearn", args: "kbid:s docid:s", cites: ["func-tools-04", "ruling-d43-2"] },
  {
    tool: "retrieve",
    args: "kbid:s docid:s cursor:s",
    cites: ["func-tools-05", "tool-retrieve-03"],
  },
  {
    tool: "recall",
    args: "kbid:s kbids:a depth:n cursor:s",
    cites: ["func-tools-06", "ruling-d43-5"],
  },
  { tool: "status", args: "", cites: ["func-tools-07", "tool-status-05"] },
  {
    tool: "content",
    args: "ids!a cursor:s",
    cites: ["func-tools-08", "tool-content-01", "ruling-d43-5"],
  },
  { tool: "check", args: "", cites: ["func-tools-09", "tool-check-01"] },
  {
    tool: "gc",
    args: "dry_run:b include_standalone:b",
    cites: ["func-tools-10", "tool-gc-01", "ruling-d43-3"],
  },
  { tool: "rebuild", args: "", cites: ["func-tools-11", "tool-rebuild-01"] },
  {
    tool: "skill-learn",
    args: "name!s description!s body:s arguments:a",
    cites: ["func-tools-12"],
  },
  { tool: "skill-list", args: "offset:n", cites: ["func-tools-13"] },
  { tool: "skill-get", args: "name:s kbid:s", cites: ["func-tools-14"] },
  { tool: "skill-delete", args: "kbid!s", cites: ["func-tools-15"] },
  {
    tool: "agent-create",
    args: "name!s description!s persona!s skills!a",
    cites: ["func-tools-16"],
  },
  { tool: "agent-list", args: "offset:n", cites: ["func-tools-17"] },
  { tool: "agent-get", args: "docid!s", cites: ["func-tools-18"] },
  { tool: "agent-delete", args: "docid!s", cites: ["func-tools-19"] },
  {
    tool: "revise",
    args: "kbid!s content!s title:s description:s tags:a",
    cites: ["ruling-d43-6"],
  },
  { tool: "history", args: "kbid!s", cites: ["ruling-d43-11"] },
];

for (const { tool, args } of ARGUMENTS) {
  test(`${tool} takes ${args || "nothing"}`, () => {
    const { inputSchema } = TOOLS.find(({ name }) => name === tool)!;
    const { properties, required = [] } = inputSchema;
    const shown = Object.entries(properties).map(([name, { type }]) =>
      `${name}${required.includes(name) ? "!" : ":"}${type[0]}`
    );
    assert.deepEqual(shown, args === "" ? [] : args.split(" "));
    for (const name of required) assert(name in properties);
  });
}

test("definitions hold what hosts need, described in under 1,024 characters [func-tools-01 ruling-d20-4]", () => {
  for (const definition of TOOLS) {
    const keys = ["name", "title", "description", "inputSchema", "annotations"];
    assert.deepEqual(Object.keys(definition), keys);
    const schemas = Object.values(definition.inputSchema.properties);
    for (const { description } of [definition, ...schemas]) {
      assert(description.length > 0 && description.length < 1024);
    }
  }
});

/** All objects of a schema, itself first. */
function* nodesOf(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* nodesOf(inner);
}

const UNPORTABLE = [
  "$ref",
  "$defs",
  "$schema",
  "definitions",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "const",
  "propertyNames",
  "additionalProperties",
  "patternProperties",
];

test("schemas are flat and portable, lists with typed items [ruling-d20-1 client-schema-2 client-schema-3 client-schema-4]", () => {
  for (const { name, inputSchema } of TOOLS) {
    assert.equal(inputSchema.type, "object");
    for (const node of nodesOf(inputSchema)) {
      for (const key of UNPORTABLE) assert.equal(Object.hasOwn(node, key), false, `${name} ${key}`);
      if ("type" in node && typeof node.type !== "object") assert.equal(typeof node.type, "string");
    }
    for (const schema of Object.values(inputSchema.properties)) assertItems(schema);
  }
});

function assertItems({ type, items }: ArgumentSchema): void {
  assert.equal(items !== undefined, type === "array");
  if (items === undefined || items.type === "string") return;
  assert.equal(items.type, "object");
  const properties = Object.values(items.properties!);
  assert(properties.length > 0);
  for (const property of properties) assert.equal(typeof property.type, "string");
}

test("names fit hosts with their prefixes and stay apart when cut [client-names-1 client-names-2 client-names-4]", () => {
  const names = TOOLS.map(({ name }) => name);
  for (const server of ["kbdb", "kbdb-docs", "kbdb-project"]) {
    for (const name of names) {
      assert.match(`mcp__${server}__${name}`, /^[a-zA-Z0-9_-]{1,64}$/);
      assert(server.length + name.length < 60);
    }
    const cut = names.map((name) => `mcp_${server}_${name}`.slice(0, 64));
    assert.equal(new Set(cut).size, names.length);
  }
});

test("descriptions say what schemas cannot, and the way for large images [client-schema-1 client-result-1]", async () => {
  await using session = await openSession();
  const described = (tool: string) => TOOLS.find(({ name }) => name === tool)!.description;
  for (const tool of ["unlearn", "retrieve"]) assert.match(described(tool), /\(kbid\).*\(docid\)/);
  assert.match(described("recall"), /by kbid/);
  for (const tool of ["unlearn", "retrieve", "recall"]) {
    assert.match(await session.failure(tool), /^Provide kbid or (docid|kbids)$/);
  }
  assert.match(described("skill-get"), /by kbid or by name/);
  assert.match(described("learn"), /large files: use the command kbdb learn/);
});
