/**
 * Recalling: whole sections by id, with as much around them as was asked for and fits.
 *
 * @module
 */

import { KbdbError } from "../../rpc/errors.ts";
import type {
  OmittedSection,
  RecalledSection,
  RecallItem,
  RecallParams,
  RecallResult,
  UnreadSection,
} from "../../rpc/reading.ts";
import { isKbid } from "../../store/paths.ts";
import type { StoredSection } from "../../store/section_file.ts";
import type { BaseParts } from "../base_parts.ts";
import { answerRoom, Budget, jsonBytes, refuseUnlessCount } from "./budget.ts";
import { countsIn, type CursorOwner, makeCursor, readCursor } from "./cursor.ts";
import { Neighbourhood } from "../references/neighbourhood.ts";
import type { Places } from "../references/places.ts";
import { checkedIds } from "./read.ts";
import { fillAround } from "./around.ts";
import { recallNotice } from "./notice.ts";
import { MissingIds } from "./removed.ts";
import { Slices } from "../slices.ts";
import { contentOf, type IdReader, readById } from "../stored_text.ts";

const MAX_DEPTH = 3;
/** Kept free for what is said about the rest. */
const NOTICE_BYTES = 600;
/** Kept free in a section for the names of what is around it. */
const AROUND_BYTES = 400;
/** The least that a section takes beside its content. */
const FRAME_BYTES = 150;

/** A recalled section and what it was made of. */
export interface WholeSection {
  readonly item: RecalledSection;
  readonly section: StoredSection;
}

interface Asked {
  readonly kbids: readonly string[];
  /** Indexes of the kbids that this page is about. */
  readonly pending: readonly number[];
  readonly depth: number;
  readonly room: number;
  readonly owner: CursorOwner;
}

/**
 * Sections by id; an unknown one costs only itself. What does not fit is a stub (D50), and the cursor
 * gives it: first the sections themselves find room, then what is around them.
 *
 * @throws {KbdbError} `bad_request` for no ids, a bad depth or a bad cursor, `too_large` for more ids
 * than can be answered
 */
export async function recall(parts: BaseParts, params: RecallParams): Promise<RecallResult> {
  const asked = checkedParams(params);
  const around = new Neighbourhood(parts);
  const page = new RecallPage(parts, { asked, places: around.places });
  await page.fill();
  await fillAround(page.whole, { parts, around, depth: asked.depth, room: page.room });
  return page.result;
}

/** One section of a page on its way from stub to whole. */
interface Slot {
  readonly index: number;
  item: RecallItem;
  bytes: number;
  whole: WholeSection | null;
  /** It is larger than any answer, so that no page ever has it. */
  tooLarge: boolean;
}

class RecallPage {
  readonly room: Budget;
  readonly #asked: Asked;
  readonly #places: Places;
  readonly #slots: Slot[];
  readonly #slices = new Slices();
  readonly #from: IdReader;
  /** What a section by itself may take. */
  readonly #alone: number;

  constructor(private readonly parts: BaseParts, facts: { asked: Asked; places: Places }) {
    const { asked, places } = facts;
    this.#asked = asked;
    this.#places = places;
    this.#from = { reader: parts.reader, missing: new MissingIds(parts.store) };
    this.#slots = asked.pending.map((index) => this.#stub(index));
    const stubs = this.#slots.reduce((sum, { bytes }) => sum + bytes, 0);
    const room = this.#roomFor(asked.pending) - stubs;
    if (room < 0) throw tooMany(asked, "their stubs alone have more");
    this.room = new Budget(room);
    this.#alone = this.#roomFor(asked.pending.slice(-1));
  }

  /** The sections that were read. */
  get whole(): WholeSection[] {
    return this.#slots.flatMap(({ whole }) => whole ?? []);
  }

  get result(): RecallResult {
    const later = this.#later;
    const items = this.#slots.map(({ item }) => item);
    const large = this.#slots.filter(({ tooLarge }) => tooLarge).map(({ item }) => item);
    const notice = recallNotice({ items, later: later.length, large: large.filter(isStub) });
    return {
      items,
      ...(later.length > 0 ? { cursor: makeCursor(this.#asked.owner, { rest: later }) } : {}),
      ...(notice === null ? {} : { notice }),
    };
  }

  /** Puts sections in the place of their stubs, in order, as long as there is room. */
  async fill(): Promise<void> {
    for (const slot of this.#slots) {
      if (isStub(slot.item)) this.#upgrade(slot);
      await this.#slices.breathe();
    }
    const { length } = this.#slots;
    // Otherwise the next page would be like this one.
    if (length > 0 && this.#later.length === length) {
      throw tooMany(this.#asked, "beside their stubs none of them has room");
    }
  }

  /** Indexes of what a later page gives. */
  get #later(): number[] {
    const later = this.#slots.filter(({ item, tooLarge }) => isStub(item) && !tooLarge);
    return later.map(({ index }) => index);
  }

  #roomFor(pending: readonly number[]): number {
    const cursor = makeCursor(this.#asked.owner, { rest: pending });
    return this.#asked.room - NOTICE_BYTES - jsonBytes({ cursor }, 1);
  }

  #stub(index: number): Slot {
    const id = this.#asked.kbids[index];
    const record = isKbid(id) ? this.parts.keeper.recordOf(id) : null;
    const item: RecallItem = record === null
      ? this.#unindexed(id)
      : stub({ kbid: id, heading: record.heading, type: record.type, bytes: record.bytes });
    return { index, item, bytes: jsonBytes(item), whole: null, tooLarge: false };
  }

  /** What the index does not know may still be stored. */
  #unindexed(id: string): RecallItem {
    const section = readById(this.#from, { action: "recall", id });
    if ("error" in section) return section;
    const { kbid, title: heading, type } = section.meta;
    return stub({ kbid, heading, type, bytes: section.content.length });
  }

  #upgrade(slot: Slot): void {
    const { bytes, kbid } = slot.item as OmittedSection;
    slot.tooLarge = bytes + FRAME_BYTES > this.#alone;
    if (bytes + FRAME_BYTES > this.room.left + slot.bytes) return;
    const section = readById(this.#from, { action: "recall", id: kbid });
    if ("error" in section) return this.#settle(slot, { item: section, whole: null });
    const item = this.#recalled(section);
    this.#settle(slot, { item, whole: { item, section } });
  }

  /** Puts an item in the place of a stub if there is room. */
  #settle(slot: Slot, to: { item: RecalledSection | UnreadSection; whole: Slot["whole"] }): void {
    const around = to.whole !== null && this.#asked.depth > 0 ? AROUND_BYTES : 0;
    const bytes = jsonBytes(to.item) + around;
    slot.tooLarge = bytes > this.#alone;
    if (!this.room.take(bytes - slot.bytes)) return;
    slot.item = to.item;
    slot.whole = to.whole;
  }

  /** Keys in the documented order, those of a level only from that level on. */
  #recalled(section: StoredSection): RecalledSection {
    const { kbid, title, type, description, tags, created, retired, superseded_by } = section.meta;
    const { content, encoding } = contentOf(section);
    const docids = this.parts.keeper.recordOf(kbid)?.docids ?? [];
    const sources = this.#sourcesOf(docids);
    const { depth } = this.#asked;
    return {
      kbid,
      heading: title,
      type,
      content,
      docids,
      ...(encoding ? { encoding } : {}),
      ...(depth >= 1 ? { documents: [], back_references: [] } : {}),
      ...(depth >= 2 ? { siblings: [], references: [] } : {}),
      ...(description === null ? {} : { description }),
      tags: [...tags],
      ...(sources.length > 0 ? { sources } : {}),
      created_at: created,
      ...(retired === null ? {} : { retired }),
      ...(superseded_by === null ? {} : { superseded_by }),
    };
  }

  #sourcesOf(docids: readonly string[]): string[] {
    const manifests = docids.map((docid) => this.#places.document(docid)?.manifest);
    const sources = manifests.map((manifest) => manifest?.source).filter((source) =>
      source != null
    );
    return [...new Set(sources)];
  }
}

function checkedParams(params: RecallParams): Asked {
  const kbids = checkedIds("recall", params.kbids, { name: "kbid", things: "sections" });
  const { depth: given = 0 } = params;
  // Too deep is as deep as it goes.
  const depth = Number.isInteger(given) ? Math.min(given, MAX_DEPTH) : given;
  refuseUnlessCount("recall", { name: "depth", value: depth, least: 0, most: MAX_DEPTH });
  const owner: CursorOwner = { action: "recall", question: [kbids, depth] };
  const room = answerRoom("recall", params.max_bytes);
  return { kbids, depth, room, owner, pending: pendingOf(params.cursor, { owner, kbids }) };
}

function pendingOf(
  cursor: string | undefined,
  of: { owner: CursorOwner; kbids: readonly string[] },
): number[] {
  if (cursor === undefined) return of.kbids.map((_, index) => index);
  return countsIn(readCursor(of.owner, cursor), { name: "rest", below: of.kbids.length }, of.owner);
}

function tooMany({ pending, room }: Asked, why: string): KbdbError {
  return new KbdbError(
    "too_large",
    `Cannot recall ${pending.length} sections within ${room} bytes: ${why}. ` +
      "Recall fewer at a time.",
  );
}

function stub(facts: Omit<OmittedSection, "omitted">): OmittedSection {
  return { ...facts, omitted: true };
}

function isStub(item: RecallItem): item is OmittedSection {
  return "omitted" in item;
}
