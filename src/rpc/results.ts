/**
 * The JSON of each result as the documents give it, for the command line, the MCP server and the
 * library alike.
 *
 * @module
 */

import type { RecallItem } from "./protocol.ts";

/** One recalled section as an object, several as an array; a failed one names its error. */
export function recallJson(items: readonly RecallItem[]): unknown {
  return items.length === 1 ? items[0] : items;
}
