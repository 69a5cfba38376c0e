/**
 * The functions of the MCP module and what it exports, in the form that holds after the rulings.
 *
 * @module
 */

import { promisesOf } from "./requirement.ts";

/** Promises about the functions. */
export const FUNCTIONS = promisesOf("kbdb-mcp-functions", {
  "`createMcpServer`": {
    "func-server-1": "Takes an McpWorkerClient and returns an McpServer bound to it",
  },
  "`createToolDefinitions`": {
    "func-tools-01": "Every definition has name, description, inputSchema and annotations",
    "func-tools-02": "`search` requires `query`; takes mode, limit, content and offset",
    "func-tools-03": "`learn` requires `content`; takes type, docid, title and description",
    "func-tools-04": "`unlearn` takes `kbid`, or `docid` in its place",
    "func-tools-05": "`retrieve` takes `kbid` or `docid` and requires neither in the schema",
    "func-tools-06": "`recall` takes `kbid` or `kbids` and depth, and requires none in the schema",
    "func-tools-07": "`status` takes nothing",
    "func-tools-08": "`content` requires `ids`",
    "func-tools-09": "`check` takes nothing",
    "func-tools-10": "`gc` requires nothing",
    "func-tools-11": "`rebuild` takes nothing",
    "func-tools-12":
      "`skill-learn` requires `name` and `description`; takes body (sampling may fill it) and arguments",
    "func-tools-13": "`skill-list` requires nothing",
    "func-tools-14": "`skill-get` takes `name` or `kbid` and requires none in the schema",
    "func-tools-15": "`skill-delete` requires `kbid`",
    "func-tools-16": "`agent-create` requires `name`, `description`, `persona` and `skills`",
    "func-tools-17": "`agent-list` requires nothing",
    "func-tools-18": "`agent-get` requires `docid`",
    "func-tools-19": "`agent-delete` requires `docid`",
  },
  "`createResourceTemplates`": {
    "func-templates-1": "The section template has {kbid} and text/plain",
    "func-templates-2": "The document template has {docid} and application/json",
  },
  "`handleToolCall`": {
    "func-call-01": "Takes client, name and arguments, and returns a promise of an McpToolResult",
    "func-call-02": "`search` goes to `client.search(params)`",
    "func-call-03": "`learn` goes to `client.addSection(params)`",
    "func-call-04": "`unlearn` goes to `client.removeSection(kbid)`",
    "func-call-05":
      "`retrieve` goes to `client.readSections(kbids) or client.retrieveDocument(docid)`",
    "func-call-06": "`recall` goes to `handleRecall`",
    "func-call-07": "`status` goes to `client.dbStatus()`",
    "func-call-08": "`content` goes to `client.content(ids)`",
    "func-call-09": "`check` goes to `client.integrityCheck()`",
    "func-call-10": "`gc` goes to `client.gc()`",
    "func-call-11": "`rebuild` goes to `client.rebuildIndexes()`",
    "func-call-12": "`skill-learn` goes to `handleSkillLearn`",
    "func-call-13": "`skill-list` goes to `handleSkillList`",
    "func-call-14": "`skill-get` goes to `handleSkillGet`",
    "func-call-15": "`skill-delete` goes to `handleSkillDelete`",
    "func-call-16": "`agent-create` goes to `handleAgentCreate`",
    "func-call-17": "`agent-list` goes to `handleAgentList`",
    "func-call-18": "`agent-get` goes to `handleAgentGet`",
    "func-call-19": "`agent-delete` goes to `handleAgentDelete`",
    "func-call-20": "What the client throws becomes an isError result, never a rejected promise",
    "func-call-21": "An unknown tool name becomes an isError result",
  },
  "`handleResourceRead`": {
    "func-read-1": "The URI decides whether a section or a document is read from the client",
    "func-read-2": "It throws at a URI it does not know",
    "func-read-3": "The server turns that into a JSON-RPC error -32002",
  },
  "`createPromptDefinitions`": {
    "func-prompts-1": "Skill sections become McpPrompts under the skill's name",
    "func-prompts-2": "Agents become McpPrompts named `agent:<name>`",
  },
  "`handlePromptGet`": {
    "func-prompt-1": "Takes name, arguments and client, and returns messages",
    "func-prompt-2": "A skill: one user message with the values in place",
    "func-prompt-3": "An agent: the persona by the assistant, then the list of skills by the user",
  },
  "`handleCompletion`": {
    "func-completion-1": "A ref/prompt is completed with names of skills and agents",
    "func-completion-2": "A ref/resource is completed with kbids or docids of the known URI forms",
  },
  "`parseSkillContent`": {
    "func-skill-content-1": "JSON of a stored skill becomes a SkillDefinition",
    "func-skill-content-2": "It throws at malformed JSON",
    "func-skill-content-3": "It throws where a required field is missing",
  },
  "`serializeSkillContent`": {
    "func-skill-content-4":
      "A SkillDefinition becomes JSON that parseSkillContent reads back the same",
  },
  "`handleSkillLearn`": {
    "func-skill-1": "Checks its parameters before anything is stored",
    "func-skill-2": "Stores the skill as JSON by addSection with `sectionType: skill`",
  },
  "`handleSkillList`": {
    "func-skill-3": "Shows what `listByType('skill')` gives",
  },
  "`handleSkillGet`": {
    "func-skill-4": "Finds by name or by kbid and returns the whole SkillDefinition",
  },
  "`handleSkillDelete`": {
    "func-skill-5": "Calls `removeSection(kbid)`",
  },
  "`handleAgentCreate`": {
    "func-agent-1": "Checks the skill kbids, then stores the agent's manifest",
  },
  "`handleAgentList`": {
    "func-agent-2": "Shows what `listDocumentsByType('agent')` gives",
  },
  "`handleAgentGet`": {
    "func-agent-3": "Reads the agent and resolves each skill kbid",
    "func-agent-4": "A missing skill stays as an entry whose name is null",
  },
  "`handleAgentDelete`": {
    "func-agent-5": "Removes the manifest and no skill",
  },
  "`handleRecall`": {
    "func-recall-1": "Refuses a call without kbid and kbids",
    "func-recall-2": "Brings `depth` into 0 to 3, below 0 too",
    "func-recall-3": "Calls `client.recall(params)` and shows the result as JSON text",
  },
});

/** Promises about the module as a whole. */
export const MODULE = promisesOf("kbdb-mcp-module", {
  "Responsibility": {
    "module-duty-1":
      "It speaks 2025-11-25 over stdin and stdout and makes its worker client itself",
    "module-duty-2": "All tool calls and resource reads go through that client",
  },
  "Exports": {
    "export-class-01": "`McpServer` is exported",
    "export-function-01": "`createMcpServer` is exported",
    "export-function-02": "`createToolDefinitions` is exported",
    "export-function-03": "`createPromptDefinitions` is exported",
    "export-function-04": "`createResourceTemplates` is exported",
    "export-function-05": "`handleToolCall` is exported",
    "export-function-06": "`handleResourceRead` is exported",
    "export-function-07": "`handlePromptGet` is exported",
    "export-function-08": "`handleCompletion` is exported",
    "export-function-09": "`parseSkillContent` is exported",
    "export-function-10": "`serializeSkillContent` is exported",
    "export-function-11": "`handleSkillLearn` is exported",
    "export-function-12": "`handleSkillList` is exported",
    "export-function-13": "`handleSkillGet` is exported",
    "export-function-14": "`handleSkillDelete` is exported",
    "export-function-15": "`handleAgentCreate` is exported",
    "export-function-16": "`handleAgentList` is exported",
    "export-function-17": "`handleAgentGet` is exported",
    "export-function-18": "`handleAgentDelete` is exported",
    "export-function-19": "`handleRecall` is exported",
    "export-type-01": "The type `McpWorkerClient` is exported",
    "export-type-02": "The type `McpRequest` is exported",
    "export-type-03": "The type `McpResponse` is exported",
    "export-type-04": "The type `McpNotification` is exported",
    "export-type-05": "The type `McpToolDefinition` is exported",
    "export-type-06": "The type `McpResourceTemplate` is exported",
    "export-type-07": "The type `McpServerInfo` is exported",
    "export-type-08": "The type `McpCapabilities` is exported",
    "export-type-09": "The type `McpToolResult` is exported",
    "export-type-10": "The type `McpResourceResult` is exported",
    "export-type-11": "The type `RemoveSectionResult` is exported",
    "export-type-12": "The type `McpPrompt` is exported",
    "export-type-13": "The type `McpPromptArgument` is exported",
    "export-type-14": "The type `McpPromptMessage` is exported",
    "export-type-15": "The type `McpPromptMessageContent` is exported",
    "export-type-16": "The type `McpToolAnnotations` is exported",
    "export-type-17": "The type `McpCompletionRef` is exported",
    "export-type-18": "The type `McpCompletionResult` is exported",
    "export-type-19": "The type `McpLogLevel` is exported",
    "export-type-20": "The type `McpLogMessage` is exported",
    "export-type-21": "The type `SkillDefinition` is exported",
    "export-type-22": "The type `SkillArgument` is exported",
    "export-type-23": "The type `AgentDefinition` is exported",
    "export-code-01": "The constant `PARSE_ERROR` is exported and is -32700",
    "export-code-02": "The constant `METHOD_NOT_FOUND` is exported and is -32601",
    "export-code-03": "The constant `INVALID_PARAMS` is exported and is -32602",
    "export-code-04": "The constant `INTERNAL_ERROR` is exported and is -32603",
    "export-code-05": "The constant `RESOURCE_NOT_FOUND` is exported and is -32002",
  },
  "Execution Flow": {
    "module-flow-01":
      "The command finds the database, makes a client, makes the server, then listens",
    "module-flow-02": "`server.listen()` opens stdio and reads requests",
    "module-flow-03": "Until `notifications/initialized` only initialize and ping are let through",
    "module-flow-04": "initialize, ping and the initialized notification are routed",
    "module-flow-05": "Tool calls are routed through handleToolCall",
    "module-flow-06":
      "prompts/list goes to createPromptDefinitions, prompts/get to handlePromptGet",
    "module-flow-07": "completion/complete goes to handleCompletion",
    "module-flow-08": "resources/list and resources/templates/list are routed",
    "module-flow-09": "resources/subscribe and unsubscribe add and take away a URI",
    "module-flow-10": "resources/read goes to handleResourceRead for both kinds of URI",
    "module-flow-11": "logging/setLevel keeps the level",
    "module-flow-12": "roots/list names the database folder",
    "module-flow-13": "When stdin closes the client is disconnected",
  },
  "Transport": {
    "module-transport-1": "Requests come from stdin, responses go to stdout, diagnostics to stderr",
    "module-transport-2": "The command works as a child process of a host, over pipes",
  },
});
