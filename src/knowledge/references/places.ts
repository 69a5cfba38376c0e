/**
 * Where references lead: sections and documents as they are stored now.
 *
 * @module
 */

import type { SectionSummary } from "../../rpc/reading.ts";
import type { DocumentManifest, ManifestEntry } from "../../store/document_store.ts";
import { isKbid } from "../../store/paths.ts";
import type { ReadOutcome } from "../../store/read_outcome.ts";
import type { BaseParts } from "../base_parts.ts";
import { anchorsOf, htmlAnchors, slugOf } from "./names.ts";
import { documentKey } from "../index/records.ts";
import { type Address, splitId } from "./references.ts";
import { placeNamed } from "./wiki_names.ts";

/** Type of a section that nobody knows. */
const UNKNOWN_TYPE = "application/octet-stream";

/** What places are looked up in. */
export type PlaceParts = Pick<BaseParts, "store" | "keeper">;

/** The end of a reference: a section, or a document that has none. */
export interface Place {
  readonly kbid: string | null;
  /** The document that was named, where it was one. */
  readonly docid?: string;
}

/** A stored document with its sections. */
export class DocumentPlaces {
  #anchors: Map<string, string> | null = null;
  #htmlAnchors: Map<string, string> | null = null;

  /** Anchors are looked up in `places`. */
  constructor(readonly manifest: DocumentManifest, private readonly places: Places) {}

  get docid(): string {
    return this.manifest.docid;
  }

  /** The first section, which stands for the whole; agents have skills, not sections. */
  get first(): string | null {
    return this.manifest.type === "agent" ? null : this.manifest.sections[0]?.kbid ?? null;
  }

  /** The section whose heading has the anchor, else the one that sets it in HTML, else the first. */
  sectionAt(fragment: string | null): string | null {
    if (fragment === null || this.first === null) return this.first;
    const anchor = slugOf(fragment);
    // Texts are read only for an anchor that no heading has.
    return this.#anchorMap.get(anchor) ?? this.#htmlAnchorMap.get(anchor) ?? this.first;
  }

  /** The anchors of a section here: of its heading, and those that it sets in HTML. */
  anchorsOf(kbid: string): string[] {
    const anchors = [...this.#anchorMap].filter(([, of]) => of === kbid).map(([anchor]) => anchor);
    return [...new Set([...anchors, ...this.places.htmlAnchors(kbid)])];
  }

  /** The sections in order, as lists show them. */
  get outline(): SectionSummary[] {
    const { type, sections } = this.manifest;
    const held = type === "agent" ? "skill" : type;
    return sections.map(({ kbid }) => this.places.summary(kbid, held));
  }

  get #anchorMap(): Map<string, string> {
    return this.#anchors ??= this.#madeAnchors();
  }

  get #htmlAnchorMap(): Map<string, string> {
    return this.#htmlAnchors ??= this.#madeHtmlAnchors();
  }

  #madeHtmlAnchors(): Map<string, string> {
    const map = new Map<string, string>();
    for (const { kbid } of this.manifest.sections) {
      for (const anchor of this.places.htmlAnchors(kbid)) {
        if (!map.has(anchor)) map.set(anchor, kbid);
      }
    }
    return map;
  }

  #madeAnchors(): Map<string, string> {
    const entries: readonly ManifestEntry[] = this.manifest.sections;
    const anchors = anchorsOf(entries.map(({ kbid }) => this.places.summary(kbid).heading));
    const map = new Map<string, string>();
    entries.forEach(({ kbid }, i) => {
      const anchor = anchors[i];
      if (anchor !== null) map.set(anchor, kbid);
    });
    return map;
  }
}

/** Looks up places, each document once: for the length of one operation. */
export class Places {
  readonly #documents = new Map<string, ReadOutcome<DocumentPlaces>>();
  readonly #summaries = new Map<string, SectionSummary>();

  /** Looks up in these; `known` are ids of sections that are stored for sure. */
  constructor(private readonly parts: PlaceParts, private readonly known?: ReadonlySet<string>) {}

  /** Heading and type of a section, also of one that is out of search or gone: then `type`. */
  summary(kbid: string, type = UNKNOWN_TYPE): SectionSummary {
    let summary = this.#summaries.get(kbid);
    if (!summary) this.#summaries.set(kbid, summary = this.#summarised(kbid, type));
    return { ...summary };
  }

  /** The anchors that a Markdown section sets in HTML. */
  htmlAnchors(kbid: string): string[] {
    const stored = this.parts.store.readSection(kbid);
    if (stored.state !== "found" || stored.value.meta.type !== "text/markdown") return [];
    return htmlAnchors(new TextDecoder().decode(stored.value.content));
  }

  /** Whether a section is stored under the id. */
  hasSection(kbid: string): boolean {
    if (this.known?.has(kbid)) return true;
    if (!isKbid(kbid)) return false;
    return this.parts.keeper.index.get(kbid) !== null || this.parts.store.hasSection(kbid);
  }

  /** The document, or `null` where there is none that can be read. */
  document(docid: string): DocumentPlaces | null {
    const outcome = this.readDocument(docid);
    return outcome.state === "found" ? outcome.value : null;
  }

  /** The document; texts are in NFC, docids are as their owner wrote them. */
  readDocument(docid: string): ReadOutcome<DocumentPlaces> {
    const known = this.#documents.get(docid);
    if (known) return known;
    const forms = new Set([docid, docid.normalize("NFC"), docid.normalize("NFD")]);
    let outcome: ReadOutcome<DocumentPlaces> = { state: "missing" };
    for (const form of forms) {
      outcome = this.#readForm(form);
      if (outcome.state !== "missing") break;
    }
    this.#documents.set(docid, outcome);
    return outcome;
  }

  /** The place of an address, or `null` where it leads nowhere; `near` are documents to look in first. */
  placeOf(address: Address, near: readonly string[]): Place | null {
    if (address.by === "id") return this.#placeOfId(address.id);
    if (address.by === "docid") return this.#placeIn(address.docid, address.fragment);
    const found = placeNamed(this.parts, { name: address.name, near });
    if (found === null || found.docid === undefined) return found;
    return this.#placeIn(found.docid, address.heading);
  }

  /** Whether the address names a document that is stored and cannot be read. */
  isUnreadable(address: Address): boolean {
    const ids = address.by === "id" ? [address.id, splitId(address.id)?.id ?? ""] : [];
    const docids = address.by === "docid" ? [address.docid] : ids;
    return docids.map((docid) => this.readDocument(docid).state)
      .some((state) => state === "damaged" || state === "unreadable");
  }

  #readForm(docid: string): ReadOutcome<DocumentPlaces> {
    // Asking the index spares the disk a look for what is not there.
    const { store, keeper } = this.parts;
    if (keeper.index.get(documentKey(docid)) === null) return { state: "missing" };
    const outcome = store.readDocument(docid);
    if (outcome.state !== "found") return outcome;
    return { state: "found", value: new DocumentPlaces(outcome.value, this) };
  }

  #placeOfId(id: string): Place | null {
    const whole = this.#placeOfWhole(id, null);
    if (whole) return whole;
    const parts = splitId(id);
    return parts && this.#placeOfWhole(parts.id, parts.fragment);
  }

  #placeOfWhole(id: string, fragment: string | null): Place | null {
    return this.hasSection(id) ? { kbid: id } : this.#placeIn(id, fragment);
  }

  #placeIn(docid: string, fragment: string | null): Place | null {
    const document = this.document(docid);
    return document && { kbid: document.sectionAt(fragment), docid: document.docid };
  }

  #summarised(kbid: string, type: string): SectionSummary {
    const record = this.parts.keeper.recordOf(kbid);
    if (record !== null) return { kbid, heading: record.heading, type: record.type };
    const stored = this.parts.store.readSection(kbid);
    if (stored.state !== "found") return { kbid, heading: null, type };
    return { kbid, heading: stored.value.meta.title, type: stored.value.meta.type };
  }
}
