/**
 * Telling one listener of changes, at its own pace.
 *
 * @module
 */

import type { ChangeEvent, SubscribeParams, SubscribeResult } from "../rpc/changes.ts";

/** Where changes come from, and what came of them before. */
export interface ChangeSource {
  onChange(listener: (change: ChangeEvent) => void): () => void;
  changesSince(params: SubscribeParams): SubscribeResult;
}

/** Tells of one change at a time. What a slow listener has not heard meanwhile is told as one. */
export class ChangeFeed {
  #stop: (() => void) | null = null;
  /** Number of the last change that was told. */
  #told = 0;
  #telling = false;
  #behind = false;

  /** `tell` rejects where nobody hears any more. */
  constructor(
    private readonly source: ChangeSource,
    private readonly tell: (change: ChangeEvent) => void | Promise<void>,
  ) {}

  /** Begins, or begins again. */
  start(params: SubscribeParams): SubscribeResult {
    this.end();
    const result = this.source.changesSince(params);
    this.#told = result.seq;
    this.#stop = this.source.onChange((change) => void this.#push(change));
    return result;
  }

  /** Tells nothing more. */
  end(): void {
    this.#stop?.();
    this.#stop = null;
  }

  async #push(change: ChangeEvent): Promise<void> {
    this.#behind = this.#telling;
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let next: ChangeEvent | undefined = change; next; next = this.#missed()) {
        this.#told = next.seq;
        await this.tell(next);
      }
    } catch {
      this.end();
    }
    this.#telling = false;
  }

  #missed(): ChangeEvent | undefined {
    if (!this.#behind || this.#stop === null) return undefined;
    this.#behind = false;
    return this.source.changesSince({ since: this.#told }).missed;
  }
}
