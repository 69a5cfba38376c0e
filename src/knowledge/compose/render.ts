/**
 * Sections as Markdown with their markers expanded (D16).
 *
 * @module
 */

import type { StoredSection } from "../../store/section_file.ts";
import type { BaseParts } from "../base_parts.ts";
import {
  dataUri,
  documentUri,
  fence,
  image,
  isCode,
  languageOf,
  link,
  note,
  sectionUri,
} from "./markdown.ts";
import type { DocumentPlaces, Place, Places } from "../references/places.ts";
import { isImage } from "../index/records.ts";
import { type FoundReference, referencesIn } from "../references/references.ts";
import { Slices } from "../slices.ts";

/** Expanding may add this much to one composed text. */
const MOST = { bytes: 16 * 1024 * 1024, count: 100_000 };
/** Sections and documents inside each other. */
const DEEPEST = 32;
/** What may stand before a block on its line, and again before each of its lines. */
const BLOCK_PREFIX = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/;

const LONGEST_PREFIX = 200;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What expanding has added so far. */
export interface Spent {
  bytes: number;
  count: number;
}

/** Where a text stands: the sections and documents that it is included in, itself last. */
type Trail = readonly string[];

/** A marker, and the text around it. */
interface MarkerPlace {
  readonly marker: FoundReference;
  /** The marker as written. */
  readonly written: string;
  readonly docids: readonly string[];
  /** What stands before the marker on its line. */
  readonly prefix: string;
  /** Whether something follows on its line. */
  readonly isFollowed: boolean;
  /** It stands where a link has its address. */
  readonly isAddress: boolean;
  readonly trail: Trail;
}

/** Renders sections; what expanding costs is counted over all of them. */
export class Renderer {
  readonly spent: Spent;
  /** Something was left as it is, because the text would have become too long. */
  isSpent = false;
  readonly #places: Places;
  readonly #slices = new Slices();

  constructor(
    private readonly parts: Pick<BaseParts, "reader" | "keeper">,
    options: { places: Places; spent: Spent },
  ) {
    this.#places = options.places;
    this.spent = { ...options.spent };
  }

  /** The text of a section that stands in a document, or alone. */
  unit({ kbid, docid }: { kbid: string; docid: string | null }): Promise<string> {
    return this.#section(kbid, docid === null ? [] : [documentStep(docid)]);
  }

  async #section(kbid: string, trail: Trail): Promise<string> {
    const section = this.#read(kbid);
    if (typeof section === "string") return note(section);
    const { type, title } = section.meta;
    if (isImage(type)) return image({ kbid, type, bytes: section.content }, title ?? kbid);
    if (type === "text/markdown" || type === "text/plain") {
      return await this.#expanded(section, [...trail, kbid]);
    }
    return fence(decoder.decode(section.content), languageOf(type));
  }

  async #expanded({ meta, content }: StoredSection, trail: Trail): Promise<string> {
    const docids = this.parts.keeper.recordOf(meta.kbid)?.docids ?? [];
    const pieces: string[] = [];
    let at = 0;
    let line = "";
    for (const marker of referencesIn({ content, type: meta.type, docids })) {
      if (!isMarker(marker) || marker.start < at) continue;
      const before = decoder.decode(content.subarray(at, marker.start));
      line = lastLine(line, before);
      const written = decoder.decode(content.subarray(marker.start, marker.end));
      const isFollowed = marker.end < content.length && content[marker.end] !== NEWLINE;
      const isAddress = line.endsWith("](") && content[marker.end] === CLOSING;
      const place = { marker, written, docids, prefix: line, isFollowed, isAddress, trail };
      const piece = await this.#marker(place);
      line = lastLine(line, piece);
      pieces.push(before, piece);
      at = marker.end;
      await this.#slices.breathe();
    }
    return pieces.join("") + decoder.decode(content.subarray(at));
  }

  async #marker(at: MarkerPlace): Promise<string> {
    const { marker, written, docids } = at;
    const place = this.#places.placeOf(marker.addresses[0], docids);
    if (place === null) return `${written} ${note(`${marker.target} is not stored`)}`;
    if (!this.#affords(marker.marker, place)) return this.#unaffordable(at);
    this.spent.count += 1;
    if (at.isAddress) return this.#spend(this.#address(at, place));
    switch (marker.marker) {
      case "include":
        return await this.#include(at, place);
      case "image":
        return this.#spend(this.#image(at, place));
      case "code":
        return this.#spend(this.#code(at, place));
      default:
        return this.#spend(this.#link(at, place));
    }
  }

  #affords(marker: string, { kbid }: Place): boolean {
    const size = kbid === null || marker === "link" ? 0 : this.parts.keeper.recordOf(kbid)?.bytes;
    return this.spent.count < MOST.count && this.spent.bytes + (size ?? 0) < MOST.bytes;
  }

  #unaffordable({ marker, written }: MarkerPlace): string {
    this.isSpent = true;
    if (marker.marker === "link") return written;
    return `${written} ${note("left as it is: the text would become too long")}`;
  }

  #spend(text: string): string {
    this.spent.bytes += text.length;
    return text;
  }

  #address({ marker }: MarkerPlace, { kbid, docid }: Place): string {
    if (marker.marker === "image" && kbid !== null) {
      const section = this.#read(kbid);
      const uri = typeof section === "string" ? null : dataUri(section.meta.type, section.content);
      if (uri !== null) return uri;
    }
    if (docid === undefined) return sectionUri(kbid!);
    return documentUri(docid, fragmentOf(marker.target, docid));
  }

  #link({ marker }: MarkerPlace, { kbid, docid }: Place): string {
    const heading = kbid === null ? null : this.#places.summary(kbid).heading;
    if (docid === undefined) {
      return link(marker.label ?? heading ?? kbid!, sectionUri(kbid!));
    }
    const fragment = fragmentOf(marker.target, docid);
    const title = fragment === null ? this.#places.document(docid)?.manifest.title : heading;
    return link(marker.label ?? title ?? docid, documentUri(docid, fragment));
  }

  async #include(at: MarkerPlace, { kbid, docid }: Place): Promise<string> {
    const { marker, trail } = at;
    const isWhole = docid !== undefined && fragmentOf(marker.target, docid) === null;
    const step = isWhole ? documentStep(docid) : kbid;
    if (step === null) return `${at.written} ${note(`${marker.target} holds no section`)}`;
    if (trail.includes(step)) {
      return note(`${marker.target} is not included again: it would include itself`);
    }
    if (trail.length >= DEEPEST) {
      return note(`${marker.target} is not included: it is nested too deeply`);
    }
    const text = isWhole
      ? await this.#document(this.#places.document(docid)!, [...trail, step])
      : await this.#included(step, trail);
    return asBlock(text, at.prefix);
  }

  async #document({ manifest }: DocumentPlaces, trail: Trail): Promise<string> {
    const pieces: string[] = [];
    for (const { kbid, gap } of manifest.sections) {
      const size = this.parts.keeper.recordOf(kbid)?.bytes ?? 0;
      if (this.spent.bytes + size >= MOST.bytes) {
        this.isSpent = true;
        pieces.push(gap, note(`the rest of ${manifest.docid} is left out: it would be too long`));
        break;
      }
      pieces.push(gap, await this.#included(kbid, trail));
    }
    return pieces.join("");
  }

  async #included(kbid: string, trail: Trail): Promise<string> {
    if (trail.includes(kbid)) return note(`${kbid} is not included again: it would include itself`);
    this.spent.bytes += this.parts.keeper.recordOf(kbid)?.bytes ?? 0;
    return await this.#section(kbid, trail);
  }

  #image({ marker, written }: MarkerPlace, { kbid }: Place): string {
    const section = this.#read(kbid);
    if (typeof section === "string") return `${written} ${note(section)}`;
    const { type, title } = section.meta;
    if (!isImage(type)) return `${written} ${note(`${marker.target} is no image but ${type}`)}`;
    const picture = { kbid: section.meta.kbid, type, bytes: section.content };
    return image(picture, marker.label ?? title ?? marker.target);
  }

  #code(at: MarkerPlace, { kbid }: Place): string {
    const { marker, written, prefix, isFollowed } = at;
    const section = this.#read(kbid);
    if (typeof section === "string") return `${written} ${note(section)}`;
    const { type } = section.meta;
    if (!isCode(type)) return `${written} ${note(`${marker.target} is no code but ${type}`)}`;
    const block = fence(decoder.decode(section.content), languageOf(type));
    const placed = BLOCK_PREFIX.test(prefix) ? asBlock(block, prefix) : `\n\n${block}`;
    return isFollowed ? `${placed}\n` : placed;
  }

  /** The section, or why it cannot be had. */
  #read(kbid: string | null): StoredSection | string {
    if (kbid === null) return "the document holds no section";
    const outcome = this.parts.reader.read(kbid);
    if (outcome.state === "found") return outcome.value;
    const reason = outcome.state === "missing" ? "its file is missing" : outcome.reason;
    return `section ${kbid} cannot be read: ${reason}`;
  }
}

const NEWLINE = 10;
const CLOSING = 41;

function isMarker({ marker }: FoundReference): boolean {
  return marker === "link" || marker === "include" || marker === "image" || marker === "code";
}

function documentStep(docid: string): string {
  return `document ${docid}`;
}

/** The anchor of a target that names more than the document. */
function fragmentOf(target: string, docid: string): string | null {
  return target.startsWith(`${docid}#`) ? target.slice(docid.length + 1) : null;
}

/** The end of the last line of two texts; more of it than a block's prefix may have is not kept. */
function lastLine(before: string, behind: string): string {
  const text = (before + behind.slice(-LONGEST_PREFIX)).slice(-LONGEST_PREFIX);
  return text.slice(text.lastIndexOf("\n") + 1);
}

/** Inside a quote or list, a block's further lines begin as its first one does. */
function asBlock(text: string, prefix: string): string {
  if (prefix === "" || !BLOCK_PREFIX.test(prefix)) return text;
  const further = prefix.replace(/[^>\s]/g, " ");
  return text.replace(/\n(?=[^\n])/g, `\n${further}`);
}
