/**
 * Sending many contents: in requests of a bounded size, with the next one made while the daemon
 * works.
 *
 * @module
 */

import { KbdbError } from "../rpc/errors.ts";
import { BATCH_BYTES } from "../rpc/protocol.ts";
import type { LearnItem, LearnItemResult } from "../rpc/writing.ts";
import type { Client } from "./client.ts";

/** Most items in one request, so that answers stay small. */
const BATCH_ITEMS = 256;
/** Requests on their way at once: the daemon works while the next contents are read. */
const IN_FLIGHT = 2;

/** What became of one content, and where it came from. */
export interface Answered<From> {
  readonly answer: LearnItemResult;
  readonly from: From;
}

/** Learns contents in batches. */
export class Batches<From> {
  #batch: { item: LearnItem; from: From }[] = [];
  #bytes = 0;
  #inFlight: Promise<void>[] = [];

  /** `take` gets the answers of each batch, in order. */
  constructor(
    private readonly client: Client,
    private readonly take: (answers: readonly Answered<From>[]) => void,
  ) {}

  /** Adds a content; waits where enough are on their way. */
  async add(item: LearnItem, from: From): Promise<void> {
    // A large content goes by itself, so that one beyond the size of a message costs no other.
    if (this.#bytes + item.content.length > BATCH_BYTES) await this.#send();
    this.#batch.push({ item, from });
    this.#bytes += item.content.length;
    if (this.#bytes >= BATCH_BYTES || this.#batch.length >= BATCH_ITEMS) await this.#send();
  }

  /** Sends what is left and waits for all answers. */
  async finish(): Promise<void> {
    await this.#send();
    await Promise.all(this.#inFlight);
  }

  async #send(): Promise<void> {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#bytes = 0;
    const sent = this.#learn(batch.map(({ item }) => item))
      .then((answers) => this.take(answers.map((answer, i) => ({ answer, from: batch[i].from }))));
    // Awaited below or in finish(); until then a failure must not count as unhandled.
    sent.catch(() => {});
    this.#inFlight.push(sent);
    if (this.#inFlight.length > IN_FLIGHT) await this.#inFlight.shift();
  }

  async #learn(items: LearnItem[]): Promise<LearnItemResult[]> {
    try {
      return await this.client.learn(items);
    } catch (error) {
      if (!(error instanceof KbdbError) || error.code !== "too_large") throw error;
      return items.map(() => ({ ok: false, error: error.toJSON() }));
    }
  }
}
