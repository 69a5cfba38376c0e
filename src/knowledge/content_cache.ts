/**
 * Contents of sections that were read lately, so that a search need not read files again.
 *
 * @module
 */

/** How many bytes of content are kept. */
const CAPACITY_BYTES = 16 * 1024 * 1024;

/** Least recently used contents go first. */
export class ContentCache {
  readonly #contents = new Map<string, Uint8Array>();
  #bytes = 0;

  /** Number of contents kept. */
  get count(): number {
    return this.#contents.size;
  }

  get(kbid: string): Uint8Array | undefined {
    const content = this.#contents.get(kbid);
    if (content) {
      this.#contents.delete(kbid);
      this.#contents.set(kbid, content);
    }
    return content;
  }

  put(kbid: string, content: Uint8Array): void {
    this.delete(kbid);
    if (content.length > CAPACITY_BYTES) return;
    this.#contents.set(kbid, content);
    this.#bytes += content.length;
    for (const oldest of this.#contents.keys()) {
      if (this.#bytes <= CAPACITY_BYTES) break;
      this.delete(oldest);
    }
  }

  delete(kbid: string): void {
    this.#bytes -= this.#contents.get(kbid)?.length ?? 0;
    this.#contents.delete(kbid);
  }
}
