/**
 * One client's session: from methods to tools, prompts and resources.
 *
 * @module
 */

import { KbdbError } from "../rpc/errors.ts";
import { DEFAULT_REPLY_BYTES, type Progress } from "../rpc/protocol.ts";
import { VERSION } from "../rpc/version.ts";
import { handleCompletion } from "./completion.ts";
import { INVALID_PARAMS, METHOD_NOT_FOUND } from "./error_codes.ts";
import { handleToolCall } from "./handle_tool_call.ts";
import {
  levelParam,
  objectParam,
  offsetParam,
  refParam,
  textParam,
  valuesParam,
} from "./params.ts";
import { handlePromptGet, listPrompts, unknownPrompt } from "./prompts.ts";
import {
  type Peer,
  ProtocolError,
  type ProtocolHandlers,
  type RequestContext,
  type RpcParams,
} from "./protocol/types.ts";
import { createResourceTemplates, handleResourceRead } from "./resources.ts";
import { sampler } from "./sampling.ts";
import { bytesOf, countFitting, MOST_ROOM } from "./tools/budget.ts";
import { createToolDefinitions } from "./tools/table.ts";
import {
  LOG_LEVELS,
  type McpCapabilities,
  type McpLogLevel,
  type McpPrompt,
  type McpPromptMessage,
} from "./types.ts";
import { fileUri } from "./uris.ts";
import { Watching } from "./watching.ts";
import { AbsentDatabase, type McpServerClient, type McpWorkerClient } from "./worker_client.ts";

/** Bytes of a rendered prompt. */
const MOST_PROMPT = 900_000;

/** What a session works with. */
export interface SessionParts {
  readonly client: McpWorkerClient & Partial<McpServerClient>;
  /** For the model (D29). */
  readonly instructions?: string;
  /** Folder of the database, the one root (D23). */
  readonly databasePath?: string;
}

type Method = (params: RpcParams, context: RequestContext) => Promise<RpcParams> | RpcParams;

/** Answers one client. */
export class Session implements ProtocolHandlers {
  readonly serverInfo = { name: "kbdb", title: "kbdb knowledge base", version: VERSION };
  readonly instructions?: string;
  readonly #client: McpWorkerClient & Partial<McpServerClient>;
  readonly #methods: Readonly<Record<string, Method>>;
  #level: McpLogLevel | null = null;
  #peer: Peer | null = null;
  #watching: Watching | null = null;

  constructor(private readonly parts: SessionParts) {
    this.#client = parts.client;
    if (parts.instructions !== undefined) this.instructions = parts.instructions;
    this.#methods = this.#table();
  }

  /** What the server can do; sampling only with a client that can. */
  capabilities(client: RpcParams): RpcParams {
    const own: McpCapabilities = {
      tools: {},
      resources: { subscribe: true },
      prompts: { listChanged: true },
      logging: {},
      completions: {},
      ...(client.sampling ? { sampling: {} } : {}),
    };
    return { ...own };
  }

  /** The client is there. */
  connected(peer: Peer): void {
    this.#peer = peer;
    this.#watching = new Watching(this.#client, peer);
  }

  /** Answers a request. */
  async handle(method: string, params: RpcParams, context: RequestContext): Promise<RpcParams> {
    const answer = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (answer) return await answer(params, context);
    throw new ProtocolError(METHOD_NOT_FOUND, `Method not found: ${method}`);
  }

  /** The client is gone. */
  async closed(): Promise<void> {
    await this.#watching?.end();
    await this.#client.disconnect();
  }

  /** There is a database by now, so that what was subscribed to can change. */
  async databaseCreated(sentence: string): Promise<void> {
    this.log("notice", sentence);
    await this.#watching?.begin();
  }

  /** Tells the client, once it has asked for messages of this level. */
  readonly log = (level: McpLogLevel, data: string): void => {
    if (this.#level === null || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(this.#level)) return;
    this.#peer?.notify("notifications/message", { level, logger: "kbdb", data });
  };

  #table(): Record<string, Method> {
    return {
      "tools/list": (params) => {
        offsetParam(params, 0);
        return { tools: createToolDefinitions() };
      },
      "tools/call": (params, context) => this.#callTool(params, context),
      "resources/list": (params) => {
        offsetParam(params, 0);
        return { resources: [] };
      },
      "resources/templates/list": (params) => {
        offsetParam(params, 0);
        return { resourceTemplates: createResourceTemplates() };
      },
      "resources/read": async (params) => {
        const uri = textParam(params, "uri");
        return { ...await handleResourceRead(this.#client, uri, { room: await this.#room() }) };
      },
      "resources/subscribe": async (params) => {
        await this.#watching?.subscribe(textParam(params, "uri"));
        return {};
      },
      "resources/unsubscribe": (params) => {
        this.#watching?.unsubscribe(textParam(params, "uri"));
        return {};
      },
      "prompts/list": (params) => this.#listPrompts(params),
      "prompts/get": async (params) => {
        const name = textParam(params, "name");
        const values = valuesParam(params, "arguments");
        return { messages: await this.#prompt(name, values) };
      },
      "completion/complete": async (params) => {
        const ref = refParam(params);
        const argument = params.argument === undefined
          ? undefined
          : valuesParam(params, "argument");
        return { ...await handleCompletion(ref, argument, this.#client) };
      },
      "logging/setLevel": (params) => {
        this.#level = levelParam(params);
        return {};
      },
      "roots/list": () => {
        const { databasePath } = this.parts;
        const root = { uri: fileUri(databasePath ?? "/"), name: "kbdb database" };
        return { roots: databasePath === undefined ? [] : [root] };
      },
    };
  }

  async #callTool(params: RpcParams, context: RequestContext): Promise<RpcParams> {
    const name = textParam(params, "name");
    const args = objectParam(params, "arguments");
    const start = performance.now();
    const onProgress = this.#progress(name, context);
    const sample = sampler(context);
    const result = await handleToolCall(this.#client, name, args, {
      room: await this.#room(),
      log: this.log,
      ...(onProgress ? { onProgress } : {}),
      ...(sample ? { sample } : {}),
    });
    const took = `${name}: ${(performance.now() - start).toFixed(1)} ms`;
    this.log("debug", took);
    if (result.isError) this.log("error", `${name} failed: ${failureText(result.content)}`);
    return { ...result };
  }

  /** Also keeps hosts from giving up on long work; a number is never told twice. */
  #progress(name: string, context: RequestContext): ((progress: Progress) => void) | undefined {
    const { progressToken, peer } = context;
    if (progressToken === undefined) return undefined;
    let last = -1;
    const tell = ({ done, total, message }: Progress) => {
      if (done <= last || context.signal.aborted) return;
      last = done;
      peer.notify("notifications/progress", {
        progressToken,
        progress: done,
        ...(total === null ? {} : { total }),
        message,
      });
    };
    tell({ done: 0, total: null, message: `${name} begins` });
    return tell;
  }

  async #listPrompts(params: RpcParams): Promise<RpcParams> {
    // Before the list is read, so that no change after it is missed.
    await this.#watching?.watchPrompts();
    const prompts = await listPrompts(this.#client).catch((error): McpPrompt[] => {
      if (error instanceof AbsentDatabase) return [];
      throw error;
    });
    const offset = offsetParam(params, prompts.length);
    const rest = prompts.slice(offset);
    const page = rest.slice(0, Math.max(1, countFitting(rest, await this.#room(), 0)));
    const next = offset + page.length;
    return { prompts: page, ...(next < prompts.length ? { nextCursor: String(next) } : {}) };
  }

  /** A prompt cannot be given in parts; hosts take a frame of up to 1 MB. */
  async #prompt(name: string, values: Record<string, string>): Promise<McpPromptMessage[]> {
    const messages = await handlePromptGet(name, values, this.#client).catch((error) => {
      throw error instanceof AbsentDatabase ? unknownPrompt(name) : error;
    });
    if (bytesOf(messages, 0) <= MOST_PROMPT) return messages;
    const message = `Cannot render ${name}: the text is over ${MOST_PROMPT} bytes`;
    throw new ProtocolError(INVALID_PARAMS, message);
  }

  /** A database that cannot be reached says so in the answer itself. */
  async #room(): Promise<number> {
    try {
      return Math.min(await this.#client.maxReplyBytes?.() ?? DEFAULT_REPLY_BYTES, MOST_ROOM);
    } catch (error) {
      if (error instanceof KbdbError) return DEFAULT_REPLY_BYTES;
      throw error;
    }
  }
}

function failureText(content: readonly { type: string; text?: string }[]): string {
  return content.map(({ text = "" }) => text).join(" ").slice(0, 500);
}
