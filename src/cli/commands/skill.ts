/** `kbdb skill`: prompts with placeholders. */

import type {
  SkillArgument,
  SkillDefinition,
  SkillGetParams,
  SkillResult,
  SkillSummary,
} from "../../rpc/prompts.ts";
import { type CommandBody, EXIT, listFlag, neededFlag, usageError } from "../command.ts";
import { counted, isKbid } from "../format.ts";
import { readText } from "../input.ts";
import { type Output, visible, visibleLine } from "../output.ts";

/** Stores a skill. */
export const skillLearn: CommandBody = {
  usage: "NAME FILE|- --description TEXT",
  details:
    "The file is the prompt. {{ name }} in it stands for an argument, which must be given\n" +
    "when the skill is used; --argument describes it, and a ? at the end makes it optional.\n" +
    "Storing another text under a name makes that the skill of this name.",
  flags: {
    description: { kind: "text", value: "TEXT", help: "What the skill does" },
    argument: { kind: "list", value: "NAME[:TEXT][?]", help: "An argument and what to give" },
  },
  examples: [
    [
      "kbdb skill learn explain prompt.md --description Explains",
      "Store a prompt",
    ],
    [
      "kbdb skill learn explain - --description Explains --argument depth:1-3?",
      "With an optional argument",
    ],
  ],
  async run(context) {
    const { args: [name, file, ...others], flags, output, client } = context;
    const description = neededFlag(flags, "description");
    if (file === undefined || others.length > 0) {
      throw usageError("Cannot store a skill: give its name and a file, or - for standard input");
    }
    const declared = listFlag(flags, "argument")?.map(argumentOf);
    const body = await readText(context, file);
    const result = await client().skillLearn({
      name,
      description,
      body,
      ...(declared ? { arguments: declared } : {}),
    });
    await output.result(result, () => learnedText(result));
    return EXIT.ok;
  },
};

/** Lists skills. */
export const skillList: CommandBody = {
  usage: "",
  details: "Of several skills with one name the newest stands first and is the one that is used.",
  flags: {},
  examples: [["kbdb skill list", "All skills"]],
  async run({ output, client }) {
    const { skills } = await client().skillList();
    await output.result(skills, () => skillsText(skills, output));
    return EXIT.ok;
  },
};

/** Shows a skill. */
export const skillGet: CommandBody = {
  usage: "NAME|KBID",
  flags: {},
  examples: [["kbdb skill get explain", "Arguments and text of a skill"]],
  async run({ args, output, client }) {
    const named = skillNamed(args, "show");
    const skill = await client().skillGet(named);
    await output.result(skill, () => skillText(skill, output));
    return EXIT.ok;
  },
};

/** Prints a skill with values in place. */
export const skillRender: CommandBody = {
  usage: "NAME|KBID",
  details:
    "Prints the prompt, to be read or piped on. Optional arguments that are not set are empty.",
  flags: {
    set: { kind: "list", value: "NAME=VALUE", help: "The value of an argument" },
  },
  examples: [["kbdb skill render explain --set topic=journals", "The prompt for one topic"]],
  async run({ args, flags, output, client }) {
    const values = Object.fromEntries((listFlag(flags, "set") ?? []).map(valueOf));
    const params = { ...skillNamed(args, "render"), arguments: values };
    const { text } = await client().skillRender(params);
    await output.result({ text }, () => output.stored(text.endsWith("\n") ? text : `${text}\n`));
    return EXIT.ok;
  },
};

/** Removes a skill. */
export const skillDelete: CommandBody = {
  usage: "KBID",
  details: "Takes an id, since several skills may have one name. Agents that use the skill stay.",
  flags: {},
  examples: [["kbdb skill delete 1cy96vmqxgmc72dt1v5b2vkrmy", "Move a skill to the trash"]],
  async run({ args, output, client }) {
    const [kbid, ...others] = args;
    if (kbid === undefined || others.length > 0) {
      throw usageError("Cannot delete: give the kbid of one skill, as kbdb skill list shows it");
    }
    if (!isKbid(kbid)) {
      throw usageError(`Cannot delete ${kbid}: give its kbid. See: kbdb skill get ${kbid}`);
    }
    const result = await client().skillDelete(kbid);
    await output.result(result, () => result.removed ? `Moved ${kbid} to the trash\n` : "");
    if (!result.removed) output.error(`Not stored: ${kbid}`);
    return result.removed ? EXIT.ok : EXIT.notFound;
  },
};

/** `depth:How deep?` as an optional argument `depth`. */
export function argumentOf(text: string): SkillArgument {
  const optional = text.endsWith("?");
  const [name, ...rest] = (optional ? text.slice(0, -1) : text).split(":");
  const description = rest.join(":").trim();
  return {
    name: name.trim(),
    ...(description === "" ? {} : { description }),
    required: !optional,
  };
}

function valueOf(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usageError(`Cannot set ${text}: write it as NAME=VALUE`);
}

/** A skill by the word that a person gives. */
export function skillNamed(args: readonly string[], action: string): SkillGetParams {
  const [word, ...others] = args;
  if (word === undefined || others.length > 0) {
    throw usageError(`Cannot ${action} a skill: give one name or kbid. See: kbdb skill list`);
  }
  return isKbid(word) ? { kbid: word } : { name: word };
}

function learnedText({ kbid, name, existing, arguments: all }: SkillResult): string {
  const what = existing ? "Known already" : "Stored";
  return `${what}: skill ${name} (${kbid})${all.length ? `, ${argumentsText(all)}` : ""}\n`;
}

function argumentsText(all: readonly SkillArgument[]): string {
  const names = all.map(({ name, required }) => `${name}${required === false ? "?" : ""}`);
  return `arguments ${names.map(visibleLine).join(", ")}`;
}

/** What a person sees of a list of skills. */
export function skillsText(skills: readonly SkillSummary[], output: Output): string {
  if (skills.length === 0) return "No skills. Some come with kbdb: kbdb skill install\n";
  return skills.map(({ kbid, name, description, argumentCount }) => {
    const count = argumentCount > 0 ? `  (${counted(argumentCount, "argument")})` : "";
    return `${output.bold(name)}${count}  ${visibleLine(description)}\n  ${output.dim(kbid)}\n`;
  }).join("");
}

/** What a person sees of a skill. */
export function skillText(skill: SkillDefinition, output: Output): string {
  const { kbid, name, description, arguments: all, body } = skill;
  return [
    `${output.bold(name)}  ${visibleLine(description)}  ${output.dim(kbid)}`,
    ...all.map((one) => {
      const text = one.description ? `: ${visibleLine(one.description)}` : "";
      return `  ${visibleLine(one.name)}${one.required === false ? " (optional)" : ""}${text}`;
    }),
    "",
    visible(body),
    "",
  ].join("\n");
}
