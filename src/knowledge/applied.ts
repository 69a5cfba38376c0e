/**
 * What a transaction changed, in the words of those who are told of changes.
 *
 * @module
 */

import type { SearchIndex } from "../core/search_index.ts";
import { type ChangedIds, type ChangeEvent, noChange } from "../rpc/changes.ts";
import type { JournalRecord } from "../store/journal_record.ts";
import { documentKey } from "./index/records.ts";

/** The kinds of a transaction's entries before it was applied, by key; what is not there is new. */
export type KindsBefore = ReadonlyMap<string, string>;

/** Looks up what a transaction is about to change. */
export function lookBefore(record: JournalRecord, index: Pick<SearchIndex, "get">): KindsBefore {
  const { sections, documents, removal } = record;
  const keys = [
    ...sections.map(({ meta }) => meta.kbid),
    ...documents.map(({ docid }) => documentKey(docid)),
    ...removal?.sections.map(({ kbid }) => kbid) ?? [],
    ...removal?.documents.map(documentKey) ?? [],
  ];
  const kinds = new Map<string, string>();
  for (const key of keys) {
    const kind = index.get(key)?.kind;
    if (kind !== undefined) kinds.set(key, kind);
  }
  return kinds;
}

/** What changed, for whoever subscribed. */
export function changeOf(record: JournalRecord, before: KindsBefore): ChangeEvent {
  const change = noChange(record.seq);
  for (const { meta } of record.sections) {
    place(change.sections, meta.kbid, {
      before: before.get(meta.kbid),
      live: meta.retired === null,
    });
  }
  for (const { docid } of record.documents) {
    place(change.documents, docid, { before: before.get(documentKey(docid)), live: true });
  }
  for (const { kbid } of record.removal?.sections ?? []) change.sections.removed.push(kbid);
  change.documents.removed.push(...record.removal?.documents ?? []);
  change.prompts = touchesPrompts(record, before);
  return change;
}

function place(
  ids: ChangedIds,
  id: string,
  fate: { before: string | undefined; live: boolean },
): void {
  const { before, live } = fate;
  const wasLive = before !== undefined && before !== "retired";
  if (before !== undefined && wasLive === live) ids.updated.push(id);
  // Also what comes back from the trash as retired as it was: it can be read again.
  else if (live || before === undefined) ids.added.push(id);
  else ids.removed.push(id);
}

function touchesPrompts(record: JournalRecord, before: KindsBefore): boolean {
  const kinds = [...before.values()];
  return kinds.includes("skill") || kinds.includes("agent") ||
    record.sections.some(({ meta }) => meta.type === "skill") ||
    record.documents.some(({ type }) => type === "agent");
}
