/**
 * Kinds of the values that callers send. What values mean is for those who use them; here it is only
 * made sure that a text is a text, so that a wrong kind is named instead of misread.
 *
 * @module
 */

import { KbdbError } from "../rpc/errors.ts";
import type { LearnItem, Params, SearchParams } from "../rpc/protocol.ts";

type Kind = "text" | "texts" | "switch";
type Kinds<T> = { readonly [Name in keyof T]?: Kind };

const SEARCH: Kinds<SearchParams> = {
  query: "text",
  content: "switch",
  tag: "texts",
  type: "texts",
  docid: "texts",
};

const ITEM: Kinds<LearnItem> = {
  content: "text",
  base64: "switch",
  encoding: "text",
  type: "text",
  title: "text",
  description: "text",
  docid: "text",
  tags: "texts",
  source: "text",
  document: "switch",
};

const NAMES: Record<Kind, string> = {
  text: "a string",
  texts: "an array of strings",
  switch: "true or false",
};

/**
 * Parameters of a search whose values are of the right kinds.
 *
 * @throws {KbdbError} `bad_request`, naming what was expected and what came
 */
export function checkedSearch(params: Params<"search">): Params<"search"> {
  refuseWrongKinds("search", { given: params, kinds: SEARCH, required: "query" });
  return params;
}

/**
 * Parameters of a `learn` whose values are of the right kinds.
 *
 * @throws {KbdbError} `bad_request`, naming what was expected and what came
 */
export function checkedLearn(params: Params<"learn">): Params<"learn"> {
  const { key, items } = params;
  if (typeof key !== "string" || key === "" || !Array.isArray(items)) {
    throw new KbdbError("bad_request", "Cannot learn: the request needs a key and items");
  }
  for (const item of items) {
    refuseWrongKinds("learn", { given: item ?? {}, kinds: ITEM, required: "content" });
  }
  return params;
}

function refuseWrongKinds(
  action: string,
  facts: { given: object; kinds: Kinds<Record<string, unknown>>; required: string },
): void {
  const { given, kinds, required } = facts;
  for (const [name, kind] of Object.entries(kinds)) {
    const value = (given as Record<string, unknown>)[name];
    const absent = value === undefined && name !== required;
    if (absent || isOfKind(value, kind!)) continue;
    const shown = JSON.stringify(value)?.slice(0, 60) ?? "nothing";
    throw new KbdbError(
      "bad_request",
      `Cannot ${action}: ${name} must be ${NAMES[kind!]}, not ${shown}`,
    );
  }
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === "text") return typeof value === "string";
  if (kind === "switch") return typeof value === "boolean";
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
