/**
 * Changes as something to loop over.
 *
 * @module
 */

import { type ChangeEvent, incompleteChange } from "../rpc/changes.ts";
import type { OnChange } from "./change_watch.ts";

/** A loop that is so far behind is told that everything may have changed. */
const MOST_WAITING = 1000;

type Next = IteratorResult<ChangeEvent, undefined>;

/** Changes from its making on, in order. */
export class ChangeStream implements AsyncIterableIterator<ChangeEvent> {
  readonly #stop: Promise<() => void>;
  #waiting: ChangeEvent[] = [];
  #asked: { resolve(next: Next): void; reject(error: unknown): void }[] = [];
  #ended = false;
  #failure: { error: unknown } | null = null;

  /** `onEnd` is called once it is over. */
  constructor(
    subscribe: (onChange: OnChange) => Promise<() => void>,
    private readonly onEnd: () => void = () => {},
  ) {
    this.#stop = subscribe((change) => this.#push(change));
    this.#stop.catch((error) => this.#fail(error));
  }

  /** The next change. */
  next(): Promise<Next> {
    const change = this.#waiting.shift();
    if (change) return Promise.resolve({ done: false, value: change });
    const failure = this.#failure;
    this.#failure = null;
    if (failure) return Promise.reject(failure.error);
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => this.#asked.push({ resolve, reject }));
  }

  /** Leaves the loop. */
  return(): Promise<Next> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Tells nothing more; fine to call twice. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting = [];
    for (const { resolve } of this.#asked.splice(0)) resolve({ done: true, value: undefined });
    this.#stop.then((stop) => stop(), () => {});
    this.onEnd();
  }

  /** Itself. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  #push(change: ChangeEvent): void {
    if (this.#ended) return;
    const asked = this.#asked.shift();
    if (asked) asked.resolve({ done: false, value: change });
    else if (this.#waiting.length < MOST_WAITING) this.#waiting.push(change);
    else this.#waiting = [incompleteChange(change.seq)];
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    const asked = this.#asked.shift();
    if (asked) asked.reject(error);
    else this.#failure = { error };
    for (const { resolve } of this.#asked.splice(0)) resolve({ done: true, value: undefined });
    this.onEnd();
  }
}
