/**
 * Which documents hold sections that the index does not know, such as a section that comes back after
 * its file was gone.
 *
 * @module
 */

import type { BaseParts } from "../base_parts.ts";

/** Remembers who lists what is missing. */
export class Holders {
  /** By kbid: documents that were seen to list a section which was not there. */
  readonly #awaited = new Map<string, Set<string>>();
  /** Sections that nobody known holds, and that do not stand alone. */
  readonly searched = new Set<string>();
  /** What documents list, each read once until {@linkcode Holders.forgetLists}. */
  readonly #lists = new Map<string, ReadonlySet<string>>();

  constructor(private readonly parts: Pick<BaseParts, "store" | "keeper">) {}

  /** A document lists sections that are not there. */
  await(docid: string, kbids: Iterable<string>): void {
    for (const kbid of kbids) {
      const docids = this.#awaited.get(kbid);
      if (docids) docids.add(docid);
      else this.#awaited.set(kbid, new Set([docid]));
    }
  }

  /** Documents that hold a section, as far as is known, each asked whether it still does. */
  of(kbid: string): string[] {
    const before = this.parts.keeper.recordOf(kbid)?.docids ?? [];
    const docids = new Set([...before, ...this.#awaited.get(kbid) ?? []]);
    this.#awaited.delete(kbid);
    return [...docids].filter((docid) => this.#listOf(docid).has(kbid));
  }

  /** A document was written by us; it is read anew where it has to be asked. */
  forgetList(docid: string): void {
    this.#lists.delete(docid);
  }

  /** All documents are read anew where they have to be asked. */
  forgetLists(): void {
    this.#lists.clear();
  }

  #listOf(docid: string): ReadonlySet<string> {
    const known = this.#lists.get(docid);
    if (known) return known;
    const outcome = this.parts.store.readDocument(docid);
    const sections = outcome.state === "found" ? outcome.value.sections : [];
    const list = new Set(sections.map(({ kbid }) => kbid));
    this.#lists.set(docid, list);
    return list;
  }
}
