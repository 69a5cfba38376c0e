/**
 * Between lines and the SDK: what is wrong is refused here, and what the SDK gets is reduced to what
 * it needs to match requests and answers. Parameters and results never pass through its schemas,
 * which drop a message that has one key too many.
 *
 * @module
 */

// @ts-types="@modelcontextprotocol/sdk/shared/transport"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { MAX_FRAME_BYTES } from "../../rpc/framing.ts";
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from "../error_codes.ts";
import type { LifeCycle } from "./life_cycle.ts";
import type { Line } from "./lines.ts";
import {
  type InboundNotification,
  type InboundRequest,
  type InboundResponse,
  isRequestId,
  readMessage,
  type RequestId,
} from "./messages.ts";
import type { Output } from "./output.ts";
import { OpenRequests } from "./requests.ts";
import { type PeerFacts, ProtocolError, type RpcParams } from "./types.ts";

/** A failure as it crosses the wire. */
interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A message of the SDK, which is right by construction. */
interface SdkMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: WireError;
}

/** What a {@linkcode StdioTransport} is made of. */
export interface TransportParts {
  readonly output: Output;
  readonly lifeCycle: LifeCycle;
  /** @default {33554432} */
  readonly maxLineBytes?: number;
  /** The result of `initialize`, for the version agreed upon. */
  welcome(facts: PeerFacts): RpcParams;
  /** Called once `initialize` is answered. */
  welcomed(): void;
}

/** What connects the SDK's `Server` with standard input and output. */
export class StdioTransport implements Transport {
  /** Requests of the client that are to be answered. */
  readonly requests = new OpenRequests();
  readonly #asked = new Set<unknown>();
  readonly #parts: TransportParts;
  readonly #maxLineBytes: number;
  /** What came before the SDK was there. */
  #early: JSONRPCMessage[] = [];

  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(parts: TransportParts) {
    this.#parts = parts;
    this.#maxLineBytes = parts.maxLineBytes ?? MAX_FRAME_BYTES;
  }

  start(): Promise<void> {
    const early = this.#early;
    this.#early = [];
    for (const message of early) this.onmessage?.(message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const sent = message as SdkMessage;
    if (sent.method === undefined) this.#answer(sent);
    else this.#ask(sent);
    return Promise.resolve();
  }

  /** Takes a line of input. */
  receive(line: Line): void {
    if (line.kind === "too_long") {
      const limit = `${this.#maxLineBytes} bytes`;
      const message = `Cannot read a message of more than ${limit}: it is skipped. ` +
        "Send less at a time.";
      return this.#refuse(undefined, { code: INVALID_REQUEST, message });
    }
    if (line.kind === "not_utf8") {
      return this.#refuse(undefined, {
        code: PARSE_ERROR,
        message: "Cannot read a line: it is not UTF-8. Send UTF-8.",
      });
    }
    this.#receiveText(line.text);
  }

  #receiveText(text: string): void {
    const message = readMessage(text);
    switch (message.kind) {
      case "refusal":
        return this.#refuse(message.id, message);
      case "request":
        return this.#request(message, text.length);
      case "notification":
        return this.#notification(message);
      case "response":
        return this.#response(message);
    }
  }

  #request(request: InboundRequest, size: number): void {
    const { id, method } = request;
    try {
      if (this.requests.has(id)) {
        const message = `Cannot answer ${method}: request ${JSON.stringify(id)} is still open. ` +
          "Give every request an id of its own.";
        throw new ProtocolError(INVALID_REQUEST, message);
      }
      this.#parts.lifeCycle.admit(method);
      if (method === "initialize") this.#initialize(request);
      else if (method === "ping") this.#send({ id, result: {} });
      else this.#pass({ id: this.requests.add(request, size), method, params: {} });
    } catch (error) {
      this.#refuse(id, error as ProtocolError);
    }
  }

  #initialize({ id, params }: InboundRequest): void {
    const facts = this.#parts.lifeCycle.initialize(params);
    this.#send({ id, result: this.#parts.welcome(facts) });
    this.#parts.welcomed();
  }

  #notification({ method, params }: InboundNotification): void {
    if (method === "notifications/initialized") this.#parts.lifeCycle.initialized();
    if (method === "notifications/cancelled") this.#cancel(params.requestId, params.reason);
  }

  #cancel(id: unknown, reason: unknown): void {
    const inner = isRequestId(id) ? this.requests.innerId(id) : undefined;
    if (!this.requests.remove(inner)) return;
    const why = typeof reason === "string" ? { reason } : {};
    this.#pass({ method: "notifications/cancelled", params: { requestId: inner, ...why } });
  }

  #response({ id, result, error }: InboundResponse): void {
    if (!this.#asked.delete(id)) return;
    this.#pass({ id: id as RequestId, result: error === undefined ? { result } : { error } });
  }

  /** Hands a message to the SDK. */
  #pass(message: SdkMessage): void {
    const whole = { jsonrpc: "2.0", ...message } as JSONRPCMessage;
    if (this.onmessage) this.onmessage(whole);
    else this.#early.push(whole);
  }

  /** Sends what the SDK asks of the client. */
  #ask({ id, method, params }: SdkMessage): void {
    if (id !== undefined) this.#asked.add(id);
    else if (!this.#asked.delete(params?.requestId)) return;
    this.#send({ ...(id === undefined ? {} : { id }), method, params });
  }

  /** Sends an answer, unless the request was cancelled. */
  #answer({ id: inner, result, error }: SdkMessage): void {
    const request = this.requests.remove(inner);
    if (!request) return;
    if (error) return this.#refuse(request.id, error);
    try {
      this.#send({ id: request.id, result });
    } catch (failure) {
      const message = `Cannot send the answer to ${request.method}: ${(failure as Error).message}`;
      this.#refuse(request.id, { code: INTERNAL_ERROR, message });
    }
  }

  #refuse(id: RequestId | undefined, { code, message, data }: WireError): void {
    const error = { code, message, ...(data === undefined ? {} : { data }) };
    this.#send({ ...(id === undefined ? {} : { id }), error });
  }

  #send(message: Readonly<Record<string, unknown>>): void {
    this.#parts.output.send({ jsonrpc: "2.0", ...message });
  }
}
