/**
 * Tools for agents: a persona with skills.
 *
 * @module
 */

import { KbdbError } from "../../rpc/errors.ts";
import type { DocumentRecord } from "../../rpc/reading.ts";
import { checkName } from "../../rpc/skill_text.ts";
import type { AgentDefinition } from "../types.ts";
import type { McpWorkerClient } from "../worker_client.ts";
import { whole } from "./budget.ts";
import { cutList } from "./lists.ts";
import { isMissing, skillOf } from "./skills.ts";
import { defineAnsweringTool, defineTool, number, text, texts } from "./tool.ts";

/** `agent-create`. */
export const agentCreate = defineTool({
  name: "agent-create",
  title: "Create Agent",
  hints: "i",
  description: "Store an agent: a persona (system prompt) with an ordered list of skills. It is " +
    "offered as the prompt agent:<name>. An agent of this name that is there already is replaced.",
  args: {
    "name!": text("Lower-case words joined by hyphens, at most 64 characters"),
    "description!": text("What the agent does"),
    "persona!": text("Its system prompt"),
    "skills!": texts("Kbids of its skills, in order; may be empty"),
  },
  run: async (args, { client, log }) => {
    const { name, description, persona, skills } = args as {
      name: string;
      description: string;
      persona: string;
      skills: string[];
    };
    checkName(name, "agent");
    const agent = { name, description, persona };
    const created = await client.groupSections({ type: "agent", sections: skills, agent });
    log("info", `Stored agent ${name} with ${skills.length} skills`);
    return created;
  },
});

/** `agent-list`. */
export const agentList = defineAnsweringTool({
  name: "agent-list",
  title: "List Agents",
  hints: "ri",
  description: "List all agents.",
  args: { offset: number("Agents to pass over, where a reply did not hold all (default 0)") },
  run: async ({ offset }, { client, room }) => {
    const agents = (await client.listDocumentsByType("agent")).map((agent) => ({
      docid: agent.docid,
      name: agent.name,
      description: agent.description,
      skillCount: agent.skillCount,
    }));
    return { result: cutList("agent-list", agents, { offset: offset as number, room }) };
  },
  empty: () => [],
});

/** `agent-get`. */
export const agentGet = defineTool({
  name: "agent-get",
  title: "Get Agent",
  hints: "ri",
  description: "Show an agent: its persona and its skills in order. A skill that was deleted has " +
    "name null.",
  args: { "docid!": text('Id of the agent: "agent-<name>"') },
  run: async ({ docid }, { client, room }) => {
    const agent = await agentOf(client, docid as string);
    return whole(agent, { room, wayOut: `The command kbdb agent get ${agent.name} shows it.` });
  },
  empty: () => ({}),
});

/** `agent-delete`. */
export const agentDelete = defineTool({
  name: "agent-delete",
  title: "Delete Agent",
  hints: "di",
  description: "Remove an agent. Its skills stay.",
  args: { "docid!": text('Id of the agent: "agent-<name>"') },
  run: async ({ docid }, { client, log }) => {
    const { removed } = await client.removeGrouping(docid as string);
    if (removed) log("notice", `Moved ${docid} to the trash`);
    return { docid, removed };
  },
  empty: ({ docid }) => ({ docid, removed: false }),
});

/** An agent with the names of its skills. */
export async function agentOf(client: McpWorkerClient, docid: string): Promise<AgentDefinition> {
  const { agent, sections } = await agentRecord(client, docid);
  const kbids = sections.map(({ kbid }) => kbid);
  const read = kbids.length === 0 ? [] : await client.readSections(kbids);
  const skills = kbids.map((kbid, i) => {
    const section = read[i];
    const name = isMissing(section) ? null : skillOf(section).name;
    return { kbid, name, position: i };
  });
  return { docid, ...agent, skills };
}

/** The record of an agent; refuses other documents. */
export async function agentRecord(
  client: McpWorkerClient,
  docid: string,
): Promise<DocumentRecord & { agent: NonNullable<DocumentRecord["agent"]> }> {
  const record = await client.retrieveDocument(docid);
  const { agent } = record;
  if (agent) return { ...record, agent };
  throw new KbdbError(
    "bad_request",
    `Cannot show ${docid} as an agent: it is another kind of document. Use retrieve.`,
  );
}
