/**
 * Those who want to know of changes, and what keeps them informed when a connection is lost: the next
 * one is asked for what came after the last change that was told.
 *
 * @module
 */

import type { ChangeEvent } from "../rpc/changes.ts";
import type { Connection } from "../rpc/connection.ts";

/** Told of a change. */
export type OnChange = (change: ChangeEvent) => void;

/** The first wait before a lost connection is made again: whoever ended the daemon may start another. */
const FIRST_PAUSE_MS = 250;
/** The longest wait. */
const LAST_PAUSE_MS = 10_000;
/** A connection that held so long was not lost because of what follows it. */
const STEADY_MS = 5000;

/** Tells of changes over one connection after another. */
export class ChangeWatch {
  readonly #listeners = new Set<OnChange>();
  /** Number of the last change that was told. */
  #since: number | null = null;
  #attached: { connection: Connection; done: Promise<void>; at: number } | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #pause = FIRST_PAUSE_MS;

  /** `reach` gives the connection there is, or makes one. */
  constructor(private readonly reach: () => Promise<Connection>) {}

  /** Whether anybody wants to know. */
  get wanted(): boolean {
    return this.#listeners.size > 0;
  }

  /** Adds a listener, which is told once a connection is attached. */
  add(onChange: OnChange): () => void {
    // One function may listen twice.
    const listener: OnChange = (change) => onChange(change);
    this.#listeners.add(listener);
    return () => {
      if (this.#listeners.delete(listener) && !this.wanted) this.end();
    };
  }

  /** Lets a connection tell of changes; fine to call twice. */
  attach(connection: Connection): Promise<void> {
    if (this.#attached?.connection === connection) return this.#attached.done;
    const done = this.#subscribe(connection);
    const attached = this.#attached = { connection, done, at: performance.now() };
    done.catch(() => {
      if (this.#attached === attached) this.#attached = null;
    });
    return done;
  }

  /** A connection has ended. */
  lost(connection: Connection): void {
    if (this.#attached?.connection !== connection) return;
    const steady = performance.now() - this.#attached.at >= STEADY_MS;
    this.#attached = null;
    if (steady) this.#pause = FIRST_PAUSE_MS;
    this.#comeBackLater();
  }

  /** Tells nobody any more. */
  end(): void {
    this.#listeners.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const connection = this.#attached?.connection;
    this.#attached = this.#since = null;
    connection?.attend(false);
    connection?.call("unsubscribe", {}).catch(() => {});
  }

  async #subscribe(connection: Connection): Promise<void> {
    connection.onNotification = (method, params) => {
      const attached = this.#attached?.connection === connection;
      if (method === "changed" && attached) this.#tell(params as ChangeEvent);
    };
    const since = this.#since;
    const { seq, missed } = await connection.call("subscribe", since === null ? {} : { since });
    if (this.#attached?.connection !== connection) return;
    this.#since = Math.max(seq, this.#since ?? seq);
    connection.attend(true);
    if (missed) this.#tell(missed);
  }

  #tell(change: ChangeEvent): void {
    this.#since = Math.max(change.seq, this.#since ?? change.seq);
    for (const listener of [...this.#listeners]) listener(change);
  }

  #comeBackLater(): void {
    if (!this.wanted || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#comeBack();
    }, this.#pause);
    this.#pause = Math.min(2 * this.#pause, LAST_PAUSE_MS);
  }

  async #comeBack(): Promise<void> {
    try {
      await this.attach(await this.reach());
    } catch {
      this.#comeBackLater();
    }
  }
}
