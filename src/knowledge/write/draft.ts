/**
 * A transaction in the making: what sections and documents are to become, on top of what is stored
 * or about to be.
 *
 * @module
 */

import type { DocumentManifest } from "../../store/document_store.ts";
import type { SectionChange } from "../../store/journal_record.ts";
import {
  type Removal,
  removalName,
  type RemovalReason,
  type RemovedSection,
} from "../../store/removal.ts";
import type { SectionMeta } from "../../store/section_file.ts";
import type { SectionState, WriteState } from "./state.ts";

/** On what, when and under which number a transaction happens. */
export interface WriteContext {
  readonly state: WriteState;
  /** RFC 3339, UTC, milliseconds (D17). */
  readonly now: string;
  readonly seq: number;
}

/** A transaction, and the answer to whoever asked for it. */
export interface WritePlan<R> {
  readonly sections: readonly SectionChange[];
  readonly documents: readonly DocumentManifest[];
  readonly removal: Removal | null;
  /** Contents of the changed sections whose content stays. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** The answer once it is applied; `terms` are those that its sections added to the index. */
  answer(terms: number): R;
  /** What a repeated request gets, of a JSON form. @default {the answer} */
  remembered?(): R;
}

/** Gathers what a transaction changes; what comes out as it was is left out. */
export class Draft {
  /** What was looked up, so that no file is read twice. */
  readonly #stored = new Map<string, SectionState | null>();
  readonly #storedDocuments = new Map<string, DocumentManifest | null>();
  readonly #sections = new Map<string, SectionState>();
  readonly #documents = new Map<string, DocumentManifest>();

  constructor(readonly context: WriteContext) {}

  /** The section as this draft leaves it, or `null` where its id is free. */
  section(kbid: string): SectionState | null {
    return this.#sections.get(kbid) ?? this.#storedSection(kbid);
  }

  /** The document as this draft leaves it, or `null` where its docid is free. */
  document(docid: string): DocumentManifest | null {
    return this.#documents.get(docid) ?? this.#storedDocument(docid);
  }

  /** Stores or changes a section. */
  putSection(section: SectionState): void {
    this.#storedSection(section.meta.kbid);
    this.#sections.set(section.meta.kbid, section);
  }

  /** Changes what is known of a section that is stored. */
  changeSection(
    known: SectionState,
    to: { meta?: Partial<SectionMeta>; docids?: readonly string[] },
  ): void {
    const { meta, docids = known.docids } = to;
    this.putSection({ ...known, meta: { ...known.meta, ...meta }, docids });
  }

  /** Stores a document, or puts it in the place of the one before. */
  putDocument(document: Omit<DocumentManifest, "updated" | "seq">): void {
    const { now: updated, seq } = this.context;
    this.#documents.set(document.docid, { ...document, updated, seq });
  }

  /** The transaction without its answer. */
  changes(
    removed?: {
      reason: RemovalReason;
      sections?: readonly RemovedSection[];
      documents?: readonly string[];
    },
  ): Omit<WritePlan<never>, "answer"> {
    const sections = [...this.#sections.values()].flatMap((section) => this.#change(section));
    const documents = [...this.#documents.values()].filter((document) => {
      const stored = this.#storedDocument(document.docid);
      return stored === null || !sameDocument(stored, document);
    });
    const staying = sections.filter(({ content }) => content === null);
    const contents = staying.map(({ meta: { kbid } }) =>
      [kbid, this.#sections.get(kbid)!.content] as const
    );
    return { sections, documents, removal: this.#removal(removed), contents: new Map(contents) };
  }

  #storedSection(kbid: string): SectionState | null {
    return remembered(this.#stored, kbid, () => this.context.state.section(kbid));
  }

  #storedDocument(docid: string): DocumentManifest | null {
    return remembered(this.#storedDocuments, docid, () => this.context.state.document(docid));
  }

  #change({ meta, docids, content }: SectionState): SectionChange[] {
    const stored = this.#storedSection(meta.kbid);
    if (stored === null || !sameMeta(stored.meta, meta)) {
      return [{ meta: { ...meta, seq: this.context.seq }, docids, content }];
    }
    return sameMembers(stored.docids, docids) ? [] : [{ meta, docids, content: null }];
  }

  #removal(removed: Parameters<Draft["changes"]>[0]): Removal | null {
    const { reason, sections = [], documents = [] } = removed ?? {};
    if (reason === undefined || sections.length + documents.length === 0) return null;
    const { now: at, seq } = this.context;
    return { name: removalName(seq), at, reason, sections, documents };
  }
}

/** Milliseconds since `start`, as answers give them. */
export function elapsedSince(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10;
}

/** Members of `a`, then those of `b` that it lacks. */
export function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])];
}

function remembered<T>(memory: Map<string, T>, key: string, look: () => T): T {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const found = look();
  memory.set(key, found);
  return found;
}

function sameDocument(a: DocumentManifest, b: DocumentManifest): boolean {
  return a.title === b.title && a.type === b.type && a.source === b.source &&
    JSON.stringify(a.agent) === JSON.stringify(b.agent) &&
    a.sections.length === b.sections.length &&
    a.sections.every((entry, i) =>
      entry.kbid === b.sections[i].kbid && entry.gap === b.sections[i].gap
    );
}

/** Everything but the number of the write. */
function sameMeta(a: SectionMeta, b: SectionMeta): boolean {
  const keys = Object.keys(a) as (keyof SectionMeta)[];
  return keys.every((key) => key === "seq" || JSON.stringify(a[key]) === JSON.stringify(b[key]));
}

function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}
