/**
 * From what a caller sends to sections: decode, preprocess, cut, name.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { CoreError } from "../../core/core_error.ts";
import { kbid, preprocess, splitMarkdown } from "../../core/text.ts";
import { MAX_SECTION_BYTES } from "../../rpc/protocol.ts";
import type { LearnItem } from "../../rpc/writing.ts";
import { KbdbError } from "../../rpc/errors.ts";
import { imageFault } from "./image_bytes.ts";
import { isImage } from "../index/records.ts";

/** A section of a preprocessed source. */
export interface CutSection {
  readonly kbid: string;
  readonly heading: string | null;
  readonly content: Uint8Array;
  /** White space between the section before and this one. */
  readonly gap: string;
}

/** A preprocessed source, cut. */
export interface CutSource {
  readonly type: string;
  readonly title: string | null;
  /** At least one. */
  readonly sections: readonly CutSection[];
  /** The whole preprocessed source as one section's content; an image's bytes as they came. */
  readonly text: Uint8Array;
  readonly warnings: readonly string[];
}

/** A content to be cut. */
export interface CutInput extends LearnItem {
  /** What is being done, for messages. @default {"learn" and the item's name} */
  readonly doing?: string;
}

const MARKDOWN = "text/markdown";
const MIME = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Preprocesses (D8) and cuts (D39) an item's content.
 *
 * @throws {KbdbError} for content or a type that cannot be stored
 */
export function cutItem(item: CutInput): CutSource {
  const type = storableType(item.type ?? MARKDOWN);
  if (isImage(type)) return wholeImage(item, type);
  const text = preprocessed(item);
  if (text.length === 0) throw refused(item, "the content is empty");
  if (type !== MARKDOWN) return wholeSource(text, { type, item });
  const split = splitMarkdown(text);
  let end = 0;
  const sections = split.sections.map((part) => {
    const content = text.subarray(part.start, part.end);
    const gap = decoder.decode(text.subarray(end, part.start));
    end = part.end;
    return cutSection(content, { heading: part.heading, gap, item });
  });
  return { type, title: split.title, sections, text, warnings: split.warnings };
}

/** The same source as one section, whatever headings it has. */
export function asOneSection(source: CutSource, item: CutInput): CutSection {
  const heading = item.title ?? source.sections[0].heading;
  return cutSection(source.text, { heading, gap: "", item });
}

/** The heading that a text gives itself. */
export function ownHeading(type: string, text: Uint8Array): string | null {
  return type === MARKDOWN ? splitMarkdown(text).sections[0]?.heading ?? null : null;
}

/** Name of an item in messages. */
export function nameOf(item: LearnItem): string {
  return item.docid ?? item.source ?? item.title ?? "the content";
}

function wholeSource(
  text: Uint8Array,
  facts: { type: string; item: CutInput; warnings?: readonly string[] },
): CutSource {
  const { type, item, warnings = [] } = facts;
  const title = item.title ?? null;
  const section = cutSection(text, { heading: title, gap: "", item });
  return { type, title, sections: [section], text, warnings };
}

/** An image is stored verbatim. */
function wholeImage(item: CutInput, type: string): CutSource {
  if (item.title === undefined) {
    throw new KbdbError(
      "bad_request",
      "Cannot learn an image: its title is missing. Give one, for it is found by its title.",
    );
  }
  const bytes = fromBase64(item);
  if (bytes.length === 0) throw refused(item, "the content is empty");
  const fault = imageFault(type, bytes);
  if (fault?.refuse) throw refused(item, fault.reason);
  return wholeSource(bytes, { type, item, warnings: fault ? [fault.reason] : [] });
}

function cutSection(
  content: Uint8Array,
  facts: { heading: string | null; gap: string; item: CutInput },
): CutSection {
  const { heading, gap, item } = facts;
  if (content.length > MAX_SECTION_BYTES) {
    throw new KbdbError(
      "too_large",
      `Cannot ${doingOf(item)}: a section of ${content.length} bytes is over the limit of ` +
        `${MAX_SECTION_BYTES}. Divide it with headings.`,
    );
  }
  return { kbid: kbid(content), heading, content, gap };
}

function preprocessed(item: CutInput): Uint8Array {
  const bytes = bytesOf(item);
  try {
    return preprocess(bytes, item.encoding);
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    throw refused(item, error.message);
  }
}

function bytesOf(item: CutInput): Uint8Array {
  if (!item.base64) {
    if (!item.content.isWellFormed()) {
      throw refused(item, "the text holds half of a surrogate pair, which is no character");
    }
    return encoder.encode(item.content);
  }
  return fromBase64(item);
}

function fromBase64(item: CutInput): Uint8Array {
  // Lines may be broken anywhere; blanks between words are those of a text.
  const digits = item.content.split(/\r\n|\r|\n/).map((line) => line.trim()).join("");
  // One digit alone is no byte.
  if (!BASE64.test(digits) || digits.replace(/=+$/, "").length % 4 === 1) {
    throw refused(item, "the content is not valid base64");
  }
  return new Uint8Array(Buffer.from(digits, "base64"));
}

function storableType(given: string): string {
  const type = given.trim().toLowerCase();
  if (type === "skill" || type === "agent") {
    const way = type === "skill" ? "skill-learn" : "agent-create";
    throw new KbdbError("bad_request", `Cannot learn as ${type}: use ${way}, which stores them.`);
  }
  if (!MIME.test(type)) {
    throw new KbdbError(
      "bad_request",
      `Cannot learn as ${JSON.stringify(given)}: not a MIME type. Use text/markdown, another ` +
        "text/* type, application/json or an image/* type.",
    );
  }
  if (type.startsWith("text/") || type === "application/json" || isImage(type)) return type;
  throw new KbdbError(
    "unsupported",
    `Cannot learn ${type}: only texts and images are stored. Use text/*, application/json or image/*.`,
  );
}

function refused(item: CutInput, reason: string): KbdbError {
  return new KbdbError("bad_request", `Cannot ${doingOf(item)}: ${reason}`);
}

function doingOf(item: CutInput): string {
  return item.doing ?? `learn ${nameOf(item)}`;
}
