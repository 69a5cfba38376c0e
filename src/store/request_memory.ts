/**
 * Answers that were given, so that a repeated request is not applied twice (D46).
 *
 * @module
 */

import type { RequestMemory } from "./journal_record.ts";

/** A request's answer counts as remembered for this long (D46). */
export const REQUEST_MEMORY_MS = 10 * 60 * 1000;
/** More are not remembered: all of them are written again at every checkpoint. */
const REQUEST_MEMORY_COUNT = 8192;

/** The requests that are remembered. */
export class RequestMemories {
  readonly #requests = new Map<string, RequestMemory>();

  /** The answer that a request got. */
  get(key: string): RequestMemory | undefined {
    return this.#requests.get(key);
  }

  /** Those that are to be remembered on. */
  all(): RequestMemory[] {
    return [...this.#requests.values()];
  }

  /** Remembers requests, and forgets the oldest where they become too many. */
  add(requests: readonly RequestMemory[]): void {
    for (const request of requests) {
      this.#requests.set(request.key, request);
      if (this.#requests.size <= REQUEST_MEMORY_COUNT) continue;
      const [oldest] = this.#requests.keys();
      this.#requests.delete(oldest);
    }
  }

  /** Forgets requests that came to nothing. */
  remove(requests: readonly RequestMemory[]): void {
    for (const { key } of requests) this.#requests.delete(key);
  }

  /** Forgets what is too old at the time `now`. */
  forgetOld(now: Date): void {
    const oldest = now.getTime() - REQUEST_MEMORY_MS;
    for (const request of this.all()) {
      if (request.at < oldest) this.#requests.delete(request.key);
    }
  }
}
