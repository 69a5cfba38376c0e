/**
 * What lies in the trash, and removing it for good.
 *
 * @module
 */

import { KbdbError } from "../../rpc/errors.ts";
import type {
  EmptyTrashParams,
  EmptyTrashResult,
  TrashItem,
  TrashParams,
  TrashResult,
} from "../../rpc/writing.ts";
import type { TrashEntry } from "../../store/trash_entry.ts";
import type { BaseParts } from "../base_parts.ts";
import { makeCursor, readCursor } from "../read/cursor.ts";
import { refuseReadOnly } from "./writer.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
const OWNER = { action: "list the trash", question: "trash" };
/** A file that is damaged does not say its type. */
const UNKNOWN_TYPE = "application/octet-stream";

/** A place in the list: the removal, and the item in it. */
interface Placed {
  readonly entry: string;
  readonly item: TrashItem;
}

/**
 * A page of the trash, latest removals first.
 *
 * @throws {KbdbError} `bad_request` for a bad limit or cursor
 */
export function listTrash(parts: BaseParts, params: TrashParams): TrashResult {
  const { limit = DEFAULT_LIMIT, cursor } = params;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new KbdbError(
      "bad_request",
      `Cannot list the trash: limit must be a whole number from 1 to ${MAX_LIMIT}, not ${limit}`,
    );
  }
  const all = parts.store.trash.list(parts.store).flatMap(itemsOf);
  const from = cursor === undefined ? 0 : startOf(all, cursor);
  const page = all.slice(from, from + limit);
  const last = page.at(-1);
  return {
    items: page.map(({ item }) => item),
    total: all.length,
    bytes: all.reduce((sum, { item }) => sum + item.bytes, 0),
    ...(last && from + limit < all.length
      ? { cursor: makeCursor(OWNER, { entry: last.entry, item: keyOf(last.item) }) }
      : {}),
  };
}

/**
 * Removes for good what lies in the trash, or what has lain there for some days.
 *
 * @throws {KbdbError} `bad_request` for a number of days that is none
 */
export async function emptyTrash(
  parts: BaseParts,
  params: EmptyTrashParams,
): Promise<EmptyTrashResult> {
  const { older_than_days: days = 0 } = params;
  if (!Number.isFinite(days) || days < 0) {
    throw new KbdbError(
      "bad_request",
      `Cannot empty the trash: older_than_days must be a number from 0 on, not ${days}`,
    );
  }
  refuseReadOnly(parts.store);
  // What was asked to be removed before is in the trash by then.
  await parts.writer.inOrder(() => {});
  const before = days === 0 ? undefined : new Date(parts.now().getTime() - days * DAY_MS);
  const { removed, freedBytes } = await parts.store.trash.empty(before);
  if (removed > 0) await parts.cutJournal();
  return { removed, freed_bytes: freedBytes };
}

function itemsOf(entry: TrashEntry): Placed[] {
  const { name, at: removed_at, reason } = entry;
  const documents = entry.documents.map(({ docid, title, type, bytes }): TrashItem => ({
    id: docid,
    kind: "document",
    heading: title,
    type: type ?? UNKNOWN_TYPE,
    bytes,
    docids: [],
    removed_at,
    reason,
  }));
  const sections = entry.sections.map(({ kbid, title, type, bytes, places }): TrashItem => ({
    id: kbid,
    kind: "section",
    heading: title,
    type: type ?? UNKNOWN_TYPE,
    bytes,
    docids: [...new Set(places.map(({ docid }) => docid))],
    removed_at,
    reason,
  }));
  const items = [...documents, ...sections].map((item) => ({ entry: name, item }));
  return items.sort((a, b) => (keyOf(a.item) < keyOf(b.item) ? -1 : 1));
}

/** The first item behind the one that a cursor names, which may have been restored meanwhile. */
function startOf(all: readonly Placed[], cursor: string): number {
  const position = readCursor(OWNER, cursor);
  const entry = String(position.entry);
  const last = String(position.item);
  const next = all.findIndex((placed) =>
    placed.entry < entry || (placed.entry === entry && keyOf(placed.item) > last)
  );
  return next < 0 ? all.length : next;
}

/** Orders an entry's items: documents first. */
function keyOf({ kind, id }: TrashItem): string {
  return `${kind} ${id}`;
}
