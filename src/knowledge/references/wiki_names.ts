/**
 * Which document or section a wiki link means: the document of that docid, else the one whose file
 * has that name, else the one of that title, else the section of that heading. Of several the one
 * nearest to the link counts, then the first by id.
 *
 * @module
 */

import type { SearchIndex } from "../../core/search_index.ts";
import type { BaseParts } from "../base_parts.ts";
import { catalogueOf } from "../read/catalogue.ts";
import { nameOf, namesOf } from "./names.ts";

/** More sections that hold the words of a heading are not looked at. */
const MOST_HEADINGS = 200;

/** What a wiki link says and where it stands. */
export interface NamedPlace {
  /** As `nameOf` makes it. */
  readonly name: string;
  /** Documents that hold the link. */
  readonly near: readonly string[];
}

/** The document or section that a name means, or `null`. */
export function placeNamed(
  parts: Pick<BaseParts, "keeper">,
  named: NamedPlace,
): { kbid: null; docid: string } | { kbid: string; docid?: undefined } | null {
  const docids = catalogueOf(parts).named(named.name);
  const docid = best(docids, (docid) => [rank(docid, named.name), distance(docid, named.near)]);
  if (docid !== undefined) return { kbid: null, docid };
  const kbid = sectionHeaded(parts.keeper.index, named);
  return kbid === undefined ? null : { kbid };
}

/** 0 for the docid, 1 for its file's name, 2 for the title. */
function rank(docid: string, name: string): number {
  const [whole, ...others] = namesOf(docid);
  if (name === whole || (name.includes("/") && others.includes(name))) return 0;
  return others.includes(name) ? 1 : 2;
}

/** How far a document is from the nearest of those that hold the link: path parts that differ. */
function distance(docid: string, near: readonly string[]): number {
  const parts = docid.split("/");
  const distances = near.map((other) => {
    const others = other.split("/");
    const differs = parts.findIndex((part, i) => part !== others[i]);
    return parts.length + others.length - 2 * (differs < 0 ? parts.length : differs);
  });
  return distances.length === 0 ? 0 : Math.min(...distances);
}

function sectionHeaded(index: SearchIndex, { name, near }: NamedPlace): string | undefined {
  const { items } = index.search({ query: name, match: "all", limit: MOST_HEADINGS, offset: 0 });
  const headed = items.filter(({ record }) =>
    record.heading !== null && nameOf(record.heading) === name
  );
  const isNear = new Map(headed.map(({ record }) => [
    record.kbid,
    record.docids.some((docid) => near.includes(docid)) ? 0 : 1,
  ]));
  return best([...isNear.keys()], (kbid) => [isNear.get(kbid)!]);
}

/** The id with the lowest ranks; of equal ones the first by id. */
function best(ids: readonly string[], ranks: (id: string) => number[]): string | undefined {
  const ranked = ids.map((id) => ({ id, ranks: ranks(id) }));
  ranked.sort((a, b) => {
    const differs = a.ranks.findIndex((rank, i) => rank !== b.ranks[i]);
    if (differs >= 0) return a.ranks[differs] - b.ranks[differs];
    return a.id < b.id ? -1 : Number(a.id > b.id);
  });
  return ranked[0]?.id;
}
