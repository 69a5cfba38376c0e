/**
 * Filling an empty index from truth: every manifest, then every section.
 *
 * @module
 */

import { kbid as kbidOf } from "../../core/text.ts";
import type { StoredDocument } from "../../store/document_store.ts";
import type { ReadOutcome } from "../../store/read_outcome.ts";
import type { StoredSection } from "../../store/section_file.ts";
import { indexDocument, indexSection, type IndexWriter } from "./records.ts";

/** What an index is filled from: an open store, or its files alone. */
export interface Truth {
  allDocuments(): Iterable<StoredDocument>;
  listSections(): { readonly kbids: string[] };
  readSection(kbid: string): ReadOutcome<StoredSection>;
}

/** Tells how far long work has come. */
export type Report = (done: number, total: number | null) => void;

/** A file that could not be used. */
export interface SkippedFile {
  /** `section ID`, or a path of `documents/`. */
  readonly name: string;
  readonly reason: string;
}

/** What went into the index. */
export interface FillReport {
  readonly sections: number;
  readonly documents: number;
  /** Highest sequence number that any file carries. */
  readonly lastSeq: number;
  readonly skipped: readonly SkippedFile[];
}

/** Where to, and how to let others have their turn. */
export interface FillTarget {
  readonly index: IndexWriter;
  readonly report: Report;
  pause(): Promise<void> | void;
}

/** Sections between two reports. */
const REPORT_EVERY = 256;

/** Reads the whole store into an index; one bad file costs one entry and is named. */
export async function fillFromTruth(truth: Truth, target: FillTarget): Promise<FillReport> {
  const fill = new Fill(truth, target);
  await fill.documents();
  await fill.sections();
  return fill.result;
}

class Fill {
  readonly #docids = new Map<string, string[]>();
  readonly #skipped: SkippedFile[] = [];
  #sections = 0;
  #documents = 0;
  #lastSeq = 0;

  constructor(private readonly truth: Truth, private readonly target: FillTarget) {}

  get result(): FillReport {
    return {
      sections: this.#sections,
      documents: this.#documents,
      lastSeq: this.#lastSeq,
      skipped: this.#skipped,
    };
  }

  async documents(): Promise<void> {
    for (const { name, outcome } of this.truth.allDocuments()) {
      await this.target.pause();
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
    const { kbids } = this.truth.listSections();
    // A fixed order makes equal stores give equal index files.
    for (const [i, kbid] of kbids.sort().entries()) {
      await this.target.pause();
      this.#section(kbid);
      if (i % REPORT_EVERY === 0) this.target.report(i, kbids.length);
    }
    this.target.report(kbids.length, kbids.length);
  }

  #section(kbid: string): void {
    const stored = this.truth.readSection(kbid);
    if (stored.state !== "found") return this.#skip(`section ${kbid}`, stored);
    const { meta, content } = stored.value;
    this.#lastSeq = Math.max(this.#lastSeq, meta.seq);
    if (kbidOf(content) !== kbid) {
      return this.#skip(`section ${kbid}`, {
        state: "damaged",
        reason: "its bytes no longer give its id",
      });
    }
    const docids = this.#docids.get(kbid) ?? [];
    indexSection(this.target.index, { meta, docids, content });
    if (meta.retired === null) this.#sections += 1;
  }

  #holds(kbid: string, docid: string): void {
    const docids = this.#docids.get(kbid);
    if (!docids) this.#docids.set(kbid, [docid]);
    else if (!docids.includes(docid)) docids.push(docid);
  }

  #skip(name: string, outcome: { state: string; reason?: string }): void {
    this.#skipped.push({ name, reason: `${outcome.state}: ${outcome.reason ?? "no file"}` });
  }
}
