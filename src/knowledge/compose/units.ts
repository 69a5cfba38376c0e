/**
 * What a composed text consists of: the sections of its ids, in order.
 *
 * @module
 */

import { KbdbError } from "../../rpc/errors.ts";
import type { BaseParts } from "../base_parts.ts";
import { agentText, note } from "./markdown.ts";
import { type DocumentPlaces, Places } from "../references/places.ts";
import { MissingIds } from "../read/removed.ts";
import { unreadable } from "../stored_text.ts";

/** More is never composed at once, since all of it has to be read to be counted. */
const MOST_BYTES = 256 * 1024 * 1024;
const BLANK_LINE = "\n\n";
const NAMED_IDS = 5;

/** A section, or a note in the place of one, with the white space before it. */
export type Unit =
  & { readonly before: string }
  & (
    | { readonly note: string }
    | {
      readonly kbid: string; /** The document that it stands in. */
      readonly docid: string | null;
    }
  );

/** A text that is to be composed. */
export interface Composition {
  readonly places: Places;
  readonly units: readonly Unit[];
  /** Ids that are not stored. */
  readonly missing: readonly string[];
}

/**
 * What the text of these ids consists of.
 *
 * @throws {KbdbError} `not_found` if none of them is stored, `too_large` for more than is composed
 */
export function compositionOf(parts: BaseParts, ids: readonly string[]): Composition {
  const builder = new CompositionBuilder(parts);
  ids.forEach((id, i) => builder.add(id, i === 0 ? "" : BLANK_LINE));
  if (builder.missing.length === ids.length) throw builder.noneFound();
  builder.refuseTooMuch();
  return builder;
}

class CompositionBuilder implements Composition {
  readonly places: Places;
  readonly units: Unit[] = [];
  readonly missing: string[] = [];
  readonly #missingIds: MissingIds;

  constructor(private readonly parts: BaseParts) {
    this.places = new Places(parts);
    this.#missingIds = new MissingIds(parts.store);
  }

  add(id: string, before: string): void {
    if (this.places.hasSection(id)) {
      this.units.push({ before, kbid: id, docid: null });
      return;
    }
    const outcome = this.places.readDocument(id);
    if (outcome.state === "found") return this.#addDocument(outcome.value, before);
    if (outcome.state !== "missing") return this.#note(before, unreadable(id, outcome).message);
    this.missing.push(id);
    this.#note(before, this.#missingIds.sentence(id));
  }

  noneFound(): KbdbError {
    const [first] = this.missing;
    if (this.missing.length === 1) {
      return new KbdbError("not_found", this.#missingIds.sentence(first));
    }
    const named = this.missing.slice(0, NAMED_IDS).join(", ");
    const more = this.missing.length > NAMED_IDS ? ", ..." : "";
    return new KbdbError(
      "not_found",
      `Cannot compose: none of the ${this.missing.length} ids is stored: ${named}${more}`,
    );
  }

  refuseTooMuch(): void {
    const { keeper } = this.parts;
    let bytes = 0;
    for (const unit of this.units) {
      if ("kbid" in unit) bytes += keeper.recordOf(unit.kbid)?.bytes ?? 0;
    }
    if (bytes <= MOST_BYTES) return;
    throw new KbdbError(
      "too_large",
      `Cannot compose ${bytes} bytes: the limit is ${MOST_BYTES}. Compose fewer ids at a time.`,
    );
  }

  #addDocument(document: DocumentPlaces, before: string): void {
    const { docid, manifest } = document;
    if (manifest.agent !== null) {
      this.units.push({ before, note: agentText(manifest.agent, document.outline) });
      return;
    }
    if (manifest.sections.length === 0) this.#note(before, `document ${docid} is empty`);
    manifest.sections.forEach(({ kbid, gap }, i) => {
      this.units.push({ before: i === 0 ? before + gap : gap, kbid, docid });
    });
  }

  #note(before: string, sentence: string): void {
    this.units.push({ before, note: note(sentence) });
  }
}
