/**
 * Prompts: skills under their names, agents as `agent:<name>`.
 *
 * @module
 */

import { KbdbError } from "../rpc/errors.ts";
import type { AgentSummary } from "../rpc/prompts.ts";
import { renderSkill } from "../rpc/skill_text.ts";
import { INVALID_PARAMS, RESOURCE_NOT_FOUND } from "./error_codes.ts";
import { ProtocolError } from "./protocol/types.ts";
import { agentRecord } from "./tools/agents.ts";
import { isMissing, skillOf } from "./tools/skills.ts";
import type { McpPrompt, McpPromptMessage } from "./types.ts";
import type { McpWorkerClient, Section } from "./worker_client.ts";

const AGENT = "agent:";

/**
 * The prompts of skill sections and agents; of several skills with one name the first, which is the
 * newest (D58). What is no skill is passed over.
 */
export function createPromptDefinitions(
  sections: readonly Section[],
  agents: readonly Pick<AgentSummary, "name" | "description">[] = [],
): McpPrompt[] {
  const skills = new Map<string, McpPrompt>();
  for (const section of sections.filter(({ sectionType }) => sectionType === "skill")) {
    const { name, description, arguments: all } = skillOf(section);
    if (!skills.has(name)) skills.set(name, { name, description, arguments: all });
  }
  const personas = agents.map(({ name, description }) => ({
    name: AGENT + name,
    description,
    arguments: [],
  }));
  return [...skills.values(), ...personas];
}

/** All prompts of a database. */
export async function listPrompts(client: McpWorkerClient): Promise<McpPrompt[]> {
  const [skills, agents] = await Promise.all([
    client.listByType("skill"),
    client.listDocumentsByType("agent"),
  ]);
  return createPromptDefinitions(skills, agents);
}

/**
 * A prompt with its values in place.
 *
 * @throws {ProtocolError} -32002 for an unknown prompt, -32602 naming a required argument that is
 *   missing (D21)
 */
export async function handlePromptGet(
  name: string,
  args: Readonly<Record<string, string>>,
  client: McpWorkerClient,
): Promise<McpPromptMessage[]> {
  if (name.startsWith(AGENT)) return await agentMessages(name, client);
  const section = (await client.listByType("skill")).find((one) => skillOf(one).name === name);
  if (!section) throw unknownPrompt(name);
  return [message("user", rendered(section, args))];
}

function rendered(section: Section, args: Readonly<Record<string, string>>): string {
  try {
    return renderSkill(skillOf(section), args);
  } catch (error) {
    if (!(error instanceof KbdbError)) throw error;
    throw new ProtocolError(INVALID_PARAMS, error.message);
  }
}

/** The persona, then what it can do. */
async function agentMessages(name: string, client: McpWorkerClient): Promise<McpPromptMessage[]> {
  const record = await agentRecord(client, `agent-${name.slice(AGENT.length)}`).catch((error) => {
    const isUnknown = error instanceof KbdbError &&
      ["not_found", "bad_request"].includes(error.code);
    throw isUnknown ? unknownPrompt(name) : error;
  });
  const kbids = record.sections.map(({ kbid }) => kbid);
  const sections = kbids.length === 0 ? [] : await client.readSections(kbids);
  const lines = sections.filter((section) => !isMissing(section)).map((section) => {
    const skill = skillOf(section as Section);
    return `- ${skill.name}: ${oneLine(skill.description)}`;
  });
  return [
    message("assistant", record.agent.persona),
    message("user", ["Available skills:", ...lines].join("\n")),
  ];
}

/** A description cannot add entries of its own to a list (D29). */
function oneLine(text: string): string {
  return text.trim().replace(/\s*[\r\n\v\f\x85\u2028\u2029]\s*/g, " ");
}

function message(role: McpPromptMessage["role"], text: string): McpPromptMessage {
  return { role, content: { type: "text", text } };
}

/** Nothing is offered under this name. */
export function unknownPrompt(name: string): ProtocolError {
  return new ProtocolError(RESOURCE_NOT_FOUND, `Prompt not found: ${name}`);
}
