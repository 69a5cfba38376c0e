/**
 * Sections and documents as they are stored.
 *
 * @module
 */

import { KbdbError } from "../../rpc/errors.ts";
import { MAX_IDS } from "../../rpc/protocol.ts";
import type {
  DocumentParams,
  DocumentRecord,
  ReadParams,
  ReadResult,
  StoredSectionItem,
  UnreadSection,
} from "../../rpc/reading.ts";
import { type DocumentManifest, USUAL_GAP } from "../../store/document_store.ts";
import type { BaseParts } from "../base_parts.ts";
import { ANSWER_BYTES, Budget, jsonBytes } from "./budget.ts";
import { DocumentPlaces, Places } from "../references/places.ts";
import { MissingIds } from "./removed.ts";
import { Slices } from "../slices.ts";
import { contentOf, readById, unreadable } from "../stored_text.ts";

/**
 * Sections by id; one that cannot be read, or no longer fits into the answer, costs only itself.
 *
 * @throws {KbdbError} `bad_request` for no ids, `too_large` for too many
 */
export async function read(parts: BaseParts, params: ReadParams): Promise<ReadResult> {
  const kbids = checkedIds("read", params.kbids, { name: "kbid", things: "sections" });
  const missing = new MissingIds(parts.store);
  const room = new Budget(ANSWER_BYTES);
  const slices = new Slices();
  const sections: ReadResult["sections"] = [];
  for (const kbid of kbids) {
    const item = storedItem({ reader: parts.reader, missing }, kbid);
    sections.push(room.take(jsonBytes(item)) ? item : tooMuch(kbid));
    await slices.breathe();
  }
  return { sections };
}

/**
 * A document by its docid.
 *
 * @throws {KbdbError} `not_found` if there is none, `damaged` or `permission` if it cannot be read
 */
export function document(parts: BaseParts, { docid }: DocumentParams): DocumentRecord {
  const outcome = parts.store.readDocument(docid);
  if (outcome.state === "missing") {
    throw new KbdbError("not_found", new MissingIds(parts.store).document(docid));
  }
  if (outcome.state !== "found") {
    const { code, message } = unreadable(`the manifest of ${docid}`, outcome);
    throw new KbdbError(code, message);
  }
  return recordOf(outcome.value, new Places(parts));
}

/**
 * The ids of a call as texts.
 *
 * @throws {KbdbError} `bad_request` for none, `too_large` for too many (D57)
 */
export function checkedIds(
  action: string,
  ids: readonly unknown[],
  words: { name: string; things: string },
): string[] {
  if (!Array.isArray(ids) || ids.length === 0) {
    throw new KbdbError("bad_request", `Cannot ${action}: give at least one ${words.name}`);
  }
  if (ids.length <= MAX_IDS) return ids.map(String);
  throw new KbdbError(
    "too_large",
    `Cannot ${action} ${ids.length} ${words.things} at once: the limit is ${MAX_IDS}`,
  );
}

function storedItem(
  from: Parameters<typeof readById>[0],
  kbid: string,
): StoredSectionItem | UnreadSection {
  const section = readById(from, { action: "read", id: kbid });
  if ("error" in section) return section;
  const { content } = contentOf(section);
  return { kbid, sectionType: section.meta.type, content, size: section.content.length };
}

function tooMuch(kbid: string): UnreadSection {
  const message = `Cannot read section ${kbid}: the answer would have more than ${ANSWER_BYTES} ` +
    "bytes. Read fewer sections at a time, or a long text with content, which gives it in parts.";
  return { kbid, error: { code: "too_large", message } };
}

function recordOf(manifest: DocumentManifest, places: Places): DocumentRecord {
  const { docid, title, type, source, created, updated, sections, agent } = manifest;
  const { outline } = new DocumentPlaces(manifest, places);
  return {
    docid,
    title,
    type,
    source,
    created_at: created,
    updated_at: updated,
    sections: sections.map(({ gap }, i) => ({
      ...outline[i],
      ...(gap === (i === 0 ? "" : USUAL_GAP) ? {} : { gap }),
    })),
    ...(agent === null ? {} : { agent: { ...agent } }),
  };
}
