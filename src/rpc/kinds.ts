/**
 * Kinds of the values that callers send. What values mean is for those who use them; here it is only
 * made sure that a text is a text, so that a wrong kind is named instead of misread.
 *
 * @module
 */

import { KbdbError } from "./errors.ts";

type Kind = "text" | "number" | "switch" | "texts" | "objects" | "values";

type KindOf<T> = [T] extends [boolean] ? "switch"
  : [T] extends [number] ? "number"
  : [T] extends [string] ? "text"
  : [T] extends [readonly string[]] ? "texts"
  : [T] extends [readonly object[]] ? "objects"
  : "values";

/** The kind of every value of an object; those that may be left out end in `?`. */
export type Kinds<T> = {
  readonly [Name in keyof T]-?: undefined extends T[Name] ? `${KindOf<NonNullable<T[Name]>>}?`
    : KindOf<T[Name]>;
};

const NAMES: Record<Kind, string> = {
  text: "a string",
  number: "a number",
  switch: "true or false",
  texts: "an array of strings",
  objects: "an array of objects",
  values: "an object of strings",
};

/**
 * Lets an object pass whose values are of the right kinds; names that are not known are ignored.
 *
 * @throws {KbdbError} `bad_request`, naming what was expected and what came
 *
 * @example
 * ```ts
 * import { refuseWrongKinds } from "./kinds.ts";
 * import assert from "node:assert/strict";
 *
 * const kinds = { query: "text", limit: "number?" } as const;
 * refuseWrongKinds("search", { given: { query: "parcel", later: 1 }, kinds });
 * assert.throws(() => refuseWrongKinds("search", { given: { query: 5 }, kinds }), {
 *   message: "Cannot search: query must be a string, not 5",
 * });
 * ```
 */
export function refuseWrongKinds(
  action: string,
  facts: { given: unknown; kinds: Readonly<Record<string, string>> },
): void {
  const { given, kinds } = facts;
  if (!isObject(given)) {
    throw wrong(action, { value: given, expected: "the parameters must be an object" });
  }
  for (const [name, kind] of Object.entries(kinds)) {
    const value = given[name];
    const bare = kind.replace("?", "") as Kind;
    if (value === undefined ? bare !== kind : isOfKind(value, bare)) continue;
    throw wrong(action, { value, expected: `${name} must be ${NAMES[bare]}` });
  }
}

function wrong(action: string, facts: { value: unknown; expected: string }): KbdbError {
  const shown = JSON.stringify(facts.value)?.slice(0, 60) ?? "nothing";
  return new KbdbError("bad_request", `Cannot ${action}: ${facts.expected}, not ${shown}`);
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === "text") return typeof value === "string";
  if (kind === "number") return typeof value === "number";
  if (kind === "switch") return typeof value === "boolean";
  if (kind === "values") return isObject(value) && Object.values(value).every(isText);
  return Array.isArray(value) && value.every(kind === "texts" ? isText : isObject);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
