/**
 * What the conformance suite wants to find in a server: tools, resources and prompts with names and
 * texts that it lays down. Answered through the same door as kbdb itself.
 *
 * @module
 */

import {
  ProtocolError,
  type ProtocolHandlers,
  type RequestContext,
  type RpcParams,
} from "../../../src/mcp/protocol/types.ts";
import { callTool, tools } from "./fixture_tools.ts";
import { PIXEL_PNG } from "./fixture_media.ts";

const INVALID_PARAMS = -32602;
const RESOURCE_NOT_FOUND = -32002;

const resources = [
  {
    uri: "test://static-text",
    name: "static-text",
    description: "Text that never changes",
    mimeType: "text/plain",
  },
  {
    uri: "test://static-binary",
    name: "static-binary",
    description: "A picture of one pixel",
    mimeType: "image/png",
  },
  {
    uri: "test://watched-resource",
    name: "watched-resource",
    description: "A resource to subscribe to",
    mimeType: "text/plain",
  },
];

const template = {
  uriTemplate: "test://template/{id}/data",
  name: "template",
  description: "Data that names its id",
  mimeType: "application/json",
};

/** Content of the resource at `uri`, without what every resource has. */
function resourceContent(uri: string): RpcParams {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { mimeType: "application/json", text: JSON.stringify(data) };
  }
  if (uri === "test://static-binary") return { mimeType: "image/png", blob: PIXEL_PNG };
  if (!resources.some((resource) => resource.uri === uri)) {
    throw new ProtocolError(RESOURCE_NOT_FOUND, "Resource not found", { uri });
  }
  const text = "This is the content of the static text resource.";
  return { mimeType: "text/plain", text };
}

function argument(name: string) {
  return { name, description: `Goes into the text as ${name}`, required: true };
}

const prompts = [
  { name: "test_simple_prompt", description: "A prompt without arguments" },
  {
    name: "test_prompt_with_arguments",
    description: "A prompt that repeats its arguments",
    arguments: [argument("arg1"), argument("arg2")],
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "A prompt that carries a resource",
    arguments: [argument("resourceUri")],
  },
  { name: "test_prompt_with_image", description: "A prompt that carries a picture" },
];

function text(words: string): RpcParams {
  return { type: "text", text: words };
}

/** What the user says in a prompt, one content a message. */
function promptContents(name: unknown, given: RpcParams): RpcParams[] {
  switch (name) {
    case "test_simple_prompt":
      return [text("This is a simple prompt for testing.")];
    case "test_prompt_with_arguments":
      return [text(`Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`)];
    case "test_prompt_with_embedded_resource": {
      const words = "Embedded resource content for testing.";
      const resource = { uri: given.resourceUri, mimeType: "text/plain", text: words };
      return [{ type: "resource", resource }, text("Please process the embedded resource above.")];
    }
    case "test_prompt_with_image":
      return [
        { type: "image", data: PIXEL_PNG, mimeType: "image/png" },
        text("Please analyze the image above."),
      ];
    default:
      throw new ProtocolError(INVALID_PARAMS, `Unknown prompt: ${name}`);
  }
}

function getPrompt({ name, arguments: given }: RpcParams): RpcParams {
  const contents = promptContents(name, (given ?? {}) as RpcParams);
  return { messages: contents.map((content) => ({ role: "user", content })) };
}

type Method = (params: RpcParams, context: RequestContext) => RpcParams | Promise<RpcParams>;

const methods: Readonly<Record<string, Method>> = {
  "tools/list": () => ({ tools }),
  "tools/call": callTool,
  "resources/list": () => ({ resources }),
  "resources/templates/list": () => ({ resourceTemplates: [template] }),
  "resources/read": ({ uri }) => ({ contents: [{ uri, ...resourceContent(String(uri)) }] }),
  "resources/subscribe": () => ({}),
  "resources/unsubscribe": () => ({}),
  "prompts/list": () => ({ prompts }),
  "prompts/get": getPrompt,
  "completion/complete": () => ({ completion: { values: ["test"], total: 1, hasMore: false } }),
  "logging/setLevel": () => ({}),
};

/** The fixtures of the suite, to be served instead of a database. */
export const fixtures: ProtocolHandlers = {
  serverInfo: { name: "kbdb-conformance-fixtures", version: "0" },
  capabilities: () => ({
    tools: {},
    resources: { subscribe: true },
    prompts: {},
    completions: {},
    logging: {},
  }),
  async handle(method, params, context) {
    const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!answer) throw new ProtocolError(-32601, `Method not found: ${method}`);
    return await answer(params, context);
  },
};
