/**
 * When to look for edits from outside: all files once, after the first answer; afterwards cheaply,
 * after answers, and every second while somebody wants to be told of changes.
 *
 * @module
 */

/** Who looks. */
export interface Looks {
  /** Looks through all files, once. */
  scan(): Promise<void>;
  /** Looks at what changed since. */
  look(): Promise<void>;
}

/** How long to wait, in milliseconds. */
export interface WatchTimes {
  /** The scan begins after so much quiet, also where nobody asked for anything. */
  readonly quiet: number;
  /** Looks after answers come at most this often, and this long after the last write of our own. */
  readonly afterAnswers: number;
  /** Looks come this often while somebody wants to be told of changes. */
  readonly watched: number;
  /** However long a look took, the next one need not wait longer. */
  readonly longestRest: number;
}

const TIMES: WatchTimes = { quiet: 1000, afterAnswers: 2000, watched: 1000, longestRest: 10_000 };
/** A look waits so many times as long as the look before took. */
const MOST_LOAD = 50;

/** Decides when to look. */
export class OutsideWatch {
  #timer: ReturnType<typeof setTimeout> | null = null;
  #dueAt = Infinity;
  #isScanned = false;
  #isWatched = false;
  #isLooking = false;
  /** An answer went out while a look was under way. */
  #isAsked = false;
  #lookedAt = -Infinity;
  #wroteAt = -Infinity;
  /** Earliest time of the next look, whoever wants it. */
  #restUntil = -Infinity;
  #stopped = false;

  constructor(private readonly looks: Looks, private readonly times: WatchTimes = TIMES) {}

  /** Begins; until then, and until the first answer, nothing happens. */
  begin(): void {
    this.#lookAt(performance.now() + this.times.quiet);
  }

  /** An answer has gone out. */
  answered(): void {
    this.#isAsked = true;
    if (!this.#isScanned) this.#lookAt(performance.now());
    else this.#lookAt(this.#lookedAt + this.times.afterAnswers);
  }

  /** Whether anybody wants to be told of changes. */
  watched(isWatched: boolean): void {
    this.#isWatched = isWatched;
    if (isWatched) this.#lookAt(this.#lookedAt + this.times.watched);
  }

  /** This process wrote something. */
  wrote(): void {
    this.#wroteAt = performance.now();
  }

  /** Nothing is begun any more. */
  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #lookAt(wanted: number): void {
    const due = Math.max(wanted, this.#restUntil, performance.now());
    if (this.#stopped || this.#isLooking || due >= this.#dueAt) return;
    this.#dueAt = due;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, due - performance.now()));
  }

  async #run(): Promise<void> {
    this.#timer = null;
    this.#dueAt = Infinity;
    if (this.#isScanned && !this.#isWatched && !this.#isAsked) return;
    const quietAt = this.#wroteAt + this.times.afterAnswers;
    if (this.#isScanned && performance.now() < quietAt) return this.#lookAt(quietAt);
    this.#isLooking = true;
    this.#isAsked = false;
    await (this.#isScanned ? this.#look() : this.looks.scan());
    this.#isLooking = false;
    this.#isScanned = true;
    this.#lookedAt = performance.now();
    if (this.#isWatched) this.#lookAt(this.#lookedAt + this.times.watched);
    else if (this.#isAsked) this.#lookAt(this.#lookedAt + this.times.afterAnswers);
  }

  async #look(): Promise<void> {
    const start = performance.now();
    await this.looks.look();
    const end = performance.now();
    this.#restUntil = end + Math.min(MOST_LOAD * (end - start), this.times.longestRest);
  }
}
