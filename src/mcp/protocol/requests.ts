/**
 * Requests of the client that are not answered yet. Towards the SDK each has an id of our own, a
 * number from 1 on, since v1 ignores a cancel of request 0.
 *
 * @module
 */

import type { InboundRequest, RequestId } from "./messages.ts";

/** Requests that are open, by either id. */
export class OpenRequests {
  readonly #byInner = new Map<number, { request: InboundRequest; size: number }>();
  readonly #innerIds = new Map<RequestId, number>();
  #lastInner = 0;
  #size = 0;
  #waiting: (() => void)[] = [];

  /** Characters of all open requests. */
  get size(): number {
    return this.#size;
  }

  /** Whether none is open. */
  get idle(): boolean {
    return this.#byInner.size === 0;
  }

  has(id: RequestId): boolean {
    return this.#innerIds.has(id);
  }

  /** Adds a request that took `size` characters; its id towards the SDK. */
  add(request: InboundRequest, size: number): number {
    const inner = ++this.#lastInner;
    this.#byInner.set(inner, { request, size });
    this.#innerIds.set(request.id, inner);
    this.#size += size;
    return inner;
  }

  get(inner: unknown): InboundRequest | undefined {
    return this.#byInner.get(inner as number)?.request;
  }

  /** The id towards the SDK of the client's request. */
  innerId(id: RequestId): number | undefined {
    return this.#innerIds.get(id);
  }

  /** Takes a request out, since it is answered or cancelled. */
  remove(inner: unknown): InboundRequest | undefined {
    const entry = this.#byInner.get(inner as number);
    if (!entry) return undefined;
    this.#byInner.delete(inner as number);
    this.#innerIds.delete(entry.request.id);
    this.#size -= entry.size;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
    return entry.request;
  }

  /** Resolves once `condition` holds; looked at whenever a request is removed. */
  async until(condition: (requests: OpenRequests) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
