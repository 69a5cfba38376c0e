/**
 * Finding the skills that are stored.
 *
 * @module
 */

import type { IndexRecord, SearchIndex } from "../../core/search_index.ts";
import { parseSkillContent, type SkillContent } from "../../rpc/skill_text.ts";
import type { ReadOutcome } from "../../store/read_outcome.ts";
import type { SectionMeta, StoredSection } from "../../store/section_file.ts";
import type { BaseParts } from "../base_parts.ts";

/** Type of a skill's section. */
export const SKILL_TYPE = "skill";

/** What skills are looked up in. */
export type SkillParts = Pick<BaseParts, "keeper" | "reader" | "lost">;

/** A stored skill. */
export interface StoredSkill {
  readonly meta: SectionMeta;
  readonly skill: SkillContent;
}

const PAGE = 1000;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Entries of one kind, in the order of their keys. */
export function* recordsOf(index: SearchIndex, kind: string): Generator<IndexRecord> {
  const next = (after?: string) => index.list(kind, { after, limit: PAGE });
  for (let page = next(); page.length > 0; page = next(page.at(-1)!.kbid)) yield* page;
}

/** The skill of this id; what is stored and no skill is missing. */
export function readSkill(
  parts: Pick<SkillParts, "reader">,
  kbid: string,
): ReadOutcome<StoredSkill> {
  const outcome = parts.reader.read(kbid);
  if (outcome.state !== "found") return outcome;
  return outcome.value.meta.type === SKILL_TYPE ? parsed(outcome.value) : { state: "missing" };
}

/**
 * All skills that can be read, or those of one name, by name and then the newest first. The newest is
 * the one that was written last.
 */
export function storedSkills(parts: SkillParts, name?: string): StoredSkill[] {
  const skills: StoredSkill[] = [];
  const lost: [kbid: string, reason: string][] = [];
  for (const { kbid, heading } of recordsOf(parts.keeper.index, SKILL_TYPE)) {
    if (name !== undefined && heading !== name) continue;
    const outcome = readSkill(parts, kbid);
    if (outcome.state === "found") skills.push(outcome.value);
    else if (outcome.state === "damaged") lost.push([kbid, outcome.reason]);
    else if (outcome.state === "missing") lost.push([kbid, "its file is missing"]);
  }
  for (const [kbid, reason] of lost) parts.lost(kbid, reason);
  return skills.sort(compareSkills);
}

function compareSkills(a: StoredSkill, b: StoredSkill): number {
  return compare(a.skill.name, b.skill.name) || b.meta.seq - a.meta.seq ||
    compare(b.meta.created, a.meta.created) || compare(a.meta.kbid, b.meta.kbid);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function parsed({ meta, content }: StoredSection): ReadOutcome<StoredSkill> {
  try {
    return { state: "found", value: { meta, skill: parseSkillContent(decoder.decode(content)) } };
  } catch (error) {
    return { state: "damaged", reason: error instanceof Error ? error.message : String(error) };
  }
}
