/**
 * Skills: reusable prompts, stored as sections of type `skill` (D58). Several may have one name; the
 * newest stands for it (D26).
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { kbid as kbidOf } from "../../core/text.ts";
import { KbdbError } from "../../rpc/errors.ts";
import type {
  BuiltinSkill,
  SkillDefinition,
  SkillGetParams,
  SkillLearnParams,
  SkillRenderParams,
  SkillResult,
  SkillSummary,
} from "../../rpc/prompts.ts";
import { renderSkill, shown, type SkillContent } from "../../rpc/skill_text.ts";
import { isKbid } from "../../store/paths.ts";
import type { BaseParts } from "../base_parts.ts";
import { builtinSkills } from "./builtin_skills.ts";
import { Draft, elapsedSince, type WriteContext, type WritePlan } from "../write/draft.ts";
import { checkedSkill, skillContent } from "./new_prompt.ts";
import { holdersOf } from "../write/roots.ts";
import type { SectionState } from "../write/state.ts";
import { readSkill, SKILL_TYPE, type StoredSkill, storedSkills } from "./stored_skills.ts";

/** A skill on its way into the store. */
interface NewSkill {
  readonly parts: BaseParts;
  readonly skill: SkillContent;
  readonly kbid: string;
  readonly content: Uint8Array;
  /** It has the name's place already, or nobody has. */
  readonly newest: boolean;
  /** When the work on it began. */
  readonly start: number;
}

/**
 * Stores a skill. One that is stored already becomes the newest of its name again.
 *
 * @throws {KbdbError} for a name, a body or arguments that cannot be
 */
export async function skillLearn(
  parts: BaseParts,
  params: SkillLearnParams,
): Promise<SkillResult> {
  const start = performance.now();
  const skill = checkedSkill(params);
  const content = skillContent(skill);
  const kbid = kbidOf(content);
  // What is on its way may be the newest of this name.
  await parts.writer.inOrder(() => {});
  const [first] = storedSkills(parts, skill.name);
  const newest = first === undefined || first.meta.kbid === kbid;
  const given = { parts, skill, kbid, content, newest, start };
  return await parts.writer.write(params.key, (context) => planSkill(given, context));
}

/** All skills, by name and then the newest first. */
export function skillList(parts: BaseParts): { skills: SkillSummary[] } {
  const skills = storedSkills(parts).map(({ meta, skill }) => ({
    kbid: meta.kbid,
    name: skill.name,
    description: skill.description,
    argumentCount: skill.arguments.length,
  }));
  return { skills };
}

/**
 * A skill by id, or the newest of a name.
 *
 * @throws {KbdbError} `not_found` if there is none
 */
export function skillGet(parts: BaseParts, params: SkillGetParams): SkillDefinition {
  const { meta, skill } = wantedSkill(parts, params);
  const { name, description, body } = skill;
  return { kbid: meta.kbid, name, description, arguments: skill.arguments, body };
}

/**
 * A skill's text with values in the place of its placeholders (D27).
 *
 * @throws {KbdbError} `not_found` if there is none, `bad_request` if a required argument is missing
 */
export function skillRender(parts: BaseParts, params: SkillRenderParams): { text: string } {
  return { text: renderSkill(wantedSkill(parts, params).skill, params.arguments ?? {}) };
}

/**
 * Puts a skill into the trash. Agents keep its id.
 *
 * @throws {KbdbError} `conflict` if the section is no skill
 */
export async function skillDelete(
  parts: BaseParts,
  params: { key: string; kbid: string },
): Promise<{ kbid: string; removed: boolean }> {
  const { key, kbid } = params;
  return await parts.writer.write(key, (context) => {
    const draft = new Draft(context);
    const stored = isKbid(kbid) ? draft.section(kbid) : null;
    if (stored !== null && stored.meta.type !== SKILL_TYPE) throw noSkill(kbid);
    const sections = stored === null ? [] : [{ kbid, places: [] }];
    const changes = draft.changes({ reason: "skill-delete", sections });
    return { ...changes, answer: () => ({ kbid, removed: stored !== null }) };
  });
}

/** The skills that come with the program, and which of them are stored. */
export function skillBuiltins(parts: BaseParts): { skills: BuiltinSkill[] } {
  const skills = builtinSkills().map((skill) => ({
    name: skill.name,
    description: skill.description,
    installed:
      parts.keeper.index.get(kbidOf(skillContent(checkedSkill(skill))))?.kind === SKILL_TYPE,
  }));
  return { skills };
}

/**
 * Stores a skill that comes with the program; it becomes the newest of its name.
 *
 * @throws {KbdbError} `not_found` if none has the name
 */
export async function skillInstall(
  parts: BaseParts,
  params: { key: string; name: string },
): Promise<SkillResult> {
  const { key, name } = params;
  const builtins = builtinSkills();
  const skill = builtins.find((skill) => skill.name === name);
  if (skill !== undefined) return await skillLearn(parts, { key, ...skill });
  const names = builtins.map(({ name }) => name).join(", ");
  throw new KbdbError(
    "not_found",
    `Cannot install skill ${shown(name)}: none of this name comes with kbdb. There is: ${names}`,
  );
}

function planSkill(given: NewSkill, context: WriteContext): WritePlan<SkillResult> {
  const { skill, kbid, content, newest } = given;
  const draft = new Draft(context);
  const known = draft.section(kbid);
  if (known === null) {
    draft.putSection(newSection(given, draft));
  } else {
    refuseHeld(given, known);
    draft.changeSection(known, { meta: { retired: null, standalone: true } });
  }
  const changes = draft.changes();
  const touched = known !== null && !newest && changes.sections.length === 0
    ? [{ meta: { ...known.meta, seq: context.seq }, docids: known.docids, content }]
    : [];
  return {
    ...changes,
    sections: [...changes.sections, ...touched],
    answer: () => ({
      kbid,
      type: SKILL_TYPE,
      title: skill.name,
      description: skill.description,
      indexed_terms_count: 0,
      elapsed_ms: elapsedSince(given.start),
      attached: false,
      ...(known === null ? {} : { existing: true }),
      name: skill.name,
      arguments: skill.arguments,
    }),
  };
}

function newSection(given: NewSkill, draft: Draft): SectionState {
  const { skill, kbid, content } = given;
  const { now, seq } = draft.context;
  // Where it was lost or deleted, agents may still name it.
  const docids = holdersOf(given.parts, draft, kbid);
  const meta = {
    kbid,
    type: SKILL_TYPE,
    title: skill.name,
    description: skill.description,
    tags: [],
    standalone: true,
    created: now,
    seq,
    retired: null,
    supersedes: [],
    superseded_by: null,
  };
  return { meta, docids, content };
}

function wantedSkill(parts: BaseParts, params: SkillGetParams): StoredSkill {
  const { name, kbid } = params;
  if (kbid) return skillById(parts, kbid);
  if (!name) throw new KbdbError("bad_request", "Provide name or kbid");
  const [newest] = storedSkills(parts, name);
  if (newest === undefined) throw new KbdbError("not_found", `Skill not found: ${name}`);
  return newest;
}

function skillById(parts: BaseParts, kbid: string): StoredSkill {
  const outcome = isKbid(kbid) ? readSkill(parts, kbid) : { state: "missing" as const };
  if (outcome.state === "found") return outcome.value;
  if (outcome.state === "missing") throw new KbdbError("not_found", `Skill not found: ${kbid}`);
  const code = outcome.state === "damaged" ? "damaged" : "permission";
  throw new KbdbError(code, `Cannot read skill ${kbid}: it is ${outcome.state}: ${outcome.reason}`);
}

/** @throws {KbdbError} if something else is stored under the skill's id */
function refuseHeld({ skill, kbid, content }: NewSkill, known: SectionState): void {
  if (Buffer.compare(content, known.content) !== 0) {
    throw new KbdbError(
      "damaged",
      `Cannot store skill ${skill.name}: other bytes are stored under its id ${kbid}, so the file ` +
        "was damaged or edited. Run: kbdb check",
    );
  }
  if (known.meta.type === SKILL_TYPE) return;
  throw new KbdbError(
    "conflict",
    `Cannot store skill ${skill.name}: the same content is stored as an ordinary section, ${kbid}. ` +
      "Unlearn it first.",
  );
}

function noSkill(kbid: string): KbdbError {
  return new KbdbError(
    "conflict",
    `Cannot delete skill ${kbid}: it is an ordinary section. unlearn removes those.`,
  );
}
