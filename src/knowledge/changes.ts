/**
 * Telling those who want to know what changed. Changes that come close together become one event,
 * and what was told last is remembered for those whose connection was away.
 *
 * @module
 */

import {
  type ChangedIds,
  type ChangeEvent,
  incompleteChange,
  type SubscribeParams,
  type SubscribeResult,
} from "../rpc/changes.ts";

/** The first change after a pause is told after this time, with what came meanwhile. */
const MERGE_MS = 50;
/** While changes keep coming, they are told this often. */
const BUSY_MS = 500;
/** An event names at most this many sections and this many documents. */
const MOST_IDS = 1000;
/** So many events are remembered. */
const MOST_EVENTS = 1000;

/** Hands changes on. */
export class ChangeHub {
  readonly #listeners = new Set<(event: ChangeEvent) => void>();
  readonly #past: ChangeEvent[] = [];
  #gathered: Gathered | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #toldAt = -Infinity;
  /** Number of the last change that is told or gathered. */
  #seq: number;
  /** What came after this number is remembered. */
  #rememberedAfter: number;

  /** @param seq number of the last change before this hub */
  constructor(seq: number) {
    this.#seq = this.#rememberedAfter = seq;
  }

  /** Calls `listener` with every event, until the returned function is called. */
  onChange(listener: (event: ChangeEvent) => void): () => void {
    // One function may listen twice.
    const own = (event: ChangeEvent) => listener(event);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Something changed. */
  publish(change: ChangeEvent): void {
    this.#seq = Math.max(this.#seq, change.seq);
    this.#gathered ??= new Gathered();
    this.#gathered.add(change);
    const pause = performance.now() - this.#toldAt;
    this.#timer ??= setTimeout(() => this.tell(), pause < BUSY_MS ? BUSY_MS : MERGE_MS);
  }

  /** Where changes stand, and what came after `since`. */
  since(params: SubscribeParams): SubscribeResult {
    this.tell();
    const seq = this.#seq;
    const { since } = params;
    if (since === undefined || since === seq) return { seq };
    if (since < this.#rememberedAfter || since > seq) return { seq, missed: incompleteChange(seq) };
    const missed = new Gathered();
    for (const event of this.#past) if (event.seq > since) missed.add(event);
    return { seq, missed: missed.event };
  }

  /** Tells at once what has gathered. */
  tell(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const event = this.#gathered?.event;
    this.#gathered = null;
    if (event === undefined) return;
    this.#toldAt = performance.now();
    this.#remember(event);
    for (const listener of [...this.#listeners]) listener(event);
  }

  #remember(event: ChangeEvent): void {
    this.#past.push(event);
    if (this.#past.length <= MOST_EVENTS) return;
    this.#rememberedAfter = this.#past.shift()!.seq;
  }
}

/** Several changes as one. */
export class Gathered {
  readonly #sections = new GatheredIds();
  readonly #documents = new GatheredIds();
  #seq = 0;
  #prompts = false;
  #incomplete = false;

  get event(): ChangeEvent {
    const incomplete = this.#incomplete || this.#sections.overflowed || this.#documents.overflowed;
    return {
      seq: this.#seq,
      sections: this.#sections.ids,
      documents: this.#documents.ids,
      prompts: this.#prompts,
      ...(incomplete ? { incomplete } : {}),
    };
  }

  add(change: ChangeEvent): void {
    this.#seq = Math.max(this.#seq, change.seq);
    this.#prompts ||= change.prompts;
    this.#incomplete ||= change.incomplete ?? false;
    this.#sections.add(change.sections);
    this.#documents.add(change.documents);
  }
}

/** What became of each id; of several changes of one the last counts. */
class GatheredIds {
  readonly #fates = new Map<string, keyof ChangedIds>();
  overflowed = false;

  get ids(): ChangedIds {
    const ids: ChangedIds = { added: [], updated: [], removed: [] };
    for (const [id, fate] of this.#fates) ids[fate].push(id);
    return ids;
  }

  add(ids: ChangedIds): void {
    for (const fate of ["added", "updated", "removed"] as const) {
      for (const id of ids[fate]) this.#set(id, fate);
    }
  }

  #set(id: string, fate: keyof ChangedIds): void {
    const before = this.#fates.get(id);
    if (before === undefined && this.#fates.size >= MOST_IDS) this.overflowed = true;
    // Who has not been told that it is there cannot know that it was changed.
    else if (before !== "added" || fate !== "updated") this.#fates.set(id, fate);
  }
}
