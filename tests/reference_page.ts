/**
 * The page of the tools' reference, in the form that `deno fmt` leaves as it is.
 *
 * @module
 */

import type { ArgumentSchema, McpToolDefinition } from "../src/mcp/types.ts";

/** A call of a tool, and what the tool answered. */
export interface ShownCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: unknown;
}

const HEAD = `# Tools

<!-- Written by \`deno task reference\` from src/mcp/tools. Edit those, not this page. -->

What \`kbdb mcp\` offers to an agent, as \`tools/list\` shows it. Every call below was run against a small database; times,
dates and sizes are made up. A result is shown as the JSON in the text of the reply; \`structuredContent\` holds the same,
an array as \`{"result": [...]}\`. What holds for all tools (errors, cursors, the budget of a reply) is in
[protocol](../protocol.md#tools).

No tool reaches beyond its database (\`openWorldHint\` is false).`;

/**
 * The page.
 *
 * @throws {Error} if a tool has no example
 */
export function toolsPage(
  tools: readonly McpToolDefinition[],
  calls: ReadonlyMap<string, ShownCall>,
): string {
  const sections = tools.map((tool) => sectionOf(tool, calls.get(tool.name)));
  return [HEAD, overview(tools), ...sections].join("\n\n") + "\n";
}

function overview(tools: readonly McpToolDefinition[]): string {
  const yes = (hint?: boolean) => hint ? "yes" : "";
  const rows = tools.map(({ name, title, annotations }) => [
    `[\`${name}\`](#${name})`,
    title,
    yes(annotations.readOnlyHint),
    yes(annotations.destructiveHint),
    yes(annotations.idempotentHint),
  ]);
  return table(["tool", "title", "read only", "destructive", "idempotent"], rows);
}

function sectionOf(tool: McpToolDefinition, call: ShownCall | undefined): string {
  const { name, title, description } = tool;
  if (!call) {
    throw new Error(`Cannot show ${name}: it has no example. Add one to reference_examples.ts.`);
  }
  return [
    `## ${name}`,
    `**${title}**${hintsOf(tool)}. ${prose(description)}`,
    argumentsOf(tool),
    fence({ name, arguments: call.args }),
    fence(call.result),
  ].join("\n\n");
}

function hintsOf({ annotations }: McpToolDefinition): string {
  const hints = [
    annotations.readOnlyHint ? "read only" : "writes",
    ...(annotations.destructiveHint ? ["destructive"] : []),
    ...(annotations.idempotentHint ? ["idempotent"] : []),
  ];
  return ` (${hints.join(", ")})`;
}

function argumentsOf({ inputSchema: { properties, required = [] } }: McpToolDefinition): string {
  const rows = Object.entries(properties).flatMap(([name, schema]) => [
    rowOf(name, { schema, required }),
    ...partsOf(name, schema),
  ]);
  if (rows.length === 0) return "Takes no arguments.";
  return table(["argument", "type", "required", "description"], rows);
}

function rowOf(
  name: string,
  { schema, required }: { schema: ArgumentSchema; required: readonly string[] },
): string[] {
  const type = schema.type === "array" ? `${schema.items?.type}[]` : schema.type;
  const isRequired = required.includes(name) ? "yes" : "";
  return [`\`${name}\``, type, isRequired, prose(schema.description)];
}

/** What the objects of a list hold. */
function partsOf(name: string, { items }: ArgumentSchema): string[][] {
  return Object.entries(items?.properties ?? {}).map(([part, { type, description }]) => [
    `\`${name}[].${part}\``,
    type,
    items?.required?.includes(part) ? "yes" : "",
    prose(description),
  ]);
}

/** A text in which nothing is Markdown. */
function prose(text: string): string {
  return text.replace(/[\\<*[|]/g, "\\$&");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...all.map((row) => row[i].length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

/** A list of texts or numbers, one a line. */
const SHORT_LIST =
  /\[\n\s+((?:"(?:[^"\\]|\\.)*"|[-\d.]+)(?:,\n\s+(?:"(?:[^"\\]|\\.)*"|[-\d.]+))*)\n\s*\]/g;
const SHORT = 80;

function fence(value: unknown): string {
  const json = JSON.stringify(value, null, 2).replace(SHORT_LIST, (whole, items: string) => {
    const short = `[${items.replace(/,\n\s+/g, ", ")}]`;
    return short.length <= SHORT ? short : whole;
  });
  return `\`\`\`json\n${json}\n\`\`\``;
}
