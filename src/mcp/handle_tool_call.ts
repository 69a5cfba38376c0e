/**
 * Calling a tool by its name.
 *
 * @module
 */

import { nearest } from "../rpc/nearest.ts";
import { DEFAULT_REPLY_BYTES } from "../rpc/protocol.ts";
import { toolFailure, toolResult } from "../rpc/results.ts";
import { checkedArguments } from "./tools/arguments.ts";
import { MOST_ROOM } from "./tools/budget.ts";
import { shortMessage, shortText } from "./tools/shortened.ts";
import { createToolDefinitions, toolNamed } from "./tools/table.ts";
import type { Tool, ToolContext } from "./tools/tool.ts";
import type { McpToolResult } from "./types.ts";
import { AbsentDatabase, type McpServerClient, type McpWorkerClient } from "./worker_client.ts";

/** More of an unknown name is not repeated. */
const SHOWN_NAME = 64;

/** What a call comes with, beside the client. */
export type CallOptions = Partial<Omit<ToolContext, "client">>;

/**
 * Runs a tool. Whatever goes wrong is a result with `isError`, for the model to read (D21).
 *
 * @example An unknown tool is no protocol error
 * ```ts
 * import { handleToolCall } from "./handle_tool_call.ts";
 * import assert from "node:assert/strict";
 *
 * const result = await handleToolCall({} as never, "serach", {});
 * assert.equal(result.isError, true);
 * assert.match(JSON.stringify(result.content), /Did you mean search/);
 * ```
 */
export async function handleToolCall(
  client: McpWorkerClient & Partial<McpServerClient>,
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<McpToolResult> {
  const tool = toolNamed(name);
  const room = Math.min(options.room ?? DEFAULT_REPLY_BYTES, MOST_ROOM);
  try {
    if (!tool) throw new Error(unknownTool(shortText(name, SHOWN_NAME)));
    return await answer(tool, args, { log: () => {}, ...options, client, room });
  } catch (error) {
    return failure(error);
  }
}

/** A message may repeat what was given, however long. */
function failure(error: unknown): McpToolResult {
  const { content, ...rest } = toolFailure(error);
  const short = content.map((block) =>
    block.type === "text" ? { ...block, text: shortMessage(block.text) } : block
  );
  return { content: short, ...rest };
}

async function answer(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<McpToolResult> {
  const { name } = tool.definition;
  const args = checkedArguments(tool.definition, given);
  try {
    const answered = await tool.run(args, context);
    return "result" in answered ? answered.result : toolResult(name, answered.value);
  } catch (error) {
    if (!(error instanceof AbsentDatabase) || !tool.empty) throw error;
    return emptyResult(name, { value: tool.empty(args), notice: error.message });
  }
}

/** Nothing, and why: an array has no place for that, so it stands beside it. */
function emptyResult(
  name: string,
  { value, notice }: { value: unknown; notice: string },
): McpToolResult {
  if (!Array.isArray(value)) return toolResult(name, { ...value as object, notice });
  const result = toolResult(name, value);
  result.content.push({ type: "text", text: JSON.stringify({ notice }) });
  Object.assign(result.structuredContent!, { notice });
  return result;
}

function unknownTool(name: string): string {
  const names = createToolDefinitions().map((definition) => definition.name);
  const near = nearest(name, names);
  return `Cannot call ${name}: there is no such tool. ` +
    (near ? `Did you mean ${near}?` : `There are: ${names.join(", ")}.`);
}
