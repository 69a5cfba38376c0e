/**
 * Composing: one Markdown text of sections and documents, in parts where it is long (D16, D50).
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { ContentParams, ContentResult } from "../../rpc/reading.ts";
import type { BaseParts } from "../base_parts.ts";
import { ANSWER_BYTES, refuseUnlessCount } from "../read/budget.ts";
import {
  countIn,
  type CursorOwner,
  type CursorPosition,
  makeCursor,
  readCursor,
} from "../read/cursor.ts";
import { type Composition, compositionOf, type Unit } from "./units.ts";
import { partOf } from "./part.ts";
import { checkedIds } from "../read/read.ts";
import { Renderer, type Spent } from "./render.ts";
import { Slices } from "../slices.ts";

const DEFAULT_BYTES = 16 * 1024 * 1024;
/** The longest character has four bytes. */
const LEAST_BYTES = 4;

/**
 * The text of sections and documents, markers expanded, in the order of the ids.
 *
 * @throws {KbdbError} `bad_request` for no ids or a bad cursor, `too_large` for more than is ever
 * composed, `not_found` if none of the ids is stored
 */
export async function content(parts: BaseParts, params: ContentParams): Promise<ContentResult> {
  const ids = checkedIds("compose", params.ids, { name: "id", things: "ids" });
  const maxBytes = params.max_bytes ?? DEFAULT_BYTES;
  refuseUnlessCount("compose", { name: "max_bytes", value: maxBytes, least: LEAST_BYTES });
  const owner: CursorOwner = { action: "compose", question: ids };
  const composition = compositionOf(parts, ids);
  const start = params.cursor === undefined
    ? BEGINNING
    : positionOf(readCursor(owner, params.cursor), owner);
  const page = new ContentPage(parts, { composition, start, maxBytes });
  return await page.result(owner);
}

/** Where a page begins. */
interface Position {
  /** Index of the unit. */
  readonly unit: number;
  /** Bytes of the unit's text that were given before. */
  readonly offset: number;
  /** What expanding had cost before the unit. */
  readonly spent: Spent;
  /** Code points of the whole; `null` before the first page. */
  readonly whole: number | null;
  /** State of the database at the first page. */
  readonly seq: number | null;
}

const BEGINNING: Position = {
  unit: 0,
  offset: 0,
  spent: { bytes: 0, count: 0 },
  whole: null,
  seq: null,
};

interface PageFacts {
  readonly composition: Composition;
  readonly start: Position;
  readonly maxBytes: number;
}

/** A unit's text with what was spent before it. */
interface RenderedUnit {
  readonly index: number;
  readonly text: string;
  readonly spent: Spent;
}

class ContentPage {
  readonly #renderer: Renderer;
  readonly #slices = new Slices();
  readonly #texts: string[] = [];
  #left: number;
  #leftInAnswer = ANSWER_BYTES;
  /** Code points of the whole so far. */
  #points = 0;

  constructor(private readonly parts: BaseParts, private readonly facts: PageFacts) {
    const { composition, start, maxBytes } = facts;
    this.#renderer = new Renderer(parts, { places: composition.places, spent: start.spent });
    this.#left = maxBytes;
  }

  async result(owner: CursorOwner): Promise<ContentResult> {
    const { composition, start } = this.facts;
    const next = await this.#fill();
    const whole = start.whole ?? (next === null ? this.#points : await this.#countRest(next));
    const seq = start.seq ?? this.parts.keeper.appliedSeq;
    const data = this.#texts.join("");
    const isPart = start !== BEGINNING || next !== null;
    const notice = this.#notice({ next, seq });
    return {
      type: "text/markdown",
      data,
      total: codePoints(data),
      ...(isPart ? { total_all: whole } : {}),
      ...(next === null ? {} : { cursor: cursorOf(owner, { ...next, whole, seq }) }),
      ...(composition.missing.length === 0 ? {} : { missing: [...composition.missing] }),
      ...(notice === "" ? {} : { notice }),
    };
  }

  /** Fills the page; returns where the next one begins, or `null` at the end. */
  async #fill(): Promise<Omit<Position, "whole" | "seq"> | null> {
    const { start } = this.facts;
    for await (const { index, text, spent } of this.#rendered(start.unit)) {
      this.#points += codePoints(text);
      const offset = index === start.unit ? start.offset : 0;
      const end = this.#add(text, offset);
      if (end !== null) return { unit: index, offset: end, spent };
    }
    return null;
  }

  /** Adds what fits of a unit's text; returns where it was cut, or `null` if all of it fits. */
  #add(text: string, offset: number): number | null {
    const bytes = Buffer.from(text);
    const most = { bytes: this.#left, json: this.#leftInAnswer, first: this.#texts.length === 0 };
    const part = partOf(bytes, offset, most);
    if (part.text !== "") this.#texts.push(part.text);
    this.#left -= part.end - offset;
    this.#leftInAnswer -= part.json;
    return part.end >= bytes.length ? null : part.end;
  }

  /** Code points of the whole, with those of the units after the one where the page ends. */
  async #countRest({ unit }: { unit: number }): Promise<number> {
    let points = this.#points;
    for await (const { text } of this.#rendered(unit + 1)) points += codePoints(text);
    return points;
  }

  async *#rendered(from: number): AsyncGenerator<RenderedUnit> {
    const { units } = this.facts.composition;
    for (let index = from; index < units.length; index++) {
      const spent = { ...this.#renderer.spent };
      yield { index, text: await this.#textOf(units[index]), spent };
      await this.#slices.breathe();
    }
  }

  async #textOf(unit: Unit): Promise<string> {
    const { before } = unit;
    if ("note" in unit) return `${before}${unit.note}`;
    return `${before}${await this.#renderer.unit(unit)}`;
  }

  #notice({ next, seq }: { next: object | null; seq: number }): string {
    const sentences = [
      ...(next === null ? [] : ["The text goes on: send the cursor with the same ids."]),
      ...(seq === this.parts.keeper.appliedSeq
        ? []
        : ["The database changed since the first part, so that parts may not fit together."]),
      ...(this.#renderer.isSpent
        ? ["Some markers were left as they are: the text would have become too long."]
        : []),
    ];
    return sentences.join(" ");
  }
}

function positionOf(position: CursorPosition, owner: CursorOwner): Position {
  const count = (name: string) => countIn(position, name, owner);
  return {
    unit: count("unit"),
    offset: count("offset"),
    spent: { bytes: count("bytes"), count: count("count") },
    whole: count("whole"),
    seq: count("seq"),
  };
}

function cursorOf(owner: CursorOwner, at: Position & { whole: number; seq: number }): string {
  const { unit, offset, spent, whole, seq } = at;
  return makeCursor(owner, { unit, offset, ...spent, whole, seq });
}

/** Characters as Unicode counts them. */
function codePoints(text: string): number {
  let points = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    // A text is well formed, so that every first half has its second.
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800) points -= 1;
  }
  return points;
}
