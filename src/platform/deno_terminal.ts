/**
 * The standard streams of Deno.
 *
 * @module
 */
import { closedOrThrow, DEFAULT_COLUMNS } from "./terminal_errors.ts";
import type { Terminal } from "./types.ts";

/** The terminal under Deno. */
export const denoTerminal: Terminal = {
  async readInput(): Promise<Uint8Array> {
    return new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer());
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
