/**
 * The forms of a section's front matter: TOML between `+++` lines before the content of a text, or a
 * TOML file of its own beside an image.
 *
 * @module
 */

import { parse, stringify } from "smol-toml";
import { isKbid } from "./paths.ts";

/** What is known of a section beside its content. */
export interface SectionMeta {
  readonly kbid: string;
  /** MIME type. */
  readonly type: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** Learned on purpose without a document: a root for garbage collection (D13). */
  readonly standalone: boolean;
  /** RFC 3339, UTC, milliseconds (D17). */
  readonly created: string;
  /** Sequence number of the write that last changed this file. */
  readonly seq: number;
  /** When the section left its last document (D11), or `null` while it is in use. */
  readonly retired: string | null;
  /** Earlier revisions of this section, nearest first, at most {@linkcode MAX_REVISIONS} (D12). */
  readonly supersedes: readonly string[];
  /** The revision that took this one's place, or `null` for a current one. */
  readonly superseded_by: string | null;
}

/** More earlier revisions are not named. */
export const MAX_REVISIONS = 100;

/** A section with its content. */
export interface StoredSection {
  readonly meta: SectionMeta;
  readonly content: Uint8Array;
}

const FENCE = "+++\n";
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
const LINE_ENDS = encoder.encode("\r\n");
const CLOSING = encoder.encode("\n" + FENCE);

/** The bytes of a text's file. Keys stand in a fixed order and empty ones are left out. */
export function encodeSection(section: StoredSection): Uint8Array {
  const head = encoder.encode(FENCE + stringify(tableOf(section.meta)).trimEnd() + "\n" + FENCE);
  const bytes = new Uint8Array(head.length + section.content.length);
  bytes.set(head);
  bytes.set(section.content, head.length);
  return bytes;
}

/**
 * Reads a text's file.
 *
 * @throws {SyntaxError} if the front matter is not whole
 */
export function decodeSection(bytes: Uint8Array): StoredSection {
  const start = encoder.encode(FENCE).length;
  if (decodeLossy(bytes.subarray(0, start)) !== FENCE) {
    throw new SyntaxError("Cannot read the section file: it does not begin with +++");
  }
  const end = indexOfBytes(bytes, { needle: CLOSING, from: start - 1 });
  if (end < 0) throw new SyntaxError("Cannot read the section file: its front matter never closes");
  return {
    meta: decodeMeta(bytes.subarray(start, end + 1)),
    content: withoutLineEnd(bytes.subarray(end + CLOSING.length)),
  };
}

/** What is known of a section, as a file beside its content. */
export function encodeMeta(meta: SectionMeta): Uint8Array {
  return encoder.encode(stringify(tableOf(meta)).trimEnd() + "\n");
}

/**
 * Reads what is known of a section.
 *
 * @throws {SyntaxError} if it is not whole
 */
export function decodeMeta(bytes: Uint8Array): SectionMeta {
  return metaOf(parse(decoder.decode(bytes)));
}

/** A stored text ends in no line break (D8): one that is there was put there by an editor. */
function withoutLineEnd(content: Uint8Array): Uint8Array {
  let end = content.length;
  while (end > 0 && LINE_ENDS.includes(content[end - 1])) end--;
  return content.subarray(0, end);
}

function tableOf(meta: SectionMeta): Record<string, unknown> {
  return {
    kbid: meta.kbid,
    type: meta.type,
    ...(meta.title === null ? {} : { title: meta.title }),
    ...(meta.description === null ? {} : { description: meta.description }),
    ...(meta.tags.length === 0 ? {} : { tags: meta.tags }),
    ...(meta.standalone ? { standalone: true } : {}),
    created: meta.created,
    seq: meta.seq,
    ...(meta.retired === null ? {} : { retired: meta.retired }),
    ...(meta.supersedes.length === 0 ? {} : { supersedes: meta.supersedes }),
    ...(meta.superseded_by === null ? {} : { superseded_by: meta.superseded_by }),
  };
}

function metaOf(table: Record<string, unknown>): SectionMeta {
  const { kbid, type } = table;
  if (typeof kbid !== "string" || typeof type !== "string") {
    throw new SyntaxError("Cannot read the section file: kbid or type is missing");
  }
  return {
    kbid,
    type,
    title: textOrNull(table.title),
    description: textOrNull(table.description),
    tags: Array.isArray(table.tags) ? table.tags.map(String) : [],
    standalone: table.standalone === true,
    created: textOrNull(table.created) ?? "",
    seq: typeof table.seq === "number" ? table.seq : 0,
    retired: textOrNull(table.retired),
    supersedes: kbidsOf(table.supersedes).slice(0, MAX_REVISIONS),
    superseded_by: kbidsOf([table.superseded_by]).at(0) ?? null,
  };
}

/** What is no kbid was written by a person, and leads nowhere. */
function kbidsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((id) => typeof id === "string" && isKbid(id));
}

/** A person may write a date without quotes, which TOML reads as a date. */
function textOrNull(value: unknown): string | null {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "string" ? value : null;
}

function decodeLossy(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function indexOfBytes(bytes: Uint8Array, find: { needle: Uint8Array; from: number }): number {
  const { needle, from } = find;
  for (let at = bytes.indexOf(needle[0], from); at >= 0; at = bytes.indexOf(needle[0], at + 1)) {
    if (needle.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}
