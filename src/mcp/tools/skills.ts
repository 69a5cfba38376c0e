/**
 * Tools for skills: prompts with placeholders.
 *
 * @module
 */

import {
  argumentsOf,
  checkName,
  parseSkillContent,
  serializeSkillContent,
} from "../../rpc/skill_text.ts";
import type { SkillArgument, SkillDefinition } from "../types.ts";
import type { McpWorkerClient, MissingSection, Section } from "../worker_client.ts";
import { whole } from "./budget.ts";
import { cutList } from "./lists.ts";
import { defineAnsweringTool, defineTool, number, text, type ToolContext } from "./tool.ts";

/** What the host's model is asked for a missing body. */
function promptFor(name: string, description: string): string {
  return `Write the body of a prompt template named "${name}". Its purpose: ${description}\n` +
    "Address the model that will follow it. Where a value has to be filled in, write a " +
    "placeholder {{name}}. Answer with the template alone.";
}

/** `skill-learn`. */
export const skillLearn = defineTool({
  name: "skill-learn",
  title: "Create Skill",
  hints: "i",
  description:
    "Store a skill: a reusable prompt whose {{ placeholders }} are filled in when it is " +
    "used. It is offered as a prompt to every client of this knowledge base.",
  args: {
    "name!": text("Lower-case words joined by hyphens, at most 64 characters"),
    "description!": text("What the skill does"),
    body: text("The template; where the host can, a missing one is written by its model"),
    arguments: {
      type: "array",
      description: "Placeholders to describe; those found in the body are added",
      items: {
        type: "object",
        properties: {
          name: { type: "string", description: "Name of the placeholder" },
          description: { type: "string", description: "What to give" },
          required: { type: "boolean", description: "Whether it must be given" },
        },
        required: ["name"],
      },
    },
  },
  run: async (args, context) => {
    const { name, description } = args as { name: string; description: string };
    // Before a model is asked to write for what cannot be stored.
    checkName(name, "skill");
    const declared = (args.arguments as GivenArgument[] | undefined ?? []).map(declaredArgument);
    const body = await bodyOf(args, context);
    const skill = { name, description, body, arguments: argumentsOf(body, declared) };
    const added = await context.client.addSection({
      content: serializeSkillContent(skill),
      sectionType: "skill",
      title: name,
      description,
    });
    context.log("info", `Stored skill ${name} as ${added.kbid}`);
    return { ...added, name, arguments: skill.arguments };
  },
});

async function bodyOf(
  args: Readonly<Record<string, unknown>>,
  { sample }: ToolContext,
): Promise<string> {
  const body = args.body as string | undefined;
  if (body?.trim()) return body;
  if (body !== undefined || !sample) throw new Error("skill body must not be empty");
  const written = await sample(promptFor(String(args.name), String(args.description)))
    .catch((error) => Promise.reject(unwritten(String(args.name), error)));
  if (!written.trim()) throw new Error("skill body must not be empty");
  return written;
}

function unwritten(name: string, error: unknown): Error {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
  const message = `Cannot write the body of skill ${name}: ${reason}. Call again with a body.`;
  return new Error(message, { cause: error });
}

type GivenArgument = Readonly<Record<keyof SkillArgument, unknown>>;

/** Models write null for what they leave out, and "true" for a switch. */
function declaredArgument({ name, description, required }: GivenArgument): SkillArgument {
  const known = { name: name ?? {}, description: description ?? "" };
  const wrong = Object.entries(known).find(([, value]) => typeof value === "object");
  if (wrong) {
    throw new Error(`Cannot call skill-learn: arguments need a ${wrong[0]} that is a string`);
  }
  return {
    name: String(name),
    ...(description == null ? {} : { description: String(description) }),
    ...(required == null ? {} : { required: required === true || required === "true" }),
  };
}

/** `skill-list`. */
export const skillList = defineAnsweringTool({
  name: "skill-list",
  title: "List Skills",
  hints: "ri",
  description: "List all skills with their ids. Of several with one name the newest stands first.",
  args: { offset: number("Skills to pass over, where a reply did not hold all (default 0)") },
  run: async ({ offset }, { client, room }) => {
    const skills = (await client.listByType("skill")).map(skillOf).map((skill) => ({
      kbid: skill.kbid,
      name: skill.name,
      description: skill.description,
      argumentCount: skill.arguments.length,
    }));
    return { result: cutList("skill-list", skills, { offset: offset as number, room }) };
  },
  empty: () => [],
});

/** `skill-get`. */
export const skillGet = defineTool({
  name: "skill-get",
  title: "Get Skill",
  hints: "ri",
  description: "Show a skill with its template, by kbid or by name; of several with one name the " +
    "newest.",
  args: {
    name: text("Name of the skill"),
    kbid: text("Id of the skill; it counts where both are given"),
  },
  run: async ({ name, kbid }, { client, room }) => {
    const skill = skillOf(await skillAsked(client, { name, kbid }));
    return whole(skill, { room, wayOut: `The command kbdb skill get ${skill.name} shows it.` });
  },
  empty: () => ({}),
});

/** `skill-delete`. */
export const skillDelete = defineTool({
  name: "skill-delete",
  title: "Delete Skill",
  hints: "di",
  description: "Remove a skill by its kbid. Agents that have it keep the entry, without a name.",
  args: { "kbid!": text("Id of the skill") },
  run: async ({ kbid }, { client, log }) => {
    const id = kbid as string;
    const { removed } = await client.removeSection(id, { sectionType: "skill" });
    if (removed) log("notice", `Moved skill ${id} to the trash`);
    return { kbid: id, removed };
  },
  empty: ({ kbid }) => ({ kbid, removed: false }),
});

function skillAsked(
  client: McpWorkerClient,
  { name, kbid }: { name?: unknown; kbid?: unknown },
): Promise<Section> {
  if (kbid !== undefined) return skillSection(client, kbid as string);
  if (name === undefined) throw new Error("Provide name or kbid");
  return skillNamed(client, name as string);
}

/** The newest skill of a name. */
export async function skillNamed(client: McpWorkerClient, name: string): Promise<Section> {
  const found = (await client.listByType("skill")).find((section) =>
    skillOf(section).name === name
  );
  if (found) return found;
  throw new Error(`Cannot show skill ${name}: there is none of that name. See skill-list.`);
}

async function skillSection(client: McpWorkerClient, kbid: string): Promise<Section> {
  const [section] = await client.readSections([kbid]);
  if (isMissing(section)) throw new Error(section.error.message);
  if (section.sectionType === "skill") return section;
  throw new Error(`Cannot show skill ${kbid}: that section is no skill. Read it with recall.`);
}

/** Whether a section could not be read. */
export function isMissing(section: Section | MissingSection): section is MissingSection {
  return "error" in section;
}

/** The skill that a section holds. */
export function skillOf({ kbid, content }: Section): SkillDefinition {
  const { name, description, arguments: all, body } = parseSkillContent(content);
  return { kbid, name, description, arguments: all, body };
}
