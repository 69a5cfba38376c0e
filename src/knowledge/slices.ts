/**
 * Long work is cut into slices, so that searches answer in between.
 *
 * @module
 */

/** How long a slice may hold the thread before others get their turn. */
const SLICE_MS = 5;

/** Keeps count of how long work has held the thread. */
export class Slices {
  #since = performance.now();

  /** Lets waiting requests run if this slice has lasted long enough. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    // A timer, although a message would be back sooner: a request needs several turns of the event
    // loop to be read, answered and written, and would otherwise get one of them a slice.
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    this.#since = performance.now();
  }
}

/** Does work that pauses by itself, and lets waiting requests run in its pauses. */
export async function inSlices<T>(work: Iterator<void, T>): Promise<T> {
  const slices = new Slices();
  while (true) {
    const step = work.next();
    if (step.done) return step.value;
    await slices.breathe();
  }
}
