/**
 * Learning: from one item to one transaction. Nothing here writes; the transaction that comes out is
 * handed to the writer.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { kbid } from "../core/text.ts";
import { type DocumentManifest, type ManifestEntry, USUAL_GAP } from "../store/document_store.ts";
import type { SectionChange } from "../store/journal_record.ts";
import type { SectionMeta } from "../store/section_file.ts";
import {
  type AddSectionResult,
  type LearnItem,
  type LearnOutcome,
  MAX_DOCID_BYTES,
} from "../rpc/protocol.ts";
import { asOneSection, cutItem, type CutSection, type CutSource, nameOf } from "./cut.ts";
import { KbdbError } from "../rpc/errors.ts";
import { isStandalone } from "./records.ts";
import type { SectionState, WriteState } from "./state.ts";

/** What an item asks of the store. */
export interface LearnPlan {
  readonly outcome: LearnOutcome;
  /** Empty where nothing has to be written. */
  readonly sections: readonly SectionChange[];
  readonly documents: readonly DocumentManifest[];
  /** Contents of changed sections, by kbid, also of those whose content stays. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** The answer but for counts and times. */
  readonly result: Omit<AddSectionResult, "elapsed_ms" | "indexed_terms_count">;
}

/** When and under which number the transaction happens. */
export interface LearnContext {
  readonly state: WriteState;
  readonly now: string;
  readonly seq: number;
}

/**
 * Plans an item (D10, D11, D40, D42).
 *
 * @throws {KbdbError} if it cannot be stored; then nothing is changed
 */
export function planLearn(item: LearnItem, context: LearnContext): LearnPlan {
  const checked = withCheckedNames(item);
  const source = cutItem(checked);
  const draft = new Draft(checked, { source, context });
  if (checked.document) return draft.replaceDocument(checked.docid!);
  if (checked.docid !== undefined) return draft.addToDocument(checked.docid);
  if (source.sections.length > 1) return draft.replaceDocument(derivedDocid(source));
  return draft.storeAlone();
}

/** A transaction in the making. */
class Draft {
  readonly #changes = new Map<string, SectionState & { writes: boolean }>();
  /** What is known of each section from now on. */
  readonly #metas = new Map<string, SectionMeta>();
  readonly #warnings: string[];
  #existing = true;
  #attached = false;

  constructor(
    private readonly item: LearnItem,
    private readonly given: { source: CutSource; context: LearnContext },
  ) {
    this.#warnings = [...given.source.warnings];
  }

  /** The content is the document and takes the place of what the document held (D11). */
  replaceDocument(docid: string): LearnPlan {
    const { source } = this.given;
    const old = this.#state.document(docid);
    if (old) refuseOtherSource(this.item, old);
    const entries = source.sections.map(({ kbid, gap }) => ({ kbid, gap }));
    const manifest = this.#manifest(docid, {
      old,
      entries,
      title: this.item.title ?? source.title,
    });
    for (const section of source.sections) this.#store(section, docid);
    this.#retireVanished(old, manifest);
    const changed = old === null || !sameDocument(old, manifest);
    return this.#plan(source.sections, { manifest, changed, old });
  }

  /** The sections join the document (D11); known ones are not listed twice (D40). */
  addToDocument(docid: string): LearnPlan {
    const sections = this.#sectionsToAdd();
    const old = this.#state.document(docid);
    if (old && old.source !== null) refuseOtherSource(this.item, old);
    const held = new Set(old?.sections.map((entry) => entry.kbid));
    const added = sections.filter(({ kbid }) => !held.has(kbid) && held.add(kbid))
      .map(({ kbid, gap }, i) => ({ kbid, gap: old !== null && i === 0 ? USUAL_GAP : gap }));
    const entries = [...old?.sections ?? [], ...added];
    const title = sections.length > 1 ? this.item.title ?? this.given.source.title : null;
    const manifest = this.#manifest(docid, { old, entries, title: old ? old.title : title });
    this.#attached = added.length > 0;
    for (const section of sections) this.#store(section, docid);
    return this.#plan(sections, { manifest, changed: added.length > 0, old });
  }

  /** One section, on purpose without a document. */
  storeAlone(): LearnPlan {
    const section = asOneSection(this.given.source, this.item);
    this.#store(section, null);
    return this.#plan([section], { manifest: null, changed: false, old: null });
  }

  get #state(): WriteState {
    return this.given.context.state;
  }

  #sectionsToAdd(): readonly CutSection[] {
    const { sections } = this.given.source;
    return sections.length > 1 ? sections : [asOneSection(this.given.source, this.item)];
  }

  #manifest(
    docid: string,
    facts: { old: DocumentManifest | null; entries: ManifestEntry[]; title: string | null },
  ): DocumentManifest {
    const { old, entries, title } = facts;
    const { now, seq } = this.given.context;
    return {
      docid,
      title,
      type: this.given.source.type,
      source: this.item.source ?? old?.source ?? null,
      created: old?.created ?? now,
      updated: now,
      seq,
      sections: entries,
    };
  }

  #store(section: CutSection, docid: string | null): void {
    const known = this.#changes.get(section.kbid) ?? this.#state.section(section.kbid);
    if (known === null) this.#storeNew(section, docid);
    else this.#merge(section, { known, docid });
  }

  #storeNew(section: CutSection, docid: string | null): void {
    const { now, seq } = this.given.context;
    // Where the file was lost, the documents that list it are still known.
    const lost = this.#state.lost(section.kbid);
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
    };
    const docids = union(lost?.docids ?? [], docid === null ? [] : [docid]);
    this.#metas.set(meta.kbid, meta);
    this.#changes.set(section.kbid, {
      meta,
      docids,
      content: section.content,
      writes: true,
    });
  }

  /** The first type and title stay; tags and docids are merged; differences are reported (D40). */
  #merge(section: CutSection, facts: { known: SectionState; docid: string | null }): void {
    const { known, docid } = facts;
    refuseOtherContent(section, known);
    this.#reportDifferences(section, known.meta);
    const meta: SectionMeta = {
      ...known.meta,
      tags: union(known.meta.tags, this.item.tags ?? []),
      standalone: known.meta.standalone || docid === null,
      retired: null,
    };
    const docids = docid === null ? known.docids : union(known.docids, [docid]);
    this.#metas.set(meta.kbid, meta);
    this.#change(known, { meta, docids });
  }

  #change(known: SectionState, to: { meta: SectionMeta; docids: readonly string[] }): void {
    const before = this.#changes.get(known.meta.kbid);
    const writes = !sameMeta(known.meta, to.meta);
    const moved = to.docids.length !== known.docids.length;
    if (!writes && !moved && !before) return;
    const meta = writes ? { ...to.meta, seq: this.given.context.seq } : to.meta;
    this.#changes.set(meta.kbid, {
      meta,
      docids: to.docids,
      content: known.content,
      writes: writes || (before?.writes ?? false),
    });
  }

  #reportDifferences(section: CutSection, meta: SectionMeta): void {
    const { type } = this.given.source;
    if (meta.type !== type) {
      this.#warnings.push(`Section ${section.kbid} keeps its first type ${meta.type}, not ${type}`);
    }
    const keeps = (what: string) =>
      this.#warnings.push(`Section ${section.kbid} keeps its first ${what}`);
    const { title, description } = this.item;
    if (title === section.heading && meta.title !== title) keeps("title");
    const described = description !== undefined && section.gap === "";
    if (described && meta.description !== description) keeps("description");
  }

  /** Sections that only this document held and no longer holds leave search (D11). */
  #retireVanished(old: DocumentManifest | null, now: DocumentManifest): void {
    const kept = new Set(now.sections.map((entry) => entry.kbid));
    const vanished = new Set(
      old?.sections.map((entry) => entry.kbid).filter((id) => !kept.has(id)),
    );
    for (const kbid of vanished) {
      const known = this.#state.section(kbid);
      if (known === null) continue;
      const docids = known.docids.filter((docid) => docid !== now.docid);
      const orphaned = docids.length === 0 && !known.meta.standalone;
      const retired = orphaned ? this.given.context.now : known.meta.retired;
      this.#change(known, { meta: { ...known.meta, retired }, docids });
    }
  }

  #plan(
    sections: readonly CutSection[],
    facts: { manifest: DocumentManifest | null; changed: boolean; old: DocumentManifest | null },
  ): LearnPlan {
    const { manifest, changed, old } = facts;
    const changes = [...this.#changes.values()];
    const unchanged = changes.length === 0 && !changed;
    return {
      outcome: unchanged
        ? "unchanged"
        : old || (this.#existing && !manifest)
        ? "replaced"
        : "added",
      sections: changes.map(({ meta, docids, content, writes }) => ({
        meta,
        docids,
        content: writes ? content : null,
      })),
      documents: manifest && !unchanged ? [manifest] : [],
      contents: new Map(changes.map(({ meta, content }) => [meta.kbid, content])),
      result: this.#result(sections, manifest),
    };
  }

  #result(
    sections: readonly CutSection[],
    manifest: DocumentManifest | null,
  ): LearnPlan["result"] {
    const first = this.#metas.get(sections[0].kbid)!;
    const summaries = sections.map(({ kbid }) => {
      const { title, type } = this.#metas.get(kbid)!;
      return { kbid, heading: title, type };
    });
    return {
      kbid: first.kbid,
      type: first.type,
      title: manifest && sections.length > 1 ? manifest.title : first.title,
      description: first.description,
      attached: this.#attached,
      ...(this.#existing ? { existing: true } : {}),
      ...(manifest ? { docid: manifest.docid } : {}),
      ...(manifest && (sections.length > 1 || this.item.document) ? { sections: summaries } : {}),
      ...(this.#warnings.length > 0 ? { warnings: this.#warnings } : {}),
    };
  }
}

function withCheckedNames(item: LearnItem): LearnItem {
  const { docid, tags } = item;
  if (item.document && docid === undefined) {
    throw new KbdbError("bad_request", "Cannot learn a document: its docid is missing");
  }
  if (docid !== undefined) checkDocid(docid);
  for (const key of ["title", "description", "source"] as const) {
    if (item[key]?.isWellFormed() ?? true) continue;
    throw new KbdbError("bad_request", `Cannot learn: the ${key} holds half a surrogate pair`);
  }
  const cleaned = tags?.map((tag) => tag.trim());
  if (cleaned?.includes("")) {
    throw new KbdbError("bad_request", "Cannot learn: a tag is empty. Leave it out.");
  }
  if (cleaned?.some((tag) => !tag.isWellFormed())) {
    throw new KbdbError("bad_request", "Cannot learn: a tag holds half a surrogate pair");
  }
  return { ...item, ...(cleaned ? { tags: [...new Set(cleaned)] } : {}) };
}

function checkDocid(docid: string): void {
  const bytes = new TextEncoder().encode(docid).length;
  if (docid === "") throw new KbdbError("bad_request", "Cannot learn: the docid is empty");
  if (!docid.isWellFormed()) {
    throw new KbdbError("bad_request", "Cannot learn: the docid holds half a surrogate pair");
  }
  if (bytes > MAX_DOCID_BYTES) {
    throw new KbdbError(
      "too_large",
      `Cannot learn: a docid of ${bytes} bytes is over the limit of ${MAX_DOCID_BYTES}`,
    );
  }
}

/** Two files of one name never replace each other (D42). */
function refuseOtherSource(item: LearnItem, old: DocumentManifest): void {
  const source = item.source ?? null;
  if (source === old.source) return;
  const held = old.source === null ? "was not learned from a file" : `comes from ${old.source}`;
  throw new KbdbError(
    "conflict",
    `Cannot learn ${nameOf(item)} from ${source ?? "text"}: the document of that docid ${held}. ` +
      "Choose another with --docid or --prefix.",
  );
}

function refuseOtherContent(section: CutSection, known: SectionState): void {
  if (sameBytes(section.content, known.content)) return;
  throw new KbdbError(
    "damaged",
    `Cannot learn section ${section.kbid}: other bytes are stored under this id, so its file was ` +
      "damaged or edited. Run: kbdb check",
  );
}

/** Title and first digits of the hash of the whole, so that equal content gets the same docid. */
function derivedDocid(source: CutSource): string {
  const title = source.title ?? "untitled";
  const slug = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return `${[...slug].slice(0, 60).join("") || "untitled"}-${kbid(source.text).slice(0, 8)}`;
}

function sameDocument(a: DocumentManifest, b: DocumentManifest): boolean {
  return a.title === b.title && a.type === b.type && a.source === b.source &&
    a.sections.length === b.sections.length &&
    a.sections.every((entry, i) =>
      entry.kbid === b.sections[i].kbid && entry.gap === b.sections[i].gap
    );
}

function sameMeta(a: SectionMeta, b: SectionMeta): boolean {
  return a.standalone === b.standalone && a.retired === b.retired &&
    a.tags.length === b.tags.length;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Members of `a`, then those of `b` that it lacks. */
function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])];
}
