/**
 * What the MCP server says and hears, as plain objects.
 *
 * @module
 */

import type { ToolBlock, ToolResult } from "../rpc/results.ts";
import type { SkillArgument } from "../rpc/prompts.ts";

export type { AgentDefinition, SkillArgument, SkillDefinition } from "../rpc/prompts.ts";

/** A request as it crosses the wire. */
export interface McpRequest {
  readonly jsonrpc: "2.0";
  /** 0 is an id like any other. */
  readonly id: string | number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The answer to a request: a result or an error. */
export interface McpResponse {
  readonly jsonrpc: "2.0";
  /** Left out where the request had none that could be read. */
  readonly id?: string | number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A message that wants no answer. */
export interface McpNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** How the server introduces itself. */
export interface McpServerInfo {
  readonly name: string;
  readonly title?: string;
  readonly version: string;
}

/** What `initialize` declares (D23). */
export interface McpCapabilities {
  readonly tools: Readonly<Record<never, never>>;
  readonly resources: { readonly subscribe: true };
  readonly prompts: { readonly listChanged: true };
  readonly logging: Readonly<Record<never, never>>;
  readonly completions: Readonly<Record<never, never>>;
  /** Only where the client declared it. */
  readonly sampling?: Readonly<Record<never, never>>;
}

/** Hints about what a tool does, for the host. */
export interface McpToolAnnotations {
  /** For people. */
  readonly title?: string;
  /** It changes nothing. */
  readonly readOnlyHint?: boolean;
  /** It may take something away. */
  readonly destructiveHint?: boolean;
  /** Twice is the same as once. */
  readonly idempotentHint?: boolean;
  /** It reaches beyond the database. */
  readonly openWorldHint?: boolean;
}

/** One argument in a tool's schema (D20): flat, without `$ref` or alternatives. */
export interface ArgumentSchema {
  readonly type: "string" | "number" | "boolean" | "array";
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: {
    readonly type: "string" | "object";
    readonly properties?: Readonly<Record<string, { type: string; description: string }>>;
    readonly required?: readonly string[];
  };
}

/** A tool as `tools/list` shows it. */
export interface McpToolDefinition {
  readonly name: string;
  readonly title: string;
  /** For the model, under 1,024 characters. */
  readonly description: string;
  readonly inputSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, ArgumentSchema>>;
    readonly required?: readonly string[];
  };
  readonly annotations: McpToolAnnotations;
}

/** A block of a tool result. */
export type McpToolBlock = ToolBlock;
/** What a tool answers with. */
export type McpToolResult = ToolResult;

/** A template of resource addresses (RFC 6570). */
export interface McpResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** A resource that was read: text, or base64 of anything else. */
export interface McpResourceResult {
  readonly contents: readonly {
    readonly uri: string;
    readonly mimeType: string;
    readonly text?: string;
    readonly blob?: string;
  }[];
}

/** An argument of a prompt. */
export type McpPromptArgument = SkillArgument;

/** A prompt as `prompts/list` shows it: a skill, or an agent as `agent:<name>`. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly McpPromptArgument[];
}

/** What a prompt's message holds. */
export interface McpPromptMessageContent {
  readonly type: "text";
  readonly text: string;
}

/** A message of a rendered prompt. */
export interface McpPromptMessage {
  readonly role: "user" | "assistant";
  readonly content: McpPromptMessageContent;
}

/** What is to be completed. */
export interface McpCompletionRef {
  readonly type: "ref/prompt" | "ref/resource";
  /** Of a prompt: its name, or the beginning of one. */
  readonly name?: string;
  /** Of a resource: a template, or the beginning of an address. */
  readonly uri?: string;
}

/** Completions, best first. */
export interface McpCompletionResult {
  readonly completion: {
    /** At most 100. */
    readonly values: readonly string[];
    readonly hasMore: boolean;
    /** All that there are. */
    readonly total: number;
  };
}

/** Levels of log messages, least first. */
export const LOG_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

/** A level of log messages. */
export type McpLogLevel = typeof LOG_LEVELS[number];

/** A log message to the client. */
export interface McpLogMessage {
  readonly level: McpLogLevel;
  readonly logger: "kbdb";
  readonly data: string;
}
