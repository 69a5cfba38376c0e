/**
 * What is durable in the journal and not in the files yet. Reads see it before the files; it is done
 * in order where it concerns the same id.
 *
 * @module
 */

import type { DocumentManifest } from "./document_store.ts";
import type { Removal } from "./removal.ts";
import type { StoredSection } from "./section_file.ts";

/** A file that has to be written. */
export type Put =
  | { readonly kind: "section"; readonly section: StoredSection }
  | { readonly kind: "document"; readonly document: DocumentManifest };

/** Files that have to go to the trash. */
export interface TakeOut {
  readonly kind: "removal";
  readonly removal: Removal;
}

/** One step towards the files. */
export type Step = Put | TakeOut;

/** A step that waits. */
export interface Waiting {
  /** Of a file that is written once more meanwhile, the later version takes the place. */
  step: Step;
  /** A removal of the same id that has to be done before. */
  readonly behind: Waiting | null;
  /** Called after the first attempt. */
  tried(): void;
}

/** Steps that wait, and what they make of sections and documents. */
export class Pending {
  readonly #steps = new Set<Waiting>();
  /** The last step of each id: what counts. */
  readonly #sections = new Map<string, Waiting>();
  readonly #documents = new Map<string, Waiting>();

  get isEmpty(): boolean {
    return this.#steps.size === 0;
  }

  /** Steps in order; those that are added meanwhile come too. */
  steps(): IterableIterator<Waiting> {
    return this.#steps.values();
  }

  /** The section that counts; `null` where it is removed, `undefined` where its file counts. */
  section(kbid: string): StoredSection | null | undefined {
    return sectionOf(this.#sections.get(kbid)?.step);
  }

  /** The manifest that counts; `null` where it is removed, `undefined` where its file counts. */
  document(docid: string): DocumentManifest | null | undefined {
    return documentOf(this.#documents.get(docid)?.step);
  }

  /** Ids of sections whose files do not count. */
  kbids(): Iterable<string> {
    return this.#sections.keys();
  }

  /** Ids of documents whose files do not count. */
  docids(): Iterable<string> {
    return this.#documents.keys();
  }

  /** Whether a removal of the same id has to be done before. */
  mustWait(put: Put): boolean {
    const last = this.#lastOf(put);
    return last !== undefined && this.#removalOf(last) !== null;
  }

  /** Adds a step behind what concerns the same ids. */
  add(step: Step, tried: () => void = () => {}): void {
    if (step.kind === "removal") return this.#addRemoval(step, tried);
    const last = this.#lastOf(step);
    if (last && last.step.kind !== "removal") {
      last.step = step;
      return;
    }
    const waiting = { step, behind: last ?? null, tried };
    this.#steps.add(waiting);
    this.#setLast(step, waiting);
  }

  /** A file was written as it now counts. */
  written(put: Put): void {
    const last = this.#lastOf(put);
    if (last) this.done(last);
  }

  /** A step was done. */
  done(waiting: Waiting): void {
    this.#steps.delete(waiting);
    const { kbids, docids } = idsOf(waiting.step);
    for (const id of kbids) if (this.#sections.get(id) === waiting) this.#sections.delete(id);
    for (const id of docids) if (this.#documents.get(id) === waiting) this.#documents.delete(id);
  }

  #addRemoval(step: TakeOut, tried: () => void): void {
    const waiting = { step, behind: null, tried };
    this.#steps.add(waiting);
    const { kbids, docids } = idsOf(step);
    for (const id of kbids) this.#sections.set(id, waiting);
    for (const id of docids) this.#documents.set(id, waiting);
  }

  #lastOf(put: Put): Waiting | undefined {
    return put.kind === "section"
      ? this.#sections.get(put.section.meta.kbid)
      : this.#documents.get(put.document.docid);
  }

  #setLast(put: Put, waiting: Waiting): void {
    if (put.kind === "section") this.#sections.set(put.section.meta.kbid, waiting);
    else this.#documents.set(put.document.docid, waiting);
  }

  /** The removal that a step is or waits for. */
  #removalOf(waiting: Waiting): Waiting | null {
    if (waiting.step.kind === "removal") return waiting;
    return waiting.behind && this.#steps.has(waiting.behind) ? waiting.behind : null;
  }
}

/** The ids that a step concerns. */
export function idsOf(step: Step): { kbids: readonly string[]; docids: readonly string[] } {
  switch (step.kind) {
    case "section":
      return { kbids: [step.section.meta.kbid], docids: [] };
    case "document":
      return { kbids: [], docids: [step.document.docid] };
    case "removal":
      return {
        kbids: step.removal.sections.map(({ kbid }) => kbid),
        docids: step.removal.documents,
      };
  }
}

function sectionOf(step: Step | undefined): StoredSection | null | undefined {
  if (step === undefined) return undefined;
  return step.kind === "section" ? step.section : null;
}

function documentOf(step: Step | undefined): DocumentManifest | null | undefined {
  if (step === undefined) return undefined;
  return step.kind === "document" ? step.document : null;
}
