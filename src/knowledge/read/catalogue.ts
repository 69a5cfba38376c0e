/**
 * All documents and agents by docid and by name, as the index has them: made when it is first needed,
 * and again once the index has changed.
 *
 * @module
 */

import type { IndexRecord, SearchIndex } from "../../core/search_index.ts";
import type { BaseParts } from "../base_parts.ts";
import { nameOf, namesOf } from "../references/names.ts";
import { recordsOf } from "../prompts/stored_skills.ts";

const KINDS = ["document", "agent"];

/** The documents of an index in one state. */
export class Catalogue {
  /** In order. */
  readonly docids: readonly string[];
  #names: Map<string, string[]> | null = null;

  /** The documents that the index has now. */
  constructor(private readonly index: SearchIndex, readonly seq: number) {
    this.docids = [...this.#records()].map(({ docids }) => docids[0]).sort();
  }

  /** Docids from behind `after` on that begin with `prefix`. */
  *from({ prefix = "", after }: { prefix?: string; after?: string }): Generator<string> {
    const { docids } = this;
    for (let at = this.#firstFrom(prefix, after); at < docids.length; at++) {
      if (!docids[at].startsWith(prefix)) return;
      yield docids[at];
    }
  }

  /** Documents that answer to a name, as `nameOf` makes it: by docid, file name or title. */
  named(name: string): readonly string[] {
    return (this.#names ??= this.#madeNames()).get(name) ?? [];
  }

  #firstFrom(prefix: string, after: string | undefined): number {
    let [low, high] = [0, this.docids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const docid = this.docids[middle];
      if (docid < prefix || (after !== undefined && docid <= after)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #madeNames(): Map<string, string[]> {
    const all = new Map<string, string[]>();
    for (const { docids: [docid], heading } of this.#records()) {
      const own = new Set(heading === null ? [] : [nameOf(heading)]);
      for (const name of namesOf(docid)) own.add(name);
      for (const name of own) {
        const docids = all.get(name);
        if (docids) docids.push(docid);
        else all.set(name, [docid]);
      }
    }
    return all;
  }

  *#records(): Generator<IndexRecord> {
    for (const kind of KINDS) yield* recordsOf(this.index, kind);
  }
}

/** One for each index, as long as that is in use. */
const KNOWN = new WeakMap<SearchIndex, Catalogue>();

/** The catalogue of the index as it is now. */
export function catalogueOf({ keeper }: Pick<BaseParts, "keeper">): Catalogue {
  const known = KNOWN.get(keeper.index);
  if (known?.seq === keeper.appliedSeq) return known;
  const made = new Catalogue(keeper.index, keeper.appliedSeq);
  KNOWN.set(keeper.index, made);
  return made;
}
