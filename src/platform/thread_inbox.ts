/**
 * What one end of a line between threads has received and nobody has taken yet.
 *
 * @module
 */
import type { ThreadError } from "./types.ts";

interface Waiting {
  resolve(message: unknown): void;
  reject(error: ThreadError): void;
}

/** Messages in order; after the last one, why no more will come. */
export class ThreadInbox {
  readonly #messages: unknown[] = [];
  readonly #waiting: Waiting[] = [];
  #closed: ThreadError | null = null;

  /** A message has come. */
  put(message: unknown): void {
    if (this.#closed) return;
    const first = this.#waiting.shift();
    if (first) first.resolve(message);
    else this.#messages.push(message);
  }

  /** No more will come; the first reason counts. */
  close(reason: ThreadError): void {
    this.#closed ??= reason;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#closed);
  }

  /** The next message, as {@linkcode ThreadPort.receive} gives it. */
  take(): Promise<unknown> {
    if (this.#messages.length > 0) return Promise.resolve(this.#messages.shift());
    if (this.#closed) return Promise.reject(this.#closed);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }
}
