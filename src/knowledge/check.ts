/**
 * Checking: are the stored files what they were when they were written, and do they fit together?
 * Nothing is changed.
 *
 * @module
 */

import type { SearchIndex } from "../core/search_index.ts";
import { kbid as kbidOf } from "../core/text.ts";
import type { CheckError, CheckResult } from "../rpc/protocol.ts";
import type { ManifestEntry } from "../store/document_store.ts";
import type { Store } from "../store/store.ts";
import type { Report } from "./index_keeper.ts";
import { Slices } from "./slices.ts";

/** What a check works with. */
export interface CheckParts {
  readonly store: Store;
  index(): SearchIndex;
  /** Faults that were noticed before. */
  readonly warnings: readonly string[];
  /** Resolves once the writes so far are in the index. */
  settled(): Promise<void>;
  readonly report: Report;
}

/** Reads everything once and names what is wrong. */
export async function check(parts: CheckParts): Promise<CheckResult> {
  const start = performance.now();
  const run = new Check(parts);
  await run.documents();
  await run.sections();
  await run.indexed();
  await parts.settled();
  run.settle();
  return { ...run.result, elapsed_ms: Math.round(performance.now() - start) };
}

class Check {
  readonly #errors: CheckError[] = [];
  readonly #warnings: string[];
  readonly #slices = new Slices();
  readonly #held = new Map<string, string[]>();
  readonly #manifests = new Map<string, readonly ManifestEntry[]>();
  /** Sections that looked unheld or unsearched: a write may have come in between. */
  readonly #doubtful: string[] = [];
  readonly #present = new Set<string>();
  #references = 0;

  constructor(private readonly parts: CheckParts) {
    this.#warnings = [...parts.warnings];
  }

  get result(): Omit<CheckResult, "elapsed_ms"> {
    return {
      ok: this.#errors.length === 0,
      errors: this.#errors,
      sections_checked: this.#present.size,
      documents_checked: this.#manifests.size,
      references_checked: this.#references,
      ...(this.#warnings.length > 0 ? { warnings: this.#warnings } : {}),
    };
  }

  async documents(): Promise<void> {
    for (const { name, outcome } of this.parts.store.allDocuments()) {
      await this.#slices.breathe();
      if (outcome.state === "missing") continue;
      if (outcome.state !== "found") {
        this.#fault("checksum_mismatch", `documents/${name}`, outcome.reason);
        continue;
      }
      const { docid, sections } = outcome.value;
      this.#manifests.set(docid, sections);
      for (const { kbid } of sections) this.#hold(kbid, docid);
    }
  }

  async sections(): Promise<void> {
    const { kbids, strays } = this.parts.store.listSections();
    for (const stray of strays) this.#warnings.push(`Not a section: sections/${stray.name}`);
    for (const [i, kbid] of kbids.entries()) {
      await this.#slices.breathe();
      this.#section(kbid);
      if (i % 256 === 0) this.parts.report(i, kbids.length);
    }
    this.parts.report(kbids.length, kbids.length);
  }

  /** Sections that no document lists are known by the index alone when their file is gone. */
  async indexed(): Promise<void> {
    const next = (after?: string) => this.parts.index().list("section", { after, limit: 1000 });
    for (let page = next(); page.length > 0; page = next(page.at(-1)!.kbid)) {
      for (const { kbid } of page) {
        if (this.#present.has(kbid) || this.#held.has(kbid)) continue;
        if (this.parts.store.hasSection(kbid)) continue;
        this.#fault("checksum_mismatch", kbid, "its file is missing");
      }
      await this.#slices.breathe();
    }
  }

  /** What can be said only once everything is known. */
  settle(): void {
    for (const [docid, entries] of this.#manifests) this.#manifest(docid, entries);
    for (const kbid of this.#doubtful) this.#lookAgain(kbid);
  }

  #lookAgain(kbid: string): void {
    const stored = this.parts.store.readSection(kbid);
    if (stored.state !== "found" || stored.value.meta.retired !== null) return;
    const record = this.parts.index().get(kbid);
    const held = this.#held.has(kbid) || (record !== null && record.docids.length > 0);
    if (!held && !stored.value.meta.standalone) {
      this.#fault("orphan_section", kbid, "no document holds it and it was not learned alone");
    } else if (record === null) {
      this.#warnings.push(`Section ${kbid} is not in the index. Run: kbdb rebuild`);
    }
  }

  #section(kbid: string): void {
    const stored = this.parts.store.readSection(kbid);
    if (stored.state === "missing") return;
    this.#present.add(kbid);
    if (stored.state !== "found") return this.#fault("checksum_mismatch", kbid, stored.reason);
    const { meta, content } = stored.value;
    if (kbidOf(content) !== kbid) {
      return this.#fault("checksum_mismatch", kbid, "its bytes no longer give its id");
    }
    const held = this.#held.has(kbid) || meta.standalone;
    if (!held || this.parts.index().get(kbid) === null) this.#doubtful.push(kbid);
  }

  #manifest(docid: string, entries: readonly ManifestEntry[]): void {
    this.#references += entries.length;
    const missing = [...new Set(entries.map(({ kbid }) => kbid))].filter((kbid) =>
      !this.#present.has(kbid) && !this.parts.store.hasSection(kbid)
    );
    if (missing.length === 0) return;
    if (missing.length === new Set(entries.map(({ kbid }) => kbid)).size) {
      return this.#fault("orphan_document", docid, "none of its sections exists");
    }
    // Not a broken reference: those are of markers in the text (D48).
    for (const kbid of missing) {
      this.#fault("checksum_mismatch", kbid, `its file is missing, and document ${docid} lists it`);
    }
  }

  #hold(kbid: string, docid: string): void {
    const docids = this.#held.get(kbid);
    if (docids) docids.push(docid);
    else this.#held.set(kbid, [docid]);
  }

  #fault(type: CheckError["type"], entity: string, detail: string): void {
    this.#errors.push({ type, entity, detail });
  }
}
