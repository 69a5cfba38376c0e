/**
 * Arguments as models send them, which is not always what the schema says: numbers, switches and
 * lists arrive as text off and on (D20).
 *
 * @module
 */

import { KbdbError } from "../../rpc/errors.ts";
import type { ArgumentSchema, McpToolDefinition } from "../types.ts";
import type { ToolArguments } from "./tool.ts";

/**
 * The arguments in the kinds that the schema names; unknown ones are left out, and so is `null`.
 *
 * @throws {KbdbError} `bad_request` for a missing one and for a value of another kind
 *
 * @example
 * ```ts
 * import { checkedArguments } from "./arguments.ts";
 * import { createToolDefinitions } from "./table.ts";
 * import assert from "node:assert/strict";
 *
 * const search = createToolDefinitions().find(({ name }) => name === "search")!;
 * assert.deepEqual(checkedArguments(search, { query: "parcel", limit: "5", other: 1 }), {
 *   query: "parcel",
 *   limit: 5,
 * });
 * ```
 */
export function checkedArguments(
  definition: McpToolDefinition,
  given: Readonly<Record<string, unknown>>,
): ToolArguments {
  const { name: tool, inputSchema: { properties, required = [] } } = definition;
  const args: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null) {
      if (required.includes(name)) {
        throw refused(tool, `${name} is missing; it must be ${kindOf(schema)}`);
      }
      continue;
    }
    const coerced = coerce(value, schema);
    if (coerced === undefined) {
      throw refused(tool, `${name} must be ${kindOf(schema)}, not ${shown(value)}`);
    }
    args[name] = coerced;
  }
  return args;
}

function coerce(value: unknown, schema: ArgumentSchema): unknown {
  if (schema.type === "string") return coerceText(value, schema);
  if (schema.type === "number") return coerceNumber(value);
  if (schema.type === "boolean") return coerceFlag(value);
  return coerceList(value, schema.items!.type);
}

function coerceText(value: unknown, { enum: known }: ArgumentSchema): string | undefined {
  const isScalar = ["string", "number", "boolean"].includes(typeof value);
  const text = isScalar ? String(value) : undefined;
  return text !== undefined && (!known || known.includes(text)) ? text : undefined;
}

function coerceNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function coerceFlag(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (word === "true" || word === 1 || word === "1") return true;
  return word === "false" || word === 0 || word === "0" ? false : undefined;
}

function coerceList(value: unknown, kind: "string" | "object"): unknown[] | undefined {
  const list = typeof value === "string"
    ? listIn(value) ?? (kind === "string" ? [value] : null)
    : value;
  if (!Array.isArray(list)) return undefined;
  const items = list.map((item) => kind === "string" ? coerceText(item, TEXT) : objectIn(item));
  return items.includes(undefined) ? undefined : items;
}

const TEXT: ArgumentSchema = { type: "string", description: "" };

function listIn(text: string): unknown[] | null {
  if (!text.trimStart().startsWith("[")) return null;
  const value = parsed(text);
  return Array.isArray(value) ? value : null;
}

function objectIn(item: unknown): unknown {
  const value = typeof item === "string" ? parsed(item) : item;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function kindOf({ type, enum: known, items }: ArgumentSchema): string {
  if (known) return `one of ${known.join(", ")}`;
  if (type === "array") {
    return items?.type === "string" ? "an array of strings" : "an array of objects";
  }
  return { string: "a string", number: "a number", boolean: "true or false" }[type];
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 60);
}

function refused(tool: string, reason: string): KbdbError {
  return new KbdbError("bad_request", `Cannot call ${tool}: ${reason}`);
}
