/**
 * Standard output: one message a line, in the order in which they were sent.
 *
 * @module
 */

/** The standard streams, as far as MCP uses them. */
export interface Streams {
  /** Standard input, until it ends. The chunks are not kept. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Resolves once all bytes are written, or to `false` if nobody reads any more. */
  write(bytes: Uint8Array): Promise<boolean>;
  /** Tells something to the log, one line. */
  error(line: string): void;
}

/** Messages on their way out. */
export class Output {
  readonly #streams: Streams;
  readonly #encoder = new TextEncoder();
  #queue: Uint8Array[] = [];
  #unsentBytes = 0;
  #writing: Promise<void> | null = null;
  #open = true;

  /** Called when nobody reads any more. */
  onClosed: () => void = () => {};
  /** Called after every write. */
  onWritten: () => void = () => {};

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  /** `false` once nobody reads any more, or after {@linkcode Output.end}. */
  get open(): boolean {
    return this.#open;
  }

  /** Bytes that were sent and not yet written. */
  get unsentBytes(): number {
    return this.#unsentBytes;
  }

  /** @throws {Error} if the message cannot be put into JSON */
  send(message: Readonly<Record<string, unknown>>): void {
    if (!this.#open) return;
    const bytes = this.#encoder.encode(JSON.stringify(message) + "\n");
    this.#queue.push(bytes);
    this.#unsentBytes += bytes.length;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves once all that was sent is written, or cannot be. */
  async flushed(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Drops what is not yet written, and all that follows. */
  end(): void {
    this.#open = false;
    this.#queue = [];
    this.#unsentBytes = 0;
  }

  async #writeAll(): Promise<void> {
    for (let bytes = this.#queue.shift(); bytes; bytes = this.#queue.shift()) {
      const written = await this.#write(bytes);
      if (!this.#open) break;
      if (!written) {
        this.end();
        this.onClosed();
        break;
      }
      this.#unsentBytes -= bytes.length;
      this.onWritten();
    }
    this.#writing = null;
  }

  async #write(bytes: Uint8Array): Promise<boolean> {
    try {
      return await this.#streams.write(bytes);
    } catch (error) {
      this.#streams.error(error instanceof Error ? error.message : String(error));
      return false;
    }
  }
}
