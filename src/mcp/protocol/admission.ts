/**
 * How many requests are worked on at a time. A client that asks and never reads would otherwise fill
 * the memory with answers (B22).
 *
 * @module
 */

/** Lets requests in, in the order in which they came. */
export class Admission {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  /** While `clogged`, none is let in; call {@linkcode Admission.next} once that may have changed. */
  constructor(private readonly maxRunning: number, private readonly clogged: () => boolean) {}

  /** Resolves to `false` if the signal fired before there was room. */
  async enter(signal: AbortSignal): Promise<boolean> {
    if (this.#waiting.size > 0 || !this.#hasRoom()) await this.#room(signal);
    else this.#running++;
    if (!signal.aborted) return true;
    this.leave();
    return false;
  }

  /** A request is done. */
  leave(): void {
    this.#running--;
    this.next();
  }

  /** Lets in as many as there is room for. */
  next(): void {
    for (const wake of this.#waiting) {
      if (!this.#hasRoom()) return;
      this.#letIn(wake);
    }
  }

  #hasRoom(): boolean {
    return this.#running < this.maxRunning && !this.clogged();
  }

  #letIn(wake: () => void): void {
    this.#waiting.delete(wake);
    this.#running++;
    wake();
  }

  #room(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => this.#letIn(wake);
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.add(wake);
    });
  }
}
