/**
 * Agents: a persona with an ordered list of skills, stored as documents of type `agent` (D58).
 *
 * @module
 */

import { KbdbError } from "../../rpc/errors.ts";
import type {
  AgentCreateParams,
  AgentDefinition,
  AgentResult,
  AgentSummary,
} from "../../rpc/prompts.ts";
import { checkName, shown } from "../../rpc/skill_text.ts";
import { type AgentFacts, type DocumentManifest, USUAL_GAP } from "../../store/document_store.ts";
import { isKbid } from "../../store/paths.ts";
import type { BaseParts } from "../base_parts.ts";
import { Draft, union, type WriteContext } from "../write/draft.ts";
import { storedForm } from "./new_prompt.ts";
import type { SectionState } from "../write/state.ts";
import { readSkill, recordsOf, SKILL_TYPE } from "./stored_skills.ts";

/** Type of an agent's document. */
export const AGENT_TYPE = "agent";

type AgentManifest = DocumentManifest & { agent: AgentFacts };

/**
 * Creates an agent, or puts another in its place.
 *
 * @throws {KbdbError} `not_found` if a skill is not there, `conflict` if an ordinary document has its
 * docid
 */
export async function agentCreate(
  parts: BaseParts,
  params: AgentCreateParams,
): Promise<AgentResult> {
  const { key, name, skills } = params;
  const agent = checkedAgent(params);
  const docid = `agent-${name}`;
  return await parts.writer.write(key, (context) => {
    const draft = new Draft(context);
    const old = draft.document(docid);
    if (old !== null && old.type !== AGENT_TYPE) throw heldByDocument(name, docid);
    refuseUnknownSkills(draft, { name, skills });
    draft.putDocument({
      docid,
      title: name,
      type: AGENT_TYPE,
      source: null,
      created: old?.created ?? context.now,
      sections: skills.map((kbid, i) => ({ kbid, gap: i === 0 ? "" : USUAL_GAP })),
      agent,
    });
    moveSkills(draft, { docid, from: kbidsOf(old), to: skills });
    return { ...draft.changes(), answer: () => ({ docid, name, skills }) };
  });
}

/** All agents, by name. */
export function agentList(parts: BaseParts): { agents: AgentSummary[] } {
  const agents: AgentSummary[] = [];
  for (const { docids: [docid] } of recordsOf(parts.keeper.index, AGENT_TYPE)) {
    const outcome = parts.store.readDocument(docid);
    // One bad file costs one entry; check names it.
    if (outcome.state !== "found" || outcome.value.agent === null) continue;
    const { agent: { name, description }, sections } = outcome.value;
    agents.push({ docid, name, description, skillCount: sections.length });
  }
  return { agents: agents.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/**
 * An agent with its skills; positions count from 0.
 *
 * @throws {KbdbError} `not_found` if there is none
 */
export function agentGet(parts: BaseParts, params: { docid: string }): AgentDefinition {
  const { docid } = params;
  const manifest = readAgent(parts, docid);
  if (manifest === null) throw new KbdbError("not_found", `Agent not found: ${docid}`);
  const { name, description, persona } = manifest.agent;
  const skills = manifest.sections.map(({ kbid }, position) => {
    const skill = readSkill(parts, kbid);
    return { kbid, name: skill.state === "found" ? skill.value.skill.name : null, position };
  });
  return { docid, name, description, persona, skills };
}

/**
 * Puts an agent into the trash; its skills stay.
 *
 * @throws {KbdbError} `conflict` if the document is no agent
 */
export async function agentDelete(
  parts: BaseParts,
  params: { key: string; docid: string },
): Promise<{ docid: string; removed: boolean }> {
  const { key, docid } = params;
  return await parts.writer.write(key, (context: WriteContext) => {
    const draft = new Draft(context);
    const stored = draft.document(docid);
    if (stored !== null && stored.type !== AGENT_TYPE) throw noAgent(docid);
    moveSkills(draft, { docid, from: kbidsOf(stored), to: [] });
    const documents = stored === null ? [] : [docid];
    const changes = draft.changes({ reason: "agent-delete", documents });
    return { ...changes, answer: () => ({ docid, removed: stored !== null }) };
  });
}

function checkedAgent(params: AgentCreateParams): AgentFacts {
  const { name, skills } = params;
  checkName(name, "agent");
  if (!Array.isArray(skills)) {
    throw new KbdbError(
      "bad_request",
      `Cannot create agent ${name}: skills is missing. Give an array of skill ids, or an empty one.`,
    );
  }
  return {
    name,
    description: storedForm(params.description, `the description of agent ${name}`),
    persona: storedForm(params.persona, `the persona of agent ${name}`),
  };
}

function refuseUnknownSkills(
  draft: Draft,
  agent: { name: string; skills: readonly string[] },
): void {
  const isSkill = (kbid: string) => isKbid(kbid) && draft.section(kbid)?.meta.type === SKILL_TYPE;
  const unknown = [...new Set(agent.skills)].filter((kbid) => !isSkill(kbid));
  if (unknown.length === 0) return;
  throw new KbdbError(
    "not_found",
    `Cannot create agent ${agent.name}: no skill has the id ${unknown.map(shown).join(", ")}. ` +
      "skill-list shows the ids.",
  );
}

/** What the index knows of skills says which documents hold them. */
function moveSkills(
  draft: Draft,
  agent: { docid: string; from: readonly string[]; to: readonly string[] },
): void {
  const { docid, from, to } = agent;
  for (const kbid of new Set([...from, ...to])) {
    const known = wholeSection(draft, kbid);
    if (known === null) continue;
    const others = known.docids.filter((other) => other !== docid);
    draft.changeSection(known, { docids: to.includes(kbid) ? union(others, [docid]) : others });
  }
}

/** A damaged skill must not keep an agent from being deleted. */
function wholeSection(draft: Draft, kbid: string): SectionState | null {
  try {
    return draft.section(kbid);
  } catch (error) {
    if (error instanceof KbdbError) return null;
    throw error;
  }
}

function kbidsOf(document: DocumentManifest | null): string[] {
  return document?.sections.map(({ kbid }) => kbid) ?? [];
}

/** @throws {KbdbError} if its manifest cannot be read */
function readAgent(parts: BaseParts, docid: string): AgentManifest | null {
  const outcome = parts.store.readDocument(docid);
  if (outcome.state === "missing") return null;
  if (outcome.state !== "found") {
    const code = outcome.state === "damaged" ? "damaged" : "permission";
    throw new KbdbError(
      code,
      `Cannot read document ${docid}: it is ${outcome.state}: ${outcome.reason}`,
    );
  }
  const { agent, type } = outcome.value;
  return type === AGENT_TYPE && agent !== null ? { ...outcome.value, agent } : null;
}

function heldByDocument(name: string, docid: string): KbdbError {
  return new KbdbError(
    "conflict",
    `Cannot create agent ${name}: an ordinary document has the docid ${docid}. Choose another name.`,
  );
}

function noAgent(docid: string): KbdbError {
  return new KbdbError(
    "conflict",
    `Cannot delete agent ${docid}: it is an ordinary document. unlearn removes those.`,
  );
}
