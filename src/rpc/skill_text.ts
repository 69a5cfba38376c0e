/**
 * The text of skills: names, placeholders, their arguments, and the JSON that is stored of a skill
 * (D58).
 *
 * @module
 */

import { KbdbError } from "./errors.ts";
import type { SkillArgument } from "./prompts.ts";

/** A skill as it is stored: the content of its section. */
export interface SkillContent {
  /** Lower-case words joined by hyphens. */
  name: string;
  /** What the skill does. */
  description: string;
  /** Declared arguments, then those that were found in the body. */
  arguments: SkillArgument[];
  /** Template with placeholders `{{ name }}`. */
  body: string;
}

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 64;
const ARGUMENT_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}/g;

/**
 * Lets a name pass that skills and agents can have (D58).
 *
 * @throws {KbdbError} `bad_request` if it is none
 */
export function checkName(name: string, what: "skill" | "agent"): void {
  if (name.length <= MAX_NAME_LENGTH && NAME.test(name)) return;
  throw new KbdbError(
    "bad_request",
    `Cannot store ${what} ${shown(name)}: a name has at most ${MAX_NAME_LENGTH} characters, ` +
      "lower-case letters and digits with single hyphens between them",
  );
}

/** A name as messages show it. */
export function shown(name: string): string {
  return JSON.stringify(String(name).slice(0, 80));
}

/** Whether a placeholder can have this name. */
export function isArgumentName(name: string): boolean {
  return ARGUMENT_NAME.test(name);
}

/** Names of a template's placeholders, in the order in which they first appear. */
export function placeholdersOf(body: string): string[] {
  return [...new Set(Array.from(body.matchAll(PLACEHOLDER), ([, name]) => name))];
}

/**
 * All arguments of a template: the declared ones, optional unless they say otherwise, then those that
 * only the body names, which are required.
 *
 * @example
 * ```ts
 * import { argumentsOf } from "./skill_text.ts";
 * import assert from "node:assert/strict";
 *
 * const all = argumentsOf("{{ text }} for {{ reader }}", [{ name: "reader" }]);
 * assert.deepEqual(all, [{ name: "reader", required: false }, { name: "text", required: true }]);
 * ```
 */
export function argumentsOf(body: string, declared: readonly SkillArgument[]): SkillArgument[] {
  const known = new Set(declared.map(({ name }) => name));
  const found = placeholdersOf(body).filter((name) => !known.has(name));
  return [
    ...declared.map((argument) => argumentOf(argument, false)),
    ...found.map((name) => ({ name, required: true })),
  ];
}

/**
 * The template with values in the place of its placeholders, in one pass: what a value holds is never
 * taken for a placeholder. Optional arguments that are left out become empty; values without a
 * placeholder are ignored.
 *
 * @throws {KbdbError} `bad_request`, naming a required argument that was left out
 *
 * @example
 * ```ts
 * import { renderSkill } from "./skill_text.ts";
 * import assert from "node:assert/strict";
 *
 * const greet = { name: "greet", description: "", arguments: [], body: "Hello {{ who }}" };
 * assert.equal(renderSkill(greet, { who: "{{ who }} & $&" }), "Hello {{ who }} & $&");
 * ```
 */
export function renderSkill(
  skill: Omit<SkillContent, "description">,
  values: Readonly<Record<string, string>>,
): string {
  const valueOf = (name: string) => Object.hasOwn(values, name) ? values[name] : undefined;
  for (const { name, required } of argumentsOf(skill.body, skill.arguments)) {
    if (!required || valueOf(name) !== undefined) continue;
    throw new KbdbError(
      "bad_request",
      `Cannot render skill ${skill.name}: the required argument ${name} is missing`,
    );
  }
  return skill.body.replace(PLACEHOLDER, (_, name) => valueOf(name) ?? "");
}

/**
 * Reads the stored content of a skill.
 *
 * @throws {SyntaxError} if it is no JSON, or lacks something that a skill has
 *
 * @example
 * ```ts
 * import { parseSkillContent } from "./skill_text.ts";
 * import assert from "node:assert/strict";
 *
 * const skill = parseSkillContent('{"name":"greet","description":"Greets","body":"Hello {{who}}"}');
 * assert.deepEqual(skill.arguments, [{ name: "who", required: true }]);
 * assert.throws(() => parseSkillContent("{}"), SyntaxError);
 * ```
 */
export function parseSkillContent(json: string): SkillContent {
  const value = parsedJson(json);
  if (!isObject(value)) throw unreadable("it is no object");
  const { name, description, body, arguments: declared = [] } = value;
  for (const [key, text] of Object.entries({ name, description, body })) {
    if (typeof text !== "string") throw unreadable(`its ${key} is missing or no text`);
  }
  if (!Array.isArray(declared) || !declared.every(isArgument)) {
    throw unreadable("its arguments are no list of objects with a name");
  }
  const template = body as string;
  return {
    name: name as string,
    description: description as string,
    arguments: argumentsOf(template, declared),
    body: template,
  };
}

/** A skill as JSON, keys in a fixed order, so that equal skills are one content and get one id. */
export function serializeSkillContent(skill: SkillContent): string {
  const { name, description, body } = skill;
  const all = argumentsOf(body, skill.arguments);
  return JSON.stringify({ name, description, arguments: all, body }, null, 2);
}

/** Only the keys of an argument, in a fixed order, and whether it is required always told. */
function argumentOf(argument: SkillArgument, required: boolean): SkillArgument {
  const { name, description } = argument;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    required: argument.required ?? required,
  };
}

function isArgument(value: unknown): value is SkillArgument {
  return isObject(value) && typeof value.name === "string" &&
    ["string", "undefined"].includes(typeof value.description) &&
    ["boolean", "undefined"].includes(typeof value.required);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function unreadable(reason: string, options?: ErrorOptions): SyntaxError {
  return new SyntaxError(`Cannot read the skill: ${reason}`, options);
}
