/**
 * Learning: from one item to one transaction. Nothing here writes; the transaction that comes out is
 * handed to the writer.
 *
 * @module
 */

import { kbid } from "../../core/text.ts";
import type { SectionSummary } from "../../rpc/reading.ts";
import type { AddSectionResult, LearnItem, LearnItemResult } from "../../rpc/writing.ts";
import {
  type DocumentManifest,
  type ManifestEntry,
  USUAL_GAP,
} from "../../store/document_store.ts";
import type { SectionMeta } from "../../store/section_file.ts";
import { asOneSection, cutItem, type CutSection, type CutSource } from "./cut.ts";
import { Draft, elapsedSince, union, type WriteContext, type WritePlan } from "./draft.ts";
import { refuseDocument, refuseOther, withCheckedNames } from "./write_checks.ts";
import { isImage, isStandalone } from "../index/records.ts";
import { kindsOfSecrets } from "./secrets.ts";
import type { SectionState } from "./state.ts";

const decoder = new TextDecoder();

/** A document as an item leaves it. */
interface Held {
  readonly old: DocumentManifest | null;
  readonly manifest: DocumentManifest;
}

/**
 * Plans an item (D10, D11, D40, D42).
 *
 * @throws {KbdbError} if it cannot be stored; then nothing is changed
 */
export function planLearn(item: LearnItem, context: WriteContext): WritePlan<LearnItemResult> {
  const start = performance.now();
  const checked = withCheckedNames(item);
  const source = cutItem(checked);
  const plan = new LearnPlan(checked, { source, draft: new Draft(context), start });
  const { docid, document, replace } = checked;
  if (docid !== undefined && document) return plan.replaceDocument(docid, source.sections);
  if (docid !== undefined && replace) return plan.replaceDocument(docid);
  if (docid !== undefined) return plan.addToDocument(docid);
  if (source.sections.length > 1) return plan.replaceDocument(derivedDocid(source));
  return plan.storeAlone();
}

/** One item on its way into a draft. */
class LearnPlan {
  /** What is known of each section from now on. */
  readonly #metas = new Map<string, SectionMeta>();
  readonly #warnings: string[];
  #existing = true;
  #attached = false;

  constructor(
    private readonly item: LearnItem,
    private readonly given: { source: CutSource; draft: Draft; start: number },
  ) {
    this.#warnings = [...given.source.warnings, ...secretWarnings(given.source)];
  }

  /** The sections are the document and take the place of what it held (D11). */
  replaceDocument(
    docid: string,
    sections: readonly CutSection[] = this.#sectionsAsGiven(),
  ): WritePlan<LearnItemResult> {
    const old = this.#draft.document(docid);
    if (old) refuseDocument(this.item, old, { adding: false });
    const manifest = this.#manifest(docid, {
      old,
      type: this.given.source.type,
      source: this.item.replace ? this.item.source ?? null : this.item.source ?? old?.source,
      entries: sections.map(({ kbid, gap }) => ({ kbid, gap })),
      title: this.item.title ?? this.given.source.title,
    });
    for (const section of sections) this.#store(section, docid);
    this.#retireVanished({ old, manifest });
    return this.#plan(sections, { old, manifest });
  }

  /** The sections join the document (D11); known ones are not listed twice (D40). */
  addToDocument(docid: string): WritePlan<LearnItemResult> {
    const sections = this.#sectionsAsGiven();
    const old = this.#draft.document(docid);
    if (old) refuseDocument(this.item, old, { adding: true });
    const held = new Set(old?.sections.map((entry) => entry.kbid));
    const added = sections.filter(({ kbid }) => !held.has(kbid) && held.add(kbid))
      .map(({ kbid, gap }, i) => ({ kbid, gap: old !== null && i === 0 ? USUAL_GAP : gap }));
    const title = sections.length > 1 ? this.item.title ?? this.given.source.title : null;
    const manifest = this.#manifest(docid, {
      old,
      type: old?.type ?? this.given.source.type,
      source: old && added.length === 0 ? old.source : this.item.source ?? old?.source,
      entries: [...old?.sections ?? [], ...added],
      title: old ? old.title : title,
    });
    this.#attached = added.length > 0;
    for (const section of sections) this.#store(section, docid);
    return this.#plan(sections, { old, manifest });
  }

  /** One section, on purpose without a document. */
  storeAlone(): WritePlan<LearnItemResult> {
    const section = asOneSection(this.given.source, this.item);
    this.#store(section, null);
    return this.#plan([section], null);
  }

  get #draft(): Draft {
    return this.given.draft;
  }

  /** Several sections as they were cut; one carries the item's title. */
  #sectionsAsGiven(): readonly CutSection[] {
    const { sections } = this.given.source;
    return sections.length > 1 ? sections : [asOneSection(this.given.source, this.item)];
  }

  #manifest(
    docid: string,
    facts: {
      old: DocumentManifest | null;
      type: string;
      source: string | null | undefined;
      entries: ManifestEntry[];
      title: string | null;
    },
  ): DocumentManifest {
    const { old, type, source = null, entries, title } = facts;
    const { now } = this.#draft.context;
    const created = old?.created ?? now;
    this.#draft.putDocument({
      docid,
      title,
      type,
      source,
      created,
      sections: entries,
      agent: null,
    });
    return this.#draft.document(docid)!;
  }

  #store(section: CutSection, docid: string | null): void {
    const known = this.#draft.section(section.kbid);
    const meta = known === null
      ? this.#storeNew(section, docid)
      : this.#merge(section, { known, docid });
    this.#metas.set(meta.kbid, meta);
  }

  #storeNew(section: CutSection, docid: string | null): SectionMeta {
    const { state, now, seq } = this.#draft.context;
    // Where the file was lost, the documents that list it are still known.
    const lost = state.lost(section.kbid);
    this.#existing = false;
    const meta: SectionMeta = {
      kbid: section.kbid,
      type: this.given.source.type,
      title: section.heading,
      // A description belongs to the content as a whole, so its first section carries it.
      description: section.gap === "" ? this.item.description ?? null : null,
      tags: this.item.tags ?? [],
      standalone: docid === null || (lost !== null && isStandalone(lost)),
      created: now,
      seq,
      retired: null,
      supersedes: [],
      superseded_by: null,
    };
    const docids = union(lost?.docids ?? [], docid === null ? [] : [docid]);
    this.#draft.putSection({ meta, docids, content: section.content });
    return meta;
  }

  /** The first type and title stay; tags and docids are merged; differences are reported (D40). */
  #merge(
    section: CutSection,
    facts: { known: SectionState; docid: string | null },
  ): SectionMeta {
    const { known, docid } = facts;
    refuseOther(section, known, "learn");
    this.#reportDifferences(section, known.meta);
    const meta: SectionMeta = {
      ...known.meta,
      tags: union(known.meta.tags, this.item.tags ?? []),
      standalone: known.meta.standalone || docid === null,
      retired: null,
      superseded_by: null,
    };
    const docids = docid === null ? known.docids : union(known.docids, [docid]);
    this.#draft.putSection({ ...known, meta, docids });
    return meta;
  }

  #reportDifferences(section: CutSection, meta: SectionMeta): void {
    const { type } = this.given.source;
    const report = (rest: string) => this.#warnings.push(`Section ${section.kbid} ${rest}`);
    if (meta.superseded_by !== null) {
      report(`was superseded by ${meta.superseded_by} and is in use again beside it`);
    }
    if (meta.type !== type) report(`keeps its first type ${meta.type}, not ${type}`);
    const { title, description } = this.item;
    if (title === section.heading && meta.title !== title) report("keeps its first title");
    const described = description !== undefined && section.gap === "";
    if (described && meta.description !== description) report("keeps its first description");
  }

  /** Sections that only this document held and no longer holds leave search (D11). */
  #retireVanished({ old, manifest }: Held): void {
    const kept = new Set(manifest.sections.map((entry) => entry.kbid));
    for (const kbid of new Set(old?.sections.map((entry) => entry.kbid))) {
      const known = kept.has(kbid) ? null : this.#draft.section(kbid);
      if (known === null) continue;
      const docids = known.docids.filter((docid) => docid !== manifest.docid);
      const orphaned = docids.length === 0 && !known.meta.standalone;
      const retired = orphaned ? this.#draft.context.now : known.meta.retired;
      this.#draft.changeSection(known, { meta: { retired }, docids });
    }
  }

  #plan(sections: readonly CutSection[], held: Held | null): WritePlan<LearnItemResult> {
    const changes = this.#draft.changes();
    const unchanged = changes.sections.length + changes.documents.length === 0;
    const isNew = held ? held.old === null : !this.#existing;
    const outcome = unchanged ? "unchanged" : isNew ? "added" : "replaced";
    const answer = (terms: number): LearnItemResult => {
      const result = this.#result(sections, { held, terms });
      return { ok: true, outcome, sections: result.sections?.length ?? 1, result };
    };
    return { ...changes, answer, remembered: () => withoutSections(answer(0)) };
  }

  #result(
    sections: readonly CutSection[],
    facts: { held: Held | null; terms: number },
  ): AddSectionResult {
    const { held, terms } = facts;
    const { kbid, type, title, description } = this.#metas.get(sections[0].kbid)!;
    const several = sections.length > 1;
    return {
      kbid,
      type,
      title: held && several ? held.manifest.title : title,
      description,
      indexed_terms_count: this.#existing ? 0 : terms,
      elapsed_ms: elapsedSince(this.given.start),
      attached: this.#attached,
      ...(this.#existing ? { existing: true } : {}),
      ...(held ? { docid: held.manifest.docid } : {}),
      ...(held && (several || this.item.document) ? { sections: this.#summaries(sections) } : {}),
      ...(this.#warnings.length > 0 ? { warnings: this.#warnings } : {}),
    };
  }

  #summaries(sections: readonly CutSection[]): SectionSummary[] {
    return sections.map(({ kbid }) => {
      const { title, type } = this.#metas.get(kbid)!;
      return { kbid, heading: title, type };
    });
  }
}

/** Says which kinds of secret the text seems to hold, never the secret itself (D34). */
export function secretWarnings(source: CutSource): string[] {
  if (isImage(source.type)) return [];
  const kinds = kindsOfSecrets(decoder.decode(source.text));
  if (kinds.length === 0) return [];
  return [
    `The content seems to hold a secret (${
      kinds.join(", ")
    }). It is stored; if it should not be, ` +
    "remove it with unlearn and empty the trash.",
  ];
}

/** Title and first digits of the hash of the whole, so that equal content gets the same docid. */
function derivedDocid(source: CutSource): string {
  const title = source.title ?? "untitled";
  const slug = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return `${[...slug].slice(0, 60).join("") || "untitled"}-${kbid(source.text).slice(0, 8)}`;
}

/** A remembered answer need not list what a caller can look up. */
function withoutSections(answer: LearnItemResult): LearnItemResult {
  if (!answer.ok) return answer;
  const { sections: _, ...result } = answer.result;
  return { ...answer, result };
}
