/**
 * Checking what texts refer to (D48).
 *
 * @module
 */

import type { CheckErrorType } from "../../rpc/protocol.ts";
import type { StoredSection } from "../../store/section_file.ts";
import { isCode } from "../compose/markdown.ts";
import { includeCycles } from "./include_cycles.ts";
import { nameOf, namesOf } from "../references/names.ts";
import { Places } from "../references/places.ts";
import { isImage } from "../index/records.ts";
import { type FoundReference, referencesIn } from "../references/references.ts";
import type { CheckParts } from "./check.ts";
import { MissingIds } from "../read/removed.ts";
import { Slices } from "../slices.ts";

/** Names a fault. */
export type NameFault = (type: CheckErrorType, entity: string, detail: string) => void;

/** A reference that seemed to lead nowhere: a write may have come in between. */
interface Doubt {
  readonly kbid: string;
  readonly reference: FoundReference;
}

/** Looks at the references of one section after another, and at the end at what came out. */
export class ReferenceCheck {
  /** Markers that were looked at. */
  checked = 0;
  /** Markdown and wiki links that lead nowhere. */
  unresolvedLinks = 0;
  readonly #docids = new Set<string>();
  readonly #documentNames = new Set<string>();
  readonly #headings = new Set<string>();
  /** Wiki links that no document answers to, by name. */
  readonly #openNames = new Map<string, number>();
  readonly #openLinks: Doubt[] = [];
  readonly #doubts: Doubt[] = [];
  /** Sections that a marker names. */
  readonly #named = new Set<string>();
  readonly #includes = new Map<string, Set<string>>();
  readonly #places: Places;
  readonly #slices = new Slices();

  /** Looks up in these; `kbids` are stored. */
  constructor(private readonly parts: CheckParts, kbids: Iterable<string>) {
    this.#places = new Places(parts, new Set(kbids));
  }

  /** A document is stored. */
  document(docid: string, title: string | null): void {
    this.#docids.add(docid.normalize());
    for (const name of namesOf(docid)) this.#documentNames.add(name);
    if (title !== null) this.#documentNames.add(nameOf(title));
  }

  /** A section in use; all documents are known before. */
  section({ meta, content }: StoredSection, docids: readonly string[]): void {
    const { kbid, title, type } = meta;
    if (title !== null) this.#headings.add(nameOf(title));
    for (const reference of referencesIn({ content, type, docids })) {
      if (reference.marker === "wikilink") this.#wikiLink(reference);
      else if (reference.marker === "mdlink") this.#link(kbid, reference);
      else this.#marker(kbid, reference);
    }
  }

  /** Whether a marker of a section in use names the section. */
  names(kbid: string): boolean {
    return this.#named.has(kbid);
  }

  /** Names the faults, once all sections are known and the writes so far are done. */
  async settle(fault: NameFault): Promise<void> {
    const missing = new MissingIds(this.parts.store);
    for (const { kbid, reference } of this.#doubts) {
      await this.#slices.breathe();
      const found = this.#isInUse(kbid) ? this.#faultOf(reference, new Places(this.parts)) : null;
      if (found === null) continue;
      const way = found.type === "broken_reference" ? missing.wayBack(reference.target) : null;
      fault(found.type, kbid, `${found.detail}${way ? `. Bring it back with: ${way}` : ""}`);
    }
    for (const { entity, detail } of this.#cycles()) fault("circular_reference", entity, detail);
    await this.#countUnresolved();
  }

  #isInUse(kbid: string): boolean {
    return this.parts.keeper.index.get(kbid)?.kind === "section";
  }

  async #countUnresolved(): Promise<void> {
    for (const { kbid, reference } of this.#openLinks) {
      await this.#slices.breathe();
      const places = new Places(this.parts);
      const leads = reference.addresses.some((address) => places.placeOf(address, []) !== null);
      if (!leads && this.#isInUse(kbid)) this.unresolvedLinks += 1;
    }
    for (const [name, times] of this.#openNames) {
      if (!this.#headings.has(name)) this.unresolvedLinks += times;
    }
  }

  #wikiLink({ addresses }: FoundReference): void {
    for (const address of addresses) {
      if (address.by !== "name" || this.#documentNames.has(address.name)) continue;
      this.#openNames.set(address.name, (this.#openNames.get(address.name) ?? 0) + 1);
    }
  }

  #link(kbid: string, reference: FoundReference): void {
    const leads = reference.addresses.some((address) =>
      address.by === "docid" && this.#docids.has(address.docid)
    );
    if (!leads) this.#openLinks.push({ kbid, reference });
  }

  #marker(kbid: string, reference: FoundReference): void {
    this.checked += 1;
    const place = this.#places.placeOf(reference.addresses[0], []);
    if (place?.kbid != null) this.#named.add(place.kbid);
    if (this.#faultOf(reference, this.#places) !== null) this.#doubts.push({ kbid, reference });
    if (reference.marker !== "include" || place === null) return;
    const target = place.docid ?? place.kbid;
    const targets = this.#includes.get(kbid) ?? new Set();
    this.#includes.set(kbid, targets.add(target!));
  }

  #faultOf(
    reference: FoundReference,
    places: Places,
  ): { type: "broken_reference" | "type_mismatch"; detail: string } | null {
    const { marker, target } = reference;
    const written = `$(${marker}:${target})`;
    const place = places.placeOf(reference.addresses[0], []);
    if (place === null) {
      // What is wrong then is the document.
      if (places.isUnreadable(reference.addresses[0])) return null;
      return { type: "broken_reference", detail: `${written} names nothing that is stored` };
    }
    if (marker !== "image" && marker !== "code") return null;
    const type = place.kbid === null ? "no section" : places.summary(place.kbid).type;
    if (marker === "image" ? isImage(type) : isCode(type)) return null;
    return { type: "type_mismatch", detail: `${written} names ${type}, which is no ${marker}` };
  }

  #cycles(): { entity: string; detail: string }[] {
    const graph = new Map(this.#includes);
    const places = new Places(this.parts);
    for (const target of new Set([...this.#includes.values()].flatMap((all) => [...all]))) {
      const document = places.document(target);
      const held = document?.manifest.sections.map(({ kbid }) => kbid) ?? [];
      const including = held.filter((kbid) => this.#includes.has(kbid));
      if (including.length > 0) graph.set(target, new Set(including));
    }
    const isSection = (node: string) => this.#includes.has(node);
    const cycles = includeCycles(
      graph,
      (a, b) => isSection(a) === isSection(b) ? a < b : isSection(a),
    );
    return cycles.map((cycle) => ({
      entity: cycle[0],
      detail: `it includes itself: ${[...cycle, cycle[0]].join(" -> ")}`,
    }));
  }
}
