import assert from "node:assert/strict";
import { test } from "node:test";
import * as mcp from "../../src/mcp/index.ts";
import { fakeWorkerClient } from "./fake_worker_client.ts";

const FUNCTIONS = [
  { name: "createMcpServer", cites: ["export-function-01"] },
  { name: "createToolDefinitions", cites: ["export-function-02"] },
  { name: "createPromptDefinitions", cites: ["export-function-03"] },
  { name: "createResourceTemplates", cites: ["export-function-04"] },
  { name: "handleToolCall", cites: ["export-function-05"] },
  { name: "handleResourceRead", cites: ["export-function-06"] },
  { name: "handlePromptGet", cites: ["export-function-07"] },
  { name: "handleCompletion", cites: ["export-function-08"] },
  { name: "parseSkillContent", cites: ["export-function-09"] },
  { name: "serializeSkillContent", cites: ["export-function-10"] },
  { name: "handleSkillLearn", cites: ["export-function-11"] },
  { name: "handleSkillList", cites: ["export-function-12"] },
  { name: "handleSkillGet", cites: ["export-function-13"] },
  { name: "handleSkillDelete", cites: ["export-function-14"] },
  { name: "handleAgentCreate", cites: ["export-function-15"] },
  { name: "handleAgentList", cites: ["export-function-16"] },
  { name: "handleAgentGet", cites: ["export-function-17"] },
  { name: "handleAgentDelete", cites: ["export-function-18"] },
  { name: "handleRecall", cites: ["export-function-19"] },
] as const;

for (const { name } of FUNCTIONS) {
  test(`${name} is exported [missed-module-1]`, () => assert.equal(typeof mcp[name], "function"));
}

const CODES = [
  { name: "PARSE_ERROR", value: -32700, cites: ["export-code-01"] },
  { name: "METHOD_NOT_FOUND", value: -32601, cites: ["export-code-02"] },
  { name: "INVALID_PARAMS", value: -32602, cites: ["export-code-03"] },
  { name: "INTERNAL_ERROR", value: -32603, cites: ["export-code-04"] },
  { name: "RESOURCE_NOT_FOUND", value: -32002, cites: ["export-code-05"] },
] as const;

for (const { name, value } of CODES) {
  test(`${name} is ${value}`, () => assert.equal(mcp[name], value));
}

/** One value of each type: a type that is not exported, or of another shape, fails the type check. */
const TYPES = [
  {
    name: "McpWorkerClient",
    value: fakeWorkerClient().client satisfies mcp.McpWorkerClient,
    cites: ["export-type-01"],
  },
  {
    name: "McpRequest",
    value: { jsonrpc: "2.0", id: 0, method: "ping" } satisfies mcp.McpRequest,
    cites: ["export-type-02"],
  },
  {
    name: "McpResponse",
    value: { jsonrpc: "2.0", id: 0, result: {} } satisfies mcp.McpResponse,
    cites: ["export-type-03"],
  },
  {
    name: "McpNotification",
    value: { jsonrpc: "2.0", method: "notifications/initialized" } satisfies mcp.McpNotification,
    cites: ["export-type-04"],
  },
  {
    name: "McpToolDefinition",
    value: mcp.createToolDefinitions()[0] satisfies mcp.McpToolDefinition,
    cites: ["export-type-05"],
  },
  {
    name: "McpResourceTemplate",
    value: mcp.createResourceTemplates()[0] satisfies mcp.McpResourceTemplate,
    cites: ["export-type-06"],
  },
  {
    name: "McpServerInfo",
    value: { name: "kbdb", version: "1" } satisfies mcp.McpServerInfo,
    cites: ["export-type-07"],
  },
  {
    name: "McpCapabilities",
    value: {
      tools: {},
      resources: { subscribe: true },
      prompts: { listChanged: true },
      logging: {},
      completions: {},
    } satisfies mcp.McpCapabilities,
    cites: ["export-type-08"],
  },
  {
    name: "McpToolResult",
    value: { content: [{ type: "text", text: "{}" }] } satisfies mcp.McpToolResult,
    cites: ["export-type-09"],
  },
  {
    name: "McpResourceResult",
    value: {
      contents: [{ uri: "kbdb://section/x", mimeType: "text/plain", text: "x" }],
    } satisfies mcp.McpResourceResult,
    cites: ["export-type-10"],
  },
  {
    name: "RemoveSectionResult",
    value: { removed: true, elapsed_ms: 1 } satisfies mcp.RemoveSectionResult,
    cites: ["export-type-11"],
  },
  {
    name: "McpPrompt",
    value: { name: "x", description: "y", arguments: [] } satisfies mcp.McpPrompt,
    cites: ["export-type-12"],
  },
  {
    name: "McpPromptArgument",
    value: { name: "x" } satisfies mcp.McpPromptArgument,
    cites: ["export-type-13"],
  },
  {
    name: "McpPromptMessage",
    value: { role: "user", content: { type: "text", text: "x" } } satisfies mcp.McpPromptMessage,
    cites: ["export-type-14"],
  },
  {
    name: "McpPromptMessageContent",
    value: { type: "text", text: "x" } satisfies mcp.McpPromptMessageContent,
    cites: ["export-type-15"],
  },
  {
    name: "McpToolAnnotations",
    value: { title: "x", readOnlyHint: true } satisfies mcp.McpToolAnnotations,
    cites: ["export-type-16"],
  },
  {
    name: "McpCompletionRef",
    value: { type: "ref/prompt", name: "x" } satisfies mcp.McpCompletionRef,
    cites: ["export-type-17"],
  },
  {
    name: "McpCompletionResult",
    value: {
      completion: { values: [], hasMore: false, total: 0 },
    } satisfies mcp.McpCompletionResult,
    cites: ["export-type-18"],
  },
  {
    name: "McpLogLevel",
    value: "debug" satisfies mcp.McpLogLevel,
    cites: ["export-type-19"],
  },
  {
    name: "McpLogMessage",
    value: { level: "info", logger: "kbdb", data: "x" } satisfies mcp.McpLogMessage,
    cites: ["export-type-20"],
  },
  {
    name: "SkillDefinition",
    value: {
      kbid: "x",
      name: "x",
      description: "y",
      arguments: [],
      body: "z",
    } satisfies mcp.SkillDefinition,
    cites: ["export-type-21"],
  },
  {
    name: "SkillArgument",
    value: { name: "x", required: true } satisfies mcp.SkillArgument,
    cites: ["export-type-22"],
  },
  {
    name: "AgentDefinition",
    value: {
      docid: "agent-x",
      name: "x",
      description: "y",
      persona: "z",
      skills: [],
    } satisfies mcp.AgentDefinition,
    cites: ["export-type-23"],
  },
];

for (const { name, value } of TYPES) {
  test(`the type ${name} is exported`, () => assert.ok(value !== undefined));
}
