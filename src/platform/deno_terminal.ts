/**
 * The standard streams of Deno.
 *
 * @module
 */
import { closedOrThrow, DEFAULT_COLUMNS, isEndOfInput } from "./terminal_errors.ts";
import type { Terminal } from "./types.ts";

/** The stream `Deno.stdin.readable` reads 16 KiB at a time and hands them through more layers. */
const READ_BYTES = 64 * 1024;

/** The terminal under Deno. */
export const denoTerminal: Terminal = {
  async readInput(): Promise<Uint8Array> {
    return new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer());
  },

  async *inputChunks(): AsyncGenerator<Uint8Array> {
    const buffer = new Uint8Array(READ_BYTES);
    try {
      for (let size = await Deno.stdin.read(buffer); size !== null;) {
        if (size > 0) yield buffer.slice(0, size);
        size = await Deno.stdin.read(buffer);
      }
    } catch (error) {
      if (!isEndOfInput(error)) throw error;
    }
  },

  async writeOut(data: string | Uint8Array): Promise<boolean> {
    try {
      for (let rest = toBytes(data); rest.length > 0;) {
        rest = rest.subarray(await Deno.stdout.write(rest));
      }
      return true;
    } catch (error) {
      return closedOrThrow(error);
    }
  },

  writeError(data: string): void {
    try {
      for (let rest = toBytes(data); rest.length > 0;) {
        rest = rest.subarray(Deno.stderr.writeSync(rest));
      }
    } catch {
      // Nobody reads what went wrong, and saying so would go the same way.
    }
  },

  inputIsTerminal: () => Deno.stdin.isTerminal(),
  outputIsTerminal: () => Deno.stdout.isTerminal(),
  errorIsTerminal: () => Deno.stderr.isTerminal(),

  columns(): number {
    try {
      return Deno.consoleSize().columns || DEFAULT_COLUMNS;
    } catch {
      return DEFAULT_COLUMNS;
    }
  },
};

function toBytes(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? new TextEncoder().encode(data) : data;
}
