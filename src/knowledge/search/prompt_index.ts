/**
 * A small index of skills and agents, apart from that of sections so that its statistics stay apart,
 * too. It is made when it is first searched, and again once skills or agents have changed.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { type IndexRecord, SearchIndex } from "../../core/search_index.ts";
import type { ReadOutcome } from "../../store/read_outcome.ts";
import type { DocumentManifest } from "../../store/document_store.ts";
import type { IndexKeeper } from "../index/keeper.ts";
import { documentKey } from "../index/records.ts";
import type { SearchParts, SourceTexts } from "./sources.ts";
import { recordsOf, SKILL_TYPE, type StoredSkill, storedSkills } from "../prompts/stored_skills.ts";

const AGENT_TYPE = "agent";
const NOTHING = new Uint8Array();

/** What is searchable of a skill or an agent. */
interface Prompt {
  readonly record: IndexRecord;
  /** A skill's kbid, an agent's docid. */
  readonly id: string;
  /** A skill's template, an agent's persona. */
  readonly body: Uint8Array;
  /** Tells whether it changed. */
  readonly version: string;
}

interface PromptIndex {
  readonly index: SearchIndex;
  readonly prompts: ReadonlyMap<string, Prompt>;
  readonly version: string;
  /** Up to which transaction it is known to be current. */
  seq: number;
}

/** One for each open database, as long as that is open. */
const KNOWN = new WeakMap<IndexKeeper, PromptIndex>();

/** The index of skills and agents as they are now, and how they are read. */
export function promptIndexOf(parts: SearchParts): { index: SearchIndex; texts: SourceTexts } {
  const known = current(parts);
  const texts: SourceTexts = {
    idOf: (key) => known.prompts.get(key)?.id ?? key,
    content: (key) => contentOf(parts, known.prompts.get(key)),
    readable: (key) => known.prompts.get(key)?.body ?? NOTHING,
    has: () => true,
    lost: (key, reason) => {
      known.index.remove(key);
      parts.lost(key, reason);
    },
  };
  return { index: known.index, texts };
}

function current(parts: SearchParts): PromptIndex {
  const { keeper } = parts;
  const known = KNOWN.get(keeper);
  if (known?.seq === keeper.appliedSeq) return known;
  const prompts = [...storedSkills(parts).map(skillPrompt(keeper)), ...agentPrompts(parts)];
  const version = prompts.map((prompt) => prompt.version).join("\n");
  if (known?.version === version) {
    known.seq = keeper.appliedSeq;
    return known;
  }
  known?.index.free();
  const made = { ...filled(parts, prompts), version, seq: keeper.appliedSeq };
  KNOWN.set(keeper, made);
  return made;
}

function filled(
  { store }: SearchParts,
  prompts: readonly Prompt[],
): Pick<PromptIndex, "index" | "prompts"> {
  const index = new SearchIndex({ language: store.config.language });
  for (const { record, body } of prompts) index.add(record, body);
  return { index, prompts: new Map(prompts.map((prompt) => [prompt.record.kbid, prompt])) };
}

function skillPrompt(keeper: IndexKeeper): (stored: StoredSkill) => Prompt {
  return ({ meta, skill }) => {
    const body = Buffer.from(skill.body);
    const docids = keeper.recordOf(meta.kbid)?.docids ?? [];
    const record = recordFor(meta.kbid, {
      heading: skill.name,
      description: skill.description,
      type: SKILL_TYPE,
      tags: [...meta.tags],
      docids,
      bytes: body.length,
    });
    return { record, id: meta.kbid, body, version: [meta.kbid, meta.tags, docids].join(" ") };
  };
}

function agentPrompts({ keeper, store }: SearchParts): Prompt[] {
  return [...recordsOf(keeper.index, AGENT_TYPE)].flatMap(({ docids: [docid] }) => {
    const outcome = store.readDocument(docid);
    return outcome.state === "found" && outcome.value.agent ? [agentPrompt(outcome.value)] : [];
  });
}

function agentPrompt({ docid, seq, agent }: DocumentManifest): Prompt {
  const { name, description, persona } = agent!;
  const body = Buffer.from(persona);
  const record = recordFor(documentKey(docid), {
    heading: name,
    description,
    type: AGENT_TYPE,
    tags: [],
    docids: [docid],
    bytes: body.length,
  });
  return { record, id: docid, body, version: `${docid} ${seq}` };
}

/** Of the kind that is searched: here there is no other. */
function recordFor(kbid: string, facts: Omit<IndexRecord, "kbid" | "kind" | "flags" | "refs">) {
  return { kbid, kind: "section", flags: 0, refs: [], ...facts };
}

function contentOf({ reader }: SearchParts, prompt: Prompt | undefined): ReadOutcome<Uint8Array> {
  if (prompt === undefined) return { state: "missing" };
  if (prompt.record.type === AGENT_TYPE) return { state: "found", value: prompt.body };
  return reader.content(prompt.id);
}
