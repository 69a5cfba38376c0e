/**
 * All tools, in the order in which they are listed.
 *
 * @module
 */

import type { McpToolDefinition } from "../types.ts";
import { agentCreate, agentDelete, agentGet, agentList } from "./agents.ts";
import { learn, revise, unlearn } from "./change.ts";
import { content, history, recall, retrieve, search } from "./find.ts";
import { check, gc, rebuild, status } from "./maintain.ts";
import { skillDelete, skillGet, skillLearn, skillList } from "./skills.ts";
import type { Tool } from "./tool.ts";

const TOOLS: readonly Tool[] = [
  search,
  recall,
  learn,
  revise,
  unlearn,
  history,
  retrieve,
  content,
  status,
  check,
  gc,
  rebuild,
  skillLearn,
  skillList,
  skillGet,
  skillDelete,
  agentCreate,
  agentList,
  agentGet,
  agentDelete,
];

const BY_NAME: ReadonlyMap<string, Tool> = new Map(
  TOOLS.map((tool) => [tool.definition.name, tool]),
);

/** The tools as `tools/list` shows them. */
export function createToolDefinitions(): McpToolDefinition[] {
  return TOOLS.map(({ definition }) => definition);
}

/** A tool by its name; clients that turn hyphens into underscores mean the same. */
export function toolNamed(name: string): Tool | undefined {
  return BY_NAME.get(name.replaceAll("_", "-"));
}
