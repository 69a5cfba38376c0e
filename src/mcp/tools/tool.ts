/**
 * What a tool is: how it is shown, and what it does, side by side.
 *
 * @module
 */

import type { Progress } from "../../rpc/protocol.ts";
import type { ArgumentSchema, McpLogLevel, McpToolDefinition, McpToolResult } from "../types.ts";
import type { McpServerClient, McpWorkerClient } from "../worker_client.ts";

/** Arguments once they are of the kinds that the schema names. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** What a tool works with. */
export interface ToolContext {
  readonly client: McpWorkerClient & Partial<McpServerClient>;
  /** The most bytes of text in the reply (D28). */
  readonly room: number;
  /** Told how far long work has come, where the host wants to know. */
  readonly onProgress?: (progress: Progress) => void;
  /** Lets the host's model write a text, where it can (D59). */
  readonly sample?: (prompt: string) => Promise<string>;
  readonly log: (level: McpLogLevel, message: string) => void;
}

/** A tool. */
export interface Tool {
  readonly definition: McpToolDefinition;
  /** The value of the result, or the result itself where it is not JSON alone. */
  run(args: ToolArguments, context: ToolContext): Promise<ToolAnswer>;
  /** What it answers while there is no database (D61); without it the call fails. */
  empty?(args: ToolArguments): unknown;
}

/** JSON for the reply, or a reply that is made already. */
export type ToolAnswer = { readonly value: unknown } | { readonly result: McpToolResult };

/** How a tool is declared. */
export interface ToolSpec {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Letters for what it does: `r`ead only, `d`estructive, `i`dempotent. */
  readonly hints: string;
  /** Arguments; those whose name ends in `!` are required. */
  readonly args: Readonly<Record<string, ArgumentSchema>>;
  run(args: ToolArguments, context: ToolContext): Promise<unknown>;
  empty?(args: ToolArguments): unknown;
}

/** A tool whose `run` gives the JSON of its reply. */
export function defineTool(spec: ToolSpec): Tool {
  return defineAnsweringTool({
    ...spec,
    run: async (args, context) => ({ value: await spec.run(args, context) }),
  });
}

/** A tool whose `run` makes the reply, such as one with an image. */
export function defineAnsweringTool(
  spec: Omit<ToolSpec, "run"> & Pick<Tool, "run">,
): Tool {
  const { name, title, description, hints, args, run, empty } = spec;
  const names = Object.keys(args);
  const required = names.filter((key) => key.endsWith("!")).map(bare);
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(names.map((key) => [bare(key), args[key]])),
        ...(required.length > 0 ? { required } : {}),
      },
      annotations: {
        title,
        readOnlyHint: hints.includes("r"),
        destructiveHint: hints.includes("d"),
        idempotentHint: hints.includes("i"),
        openWorldHint: false,
      },
    },
    run,
    ...(empty ? { empty } : {}),
  };
}

function bare(key: string): string {
  return key.replace(/!$/, "");
}

/** An argument that is a text. */
export function text(description: string, options?: readonly string[]): ArgumentSchema {
  return { type: "string", description, ...(options ? { enum: options } : {}) };
}

/** An argument that is a number. */
export function number(description: string): ArgumentSchema {
  return { type: "number", description };
}

/** An argument that is true or false. */
export function flag(description: string): ArgumentSchema {
  return { type: "boolean", description };
}

/** An argument that is a list of texts. */
export function texts(description: string): ArgumentSchema {
  return { type: "array", description, items: { type: "string" } };
}

/** The arguments of these names that were given. */
export function pick(args: ToolArguments, names: readonly string[]): Record<string, unknown> {
  const given = names.filter((name) => args[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, args[name]]));
}

/** A call that the documents' client does not have. */
export function needed<Name extends keyof McpServerClient>(
  client: Partial<McpServerClient>,
  name: Name,
): NonNullable<McpServerClient[Name]> {
  const call = client[name];
  if (!call) throw new Error(`Cannot go on: this client has no ${name}`);
  return (call as (...args: unknown[]) => unknown).bind(client) as never;
}
