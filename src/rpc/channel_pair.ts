/**
 * Two channels joined in memory, for tests and examples of what speaks over a channel.
 *
 * @module
 */

import type { Channel } from "../platform/types.ts";

/** Bytes written to one channel arrive at the other. */
export function channelPair(): [Channel, Channel] {
  const there = new Queue();
  const back = new Queue();
  return [joined(back, there), joined(there, back)];
}

function joined(input: Queue, output: Queue): Channel {
  return {
    chunks: input,
    write(data) {
      output.push(data.slice());
      return Promise.resolve();
    },
    close() {
      input.end();
      output.end();
    },
    setKeepAlive() {},
  };
}

class Queue implements AsyncIterable<Uint8Array> {
  #chunks: Uint8Array[] = [];
  #ended = false;
  #wake: (() => void) | null = null;

  push(chunk: Uint8Array): void {
    if (!this.#ended) this.#chunks.push(chunk);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    while (true) {
      const chunk = this.#chunks.shift();
      if (chunk) yield chunk;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}
