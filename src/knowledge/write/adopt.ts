/**
 * Adopting edits from outside: a section whose bytes no longer give its id becomes a revision (D47).
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { CoreError } from "../../core/core_error.ts";
import { kbid as kbidOf, preprocess } from "../../core/text.ts";
import { KbdbError } from "../../rpc/errors.ts";
import { MAX_SECTION_BYTES, type RebuildResult } from "../../rpc/protocol.ts";
import { parseSkillContent } from "../../rpc/skill_text.ts";
import type { SectionMeta, StoredSection } from "../../store/section_file.ts";
import type { BaseParts } from "../base_parts.ts";
import { ownHeading } from "./cut.ts";
import { Draft, union, type WriteContext, type WritePlan } from "./draft.ts";
import type { Report } from "../index/fill.ts";
import { checkedSkill, skillContent } from "../prompts/new_prompt.ts";
import { isImage } from "../index/records.ts";
import { chainBehind, takePlaces } from "./revise.ts";
import { Slices } from "../slices.ts";
import type { SectionState } from "./state.ts";
import { SKILL_TYPE } from "../prompts/stored_skills.ts";
import { refuseReadOnly } from "./writer.ts";

type Adopted = NonNullable<RebuildResult["adopted"]>[number];

/** What adopting works with. */
export type AdoptParts = Pick<BaseParts, "store" | "keeper" | "writer">;

/** An edited section that is to be adopted. */
interface Edit {
  readonly kbid: string;
  /** Documents whose manifests list it. */
  readonly docids: readonly string[];
}

/** What an edited section becomes. */
interface Revision {
  readonly kbid: string;
  readonly content: Uint8Array;
  readonly title: string | null;
  readonly description: string | null;
}

/** What was adopted, and where in the trash the edited file went. */
interface Adoption extends Adopted {
  readonly removal: string;
}

/** Sections between two reports. */
const REPORT_EVERY = 256;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Stores what people made of section files as revisions, each in the old one's place in every
 * document. What is no text that can be stored stays as it is.
 *
 * @throws {KbdbError} if the database cannot be written, or a manifest cannot be read
 */
export async function adoptEdits(parts: AdoptParts, report: Report): Promise<Adopted[]> {
  refuseReadOnly(parts.store);
  const edits = await findEdits(parts, report);
  const adoptions: Adoption[] = [];
  for (const edit of edits) {
    const done = await parts.writer.write(
      null,
      (context) => planAdoption(edit, { parts, context }),
    );
    if (done !== null) adoptions.push(done);
  }
  await dropFromTrash(parts, adoptions);
  return adoptions.map(({ kbid, supersedes }) => ({ kbid, supersedes }));
}

async function findEdits({ store }: AdoptParts, report: Report): Promise<Edit[]> {
  const slices = new Slices();
  const { kbids } = store.listSections();
  const docids = new Map<string, string[]>();
  for (const [i, kbid] of kbids.sort().entries()) {
    await slices.breathe();
    if (i % REPORT_EVERY === 0) report(i, kbids.length);
    const stored = store.readSection(kbid);
    if (stored.state === "found" && isEdited(stored.value)) docids.set(kbid, []);
  }
  if (docids.size === 0) return [];
  for (const { name, outcome } of store.allDocuments()) {
    await slices.breathe();
    if (outcome.state === "missing") continue;
    if (outcome.state !== "found") throw badManifest(name, outcome);
    const { docid, sections } = outcome.value;
    for (const kbid of new Set(sections.map((entry) => entry.kbid))) docids.get(kbid)?.push(docid);
  }
  return Array.from(docids, ([kbid, docids]) => ({ kbid, docids }));
}

/** What it lists would stay behind. */
function badManifest(name: string, outcome: { state: string; reason: string }): KbdbError {
  return new KbdbError(
    outcome.state === "damaged" ? "damaged" : "permission",
    `Cannot adopt edits: the manifest documents/${name} is ${outcome.state}: ` +
      `${outcome.reason.split("\n")[0]}. Put the file right or remove it, then try again.`,
  );
}

function planAdoption(
  edit: Edit,
  where: { parts: AdoptParts; context: WriteContext },
): WritePlan<Adoption | null> {
  const { parts, context } = where;
  const draft = new Draft(context);
  const old = draft.section(edit.kbid);
  const revision = old && isEdited(old) ? revisionOf(old, parts) : null;
  const known = revision && draft.section(revision.kbid);
  if (old === null || revision === null || (known && !isSame(known, { old, revision }))) {
    return { ...draft.changes(), answer: () => null };
  }
  const docids = takePlaces(draft, { old: { ...old, docids: edit.docids }, kbid: revision.kbid });
  const meta = known
    ? mergedMeta(known.meta, old.meta)
    : newMeta(draft, { old: old.meta, revision });
  const held = union(known?.docids ?? [], docids);
  draft.putSection({
    // What no document holds has to stand alone.
    meta: { ...meta, standalone: meta.standalone || (held.length === 0 && meta.retired === null) },
    docids: held,
    content: revision.content,
  });
  const changes = draft.changes({ reason: "unlearn", sections: [{ kbid: edit.kbid, places: [] }] });
  const { name: removal } = changes.removal!;
  return {
    ...changes,
    answer: () => ({ kbid: revision.kbid, supersedes: edit.kbid, removal }),
  };
}

function newMeta(
  draft: Draft,
  facts: { old: SectionMeta; revision: Revision },
): SectionMeta {
  const { old, revision: { kbid, title, description } } = facts;
  const { now: created, seq } = draft.context;
  return { ...old, kbid, title, description, created, seq, supersedes: chainBehind(kbid, old) };
}

/** A text that is stored already comes to life, or keeps its life, in the old one's place. */
function mergedMeta(known: SectionMeta, old: SectionMeta): SectionMeta {
  const isInUse = old.retired === null || known.retired === null;
  return {
    ...known,
    tags: union(known.tags, old.tags),
    standalone: known.standalone || old.standalone,
    retired: isInUse ? null : known.retired,
    supersedes: chainBehind(known.kbid, old, known),
    superseded_by: isInUse ? null : known.superseded_by,
  };
}

/** What the edited bytes are to be stored as; `null` where they are no text that can be stored. */
function revisionOf(old: SectionState, parts: AdoptParts): Revision | null {
  const { type } = old.meta;
  if (isImage(type)) return null;
  try {
    const text = preprocess(old.content);
    const revision = type === SKILL_TYPE ? skillRevision(text) : textRevision(text, { old, parts });
    const isStorable = text.length > 0 && revision.content.length <= MAX_SECTION_BYTES;
    return isStorable && revision.kbid !== old.meta.kbid ? revision : null;
  } catch (error) {
    const isRefused = error instanceof CoreError || error instanceof KbdbError ||
      error instanceof SyntaxError;
    if (isRefused) return null;
    throw error;
  }
}

function textRevision(
  content: Uint8Array,
  facts: { old: SectionState; parts: AdoptParts },
): Revision {
  const { old: { meta }, parts } = facts;
  const before = parts.keeper.recordOf(meta.kbid)?.heading ?? meta.title;
  // A title that nobody edited belongs to the text where a document was cut at its headings.
  const follows = before === meta.title && !meta.standalone;
  const title = follows ? ownHeading(meta.type, content) ?? meta.title : meta.title;
  return { kbid: kbidOf(content), content, title, description: meta.description };
}

function skillRevision(text: Uint8Array): Revision {
  const skill = checkedSkill(parseSkillContent(decoder.decode(text)));
  const content = skillContent(skill);
  return { kbid: kbidOf(content), content, title: skill.name, description: skill.description };
}

/** Whether what is stored under the new id is what is to be stored. */
function isSame(known: SectionState, to: { old: SectionState; revision: Revision }): boolean {
  const isSkill = (section: SectionState) => section.meta.type === SKILL_TYPE;
  return isSkill(known) === isSkill(to.old) &&
    Buffer.compare(known.content, to.revision.content) === 0;
}

function isEdited({ meta, content }: StoredSection): boolean {
  return kbidOf(content) !== meta.kbid;
}

/** The edited bytes are stored under their own id now; under the old one nobody can restore them. */
async function dropFromTrash({ store }: AdoptParts, adoptions: readonly Adoption[]): Promise<void> {
  const entries = new Map(store.trash.list().map((entry) => [entry.name, entry]));
  for (const { supersedes, removal } of adoptions) {
    const entry = entries.get(removal);
    if (entry) await store.trash.drop(entry, { kbids: [supersedes] });
  }
}
