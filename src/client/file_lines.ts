/**
 * The lines of a file that may be larger than memory.
 *
 * @module
 */

import type { Files } from "../platform/types.ts";
import { KbdbError } from "../rpc/errors.ts";
import { joinBytes, MAX_FRAME_BYTES } from "../rpc/framing.ts";

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Every line in order, or why one is of no use: it is not UTF-8, or longer than what can be sent.
 * A byte order mark at the beginning of a line is left out.
 */
export function* fileLines(files: Files, path: string): Generator<string | KbdbError> {
  const line = new Line();
  for (let offset = 0; true;) {
    const chunk = files.readPart(path, { offset, length: CHUNK_BYTES });
    if (chunk.length === 0) break;
    offset += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      line.add(chunk.subarray(start, end));
      yield line.take();
      start = end + 1;
    }
    line.add(chunk.subarray(start));
  }
  if (!line.isEmpty) yield line.take();
}

/** A line in the making; what is too long is counted and not kept. */
class Line {
  #parts: Uint8Array[] = [];
  #size = 0;
  #number = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > MAX_FRAME_BYTES) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  take(): string | KbdbError {
    const [parts, size, number] = [this.#parts, this.#size, ++this.#number];
    this.#parts = [];
    this.#size = 0;
    if (size > MAX_FRAME_BYTES) {
      return new KbdbError(
        "too_large",
        `Cannot learn line ${number}: its ${size} bytes are over the limit of ${MAX_FRAME_BYTES}`,
      );
    }
    try {
      return decoder.decode(joinBytes(parts, size));
    } catch (cause) {
      return new KbdbError("bad_request", `Cannot learn line ${number}: it is not UTF-8`, {
        cause,
      });
    }
  }
}
