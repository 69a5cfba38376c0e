/**
 * The way of a write: planned, durable, then in the index, in the order of arrival. What several
 * callers send together shares a flush; the answer comes once the write is durable and searchable
 * (D46).
 *
 * @module
 */

import type { LearnItem, LearnItemResult } from "../rpc/protocol.ts";
import type { JournalRecord } from "../store/journal_record.ts";
import type { Store } from "../store/store.ts";
import type { ContentCache } from "./content_cache.ts";
import { KbdbError } from "../rpc/errors.ts";
import type { IndexKeeper } from "./index_keeper.ts";
import { type LearnPlan, planLearn } from "./learn.ts";
import { Slices } from "./slices.ts";
import { WriteState } from "./state.ts";

/** What a writer works with. */
export interface WriterParts {
  readonly store: Store;
  readonly keeper: IndexKeeper;
  readonly cache: ContentCache;
  now(): Date;
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
   * Learns one item. A refused item is an answer, not a rejection; a rejection means that the store
   * could not take it.
   */
  async learn(item: LearnItem, key: string): Promise<LearnItemResult> {
    const { store } = this.parts;
    const remembered = store.remembered(key);
    if (remembered) return await this.#confirm(() => remembered.answer as LearnItemResult);
    const start = performance.now();
    const record = { seq: store.takeSeq(), now: this.parts.now() };
    let plan: LearnPlan;
    try {
      const context = { state: this.#state, now: record.now.toISOString(), seq: record.seq };
      plan = planLearn(item, context);
    } catch (error) {
      if (!(error instanceof KbdbError)) throw error;
      return { ok: false, error: { code: error.code, message: error.message } };
    }
    const answer = (terms: number) => answerOf(plan, { terms, start });
    if (plan.outcome === "unchanged") return await this.#confirm(() => answer(0));
    return await this.#write(plan, { ...record, key, answer });
  }

  /** Runs `work` once everything asked for before is applied. */
  inOrder<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#order.then(work);
    this.#order = done.then(() => {}, () => {});
    return done;
  }

  /** What leaves nothing to write may be a write that is on its way and fails yet. */
  #confirm(answer: () => LearnItemResult): Promise<LearnItemResult> {
    const failures = this.#failures;
    return this.inOrder(() => {
      if (this.#failures === failures) return answer();
      throw new KbdbError("conflict", "Cannot learn: a write before it failed. Try again.");
    });
  }

  #write(
    plan: LearnPlan,
    facts: { seq: number; now: Date; key: string; answer: (terms: number) => LearnItemResult },
  ): Promise<LearnItemResult> {
    const { store } = this.parts;
    if (!store.writable) {
      throw new KbdbError(
        "read_only",
        `Cannot write to ${store.paths.root}: the folder is read-only. Change its rights.`,
      );
    }
    const { seq, now, key, answer } = facts;
    const request = { key, at: now.getTime(), answer: withoutSections(answer(0)) };
    const record = {
      seq,
      sections: plan.sections,
      documents: plan.documents,
      requests: [request],
    };
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
        return answer(this.#apply(record));
      } finally {
        this.#state.end(record);
        await this.#slices.breathe();
      }
    });
  }

  /** Puts the write into the index; returns the terms that its sections added. */
  #apply(record: JournalRecord): number {
    for (const { meta } of record.sections) this.parts.cache.delete(meta.kbid);
    const terms = this.parts.keeper.apply(record);
    return [...terms.values()].reduce((sum, count) => sum + count, 0);
  }
}

function answerOf(plan: LearnPlan, facts: { terms: number; start: number }): LearnItemResult {
  const { kbid, type, title, description, ...rest } = plan.result;
  const elapsed_ms = Math.round((performance.now() - facts.start) * 10) / 10;
  return {
    ok: true,
    outcome: plan.outcome,
    sections: plan.result.sections?.length ?? 1,
    result: {
      kbid,
      type,
      title,
      description,
      indexed_terms_count: plan.result.existing ? 0 : facts.terms,
      elapsed_ms,
      ...rest,
    },
  };
}

/** A remembered answer need not list what a caller can look up. */
function withoutSections(answer: LearnItemResult): LearnItemResult {
  if (!answer.ok) return answer;
  const { sections: _, ...result } = answer.result;
  return { ...answer, result };
}
