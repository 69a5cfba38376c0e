/**
 * Filling an empty index from truth: every manifest, then every section.
 *
 * @module
 */

import type { SearchIndex } from "../core/search_index.ts";
import { kbid as kbidOf } from "../core/text.ts";
import type { Store } from "../store/store.ts";
import type { Report } from "./index_keeper.ts";
import { indexDocument, indexSection } from "./records.ts";
import { Slices } from "./slices.ts";

/** What went into the index. */
export interface FillReport {
  readonly sections: number;
  readonly documents: number;
  /** Highest sequence number that any file carries. */
  readonly lastSeq: number;
  /** Files that could not be used, each with its reason. */
  readonly skipped: readonly string[];
}

/** Where to and what to do after each section. */
export interface FillTarget {
  readonly index: SearchIndex;
  readonly report: Report;
  added(): void;
}

/** Reads the whole store into an index; one bad file costs one entry and is named. */
export async function fillFromTruth(store: Store, target: FillTarget): Promise<FillReport> {
  const fill = new Fill(store, target);
  await fill.documents();
  await fill.sections();
  return fill.result;
}

class Fill {
  readonly #docids = new Map<string, string[]>();
  readonly #slices = new Slices();
  readonly #skipped: string[] = [];
  #sections = 0;
  #documents = 0;
  #lastSeq = 0;

  constructor(private readonly store: Store, private readonly target: FillTarget) {}

  get result(): FillReport {
    return {
      sections: this.#sections,
      documents: this.#documents,
      lastSeq: this.#lastSeq,
      skipped: this.#skipped,
    };
  }

  async documents(): Promise<void> {
    for (const { name, outcome } of this.store.allDocuments()) {
      await this.#slices.breathe();
      if (outcome.state !== "found") {
        this.#skip(`documents/${name}`, outcome);
        continue;
      }
      this.#documents += 1;
      this.#lastSeq = Math.max(this.#lastSeq, outcome.value.seq);
      indexDocument(this.target.index, outcome.value);
      for (const { kbid } of outcome.value.sections) this.#holds(kbid, outcome.value.docid);
    }
  }

  async sections(): Promise<void> {
    const { kbids } = this.store.listSections();
    // A fixed order makes equal stores give equal index files.
    for (const [i, kbid] of kbids.sort().entries()) {
      await this.#slices.breathe();
      this.#section(kbid);
      if (i % 256 === 0) this.target.report(i, kbids.length);
    }
    this.target.report(kbids.length, kbids.length);
  }

  #section(kbid: string): void {
    const stored = this.store.readSection(kbid);
    if (stored.state !== "found") return this.#skip(`section ${kbid}`, stored);
    const { meta, content } = stored.value;
    this.#lastSeq = Math.max(this.#lastSeq, meta.seq);
    if (kbidOf(content) !== kbid) {
      return this.#skip(`section ${kbid}`, {
        state: "damaged",
        reason: "its bytes no longer give its id",
      });
    }
    if (meta.retired !== null) return;
    const docids = this.#docids.get(kbid) ?? [];
    indexSection(this.target.index, { meta, docids, content });
    this.#sections += 1;
    this.target.added();
  }

  #holds(kbid: string, docid: string): void {
    const docids = this.#docids.get(kbid);
    if (!docids) this.#docids.set(kbid, [docid]);
    else if (!docids.includes(docid)) docids.push(docid);
  }

  #skip(what: string, outcome: { state: string; reason?: string }): void {
    this.#skipped.push(`${what} is ${outcome.state}: ${outcome.reason ?? "no file"}`);
  }
}
