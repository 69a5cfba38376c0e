/**
 * The JSON of each result as the documents give it, for the command line, the MCP server and the
 * library alike, and the tool results of MCP that carry it (D19).
 *
 * @module
 */

import type { RecalledSection, RecallItem } from "./reading.ts";

/** A block of a tool result. */
export type ToolBlock =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string };

/** What a tool answers with, in the form of MCP. */
export interface ToolResult {
  /** The result for the model. */
  content: ToolBlock[];
  /** The same data as an object; none beside an image, which clients would then leave out. */
  structuredContent?: Record<string, unknown>;
  /** The tool failed, and the text says why. */
  isError?: true;
}

/** Tools whose text is JSON without indentation, as the documents say. */
const COMPACT = new Set([
  "learn",
  "unlearn",
  "content",
  "skill-learn",
  "skill-delete",
  "agent-create",
  "agent-delete",
]);

/** One recalled section as an object, a batch as an array; a failed one names its error. */
export function recallJson(
  items: readonly RecallItem[],
  batch: boolean = items.length > 1,
): unknown {
  return batch ? items : items[0];
}

/**
 * The tool result that carries a value. A single recalled image is an image block, and beside it
 * what is known of the image.
 *
 * @example An array is wrapped where an object is needed
 * ```ts
 * import { toolResult } from "./results.ts";
 * import assert from "node:assert/strict";
 *
 * const { content, structuredContent } = toolResult("skill-list", []);
 * assert.deepEqual(content, [{ type: "text", text: "[]" }]);
 * assert.deepEqual(structuredContent, { result: [] });
 * ```
 */
export function toolResult(tool: string, value: unknown): ToolResult {
  if (isImage(value)) return imageResult(tool, value);
  return { content: [textBlock(tool, value)], structuredContent: structured(value) };
}

/** The tool result of a failure: its message, or the text of a thrown value that is no error. */
export function toolFailure(thrown: unknown): ToolResult {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return { content: [{ type: "text", text }], isError: true };
}

function imageResult(tool: string, image: RecalledSection): ToolResult {
  const { content: data, encoding: _, ...facts } = image;
  return {
    content: [{ type: "image", data, mimeType: image.type }, textBlock(tool, facts)],
  };
}

function textBlock(tool: string, value: unknown): ToolBlock {
  return { type: "text", text: JSON.stringify(value, null, COMPACT.has(tool) ? 0 : 2) };
}

function structured(value: unknown): Record<string, unknown> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? value as Record<string, unknown> : { result: value };
}

function isImage(value: unknown): value is RecalledSection {
  const { type, content, encoding } = (value ?? {}) as Partial<RecalledSection>;
  return encoding === "base64" && typeof content === "string" && /^image\//.test(type ?? "");
}
