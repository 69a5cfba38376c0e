/**
 * Stored sections in the form of answers.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { UnreadSection } from "../rpc/reading.ts";
import { isKbid } from "../store/paths.ts";
import type { ReadOutcome } from "../store/read_outcome.ts";
import type { StoredSection } from "../store/section_file.ts";
import { isImage } from "./index/records.ts";
import type { MissingIds } from "./read/removed.ts";
import type { SectionReader } from "./sections.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const SHOWN_ID = 64;

/** A content as an answer shows it: text, or base64 of an image. */
export function contentOf(section: StoredSection): { content: string; encoding?: "base64" } {
  if (!isImage(section.meta.type)) return { content: decoder.decode(section.content) };
  return { content: base64Of(section.content), encoding: "base64" };
}

/** Bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}

/** What an answer needs to read sections by id. */
export interface IdReader {
  readonly reader: SectionReader;
  readonly missing: MissingIds;
}

/** A section by an id that a caller gave, or why it cannot be had. */
export function readById(
  from: IdReader,
  asked: { action: string; id: string },
): StoredSection | UnreadSection {
  const { action, id } = asked;
  if (!isKbid(id)) return refused(id, { code: "bad_request", message: noKbid(action, id) });
  const outcome = from.reader.read(id);
  if (outcome.state === "found") return outcome.value;
  if (outcome.state === "missing") {
    return refused(id, { code: "not_found", message: from.missing.section(id) });
  }
  return refused(id, unreadable(`section ${id}`, outcome));
}

/** What to say of something stored that cannot be read. */
export function unreadable(
  what: string,
  outcome: Extract<ReadOutcome<unknown>, { reason: string }>,
): { code: "damaged" | "permission"; message: string } {
  const code = outcome.state === "damaged" ? "damaged" : "permission";
  return { code, message: `Cannot read ${what}: it is ${outcome.state}: ${outcome.reason}` };
}

function refused(kbid: string, error: UnreadSection["error"]): UnreadSection {
  return { kbid, error };
}

function noKbid(action: string, id: string): string {
  return `Cannot ${action} ${JSON.stringify(id.slice(0, SHOWN_ID))}: not a kbid. ` +
    "A kbid has 26 letters and digits; search shows it.";
}
