/**
 * What stands around recalled sections: documents and back-references, siblings and references.
 *
 * Each kind of entry finds room after the one before it, and texts only after all entries.
 *
 * @module
 */

import type {
  DocumentOutline,
  LeftOut,
  RecalledSection,
  Reference,
  SectionSummary,
  Sibling,
} from "../../rpc/reading.ts";
import type { BaseParts } from "../base_parts.ts";
import { type Budget, jsonBytes } from "./budget.ts";
import type { Neighbourhood } from "../references/neighbourhood.ts";
import type { WholeSection } from "./recall.ts";
import { Slices } from "../slices.ts";
import { contentOf } from "../stored_text.ts";

/** Entries of a section stand this deep in an answer, those of a reference two levels deeper. */
const ENTRY_DEPTH = 4;
/** Of the references of a reference, who refers to them is shown up to this many. */
const MOST_BEHIND = 100;
/** Kept free in a reference for the names of what is added to it. */
const BEHIND_BYTES = 100;

/** What is needed to look around, and the room for what is found. */
export interface AroundFacts {
  readonly parts: BaseParts;
  readonly around: Neighbourhood;
  readonly depth: number;
  readonly room: Budget;
}

/** Adds to recalled sections what the depth asks for, as far as there is room. */
export async function fillAround(
  whole: readonly WholeSection[],
  facts: AroundFacts,
): Promise<void> {
  const { depth } = facts;
  if (depth === 0) return;
  const around = new Around(facts);
  await around.each(whole, (one) => around.documents(one.item));
  await around.each(whole, (one) => around.backReferences(one));
  if (depth === 1) return;
  await around.each(whole, (one) => around.siblings(one.item));
  await around.each(whole, (one) => around.references(one));
  await around.each(whole.flatMap(({ item }) => item.siblings!), (one) => around.text(one));
  if (depth === 2) return;
  const references = whole.flatMap(({ item }) => item.references!);
  await around.each(references, (one) => around.text(one));
  await around.each(references, (one) => around.behind(one));
}

class Around {
  readonly #slices = new Slices();

  constructor(private readonly facts: AroundFacts) {}

  async each<T>(items: readonly T[], work: (item: T) => void | Promise<void>): Promise<void> {
    for (const item of items) {
      await work(item);
      await this.#slices.breathe();
    }
  }

  documents(item: RecalledSection): void {
    const outlines = item.docids.flatMap((docid) => this.#outline(docid) ?? []);
    this.#take(item, { name: "documents", entries: outlines });
  }

  async backReferences({ item, section }: WholeSection): Promise<void> {
    const { kbid, heading, docids } = item;
    const { supersedes } = section.meta;
    const { items, leftOut } = await this.facts.around.back({ kbid, heading, docids, supersedes });
    this.#take(item, { name: "back_references", entries: items, leftOut });
  }

  siblings(item: RecalledSection): void {
    const { places } = this.facts.around;
    const siblings = new Map<string, Sibling>();
    for (const docid of item.docids) {
      for (const summary of places.document(docid)?.outline ?? []) {
        if (summary.kbid !== item.kbid) siblings.set(summary.kbid, this.#stub(summary));
      }
    }
    this.#take(item, { name: "siblings", entries: [...siblings.values()] });
  }

  async references({ item, section }: WholeSection): Promise<void> {
    const { kbid, heading, type, docids } = item;
    const text = { kbid, heading, type, docids, content: section.content };
    const { items, leftOut } = await this.facts.around.forward(text);
    const entries = this.facts.depth < 3 ? items : items.map((entry) => this.#opened(entry));
    this.#take(item, { name: "references", entries, leftOut });
  }

  /** Puts the text in the place of a stub's mark. */
  text(entry: Sibling | Reference): void {
    const { parts: { reader }, room } = this.facts;
    if (!entry.omitted || entry.bytes! > room.left || entry.kbid === null) return;
    const outcome = reader.read(entry.kbid);
    if (outcome.state !== "found") return;
    const content = contentOf(outcome.value);
    if (!room.take(jsonBytes(content, ENTRY_DEPTH))) return;
    delete entry.omitted;
    delete entry.bytes;
    Object.assign(entry, content);
  }

  async behind(entry: Reference): Promise<void> {
    if (entry.kbid === null) return;
    const centre = this.facts.around.centreOf(entry.kbid);
    if (centre === null) return;
    const { items, leftOut } = await this.facts.around.back(centre, MOST_BEHIND);
    const fitting = this.#fitting(items, ENTRY_DEPTH + 2);
    entry.back_references = fitting;
    const missing = items.length - fitting.length + leftOut;
    if (missing > 0) entry.left_out = { back_references: missing };
  }

  #outline(docid: string): DocumentOutline | null {
    const document = this.facts.around.places.document(docid);
    return document && { docid, title: document.manifest.title, sections: document.outline };
  }

  /** A sibling begins as a stub. */
  #stub(summary: SectionSummary): Sibling {
    return { ...summary, bytes: this.#bytesOf(summary.kbid), omitted: true };
  }

  /** So does a reference whose text is wanted. */
  #opened(entry: Reference): Reference {
    if (entry.kbid === null) return entry;
    return { ...entry, bytes: this.#bytesOf(entry.kbid), omitted: true };
  }

  #bytesOf(kbid: string): number {
    return this.facts.parts.keeper.recordOf(kbid)?.bytes ?? 0;
  }

  #take<Name extends keyof LeftOut>(
    item: RecalledSection,
    found: { name: Name; entries: RecalledSection[Name] & object; leftOut?: number },
  ): void {
    const { name, entries, leftOut = 0 } = found;
    const fitting = this.#fitting<unknown>(entries, ENTRY_DEPTH) as RecalledSection[Name];
    item[name] = fitting;
    const missing = entries.length - fitting!.length + leftOut;
    if (missing > 0) item.left_out = { ...item.left_out, [name]: missing };
  }

  #fitting<Entry>(entries: readonly Entry[], depth: number): Entry[] {
    const { room } = this.facts;
    const extra = depth > ENTRY_DEPTH || this.facts.depth < 3 ? 0 : BEHIND_BYTES;
    return entries.filter((entry) => room.take(jsonBytes(entry, depth) + extra));
  }
}
