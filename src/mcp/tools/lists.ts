/**
 * Lists that answer with an array (D50).
 *
 * @module
 */

import { toolResult } from "../../rpc/results.ts";
import type { McpToolResult } from "../types.ts";
import { bytesOf, countFitting } from "./budget.ts";

/**
 * The list from `offset` on, as far as it fits. An array has no place for a remark, so that the rest
 * is told behind it.
 */
export function cutList(
  tool: string,
  all: readonly object[],
  { offset = 0, room }: { offset?: number; room: number },
): McpToolResult {
  const rest = all.slice(Math.max(0, Math.trunc(offset)));
  if (bytesOf(rest) <= room) return toolResult(tool, rest);
  const kept = rest.slice(0, countFitting(rest, room - 200));
  const next = all.length - rest.length + kept.length;
  const facts = {
    omitted: all.length - next,
    next_offset: next,
    notice: `${all.length - next} more do not fit. Call again with offset ${next}.`,
  };
  const result = toolResult(tool, kept);
  result.content.push({ type: "text", text: JSON.stringify(facts) });
  Object.assign(result.structuredContent!, facts);
  return result;
}
