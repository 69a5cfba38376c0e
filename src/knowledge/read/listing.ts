/**
 * Lists of documents, sections and tags: pages in the order of ids.
 *
 * @module
 */

import type { IndexRecord } from "../../core/search_index.ts";
import type {
  DocumentSummary,
  ListDocumentsParams,
  ListedSection,
  ListPage,
  ListSectionsParams,
  TagCount,
} from "../../rpc/listing.ts";
import type { BaseParts } from "../base_parts.ts";
import { refuseUnlessCount } from "./budget.ts";
import { catalogueOf } from "./catalogue.ts";
import { type CursorOwner, makeCursor, readCursor, textIn } from "./cursor.ts";
import { documentKey } from "../index/records.ts";
import { Slices } from "../slices.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
/** Of kbids (D6). */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const KBID_LENGTH = 26;
const KBID_START = /^(?:[0-7][0-9a-hjkmnp-tv-z]{0,25})?$/;
const AGENT = "agent";
const SKILL = "skill";

/**
 * Documents in the order of docids.
 *
 * @throws {KbdbError} `bad_request` for a limit that is no count or a cursor of another list
 */
export async function listDocuments(
  parts: BaseParts,
  params: ListDocumentsParams,
): Promise<ListPage<DocumentSummary>> {
  const { prefix, type } = params;
  const page = pageOf(params, { action: "list documents", question: [prefix, type] });
  const slices = new Slices();
  const items: DocumentSummary[] = [];
  for (const docid of catalogueOf(parts).from({ prefix, after: page.after })) {
    await slices.breathe();
    const record = parts.keeper.index.get(documentKey(docid));
    if (record === null || !isOfType(record, type)) continue;
    // One more than asked for tells that there are more.
    if (items.length === page.limit) return page.with(items, items.at(-1)!.docid);
    items.push(summaryOf(parts, record));
  }
  return page.with(items, null);
}

/**
 * Sections in use, in the order of kbids.
 *
 * @throws {KbdbError} `bad_request` for a limit that is no count or a cursor of another list
 */
export function listSections(
  parts: BaseParts,
  params: ListSectionsParams,
): ListPage<ListedSection> {
  const { type, tag, docid, prefix = "" } = params;
  const page = pageOf(params, { action: "list sections", question: [type, tag, docid, prefix] });
  if (!KBID_START.test(prefix)) return page.with([], null);
  const kind = type === SKILL ? SKILL : "section";
  const records = parts.keeper.index.list(kind, {
    after: page.after ?? below(prefix),
    limit: page.limit + 1,
    ...(type === undefined || type === SKILL ? {} : { type }),
    ...(tag === undefined ? {} : { tag }),
    ...(docid === undefined ? {} : { docid }),
  });
  const wanted = records.filter(({ kbid }) => kbid.startsWith(prefix));
  const items = wanted.slice(0, page.limit).map(listed);
  return page.with(items, wanted.length > page.limit ? items.at(-1)!.kbid : null);
}

/** All tags in order, with the number of sections that have each. */
export function listTags({ keeper }: BaseParts): { tags: TagCount[] } {
  const tags: TagCount[] = [];
  const next = (after?: string) => keeper.index.values("tag", { after, limit: MAX_LIMIT });
  for (let page = next(); page.length > 0; page = next(page.at(-1)!.value)) {
    for (const { value, count } of page) tags.push({ tag: value, sections: count });
  }
  return { tags };
}

/** A page that is being filled. */
interface Page {
  readonly limit: number;
  /** Only what comes behind this id. */
  readonly after?: string;
  /** The result; `last` is the last id of the page where more follow. */
  with<Item>(items: Item[], last: string | null): ListPage<Item>;
}

function pageOf(params: { limit?: number; cursor?: string }, owner: CursorOwner): Page {
  const { limit = DEFAULT_LIMIT, cursor } = params;
  refuseUnlessCount(owner.action, { name: "limit", value: limit, least: 1, most: MAX_LIMIT });
  const position = cursor === undefined ? null : readCursor(owner, cursor);
  return {
    limit,
    ...(position ? { after: textIn(position, "after", owner) } : {}),
    with: (items, last) => ({
      items,
      ...(last === null ? {} : { cursor: makeCursor(owner, { after: last }) }),
    }),
  };
}

function isOfType(record: IndexRecord, type: string | undefined): boolean {
  return type === undefined ? record.kind !== AGENT : record.type === type;
}

function summaryOf({ store }: BaseParts, record: IndexRecord): DocumentSummary {
  const [docid] = record.docids;
  const manifest = store.readDocument(docid);
  return {
    docid,
    title: record.heading,
    type: record.type,
    section_count: record.flags,
    source: manifest.state === "found" ? manifest.value.source : null,
  };
}

/** The highest kbid below all that begin so; `undefined` where there is none. */
function below(prefix: string): string | undefined {
  const lowest = prefix.padEnd(KBID_LENGTH, DIGITS[0]);
  const last = lowest.search(/0*$/) - 1;
  if (last < 0) return undefined;
  const smaller = DIGITS[DIGITS.indexOf(lowest[last]) - 1];
  return lowest.slice(0, last) + smaller + DIGITS.at(-1)!.repeat(KBID_LENGTH - last - 1);
}

function listed({ kbid, heading, type, docids, tags }: IndexRecord): ListedSection {
  return { kbid, heading, type, docids, tags };
}
