/**
 * The standard streams of Node.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { writeSync } from "node:fs";
import process from "node:process";
import { isatty } from "node:tty";
import { plainBytes } from "./node_bytes.ts";
import { closedOrThrow, DEFAULT_COLUMNS, isEndOfInput } from "./terminal_errors.ts";
import type { Terminal } from "./types.ts";

/** The terminal under Node. */
export const nodeTerminal: Terminal = {
  async readInput(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return plainBytes(Buffer.concat(chunks));
  },

  async *inputChunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of process.stdin) yield plainBytes(chunk);
    } catch (error) {
      if (!isEndOfInput(error)) throw error;
    }
  },

  async writeOut(data: string | Uint8Array): Promise<boolean> {
    if (data.length === 0) return true;
    try {
      await write(data);
      return true;
    } catch (error) {
      return closedOrThrow(error);
    }
  },

  writeError(data: string): void {
    try {
      const bytes = new TextEncoder().encode(data);
      for (let done = 0; done < bytes.length;) done += writeSync(2, bytes, done);
    } catch {
      // Nobody reads what went wrong, and saying so would go the same way.
    }
  },

  inputIsTerminal: () => isatty(0),
  outputIsTerminal: () => isatty(1),
  errorIsTerminal: () => isatty(2),
  columns: () => process.stdout.columns || process.stderr.columns || DEFAULT_COLUMNS,
};

let guarded = false;

function write(data: string | Uint8Array): Promise<void> {
  // The stream also reports a failed write as an event, which without a listener ends the process.
  if (!guarded) process.stdout.on("error", () => {});
  guarded = true;
  return new Promise((resolve, reject) => {
    process.stdout.write(data, (error) => (error ? reject(error) : resolve()));
  });
}
