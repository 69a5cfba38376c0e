/**
 * The MCP server: functions and types under the names that its documents give them.
 *
 * @module
 */

export { handleCompletion } from "./completion.ts";
export * from "./error_codes.ts";
export { handleToolCall } from "./handle_tool_call.ts";
export { createPromptDefinitions, handlePromptGet } from "./prompts.ts";
export { createResourceTemplates, handleResourceRead } from "./resources.ts";
export { createMcpServer, McpServer } from "./server.ts";
export { createToolDefinitions } from "./tools/table.ts";
export {
  handleAgentCreate,
  handleAgentDelete,
  handleAgentGet,
  handleAgentList,
  handleRecall,
  handleSkillDelete,
  handleSkillGet,
  handleSkillLearn,
  handleSkillList,
} from "./handle_by_name.ts";
export { parseSkillContent, serializeSkillContent } from "../rpc/skill_text.ts";
export type * from "./types.ts";
export type {
  GroupSectionsParams,
  McpServerClient,
  McpWorkerClient,
  RemoveSectionResult,
  Section,
} from "./worker_client.ts";
