/**
 * What a section refers to, and what refers to it.
 *
 * @module
 */

import type { IndexRecord } from "../../core/search_index.ts";
import type { Reference } from "../../rpc/reading.ts";
import type { BaseParts } from "../base_parts.ts";
import { excerpt, type Span } from "./excerpt.ts";
import { nameOf, namesOf } from "./names.ts";
import { type DocumentPlaces, type Place, type PlaceParts, Places } from "./places.ts";
import {
  type Address,
  docidKey,
  type FoundReference,
  idKey,
  nameKey,
  referencesIn,
  type ReferringText,
  splitId,
} from "./references.ts";
import { Slices } from "../slices.ts";
import { headingEnd } from "../search/snippets.ts";

/** More references of one section are counted, not shown, unless asked otherwise. */
export const MOST_REFERENCES = 1000;
/** Entries that are read at a time. */
const PAGE = 200;

/** What the neighbourhood is looked up in. */
export type NeighbourParts = PlaceParts & Pick<BaseParts, "reader">;

/** A section whose neighbourhood is asked for. */
export interface Centre {
  readonly kbid: string;
  readonly heading: string | null;
  /** Documents that hold it. */
  readonly docids: readonly string[];
  /** Its earlier revisions: who refers to them refers to it. */
  readonly supersedes: readonly string[];
}

/** A section that refers to others. */
export interface ForwardText extends ReferringText {
  readonly kbid: string;
  readonly heading: string | null;
}

/** References, and how many more there are at least. */
export interface References {
  readonly items: Reference[];
  readonly leftOut: number;
}

/** Looks around sections, for the length of one operation. */
export class Neighbourhood {
  readonly places: Places;
  readonly #slices = new Slices();

  /** Looks up in these. */
  constructor(private readonly parts: NeighbourParts) {
    this.places = new Places(parts);
  }

  /** Sections in use that refer to this one, by kbid and then by position; not the section itself. */
  async back(centre: Centre, most = MOST_REFERENCES): Promise<References> {
    const names = namesOfCentre(centre, this.places);
    const items: Reference[] = [];
    let seen = 0;
    for (const record of this.#referring(names.keys)) {
      if (items.length >= most) return { items, leftOut: this.#countRest(names.keys, seen) };
      seen += 1;
      if (record.kbid !== centre.kbid) items.push(...this.#backFrom(record, names));
      await this.#slices.breathe();
    }
    return { items, leftOut: 0 };
  }

  /** What a text refers to, in order; not the section itself. */
  async forward(text: ForwardText, most = MOST_REFERENCES): Promise<References> {
    const items: Reference[] = [];
    const all = distinct(referencesIn(text));
    for (const [i, found] of all.entries()) {
      if (items.length >= most) return { items, leftOut: all.length - i };
      const places = this.#placesOf(found, text.docids);
      const others = places.filter((place) => place === null || place.kbid !== text.kbid);
      items.push(...others.map((place) => this.#forwardTo(place, found, text)));
      await this.#slices.breathe();
    }
    return { items, leftOut: 0 };
  }

  /** What a stored section is to those who refer to it; `null` where it cannot be read. */
  centreOf(kbid: string): Centre | null {
    const outcome = this.parts.reader.read(kbid);
    if (outcome.state !== "found") return null;
    const { title, supersedes } = outcome.value.meta;
    const docids = this.parts.keeper.recordOf(kbid)?.docids ?? [];
    return { kbid, heading: title, docids, supersedes };
  }

  /** Entries that hold one of the keys, in kbid order, read as they are needed. */
  *#referring(keys: readonly string[]): Generator<IndexRecord> {
    let after: string | undefined;
    do {
      const { index } = this.parts.keeper;
      const pages = keys.map((ref) => index.list("section", { ref, after, limit: PAGE }));
      // Behind the end of the shortest full page others may have more in between.
      const ends = pages.filter((page) => page.length === PAGE).map((page) => page.at(-1)!.kbid);
      const end = ends.sort().at(0);
      const found = new Map(pages.flat().map((record) => [record.kbid, record]));
      const ids = [...found.keys()].filter((kbid) => end === undefined || kbid <= end).sort();
      for (const kbid of ids) yield found.get(kbid)!;
      after = end;
    } while (after !== undefined);
  }

  /** How many more entries hold the key that most of them hold. */
  #countRest(keys: readonly string[], seen: number): number {
    const { index } = this.parts.keeper;
    const counts = keys.map((ref) => index.count("section", { ref }));
    return Math.max(1, Math.max(...counts) - seen);
  }

  #backFrom(record: IndexRecord, names: CentreNames): Reference[] {
    const { kbid, heading, type, docids } = record;
    const content = this.parts.reader.content(kbid);
    if (content.state !== "found") return [];
    const all = distinct(referencesIn({ content: content.value, type, docids }));
    return all.filter((found) => this.#leadsTo(found, names)).map((found) => ({
      kbid,
      heading,
      type,
      marker_type: found.marker,
      context_snippet: around(content.value, found, heading),
      direction: "back",
    }));
  }

  #leadsTo(found: FoundReference, names: CentreNames): boolean {
    return found.addresses.some((address) => {
      if (address.by === "name") return names.has(address);
      if (!names.mayBe(address)) return false;
      const place = this.places.placeOf(address, []);
      return place?.kbid != null && names.ids.has(place.kbid);
    });
  }

  /** One `null` where a reference leads nowhere. */
  #placesOf(found: FoundReference, near: readonly string[]): (Place | null)[] {
    const places = new Map<string, Place>();
    for (const address of found.addresses) {
      const place = this.places.placeOf(address, near);
      if (place !== null) places.set(`${place.kbid} ${place.docid}`, place);
    }
    return places.size > 0 ? [...places.values()] : [null];
  }

  #forwardTo(place: Place | null, found: FoundReference, text: ForwardText): Reference {
    const summary = place?.kbid == null ? null : this.places.summary(place.kbid);
    return {
      kbid: place?.kbid ?? null,
      heading: summary?.heading ?? null,
      type: summary?.type ?? null,
      marker_type: found.marker,
      context_snippet: around(text.content, found, text.heading),
      direction: "forward",
      target: found.target,
      ...(place?.docid === undefined ? {} : { docid: place.docid }),
    };
  }
}

/** Of references that say the same only the first. */
function distinct(references: readonly FoundReference[]): FoundReference[] {
  const first = new Map<string, FoundReference>();
  for (const found of references) {
    const key = `${found.marker} ${found.target}`;
    if (!first.has(key)) first.set(key, found);
  }
  return [...first.values()];
}

/** Text around a reference, without the heading of its section, which stands beside it. */
function around(content: Uint8Array, { start, end }: Span, heading: string | null): string {
  const below = heading === null ? 0 : headingEnd(content);
  if (below > start) return excerpt(content, { start, end });
  return excerpt(content.subarray(below), { start: start - below, end: end - below });
}

/** What leads to a section. */
interface CentreNames {
  /** The section and its earlier revisions. */
  readonly ids: ReadonlySet<string>;
  /** Under which the index has those who refer to it. */
  readonly keys: readonly string[];
  /** Whether looking the address up may lead to it. */
  mayBe(address: Exclude<Address, { by: "name" }>): boolean;
  /** Whether a wiki link of this name and heading means it. */
  has(wiki: { name: string; heading: string | null }): boolean;
}

function namesOfCentre(centre: Centre, places: Places): CentreNames {
  const { kbid, heading, supersedes } = centre;
  const ids = new Set([kbid, ...supersedes]);
  const documents = centre.docids.flatMap((docid) => documentNames(docid, { kbid, places }));
  const own = heading === null ? null : nameOf(heading);
  const keys = [...ids].map((id) => idKey(id));
  for (const document of documents) keys.push(...document.keys);
  if (own !== null) keys.push(nameKey(own));
  const named = new Set([...ids, ...centre.docids.map((docid) => docid.normalize())]);
  return {
    ids,
    keys: [...new Set(keys)],
    mayBe: (address) => {
      if (address.by === "docid") return named.has(address.docid);
      return named.has(address.id) || named.has(splitId(address.id)?.id ?? "");
    },
    has: (wiki) => {
      const meant = documents.filter(({ names }) => names.has(wiki.name));
      if (meant.length === 0) return wiki.name === own;
      return meant.some(({ document }) => document.sectionAt(wiki.heading) === kbid);
    },
  };
}

/** A document that holds a section, and what leads to the section by way of it. */
interface NamedDocument {
  readonly document: DocumentPlaces;
  readonly names: ReadonlySet<string>;
  readonly keys: readonly string[];
}

function documentNames(docid: string, of: { kbid: string; places: Places }): NamedDocument[] {
  const document = of.places.document(docid);
  if (document === null) return [];
  const names = new Set(namesOf(docid));
  if (document.manifest.title !== null) names.add(nameOf(document.manifest.title));
  // The first section stands for the whole, so that it has the keys without anchor.
  const anchors = document.first === of.kbid ? [null] : document.anchorsOf(of.kbid);
  const keys = anchors.flatMap((anchor) => [
    idKey(docid, anchor),
    docidKey(docid, anchor),
    ...[...names].map((name) => nameKey(name, anchor)),
  ]);
  return [{ document, names, keys }];
}

/**
 * Sections in use that refer to a section: by its id or that of an earlier revision, or by the place,
 * name or heading that it has in a document. Ordered by kbid, then by position.
 */
export async function backReferences(parts: NeighbourParts, kbid: string): Promise<Reference[]> {
  const neighbourhood = new Neighbourhood(parts);
  const centre = neighbourhood.centreOf(kbid);
  return centre === null ? [] : (await neighbourhood.back(centre)).items;
}

/** What a section refers to, in order; `kbid` is `null` where it leads nowhere. */
export async function forwardReferences(
  parts: NeighbourParts,
  kbid: string,
): Promise<Reference[]> {
  const outcome = parts.reader.read(kbid);
  if (outcome.state !== "found") return [];
  const { meta, content } = outcome.value;
  const docids = parts.keeper.recordOf(kbid)?.docids ?? [];
  const { type, title: heading } = meta;
  const text = { kbid, heading, content, type, docids };
  return (await new Neighbourhood(parts).forward(text)).items;
}
