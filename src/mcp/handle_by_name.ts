/**
 * Single tools under the names of the documents.
 *
 * @module
 */

import { handleToolCall } from "./handle_tool_call.ts";
import type { McpToolResult } from "./types.ts";
import type { McpWorkerClient } from "./worker_client.ts";

type Params = Readonly<Record<string, unknown>>;

const withParams = (tool: string) => (params: Params, client: McpWorkerClient) =>
  handleToolCall(client, tool, params);
const withoutParams = (tool: string) => (client: McpWorkerClient) =>
  handleToolCall(client, tool, {});

/** A tool that takes parameters. */
export type HandleWithParams = (params: Params, client: McpWorkerClient) => Promise<McpToolResult>;
/** A tool that takes none. */
export type HandleWithoutParams = (client: McpWorkerClient) => Promise<McpToolResult>;

/** Calls `recall`. */
export const handleRecall: HandleWithParams = withParams("recall");
/** Calls `skill-learn`. */
export const handleSkillLearn: HandleWithParams = withParams("skill-learn");
/** Calls `skill-list`. */
export const handleSkillList: HandleWithoutParams = withoutParams("skill-list");
/** Calls `skill-get`. */
export const handleSkillGet: HandleWithParams = withParams("skill-get");
/** Calls `skill-delete`. */
export const handleSkillDelete: HandleWithParams = withParams("skill-delete");
/** Calls `agent-create`. */
export const handleAgentCreate: HandleWithParams = withParams("agent-create");
/** Calls `agent-list`. */
export const handleAgentList: HandleWithoutParams = withoutParams("agent-list");
/** Calls `agent-get`. */
export const handleAgentGet: HandleWithParams = withParams("agent-get");
/** Calls `agent-delete`. */
export const handleAgentDelete: HandleWithParams = withParams("agent-delete");
