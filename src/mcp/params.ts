/**
 * Parameters of requests, checked; what is wrong is -32602 and names it.
 *
 * @module
 */

import { INVALID_PARAMS } from "./error_codes.ts";
import { ProtocolError, type RpcParams } from "./protocol/types.ts";
import { LOG_LEVELS, type McpCompletionRef, type McpLogLevel } from "./types.ts";

/** A parameter that must be a text. */
export function textParam(params: RpcParams, name: string): string {
  const value = params[name];
  if (typeof value === "string" && value !== "") return value;
  throw invalid(`${name} is missing or no text`);
}

/** A parameter that is an object where it is given. */
export function objectParam(params: RpcParams, name: string): RpcParams {
  const value = params[name] ?? {};
  if (isObject(value)) return value;
  throw invalid(`${name} must be an object`);
}

/** Values of a prompt's arguments; numbers and switches are taken as their text. */
export function valuesParam(params: RpcParams, name: string): Record<string, string> {
  const values = Object.entries(objectParam(params, name)).filter(([, value]) => value != null);
  const wrong = values.find(([, value]) => typeof value === "object");
  if (wrong) throw invalid(`${name}.${wrong[0]} must be a text`);
  return Object.fromEntries(values.map(([key, value]) => [key, String(value)]));
}

/** What is to be completed. */
export function refParam(params: RpcParams): McpCompletionRef {
  const ref = params.ref;
  const known = isObject(ref) && (ref.type === "ref/prompt" || ref.type === "ref/resource");
  if (!known) throw invalid('ref must be an object of type "ref/prompt" or "ref/resource"');
  const key = ref.type === "ref/prompt" ? "name" : "uri";
  if (typeof ref[key] !== "string") throw invalid(`ref.${key} is missing or no text`);
  return ref as unknown as McpCompletionRef;
}

/** A level of log messages. */
export function levelParam(params: RpcParams): McpLogLevel {
  const level = LOG_LEVELS.find((known) => known === params.level);
  if (level) return level;
  throw invalid(`level must be one of ${LOG_LEVELS.join(", ")}`);
}

/** Where a list goes on; only cursors that a list gave count. */
export function offsetParam(params: RpcParams, length: number): number {
  if (params.cursor === undefined) return 0;
  const offset = typeof params.cursor === "string" ? Number(params.cursor) : NaN;
  if (Number.isSafeInteger(offset) && offset > 0 && offset < length) return offset;
  throw invalid("cursor is none that this list gave");
}

function invalid(reason: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `Invalid params: ${reason}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
