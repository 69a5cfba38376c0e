/**
 * Revising: a correction is a section of its own that takes the old one's place in every document;
 * the old one leaves search and stays readable (D12).
 *
 * @module
 */

import { kbid as kbidOf } from "../../core/text.ts";
import { KbdbError } from "../../rpc/errors.ts";
import type { ReviseParams, ReviseResult } from "../../rpc/writing.ts";
import { MAX_REVISIONS, type SectionMeta } from "../../store/section_file.ts";
import type { BaseParts } from "../base_parts.ts";
import { asOneSection, cutItem, type CutSection, type CutSource, ownHeading } from "./cut.ts";
import { Draft, elapsedSince, union, type WritePlan } from "./draft.ts";
import { secretWarnings } from "./learn.ts";
import { markerWarnings } from "../references/markers.ts";
import { isImage } from "../index/records.ts";
import { MissingIds } from "../read/removed.ts";
import type { SectionState } from "./state.ts";
import { checkedTags, checkText, refuseBadKbid, refuseOther } from "./write_checks.ts";

/** What a correction says beside its content. */
type Given = Pick<ReviseParams, "title" | "description" | "tags">;

/** A correction that is to be carried out. */
interface Correction {
  /** The current section. */
  readonly old: SectionState;
  readonly section: CutSection;
  readonly given: Given;
}

/**
 * Puts a corrected text in the place of a section; it stays one section. What is left out of title,
 * description and tags is kept from the old section, but a title that was the old text's own heading
 * gives way to the new text's. A text that is stored already comes to life, or keeps its life, in the
 * old one's place.
 *
 * @throws {KbdbError} `not_found` if there is no such section, `conflict` if it is not the current one
 */
export async function revise(parts: BaseParts, params: ReviseParams): Promise<ReviseResult> {
  const start = performance.now();
  const { key, kbid } = params;
  refuseBadKbid(kbid, "revise");
  const given = checkedNames(params);
  return await parts.writer.write(key, (context) => {
    const draft = new Draft(context);
    const old = currentSection(parts, draft, kbid);
    const source = cutCorrection(params.content, { old, given });
    const section = asOneSection(source, { content: "", ...titleOf(source, { old, given }) });
    const correction = { old, section, given };
    const change = section.kbid === kbid
      ? changeInPlace(draft, correction)
      : replaceSection(draft, correction);
    const warnings = [
      ...source.warnings,
      ...secretWarnings(source),
      ...change.warnings,
      ...(section.kbid === kbid ? [] : markerWarnings(parts, { ids: [kbid], is: "superseded" })),
    ];
    return planOf(draft, { ...change, warnings, supersedes: kbid, start });
  });
}

/** What a correction did. */
interface Change {
  readonly meta: SectionMeta;
  /** Documents in which the new section took a place. */
  readonly docids: readonly string[];
  readonly existing: boolean;
  readonly warnings: readonly string[];
}

function planOf(
  draft: Draft,
  change: Change & { supersedes: string; start: number },
): WritePlan<ReviseResult> {
  const { meta, docids, existing, warnings, supersedes, start } = change;
  const answer = (terms: number): ReviseResult => ({
    kbid: meta.kbid,
    type: meta.type,
    title: meta.title,
    description: meta.description,
    indexed_terms_count: existing ? 0 : terms,
    elapsed_ms: elapsedSince(start),
    attached: docids.length > 0,
    ...(existing ? { existing: true } : {}),
    ...(docids.length > 0 ? { docid: docids[0] } : {}),
    ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
    supersedes,
  });
  return { ...draft.changes(), answer };
}

/** The text stays; what is known of it changes. */
function changeInPlace(draft: Draft, { old, given }: Correction): Change {
  const meta = { ...old.meta, ...withoutBlanks(given) };
  draft.changeSection(old, { meta });
  return { meta, docids: [], existing: true, warnings: [] };
}

function replaceSection(draft: Draft, correction: Correction): Change {
  const { old, section } = correction;
  const { now, state } = draft.context;
  const known = draft.section(section.kbid);
  if (known !== null) refuseOther(section, known, "revise");
  const docids = takePlaces(draft, { old, kbid: section.kbid });
  const meta = known === null ? newMeta(draft, correction) : revivedMeta(known.meta, correction);
  const held = known?.docids ?? state.lost(section.kbid)?.docids ?? [];
  draft.putSection({
    // What no document holds has to stand alone.
    meta: { ...meta, standalone: meta.standalone || union(held, docids).length === 0 },
    docids: union(held, docids),
    content: section.content,
  });
  draft.changeSection(old, { meta: { retired: now, superseded_by: section.kbid }, docids: [] });
  const warnings = known === null ? [] : knownWarnings(known.meta, old.meta);
  return { meta, docids, existing: known !== null, warnings };
}

function newMeta(draft: Draft, { old, section, given }: Correction): SectionMeta {
  const { now, seq } = draft.context;
  const { type, description, tags, standalone } = old.meta;
  return {
    kbid: section.kbid,
    type,
    description,
    tags,
    standalone,
    ...withoutBlanks(given),
    title: section.heading || null,
    created: now,
    seq,
    retired: null,
    supersedes: chainBehind(section.kbid, old.meta),
    superseded_by: null,
  };
}

/** What is known of it stays as at `learn` (D40), but for what the correction says itself. */
function revivedMeta(known: SectionMeta, { old, given }: Correction): SectionMeta {
  return {
    ...known,
    ...withoutBlanks(given),
    tags: union(known.tags, given.tags ?? old.meta.tags),
    standalone: known.standalone || old.meta.standalone,
    retired: null,
    supersedes: chainBehind(known.kbid, old.meta, known),
    superseded_by: null,
  };
}

/** The revisions before `kbid`, nearest first; never itself, so that no chain becomes a ring. */
export function chainBehind(kbid: string, old: SectionMeta, known?: SectionMeta): string[] {
  const ids = new Set([old.kbid, ...old.supersedes, ...known?.supersedes ?? []]);
  ids.delete(kbid);
  return [...ids].slice(0, MAX_REVISIONS);
}

/** The new section takes the old one's places; returns the documents that were changed. */
export function takePlaces(draft: Draft, to: { old: SectionState; kbid: string }): string[] {
  const { old, kbid } = to;
  return old.docids.filter((docid) => {
    const document = draft.document(docid);
    if (!document?.sections.some((entry) => entry.kbid === old.meta.kbid)) return false;
    const sections = document.sections.map((entry) =>
      entry.kbid === old.meta.kbid ? { ...entry, kbid } : entry
    );
    draft.putDocument({ ...document, sections });
    return true;
  });
}

function knownWarnings(known: SectionMeta, old: SectionMeta): string[] {
  const warnings = [];
  if (known.retired === null) {
    warnings.push(`Section ${known.kbid} was stored before and takes the place of ${old.kbid}`);
  } else {
    warnings.push(`Section ${known.kbid} was out of use and is back in the place of ${old.kbid}`);
  }
  if (known.type !== old.type) {
    warnings.push(`Section ${known.kbid} keeps its first type ${known.type}, not ${old.type}`);
  }
  return warnings;
}

/** @throws {KbdbError} if it is no section that can be corrected */
function currentSection(parts: BaseParts, draft: Draft, kbid: string): SectionState {
  const known = draft.section(kbid);
  if (known === null) throw new KbdbError("not_found", new MissingIds(parts.store).section(kbid));
  const { type, retired, superseded_by } = known.meta;
  const refuse = (reason: string) =>
    new KbdbError("conflict", `Cannot revise section ${kbid}: ${reason}`);
  if (type === "skill") throw refuse("it is a skill. Store another one with skill-learn.");
  if (superseded_by !== null) throw refuse(whatTookItsPlace(draft, superseded_by));
  if (retired !== null) throw refuse("no document holds it any more. Learn the new text instead.");
  if (kbidOf(known.content) === kbid) return known;
  throw new KbdbError(
    "damaged",
    `Cannot revise section ${kbid}: its bytes no longer give its id, so it was edited or damaged. ` +
      "Run: kbdb rebuild --adopt",
  );
}

function whatTookItsPlace(draft: Draft, successor: string): string {
  const seen = new Set<string>();
  let current = successor;
  for (let next: string | null = successor; next !== null && !seen.has(next);) {
    seen.add(next);
    current = next;
    next = draft.section(next)?.meta.superseded_by ?? null;
  }
  if (draft.section(current) !== null) return `section ${current} took its place. Revise that one.`;
  return `section ${current} took its place and was removed. Restore that one, or learn the text.`;
}

function cutCorrection(
  content: string,
  facts: { old: SectionState; given: Given },
): CutSource {
  const { kbid, type, title } = facts.old.meta;
  const item = { content, type, doing: `revise section ${kbid}` };
  if (!isImage(type)) return cutItem(item);
  const named = facts.given.title ?? title;
  return cutItem({ ...item, ...(named ? { title: named } : {}) });
}

/** What a title is kept or follows from: see {@linkcode revise}. */
function titleOf(
  source: CutSource,
  facts: { old: SectionState; given: Given },
): { title?: string } {
  const { meta, content } = facts.old;
  if (facts.given.title !== undefined) return { title: facts.given.title };
  const follows = meta.title === null || meta.title === ownHeading(meta.type, content);
  const title = follows ? source.sections[0].heading ?? meta.title : meta.title;
  return title === null ? {} : { title };
}

function checkedNames(params: ReviseParams): Given {
  const { title, description, tags } = params;
  for (const [key, text] of Object.entries({ title, description })) {
    if (text !== undefined) checkText(text, { key, action: "revise" });
  }
  return {
    ...(title === undefined ? {} : { title: title.trim() && title }),
    ...(description === undefined ? {} : { description: description.trim() && description }),
    ...(tags === undefined ? {} : { tags: checkedTags(tags, "revise") }),
  };
}

/** What is given but blank is taken away. */
function withoutBlanks(given: Given): Partial<Pick<SectionMeta, "title" | "description" | "tags">> {
  const { title, description, tags } = given;
  return {
    ...(title === undefined ? {} : { title: title || null }),
    ...(description === undefined ? {} : { description: description || null }),
    ...(tags === undefined ? {} : { tags }),
  };
}
