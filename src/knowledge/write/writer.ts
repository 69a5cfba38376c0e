/**
 * The way of a write: planned, durable, then in the index, in the order of arrival. What several
 * callers send together shares a flush; the answer comes once the write is durable and searchable
 * (D46).
 *
 * @module
 */

import type { ChangeEvent } from "../../rpc/changes.ts";
import { KbdbError } from "../../rpc/errors.ts";
import type { JournalRecord } from "../../store/journal_record.ts";
import type { Store } from "../../store/store.ts";
import { changeOf, lookBefore } from "../applied.ts";
import type { ContentCache } from "../content_cache.ts";
import type { WriteContext, WritePlan } from "./draft.ts";
import type { IndexKeeper } from "../index/keeper.ts";
import { Slices } from "../slices.ts";
import { WriteState } from "./state.ts";

/** What a writer works with. */
export interface WriterParts {
  readonly store: Store;
  readonly keeper: IndexKeeper;
  readonly cache: ContentCache;
  now(): Date;
  /** Called with each write once it is in the index. */
  applied(change: ChangeEvent): void;
}

/** Applies writes one after another. */
export class Writer {
  readonly #state: WriteState;
  readonly #slices = new Slices();
  #order: Promise<void> = Promise.resolve();
  /** How many writes could not be made durable. */
  #failures = 0;

  constructor(private readonly parts: WriterParts) {
    this.#state = new WriteState(parts.store, parts.keeper);
  }

  /**
   * Plans a transaction at once, on top of everything asked for before, and applies it. A request
   * whose `key` is remembered is answered as it was then.
   *
   * @throws {KbdbError} whatever `plan` throws; or if the store cannot take the write, and then
   *   nothing of it counts
   */
  async write<R>(key: string | null, plan: (context: WriteContext) => WritePlan<R>): Promise<R> {
    const { store } = this.parts;
    const remembered = key === null ? undefined : store.remembered(key);
    if (remembered) return await this.#confirm(() => remembered.answer as R);
    const now = this.parts.now();
    const seq = store.takeSeq();
    const planned = plan({ state: this.#state, now: now.toISOString(), seq });
    if (isEmpty(planned)) return await this.#confirm(() => planned.answer(0));
    const request = () => planned.remembered?.() ?? planned.answer(0);
    const requests = key === null ? [] : [{ key, at: now.getTime(), answer: request() }];
    const { sections, documents, removal } = planned;
    return await this.#commit({ seq, sections, documents, removal, requests }, planned);
  }

  /** Runs `work` once everything asked for before is applied. */
  inOrder<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#order.then(work);
    this.#order = done.then(() => {}, () => {});
    return done;
  }

  /** Whether a write on its way changes the section. */
  isSectionPending(kbid: string): boolean {
    return this.#state.isSectionPending(kbid);
  }

  /** Whether a write on its way changes the document. */
  isDocumentPending(docid: string): boolean {
    return this.#state.isDocumentPending(docid);
  }

  /** What leaves nothing to write may rest on a write that is on its way and fails yet. */
  #confirm<R>(answer: () => R): Promise<R> {
    const failures = this.#failures;
    return this.inOrder(() => {
      if (this.#failures === failures) return answer();
      throw new KbdbError("conflict", "Cannot write: a write before it failed. Try again.");
    });
  }

  #commit<R>(record: JournalRecord, plan: WritePlan<R>): Promise<R> {
    const { store } = this.parts;
    refuseReadOnly(store);
    this.#state.begin(record, plan.contents);
    const durable = store.commit(record);
    // At once, not in order: the next plan must not build on what failed.
    durable.catch(() => {
      this.#failures += 1;
      this.#state.end(record);
    });
    return this.inOrder(async () => {
      try {
        await durable;
        return plan.answer(this.#apply(record));
      } finally {
        this.#state.end(record);
        await this.#slices.breathe();
      }
    });
  }

  /** Puts the write into the index; returns the terms that its sections added. */
  #apply(record: JournalRecord): number {
    const { keeper, cache } = this.parts;
    for (const { meta } of record.sections) cache.delete(meta.kbid);
    for (const { kbid } of record.removal?.sections ?? []) cache.delete(kbid);
    const before = lookBefore(record, keeper.index);
    const terms = keeper.apply(record);
    this.parts.applied(changeOf(record, before));
    return [...terms.values()].reduce((sum, count) => sum + count, 0);
  }
}

/** @throws {KbdbError} if the folder cannot be written */
export function refuseReadOnly(store: Store): void {
  if (store.writable) return;
  throw new KbdbError(
    "read_only",
    `Cannot write to ${store.paths.root}: the folder is read-only. Change its rights.`,
  );
}

function isEmpty(plan: WritePlan<unknown>): boolean {
  return plan.sections.length === 0 && plan.documents.length === 0 && plan.removal === null;
}
