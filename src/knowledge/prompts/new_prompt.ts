/**
 * What skills and agents have to be before they are stored.
 *
 * @module
 */

import { preprocess } from "../../core/text.ts";
import { KbdbError } from "../../rpc/errors.ts";
import type { SkillArgument, SkillLearnParams } from "../../rpc/prompts.ts";
import { MAX_SECTION_BYTES } from "../../rpc/protocol.ts";
import {
  argumentsOf,
  checkName,
  isArgumentName,
  serializeSkillContent,
  shown,
  type SkillContent,
} from "../../rpc/skill_text.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A skill as it is to be stored.
 *
 * @throws {KbdbError} `bad_request` for a name, a body or arguments that cannot be
 */
export function checkedSkill(params: Omit<SkillLearnParams, "key">): SkillContent {
  const { name, description } = params;
  checkName(name, "skill");
  const body = storedForm(params.body ?? "", `the body of skill ${name}`);
  if (body === "") throw new KbdbError("bad_request", "skill body must not be empty");
  return {
    name,
    description: storedForm(description, `the description of skill ${name}`),
    arguments: argumentsOf(body, checkedArguments(name, params.arguments ?? [])),
    body,
  };
}

/**
 * A text as every text is stored (D8), so that equal ones are one content.
 *
 * @param what Names it where it cannot be stored
 */
export function storedForm(text: string, what: string): string {
  if (text.isWellFormed()) return decoder.decode(preprocess(encoder.encode(text)));
  throw new KbdbError("bad_request", `Cannot store ${what}: it holds half a surrogate pair`);
}

function checkedArguments(skill: string, declared: readonly SkillArgument[]): SkillArgument[] {
  const names = declared.map(({ name }) => name);
  const bad = names.find((name) => !isArgumentName(name));
  if (bad !== undefined) {
    throw new KbdbError(
      "bad_request",
      `Cannot store skill ${skill}: ${shown(bad)} is no name for an argument. It begins with a ` +
        "letter or _ and goes on with letters, digits, _ and -.",
    );
  }
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) {
    throw new KbdbError(
      "bad_request",
      `Cannot store skill ${skill}: argument ${twice} is declared twice`,
    );
  }
  return declared.map(({ description, ...rest }) => ({
    ...rest,
    ...(description === undefined
      ? {}
      : { description: storedForm(description, `the arguments of skill ${skill}`) }),
  }));
}

/** The content of a skill's section. */
export function skillContent(skill: SkillContent): Uint8Array {
  const content = encoder.encode(serializeSkillContent(skill));
  if (content.length <= MAX_SECTION_BYTES) return content;
  throw new KbdbError(
    "too_large",
    `Cannot store skill ${skill.name}: ${content.length} bytes are over the limit of ` +
      `${MAX_SECTION_BYTES}`,
  );
}
