/**
 * Everything else on the page of the MCP server: life cycle, resources, prompts, completions,
 * notifications, errors and the wire, in the form that holds after the rulings.
 *
 * @module
 */

import { promisesOf } from "./requirement.ts";

/** Promises about the protocol. */
export const PROTOCOL = promisesOf("kbdb-mcp", {
  Goal: {
    "server-goal-1": "`kbdb mcp` serves many requests from one process over stdio, JSON-RPC 2.0",
    "server-goal-2": "Every client gets the same answers, whatever name it gives",
  },
  Invocation: {
    "start-db-1": "`--db` names the database folder",
    "start-db-2": "Without `--db` the folder is read from KBDB_DIR",
    "start-db-3": "`--db` goes before KBDB_DIR where both are given",
    "start-db-4": "With neither the start fails, saying that no database is named",
    "start-db-5": "The working folder is never looked at",
  },
  "Installation and Wiring": {
    "install-01": "The npm package brings a command `kbdb` whose `mcp` starts the server",
  },
  "Claude Desktop": {
    "install-02":
      "The guide shows an entry of `mcpServers` with command and args for Claude Desktop",
  },
  "Claude Code": {
    "install-03": "The guide shows `.mcp.json` or `claude mcp add` for Claude Code",
  },
  Deno: {
    "install-04": "Deno starts the same server by `deno run`",
  },
  "Environment Variable": {
    "install-05": "An entry with `env.KBDB_DIR` in place of `--db` works",
  },
  "Multiple Knowledge Bases": {
    "server-many-1": "Several servers, each with its own database, run side by side and keep apart",
  },
  Transport: {
    "wire-01": "Requests are read from stdin",
    "wire-02": "Responses are written to stdout",
    "wire-03": "Diagnostics go to stderr",
  },
  Protocol: {
    "life-01": "The protocol is MCP 2025-11-25 over JSON-RPC 2.0",
  },
  Lifecycle: {
    "life-02": "Before the handshake is done no other method is served",
  },
  "1. `initialize` (request)": {
    "life-init-1": "The reply has protocolVersion, serverInfo and capabilities",
    "life-init-2": "`serverInfo` has the name kbdb and the version of the package",
    "life-init-3": "A supported version that the client asks for is the one answered",
    "life-init-4": "Another version is answered by one that the server supports, not by an error",
  },
  "2. `notifications/initialized` (notification)": {
    "life-initialized-1":
      "It gets no reply, and requests for tools and resources are served from then on",
  },
  "3. `ping` (request)": {
    "life-ping-1": "A ping is answered at once by an empty object",
  },
  "Capability Negotiation": {
    "capability-01": "tools, resources, prompts, logging and completions are declared",
    "capability-02": "Every method of a declared capability is there",
    "capability-03": "`tools.listChanged` is not declared",
    "capability-04": "`resources.listChanged` is not declared",
    "capability-05": "`resources.subscribe` is declared and subscribing works",
    "capability-06": "`prompts` is declared; prompts/list and prompts/get work",
    "capability-07": "`logging` is declared; setLevel works and log messages are sent",
    "capability-08": "`completions` is declared; completion/complete works",
  },
  "`resources/list` -- Static Resources": {
    "resource-list-01": 'The list of fixed resources is empty: `{"resources": []}`',
  },
  "`resources/templates/list` -- URI Templates": {
    "resource-template-01": "`kbdb://section/{kbid}`, text/plain, with a description, is listed",
    "resource-template-02":
      "`kbdb://document/{docid}`, application/json, is listed with a description",
  },
  "`resources/read` -- Fetch Resource": {
    "resource-read-01": "A text section is read as its raw text",
    "resource-read-02": "A code or JSON section is read as raw source with its MIME type",
    "resource-read-03": "An image section is read as base64 with its MIME type",
    "resource-read-04": "A document is read with all its sections, in their order",
  },
  "MCP Prompts": {
    "prompt-any-01": "Prompts are the skills, and the agents under names that begin with `agent:`",
  },
  "prompts/list": {
    "prompt-list-01": "A skill has name, description and arguments of name, description, required",
    "prompt-list-02": "An agent has `agent:` and its name, its description and `arguments: []`",
    "prompt-list-03": "It calls `listByType('skill')` and `listDocumentsByType('agent')`",
  },
  "prompts/get": {
    "prompt-get-01": "`name` is required",
    "prompt-get-02": "`arguments`, values by name, may be left out",
    "prompt-get-03": "A skill is one user message of type text with the values filled in",
    "prompt-get-04": "An agent is an assistant message with the persona, then a user message",
    "prompt-get-05": "The agent's second message lists `Available skills:` as name and description",
    "prompt-get-06": "It calls `readSections()`, for an agent after `retrieveDocument()`",
  },
  "Prompt Discovery Flow": {
    "prompt-flow-1": "A prompt picked from the list is rendered by name with its argument values",
  },
  Completions: {
    "completion-01": "`ref` is required",
    "completion-02": "`argument` may be left out",
    "completion-03": "`ref/prompt` gives the names of skills and agents that begin with the name",
    "completion-04": "`ref/resource` gives section and document addresses that begin with the URI",
    "completion-05": "The reply is `completion` with values, hasMore and total",
  },
  Sampling: {
    "sampling-01": "`messages` is sent as an array of messages",
    "sampling-02": "`maxTokens` is sent as a number",
    "sampling-03": "Nothing is asked of a client that did not declare sampling",
    "sampling-04":
      "A missing skill body is written by the client's model from name and description",
  },
  Roots: {
    "roots-1": "roots/list gives one root, the database folder",
    "roots-2": "Its uri is the absolute path with the scheme file://",
    "roots-3": "Its name is always `kbdb database`",
  },
  Logging: {
    "log-01": "`level` chooses what is sent, until the connection ends or it is set again",
    "log-02":
      "The levels rise from debug, info, notice, warning to error, critical, alert, emergency",
    "log-03": "Events at or above the level are sent as notifications/message, lower ones not",
    "log-04": "A message has level, logger `kbdb` and data",
  },
  "Resource Subscriptions": {
    "subscribe-01": "resources/subscribe puts a URI under watch",
    "subscribe-02": "resources/unsubscribe takes it off",
    "subscribe-03":
      "A change of a watched section or manifest sends resources/updated with the URI",
  },
  "Execution Model": {
    "server-run-1": "One worker connection serves the whole session",
    "server-run-2": "When stdin closes the server leaves the daemon and exits",
    "server-run-3": "The daemon goes on for other clients",
  },
  "Relationship to CLI Mode": {
    "server-cli-1": "The server lives on from call to call; a command ends",
    "server-cli-2": "The interface is the protocol over stdio; `mcp` takes few flags",
    "server-cli-3": "What an agent gets is data for a program, never made for a terminal",
    "server-cli-4": "Output is tool results, whatever the output flags of commands",
    "server-cli-5": "The path comes from `--db` or KBDB_DIR; only commands look at the folder",
    "server-cli-6": "A change by a command is seen by the server, and the other way round",
  },
  Notifications: {
    "notify-any-1": "A notification has no id and gets no reply",
  },
  "Client -> Server": {
    "notify-in-1": "`notifications/initialized` is required and taken",
    "notify-in-2": "`notifications/cancelled` stops a request that runs",
    "notify-in-3": "`notifications/roots/list_changed` is taken in silence",
  },
  "Server -> Client": {
    "notify-out-1": "`notifications/tools/list_changed` is not sent, as it is not declared",
    "notify-out-2": "`notifications/resources/list_changed` is not sent, as it is not declared",
    "notify-out-3": "`notifications/resources/updated` tells of a watched resource that changed",
    "notify-out-4": "`notifications/prompts/list_changed` tells that skills or agents changed",
    "notify-out-5": "`notifications/message` carries the log",
    "notify-out-6": "`notifications/progress` tells how far long work is",
  },
  "Protocol Errors": {
    "error-01": "-32700 answers JSON that cannot be read",
    "error-02": "-32601 answers a method that is not there",
    "error-03": "-32602 answers wrong parameters",
    "error-04": "-32603 answers a failure inside the server",
    "error-05": "-32002 answers a resource that is not there",
  },
  "Tool Execution Errors": {
    "error-06": "A tool that fails gives a result with text content and `isError: true`, no error",
    "error-07": "The text is the message of what was thrown",
    "error-08": "A thrown string or other value is shown as String() writes it",
    "error-09": "Arguments that a tool refuses take the same form",
    "error-10": "An unknown tool name takes the same form",
    "error-11": "A result is one text block of JSON",
    "error-12": "JSON-RPC errors are kept for breaches of the protocol",
  },
  "Prompt and Skill Errors": {
    "error-13": "prompts/get of an unknown name: -32002",
    "error-14": "skill-learn with an empty body: isError, exactly `skill body must not be empty`",
    "error-15": "skill-get without name and kbid: isError, exactly `Provide name or kbid`",
    "error-16": "skill-learn of a name that exists succeeds with a kbid of its own",
    "error-17": "agent-get with a deleted skill succeeds, its name null",
  },
  "Required vs Optional Methods": {
    "method-01": "`initialize` is answered",
    "method-02": "`notifications/initialized` is taken",
    "method-03": "`ping` is answered",
    "method-04": "`tools/list` is answered",
    "method-05": "`tools/call` is answered",
    "method-06": "`resources/list` is answered by an empty list",
    "method-07": "`resources/read` is answered",
    "method-08": "`resources/templates/list` is answered",
    "method-09": "`resources/subscribe` is answered",
    "method-10": "`resources/unsubscribe` is answered",
    "method-11": "`prompts/list` is answered",
    "method-12": "`prompts/get` is answered",
    "method-13": "`completion/complete` is answered",
    "method-14":
      "`sampling/createMessage` is sent to clients that can; as a request here it is -32601",
    "method-15": "`roots/list` is answered",
    "method-16": "`logging/setLevel` is answered",
    "method-17": "Any other method gets -32601",
  },
  "Design Constraints": {
    "server-design-1": "The same server runs under Deno and under Node",
    "server-design-2": "The MCP code neither indexes nor ranks nor opens files of the database",
  },
  "Wire Format Rules": {
    "wire-04": "stdout carries JSON-RPC messages and nothing else",
    "wire-05": "A message is one line of JSON that ends in \\n and holds no other line end",
    "wire-06": "A request's id is a string or a number, never null; notifications have none",
  },
});
