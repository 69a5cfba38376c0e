/**
 * What a line of input is: the checks of shape that JSON-RPC and MCP ask for. A notification or a
 * response is never answered, however wrong it is; everything else that is wrong gets an error.
 *
 * @module
 */

import { INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR } from "../error_codes.ts";
import type { RpcParams } from "./types.ts";

/** Names a request: a whole number or text; 0 and "" count. */
export type RequestId = string | number;

/** An error before it is sent: to a request, or to something that cannot be named. */
export interface Refusal {
  readonly kind: "refusal";
  readonly id?: RequestId;
  readonly code: number;
  readonly message: string;
}

/** A request of the client. */
export interface InboundRequest {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: RpcParams;
}

/** A notification of the client. */
export interface InboundNotification {
  readonly kind: "notification";
  readonly method: string;
  readonly params: RpcParams;
}

/** What the client answers to a request of ours. */
export interface InboundResponse {
  readonly kind: "response";
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A line, understood. */
export type Inbound = Refusal | InboundRequest | InboundNotification | InboundResponse;

/**
 * Understands a line.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readMessage } from "./messages.ts";
 *
 * const message = readMessage('{"jsonrpc":"2.0","id":0,"method":"ping"}');
 * assert.deepEqual(message, { kind: "request", id: 0, method: "ping", params: {} });
 * ```
 */
export function readMessage(text: string): Inbound {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refusal(PARSE_ERROR, "Cannot read a line: it is not JSON. Send one message a line.");
  }
  if (isObject(value)) return readObject(value);
  const what = Array.isArray(value)
    ? "it is a batch. Send each message in a line of its own."
    : "it is not an object. Send one JSON-RPC message a line.";
  return refusal(INVALID_REQUEST, `Cannot read a message: ${what}`);
}

/** Whether a value is an object of JSON, no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value can name a request. Other numbers would not come back as they were sent. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function readObject(message: Record<string, unknown>): Inbound {
  const { id, method, params = {} } = message;
  if (method === undefined && ("result" in message || "error" in message)) {
    return { kind: "response", id, result: message.result, error: message.error };
  }
  const fault = faultOf(message);
  if (fault) return refusal(INVALID_REQUEST, `Cannot read a message: ${fault}`, id);
  const called = method as string;
  if (!("id" in message)) {
    return { kind: "notification", method: called, params: isObject(params) ? params : {} };
  }
  if (!isObject(params)) {
    return refusal(INVALID_PARAMS, `Cannot answer ${called}: params must be an object`, id);
  }
  return { kind: "request", id: id as RequestId, method: called, params };
}

function faultOf(message: Record<string, unknown>): string | undefined {
  if (message.jsonrpc !== "2.0") return 'jsonrpc must be "2.0"';
  if ("id" in message && !isRequestId(message.id)) {
    return "id must be text or a whole number below 2^53";
  }
  if (typeof message.method !== "string") return "method must be text";
  return undefined;
}

function refusal(code: number, message: string, id?: unknown): Refusal {
  return { kind: "refusal", ...(isRequestId(id) ? { id } : {}), code, message };
}
