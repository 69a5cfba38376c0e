/** `kbdb agent`: personas with skills. */

import type { AgentDefinition, AgentSummary } from "../../rpc/prompts.ts";
import {
  type CommandBody,
  type CommandContext,
  EXIT,
  listFlag,
  neededFlag,
  usageError,
} from "../command.ts";
import { counted, isKbid } from "../format.ts";
import { isFile, readText } from "../input.ts";
import { type Output, visible, visibleLine } from "../output.ts";

/** Stores an agent. */
export const agentCreate: CommandBody = {
  usage: "NAME --description TEXT --persona FILE|TEXT",
  details: "An agent of this name that is there already is replaced.",
  flags: {
    description: { kind: "text", value: "TEXT", help: "What the agent does" },
    persona: { kind: "text", value: "FILE|TEXT", help: "Its system prompt; - for standard input" },
    skill: { kind: "list", value: "ID|NAME", help: "A skill of the agent, in order" },
  },
  examples: [
    [
      "kbdb agent create guide --description Shows --persona guide.md --skill explain",
      "With a skill",
    ],
  ],
  async run(context) {
    const { args, flags, output, client } = context;
    if (args.length !== 1) throw usageError("Cannot create an agent: give one name");
    const params = {
      name: args[0],
      description: neededFlag(flags, "description"),
      persona: await personaOf(context, neededFlag(flags, "persona")),
      skills: await skillIds(context, listFlag(flags, "skill") ?? []),
    };
    const result = await client().agentCreate(params);
    await output.result(
      result,
      () => `Stored: agent ${result.name}, ${counted(result.skills.length, "skill")}\n`,
    );
    return EXIT.ok;
  },
};

/** Lists agents. */
export const agentList: CommandBody = {
  usage: "",
  flags: {},
  examples: [["kbdb agent list", "All agents"]],
  async run({ output, client }) {
    const { agents } = await client().agentList();
    await output.result(agents, () => agentsText(agents, output));
    return EXIT.ok;
  },
};

/** Shows an agent. */
export const agentGet: CommandBody = {
  usage: "NAME|DOCID",
  flags: {},
  examples: [["kbdb agent get librarian", "Persona and skills of an agent"]],
  async run({ args, output, client }) {
    const docid = agentNamed(args, "show");
    const agent = await client().agentGet(docid);
    await output.result(agent, () => agentText(agent, output));
    return EXIT.ok;
  },
};

/** Removes an agent. */
export const agentDelete: CommandBody = {
  usage: "NAME|DOCID",
  flags: {},
  examples: [["kbdb agent delete librarian", "Move an agent to the trash"]],
  async run({ args, output, client }) {
    const docid = agentNamed(args, "delete");
    const result = await client().agentDelete(docid);
    await output.result(result, () => result.removed ? `Moved ${docid} to the trash\n` : "");
    if (!result.removed) output.error(`Not stored: ${docid}`);
    return result.removed ? EXIT.ok : EXIT.notFound;
  },
};

/** The text of a file that is there, or the words themselves. */
async function personaOf(context: CommandContext, given: string): Promise<string> {
  return given === "-" || isFile(context, given) ? await readText(context, given) : given;
}

/** Ids of skills that were named by id or by name. */
async function skillIds({ client }: CommandContext, words: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const word of words) {
    ids.push(isKbid(word) ? word : (await client().skillGet({ name: word })).kbid);
  }
  return ids;
}

/** The docid of an agent by the word that a person gives. */
function agentNamed(args: readonly string[], action: string): string {
  const [word, ...others] = args;
  if (word === undefined || others.length > 0) {
    throw usageError(`Cannot ${action} an agent: give one name or docid. See: kbdb agent list`);
  }
  return word.startsWith("agent-") ? word : `agent-${word}`;
}

/** What a person sees of a list of agents. */
export function agentsText(agents: readonly AgentSummary[], output: Output): string {
  if (agents.length === 0) return "No agents\n";
  return agents.map(({ name, description, skillCount }) =>
    `${output.bold(name)}  (${counted(skillCount, "skill")})  ${visibleLine(description)}\n`
  ).join("");
}

/** What a person sees of an agent. */
export function agentText(agent: AgentDefinition, output: Output): string {
  const { docid, name, description, persona, skills } = agent;
  return [
    `${output.bold(name)}  ${visibleLine(description)}  ${output.dim(docid)}`,
    ...skills.map((skill) => {
      return `  ${skill.position}. ${skill.name ?? "(deleted)"}  ${output.dim(skill.kbid)}`;
    }),
    "",
    visible(persona),
    "",
  ].join("\n");
}
