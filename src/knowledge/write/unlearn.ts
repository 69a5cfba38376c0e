/**
 * Unlearning: sections and documents go to the trash, and the trash keeps where they stood (D15, D49).
 *
 * @module
 */

import { KbdbError } from "../../rpc/errors.ts";
import type { UnlearnParams, UnlearnResult } from "../../rpc/writing.ts";
import type { DocumentManifest } from "../../store/document_store.ts";
import type { RemovedPlace, RemovedSection } from "../../store/removal.ts";
import type { BaseParts } from "../base_parts.ts";
import { Draft, elapsedSince, type WritePlan } from "./draft.ts";
import { markerWarnings } from "../references/markers.ts";
import { isStandalone } from "../index/records.ts";
import type { SectionState } from "./state.ts";
import { refuseBadKbid } from "./write_checks.ts";

/** What goes to the trash. */
interface Leaving {
  readonly sections: RemovedSection[];
  readonly documents: string[];
}

/** A section as removing needs to know it. */
interface HeldSection {
  readonly docids: readonly string[];
  readonly type: string;
  readonly standalone: boolean;
  /** `null` where its file is gone or damaged. */
  readonly state: SectionState | null;
  /** It has a file. */
  readonly isStored: boolean;
}

/**
 * Takes out a section, or a document with the sections that only it holds. A document whose last
 * section goes, goes too.
 *
 * @throws {KbdbError} `conflict` for a skill or an agent, which have tools of their own
 */
export async function unlearn(parts: BaseParts, params: UnlearnParams): Promise<UnlearnResult> {
  const start = performance.now();
  const { key, kbid, docid } = params;
  if ((kbid === undefined) === (docid === undefined)) {
    throw new KbdbError("bad_request", "Cannot unlearn: give either kbid or docid");
  }
  if (kbid !== undefined) refuseBadKbid(kbid, "unlearn");
  return await parts.writer.write(key, (context) => {
    const draft = new Draft(context);
    const leaving = kbid !== undefined
      ? takeSection(parts, draft, kbid)
      : takeDocument(parts, draft, docid!);
    return planOf(draft, { leaving, warnings: warningsOf(parts, leaving), start });
  });
}

function planOf(
  draft: Draft,
  facts: { leaving: Leaving; warnings: string[]; start: number },
): WritePlan<UnlearnResult> {
  const { leaving: { sections, documents }, warnings, start } = facts;
  const changes = draft.changes({ reason: "unlearn", sections, documents });
  const removed = changes.removal !== null || changes.documents.length > 0;
  const answer = (): UnlearnResult => ({
    removed,
    elapsed_ms: elapsedSince(start),
    ...(removed ? { sections: sections.length } : {}),
    ...(documents.length > 0 ? { documents } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  });
  return { ...changes, answer };
}

function takeSection(parts: BaseParts, draft: Draft, kbid: string): Leaving {
  const leaving: Leaving = { sections: [], documents: [] };
  const held = heldSection(parts, draft, kbid);
  if (held === null) return leaving;
  if (held.type === "skill") {
    throw new KbdbError(
      "conflict",
      `Cannot unlearn section ${kbid}: it is a skill. Remove it with skill-delete.`,
    );
  }
  const places = held.docids.flatMap((docid) => {
    const document = draft.document(docid);
    const places = document ? placesIn(document, kbid) : [];
    if (document && places.length > 0) leaveDocument(draft, { document, kbid, leaving });
    return places;
  });
  // Without a file there is nothing to keep in the trash.
  if (held.isStored) leaving.sections.push({ kbid, places });
  return leaving;
}

function leaveDocument(
  draft: Draft,
  facts: { document: DocumentManifest; kbid: string; leaving: Leaving },
): void {
  const { document, kbid, leaving } = facts;
  const sections = document.sections.filter((entry) => entry.kbid !== kbid);
  if (sections.length > 0) draft.putDocument({ ...document, sections });
  else leaving.documents.push(document.docid);
}

function takeDocument(parts: BaseParts, draft: Draft, docid: string): Leaving {
  const document = draft.document(docid);
  if (document === null) return { sections: [], documents: [] };
  if (document.type === "agent") {
    throw new KbdbError(
      "conflict",
      `Cannot unlearn document ${docid}: it is an agent. Remove it with agent-delete.`,
    );
  }
  const leaving: Leaving = { sections: [], documents: [docid] };
  for (const kbid of new Set(document.sections.map((entry) => entry.kbid))) {
    const held = heldSection(parts, draft, kbid);
    if (!held?.isStored) continue;
    const docids = held.docids.filter((other) => other !== docid);
    if (docids.length === 0 && !held.standalone) {
      leaving.sections.push({ kbid, places: placesIn(document, kbid) });
    } else if (held.state) {
      draft.changeSection(held.state, { docids });
    }
  }
  return leaving;
}

/** What is known of a section, also where its file is damaged or gone; `null` for an unknown id. */
function heldSection(
  { keeper }: Pick<BaseParts, "keeper">,
  draft: Draft,
  kbid: string,
): HeldSection | null {
  try {
    const state = draft.section(kbid);
    if (state !== null) {
      const { docids, meta: { type, standalone } } = state;
      return { docids, type, standalone, state, isStored: true };
    }
  } catch (error) {
    // A damaged file can be taken out; one that the system will not give may be whole.
    if (!(error instanceof KbdbError) || error.code !== "damaged") throw error;
  }
  const isStored = draft.context.state.hasSection(kbid);
  const record = isStored ? keeper.recordOf(kbid) : draft.context.state.lost(kbid);
  if (!isStored && record === null) return null;
  const { docids = [], type = "" } = record ?? {};
  const standalone = record !== null && isStandalone(record);
  return { docids, type, standalone, state: null, isStored };
}

function placesIn(document: DocumentManifest, kbid: string): RemovedPlace[] {
  return document.sections.flatMap((entry, index) =>
    entry.kbid === kbid ? [{ docid: document.docid, index, gap: entry.gap }] : []
  );
}

function warningsOf(parts: BaseParts, { sections, documents }: Leaving): string[] {
  const kbids = sections.map(({ kbid }) => kbid);
  const ids = [...documents, ...kbids];
  return markerWarnings(parts, { ids, is: "removed", leaving: new Set(kbids) });
}
