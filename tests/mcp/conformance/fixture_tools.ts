/**
 * The tools of the conformance suite.
 *
 * @module
 */

import {
  ProtocolError,
  type RequestContext,
  type RpcParams,
} from "../../../src/mcp/protocol/types.ts";
import { PIXEL_PNG, SILENT_WAV } from "./fixture_media.ts";

/** Arguments of a call in, content of the result out. */
type Call = (given: RpcParams, context: RequestContext) => RpcParams[] | Promise<RpcParams[]>;

interface Tool {
  readonly description: string;
  /** @default an object without properties */
  readonly inputSchema?: RpcParams;
  readonly call: Call;
}

const image = { type: "image", data: PIXEL_PNG, mimeType: "image/png" };

function text(words: string): RpcParams {
  return { type: "text", text: words };
}

/** The schema of an object with one required string. */
function oneString(name: string): RpcParams {
  return { type: "object", properties: { [name]: { type: "string" } }, required: [name] };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

async function sendLogs(_given: RpcParams, { peer }: RequestContext): Promise<RpcParams[]> {
  for (const step of ["execution started", "processing data", "execution completed"]) {
    if (step !== "execution started") await pause();
    peer.notify("notifications/message", { level: "info", data: `Tool ${step}` });
  }
  return [text("Logged three times")];
}

async function sendProgress(_given: RpcParams, context: RequestContext): Promise<RpcParams[]> {
  const { peer, progressToken } = context;
  for (const progress of [0, 50, 100]) {
    if (progress > 0) await pause();
    if (progressToken === undefined) continue;
    peer.notify("notifications/progress", { progressToken, progress, total: 100 });
  }
  return [text("Reported three times")];
}

async function sample({ prompt }: RpcParams, { peer, signal }: RequestContext) {
  const messages = [{ role: "user", content: { type: "text", text: prompt } }];
  const answer = await peer.request("sampling/createMessage", { messages, maxTokens: 100 }, signal);
  return [text(`LLM response: ${(answer.content as RpcParams).text}`)];
}

/** Asks the user for an object with these properties. */
async function elicit(
  { peer, signal }: RequestContext,
  form: { message: unknown; properties: RpcParams; required?: string[] },
): Promise<RpcParams[]> {
  const { message, ...object } = form;
  const params = { message, requestedSchema: { type: "object", ...object } };
  const { action, content } = await peer.request("elicitation/create", params, signal);
  return [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)];
}

const userFields = {
  username: { type: "string", description: "User's response" },
  email: { type: "string", description: "User's email address" },
};

const defaultFields = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
};

const options = ["option1", "option2", "option3"];
const titled = ["First", "Second", "Third"]
  .map((title, index) => ({ const: `value${index + 1}`, title: `${title} Option` }));

const choiceFields = {
  untitledSingle: { type: "string", enum: options },
  titledSingle: { type: "string", oneOf: titled },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: { type: "array", items: { type: "string", enum: options } },
  titledMulti: { type: "array", items: { anyOf: titled } },
};

const address = {
  type: "object",
  properties: { street: { type: "string" }, city: { type: "string" } },
};

const byName: Readonly<Record<string, Tool>> = {
  test_simple_text: {
    description: "Answers with a text",
    call: () => [text("This is a simple text response for testing.")],
  },
  test_image_content: { description: "Answers with a picture", call: () => [image] },
  test_audio_content: {
    description: "Answers with a sound",
    call: () => [{ type: "audio", data: SILENT_WAV, mimeType: "audio/wav" }],
  },
  test_embedded_resource: {
    description: "Answers with a resource",
    call() {
      const uri = "test://embedded-resource";
      const words = "This is an embedded resource content.";
      return [{ type: "resource", resource: { uri, mimeType: "text/plain", text: words } }];
    },
  },
  test_multiple_content_types: {
    description: "Answers with a text, a picture and a resource",
    call() {
      const uri = "test://mixed-content-resource";
      const words = JSON.stringify({ test: "data", value: 123 });
      const resource = { uri, mimeType: "application/json", text: words };
      return [text("Multiple content types test:"), image, { type: "resource", resource }];
    },
  },
  test_tool_with_logging: { description: "Logs while it works", call: sendLogs },
  test_error_handling: {
    description: "Always fails",
    call() {
      throw new Error("This tool intentionally returns an error for testing");
    },
  },
  test_tool_with_progress: { description: "Reports its progress", call: sendProgress },
  test_sampling: {
    description: "Asks the client's model",
    inputSchema: oneString("prompt"),
    call: sample,
  },
  test_elicitation: {
    description: "Asks the user for name and address",
    inputSchema: oneString("message"),
    call: ({ message }, context) =>
      elicit(context, { message, properties: userFields, required: Object.keys(userFields) }),
  },
  test_elicitation_sep1034_defaults: {
    description: "Asks the user, with a default for each type",
    call: (_given, context) =>
      elicit(context, { message: "Check these values", properties: defaultFields }),
  },
  test_elicitation_sep1330_enums: {
    description: "Asks the user, with each kind of choice",
    call: (_given, context) => elicit(context, { message: "Choose", properties: choiceFields }),
  },
  json_schema_2020_12_tool: {
    description: "Tool with JSON Schema 2020-12 features",
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { address },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    },
    call: () => [text("Takes what its schema says")],
  },
};

/** The tools as `tools/list` shows them. */
export const tools: readonly RpcParams[] = Object.entries(byName).map(([name, tool]) => ({
  name,
  description: tool.description,
  inputSchema: tool.inputSchema ?? { type: "object", properties: {} },
}));

/** Answers `tools/call`. */
export async function callTool(params: RpcParams, context: RequestContext): Promise<RpcParams> {
  const name = String(params.name);
  if (!Object.hasOwn(byName, name)) throw new ProtocolError(-32602, `Unknown tool: ${name}`);
  try {
    return { content: await byName[name].call((params.arguments ?? {}) as RpcParams, context) };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { content: [text(words)], isError: true };
  }
}
