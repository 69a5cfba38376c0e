/**
 * What writing refuses.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { KbdbError } from "../../rpc/errors.ts";
import { MAX_DOCID_BYTES } from "../../rpc/protocol.ts";
import type { LearnItem } from "../../rpc/writing.ts";
import { isKbid } from "../../store/paths.ts";
import type { DocumentManifest } from "../../store/document_store.ts";
import { type CutSection, nameOf } from "./cut.ts";
import type { SectionState } from "./state.ts";

/** More of what was given is not repeated in a message. */
const SHOWN_ID = 64;

/**
 * The item with its names trimmed: a blank title or description counts as left out, and tags stand
 * once.
 *
 * @throws {KbdbError} for a name that cannot be stored
 */
export function withCheckedNames(item: LearnItem): LearnItem {
  const { docid, title, description, tags, ...rest } = item;
  if (docid === undefined) refuseWithoutDocid(item);
  else checkDocid(docid);
  for (const key of ["title", "description", "source"] as const) {
    if (item[key] !== undefined) checkText(item[key], { key, action: "learn" });
  }
  return {
    ...rest,
    ...(docid === undefined ? {} : { docid }),
    ...(title?.trim() ? { title } : {}),
    ...(description?.trim() ? { description } : {}),
    ...(tags ? { tags: checkedTags(tags, "learn") } : {}),
  };
}

/** @throws {KbdbError} for what has not the form of a kbid */
export function refuseBadKbid(kbid: unknown, action: string): void {
  const given = String(kbid);
  if (isKbid(given)) return;
  throw new KbdbError(
    "bad_request",
    `Cannot ${action} ${JSON.stringify(given.slice(0, SHOWN_ID))}: not a kbid. ` +
      "A kbid has 26 letters and digits; search shows it.",
  );
}

/** Tags, trimmed, each once. */
export function checkedTags(tags: readonly string[], action: string): string[] {
  const cleaned = tags.map((tag) => tag.trim());
  if (cleaned.includes("")) {
    throw new KbdbError("bad_request", `Cannot ${action}: a tag is empty. Leave it out.`);
  }
  if (cleaned.some((tag) => !tag.isWellFormed())) {
    throw new KbdbError("bad_request", `Cannot ${action}: a tag holds half a surrogate pair`);
  }
  return [...new Set(cleaned)];
}

/** @throws {KbdbError} for text that has no form in UTF-8 */
export function checkText(text: string, what: { key: string; action: string }): void {
  if (text.isWellFormed()) return;
  const { key, action } = what;
  throw new KbdbError("bad_request", `Cannot ${action}: the ${key} holds half a surrogate pair`);
}

/**
 * Two files of one name never replace each other (D42), and nothing but an agent does an agent. What
 * was not learned from a file may be added to from anywhere.
 */
export function refuseDocument(
  item: LearnItem,
  old: DocumentManifest,
  options: { adding: boolean },
): void {
  if (old.type === "agent") {
    throw new KbdbError(
      "conflict",
      `Cannot learn ${
        nameOf(item)
      }: an agent has that docid. Choose another docid, or change the ` +
        "agent with agent-create.",
    );
  }
  const source = item.source ?? null;
  if (item.replace || source === old.source || (options.adding && old.source === null)) return;
  const held = old.source === null ? "was not learned from a file" : `comes from ${old.source}`;
  throw new KbdbError(
    "conflict",
    `Cannot learn ${nameOf(item)} from ${source ?? "text"}: the document of that docid ${held}. ` +
      "Choose another with --docid or --prefix.",
  );
}

/** The bytes under an id never change (D6), and skills are apart from other sections (D40). */
export function refuseOther(
  section: Pick<CutSection, "kbid" | "content">,
  known: SectionState,
  action: string,
): void {
  const { kbid, content } = section;
  if (Buffer.compare(content, known.content) !== 0) {
    throw new KbdbError(
      "damaged",
      `Cannot ${action} section ${kbid}: other bytes are stored under this id, so its file was ` +
        "damaged or edited. Run: kbdb check",
    );
  }
  if (known.meta.type !== "skill") return;
  throw new KbdbError(
    "conflict",
    `Cannot ${action} section ${kbid}: its content is stored as a skill, and one content is one ` +
      "thing. Change the text, or remove the skill with skill-delete.",
  );
}

function refuseWithoutDocid(item: LearnItem): void {
  if (item.document) {
    throw new KbdbError("bad_request", "Cannot learn a document: its docid is missing");
  }
  if (!item.replace) return;
  throw new KbdbError(
    "bad_request",
    "Cannot learn in the place of a document: its docid is missing. Give docid, or leave replace out.",
  );
}

function checkDocid(docid: string): void {
  const bytes = new TextEncoder().encode(docid).length;
  if (docid === "") throw new KbdbError("bad_request", "Cannot learn: the docid is empty");
  checkText(docid, { key: "docid", action: "learn" });
  if (bytes > MAX_DOCID_BYTES) {
    throw new KbdbError(
      "too_large",
      `Cannot learn: a docid of ${bytes} bytes is over the limit of ${MAX_DOCID_BYTES}`,
    );
  }
}
