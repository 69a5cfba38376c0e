/**
 * Checking: are the stored files what they were when they were written, and do they fit together?
 * Nothing is changed.
 *
 * @module
 */

import { kbid as kbidOf } from "../../core/text.ts";
import type { CheckError, CheckResult, Progress } from "../../rpc/protocol.ts";
import type { DocumentManifest } from "../../store/document_store.ts";
import type { StoredSection } from "../../store/section_file.ts";
import type { BaseParts } from "../base_parts.ts";
import { ReferenceCheck } from "./references.ts";
import { typeFault } from "./types.ts";
import { Slices } from "../slices.ts";
import { recordsOf, SKILL_TYPE } from "../prompts/stored_skills.ts";

/** What a check works with. */
export type CheckParts = Pick<BaseParts, "store" | "keeper" | "writer" | "warnings">;

/** Kinds of entries that stand for a section. */
const SECTION_KINDS = ["section", SKILL_TYPE, "retired"];

/** Reads everything once and names what is wrong. */
export async function check(
  parts: CheckParts,
  report: (progress: Progress) => void,
): Promise<CheckResult> {
  const start = performance.now();
  const settled = () => parts.writer.inOrder(() => {});
  await settled();
  const run = new Check(parts);
  await run.documents();
  await run.sections(report);
  await run.indexed();
  await settled();
  await run.settle();
  return { ...run.result, elapsed_ms: Math.round(performance.now() - start) };
}

/** What is kept of a document. */
type Manifest = Pick<DocumentManifest, "docid" | "type" | "sections">;

class Check {
  readonly #errors: CheckError[] = [];
  readonly #warnings: string[];
  readonly #slices = new Slices();
  readonly #held = new Map<string, string[]>();
  readonly #manifests: Manifest[] = [];
  /** Sections that looked unheld or unsearched: a write may have come in between. */
  readonly #doubtful: string[] = [];
  readonly #present = new Set<string>();
  readonly #kbids: string[];
  readonly #references: ReferenceCheck;
  #places = 0;

  constructor(private readonly parts: CheckParts) {
    const { kbids, strays } = parts.store.listSections();
    this.#kbids = kbids;
    this.#references = new ReferenceCheck(parts, kbids);
    const named = strays.map(({ name }) => `Not a section: sections/${name}`);
    this.#warnings = [...parts.warnings, ...named];
  }

  get result(): Omit<CheckResult, "elapsed_ms"> {
    return {
      ok: this.#errors.length === 0,
      errors: this.#errors,
      sections_checked: this.#present.size,
      documents_checked: this.#manifests.length,
      references_checked: this.#places + this.#references.checked,
      unresolved_links: this.#references.unresolvedLinks,
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
      const { docid, title, type, sections } = outcome.value;
      this.#manifests.push({ docid, type, sections });
      this.#references.document(docid, title);
      for (const kbid of new Set(sections.map(({ kbid }) => kbid))) this.#hold(kbid, docid);
    }
  }

  async sections(report: (progress: Progress) => void): Promise<void> {
    const total = this.#kbids.length;
    const reportAt = (done: number) => report({ done, total, message: "checking" });
    for (const [i, kbid] of this.#kbids.entries()) {
      await this.#slices.breathe();
      this.#section(kbid);
      if (i % 256 === 0) reportAt(i);
    }
    reportAt(total);
  }

  /** Sections that no document lists are known by the index alone when their file is gone. */
  async indexed(): Promise<void> {
    for (const kind of SECTION_KINDS) {
      for (const { kbid } of recordsOf(this.parts.keeper.index, kind)) {
        await this.#slices.breathe();
        if (this.#present.has(kbid) || this.#held.has(kbid)) continue;
        if (this.parts.store.hasSection(kbid)) continue;
        this.#fault("checksum_mismatch", kbid, "its file is missing");
      }
    }
  }

  /** What can be said only once everything is known. */
  async settle(): Promise<void> {
    for (const manifest of this.#manifests) this.#manifest(manifest);
    for (const kbid of this.#doubtful) this.#lookAgain(kbid);
    await this.#references.settle((type, entity, detail) => this.#fault(type, entity, detail));
  }

  #lookAgain(kbid: string): void {
    const stored = this.parts.store.readSection(kbid);
    if (stored.state !== "found" || stored.value.meta.retired !== null) return;
    const record = this.parts.keeper.index.get(kbid);
    const held = this.#held.has(kbid) || (record !== null && record.docids.length > 0);
    if (!held && !isRoot(stored.value) && !this.#references.names(kbid)) {
      const reason = "no document holds it, no marker names it and it was not learned alone";
      this.#fault("orphan_section", kbid, reason);
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
    if (meta.retired !== null) return;
    const fault = typeFault(meta.type, content);
    if (fault !== null) this.#fault("type_mismatch", kbid, fault);
    this.#references.section(stored.value, this.#held.get(kbid) ?? []);
    const held = this.#held.has(kbid) || isRoot(stored.value);
    if (!held || this.parts.keeper.index.get(kbid) === null) this.#doubtful.push(kbid);
  }

  #manifest({ docid, type, sections }: Manifest): void {
    this.#places += sections.length;
    const listed = [...new Set(sections.map(({ kbid }) => kbid))];
    const missing = listed.filter((kbid) =>
      !this.#present.has(kbid) && !this.parts.store.hasSection(kbid)
    );
    if (missing.length === 0) return;
    if (type === "agent") {
      const sentence = (kbid: string) => `Agent ${docid} names skill ${kbid}, which is not stored`;
      this.#warnings.push(...missing.map(sentence));
    } else if (missing.length === listed.length) {
      this.#fault("orphan_document", docid, "none of its sections exists");
    } else {
      // Not a broken reference: those are of markers in the text (D48).
      const reason = `its file is missing, and document ${docid} lists it`;
      for (const kbid of missing) this.#fault("checksum_mismatch", kbid, reason);
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

/** What nothing has to hold (D13). */
function isRoot({ meta }: StoredSection): boolean {
  return meta.standalone || meta.type === SKILL_TYPE;
}
