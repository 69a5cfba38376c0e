/**
 * Restoring: what lies in the trash comes back to where it stood (D49).
 *
 * @module
 */

import { kbid as kbidOf } from "../../core/text.ts";
import { KbdbError } from "../../rpc/errors.ts";
import { MAX_IDS } from "../../rpc/protocol.ts";
import type { RestoredItem, RestoreParams, RestoreResult } from "../../rpc/writing.ts";
import {
  type DocumentManifest,
  type ManifestEntry,
  USUAL_GAP,
} from "../../store/document_store.ts";
import { isKbid } from "../../store/paths.ts";
import type { ReadOutcome } from "../../store/read_outcome.ts";
import type { RemovedPlace } from "../../store/removal.ts";
import type { SectionMeta, StoredSection } from "../../store/section_file.ts";
import type { TrashEntry } from "../../store/trash_entry.ts";
import type { BaseParts } from "../base_parts.ts";
import { Draft, elapsedSince } from "./draft.ts";
import { holdersOf } from "./roots.ts";

/** A section on its way back. */
interface ReturningSection extends StoredSection {
  readonly entry: TrashEntry;
  readonly places: readonly RemovedPlace[];
}

/** Where an id lies in the trash. */
interface Trashed {
  readonly entry: TrashEntry;
  readonly places: readonly RemovedPlace[];
}

/** A place that a section takes again. */
interface ReturningPlace extends RemovedPlace {
  readonly kbid: string;
  /** The removal that took it out of there. */
  readonly entry: string;
}

/** A document on its way back. */
interface ReturningDocument {
  readonly entry: TrashEntry;
  readonly manifest: DocumentManifest;
}

/**
 * Brings sections and documents back from the trash. A section takes its places in the documents that
 * are there; without any it stands alone. A document brings back its sections that are in the trash,
 * and comes back by itself once all its sections are back.
 *
 * @throws {KbdbError} `damaged` if what lies in the trash is not whole; then nothing is restored
 */
export async function restore(parts: BaseParts, params: RestoreParams): Promise<RestoreResult> {
  const start = performance.now();
  const { key } = params;
  const ids = checkedIds(params.ids);
  await settleRemovals(parts, ids);
  let dropped = () => Promise.resolve();
  const result = await parts.writer.write(key, (context) => {
    const draft = new Draft(context);
    const restoring = new Restoring(parts, draft);
    const items = restoring.take(ids);
    const restored = items.filter(({ state }) => state === "restored").length;
    dropped = () => restoring.drop();
    const answer = (): RestoreResult => ({ items, restored, elapsed_ms: elapsedSince(start) });
    // A remembered answer need not list what a caller can look up.
    const states = items.map(({ id, state }) => ({ id, state }));
    return { ...draft.changes(), answer, remembered: () => ({ ...answer(), items: states }) };
  });
  // What stays behind in the trash is hidden as long as it is in use.
  await dropped().catch(() => {});
  return result;
}

/** What is being removed, or could not be moved at once, is not in the trash yet. */
async function settleRemovals({ store, writer }: BaseParts, ids: readonly string[]): Promise<void> {
  await writer.inOrder(() => {});
  const { sections, documents } = trashedItems(store.trash.list());
  const isKnown = (id: string) =>
    sections.has(id) || documents.has(id) || (isKbid(id) && store.hasSection(id)) ||
    store.hasDocument(id);
  if (store.writable && !ids.every(isKnown)) await store.flushFiles();
}

class Restoring {
  readonly #sections = new Map<string, ReturningSection>();
  readonly #documents = new Map<string, ReturningDocument>();
  /** Of each section that comes back, the documents that hold it. */
  readonly #docids = new Map<string, readonly string[]>();

  /** What lies in the trash and is not in use: of each id the newest. */
  readonly #trashed: { sections: Map<string, Trashed>; documents: Map<string, Trashed> };

  constructor(private readonly parts: BaseParts, private readonly draft: Draft) {
    this.#trashed = trashedItems(parts.store.trash.list(draft.context.state));
  }

  /** Puts what comes back into the draft; tells the fate of each id. */
  take(ids: readonly string[]): RestoredItem[] {
    const states = ids.map((id) => this.#find(id));
    this.#findWholeDocuments();
    for (const document of this.#documents.values()) this.#putDocument(document);
    for (const place of this.#inOrderOfReturn()) this.#putBack(place);
    for (const section of this.#sections.values()) this.#putSection(section);
    return ids.map((id, i) => ({ id, state: states[i], ...this.#company(id) }));
  }

  /** Takes out of the trash what has come back. */
  async drop(): Promise<void> {
    const { trash } = this.parts.store;
    for (const [kbid, { entry }] of this.#sections) await trash.drop(entry, { kbids: [kbid] });
    for (const [docid, { entry }] of this.#documents) await trash.drop(entry, { docids: [docid] });
  }

  #find(id: string): RestoredItem["state"] {
    if (this.#sections.has(id) || this.#documents.has(id)) return "restored";
    if (this.#isThere(id) || this.draft.context.state.hasDocument(id)) return "present";
    if (this.#findSection(id) || this.#findDocument(id)) return "restored";
    return "unknown";
  }

  #findSection(kbid: string): boolean {
    const trashed = this.#trashed.sections.get(kbid);
    if (trashed === undefined) return false;
    const { entry, places } = trashed;
    const outcome = this.parts.store.trash.readSection(entry, kbid);
    const section = whole(outcome, { id: kbid, entry });
    if (kbidOf(section.content) !== kbid) {
      throw damaged("its bytes do not give its id", { id: kbid, entry });
    }
    this.#sections.set(kbid, { ...section, entry, places });
    return true;
  }

  #findDocument(docid: string): boolean {
    const found = this.#readDocument(docid);
    if (found === null) return false;
    const { entry, outcome } = found;
    const manifest = whole(outcome, { id: docid, entry });
    for (const { kbid } of manifest.sections) if (!this.#isThere(kbid)) this.#findSection(kbid);
    const isEmpty = !manifest.sections.some(({ kbid }) => this.#isThere(kbid));
    // All its sections are gone for good; an agent lives without its skills.
    if (isEmpty && manifest.agent === null) return false;
    this.#documents.set(docid, { entry, manifest });
    return true;
  }

  #readDocument(
    docid: string,
  ): { entry: TrashEntry; outcome: ReadOutcome<DocumentManifest> } | null {
    const entry = this.#trashed.documents.get(docid)?.entry;
    return entry ? { entry, outcome: this.parts.store.trash.readDocument(entry, docid) } : null;
  }

  /** Documents that went with their last section come back with it. */
  #findWholeDocuments(): void {
    for (const { places } of [...this.#sections.values()]) {
      for (const docid of new Set(places.map((place) => place.docid))) this.#findIfWhole(docid);
    }
  }

  #findIfWhole(docid: string): void {
    if (this.#documents.has(docid)) return;
    const found = this.#readDocument(docid);
    if (found?.outcome.state !== "found") return;
    const { entry, outcome: { value: manifest } } = found;
    const isWhole = manifest.sections.every(({ kbid }) => this.#isThere(kbid));
    if (isWhole) this.#documents.set(docid, { entry, manifest });
  }

  #isThere(kbid: string): boolean {
    if (this.#sections.has(kbid)) return true;
    return isKbid(kbid) && this.draft.context.state.hasSection(kbid);
  }

  #putDocument({ manifest }: ReturningDocument): void {
    const { docid } = manifest;
    const kept = manifest.agent === null
      ? manifest.sections.filter(({ kbid }) => this.#isThere(kbid))
      : manifest.sections;
    this.draft.putDocument({ ...manifest, sections: kept });
    for (const kbid of new Set(kept.map((entry) => entry.kbid))) {
      if (this.#sections.has(kbid)) this.#hold(kbid, docid);
      else this.#holdStored(kbid, docid);
    }
  }

  #holdStored(kbid: string, docid: string): void {
    const known = this.draft.section(kbid);
    if (known === null) return;
    const docids = [...new Set([...known.docids, docid])];
    this.draft.changeSection(known, { meta: { retired: null, superseded_by: null }, docids });
  }

  #hold(kbid: string, docid: string): void {
    this.#docids.set(kbid, [...new Set([...this.#docids.get(kbid) ?? [], docid])]);
  }

  /** What was removed last comes back first, so that every place counts as it did then. */
  #inOrderOfReturn(): ReturningPlace[] {
    const places = [...this.#sections.values()].flatMap(({ meta, entry, places }) =>
      places.map((place) => ({ ...place, kbid: meta.kbid, entry: entry.name }))
    );
    return places.sort((a, b) =>
      a.entry === b.entry ? a.index - b.index : a.entry < b.entry ? 1 : -1
    );
  }

  #putBack({ kbid, entry, ...place }: ReturningPlace): void {
    const { docid } = place;
    // A manifest that went with it has it in its place.
    if (this.#documents.get(docid)?.entry.name === entry) return;
    const document = this.draft.document(docid);
    if (document === null) return;
    this.draft.putDocument({ ...document, sections: inserted(document.sections, kbid, place) });
    this.#hold(kbid, docid);
  }

  #putSection({ meta, content }: ReturningSection): void {
    const skillsHolders = meta.type === "skill" ? holdersOf(this.parts, this.draft, meta.kbid) : [];
    const docids = [...new Set([...this.#docids.get(meta.kbid) ?? [], ...skillsHolders])];
    this.draft.putSection({ meta: returnedMeta(meta, docids), docids, content });
  }

  #company(id: string): Pick<RestoredItem, "with"> {
    const docids = this.#docids.get(id);
    if (this.#sections.has(id)) return docids ? { with: [...docids] } : {};
    const document = this.#documents.get(id);
    if (!document) return {};
    const kbids = new Set(document.manifest.sections.map(({ kbid }) => kbid));
    const back = [...kbids].filter((kbid) => this.#sections.has(kbid));
    return back.length > 0 ? { with: back } : {};
  }
}

function trashedItems(newestFirst: readonly TrashEntry[]) {
  const sections = new Map<string, Trashed>();
  const documents = new Map<string, Trashed>();
  for (const entry of newestFirst.toReversed()) {
    for (const { kbid, places } of entry.sections) sections.set(kbid, { entry, places });
    for (const { docid } of entry.documents) documents.set(docid, { entry, places: [] });
  }
  return { sections, documents };
}

/** As it was; but what a document holds is in use, and what none holds has to stand alone. */
function returnedMeta(meta: SectionMeta, docids: readonly string[]): SectionMeta {
  if (docids.length > 0) return { ...meta, retired: null, superseded_by: null };
  return meta.retired === null ? { ...meta, standalone: true } : meta;
}

/** The entries with a section at its former place, or at the end where there are fewer now. */
function inserted(
  entries: readonly ManifestEntry[],
  kbid: string,
  place: RemovedPlace,
): ManifestEntry[] {
  const at = Math.min(place.index, entries.length);
  const all = [...entries.slice(0, at), { kbid, gap: place.gap }, ...entries.slice(at)];
  // Only the first may follow nothing.
  return all.map((entry, i) => i > 0 && entry.gap === "" ? { ...entry, gap: USUAL_GAP } : entry);
}

function checkedIds(ids: unknown): string[] {
  if (!Array.isArray(ids) || ids.length === 0) {
    throw new KbdbError("bad_request", "Cannot restore: give at least one kbid or docid");
  }
  if (ids.length > MAX_IDS) {
    throw new KbdbError(
      "too_large",
      `Cannot restore ${ids.length} ids at once: the limit is ${MAX_IDS}`,
    );
  }
  return ids.map(String);
}

function whole<T>(outcome: ReadOutcome<T>, of: { id: string; entry: TrashEntry }): T {
  if (outcome.state === "found") return outcome.value;
  const reason = outcome.state === "missing" ? "its file is missing" : outcome.reason;
  throw damaged(reason, of);
}

function damaged(reason: string, { id, entry }: { id: string; entry: TrashEntry }): KbdbError {
  return new KbdbError(
    "damaged",
    `Cannot restore ${id}: what lies in trash/${entry.name} is not whole: ${reason}`,
  );
}
