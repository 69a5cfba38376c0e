/**
 * Table rows and error cases of the pages, by heading. Written by `requirements_count.ts`.
 *
 * @module
 */

import type { Counts } from "./compare.ts";

// deno-fmt-ignore
/** The least number of promises under each heading. */
export const COUNTS: Counts = {
  "kbdb-mcp": {
    "Capability Negotiation": 6,
    "search": 5,
    "learn": 6,
    "unlearn": 1,
    "retrieve": 3,
    "recall": 8,
    "content": 1,
    "status": 4,
    "skill-learn": 4,
    "skill-get": 3,
    "skill-delete": 1,
    "agent-create": 4,
    "agent-get": 1,
    "agent-delete": 1,
    "`resources/templates/list` -- URI Templates": 2,
    "prompts/get": 2,
    "Tool Annotations": 18,
    "Completions": 2,
    "Sampling": 2,
    "Relationship to CLI Mode": 5,
    "Client -> Server": 3,
    "Server -> Client": 6,
    "Protocol Errors": 5,
    "Tool Execution Errors": 2,
    "Prompt and Skill Errors": 5,
    "Required vs Optional Methods": 17,
  },
  "kbdb-mcp-functions": {
    "`createToolDefinitions`": 18,
    "`createResourceTemplates`": 2,
    "`handleToolCall`": 19,
    "`handleResourceRead`": 1,
    "`parseSkillContent`": 1,
  },
  "kbdb-mcp-module": {
  },
};
