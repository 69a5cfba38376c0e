/**
 * Commands run against a client that is made up, on a terminal that remembers.
 *
 * @module
 */

import type { Client } from "../client/client.ts";
import type { Files, Host, Platform, Terminal } from "../platform/types.ts";
import { parseLine } from "./args.ts";
import { COMMANDS } from "./commands.ts";
import { Output, type OutputOptions } from "./output.ts";

/** What was written. */
export interface Written {
  out: string;
  error: string;
}

/** A terminal that remembers what is written. */
export function fakeTerminal(
  options: { isTerminal?: boolean; input?: string; closed?: boolean } = {},
): { terminal: Terminal; written: Written } {
  const { isTerminal = false, input = "", closed = false } = options;
  const written = { out: "", error: "" };
  const terminal: Terminal = {
    readInput: () => Promise.resolve(new TextEncoder().encode(input)),
    inputChunks: async function* () {
      yield new TextEncoder().encode(input);
    },
    writeOut: (data) => {
      written.out += typeof data === "string" ? data : new TextDecoder().decode(data);
      return Promise.resolve(!closed);
    },
    writeError: (data) => {
      written.error += data;
    },
    inputIsTerminal: () => isTerminal,
    outputIsTerminal: () => isTerminal,
    errorIsTerminal: () => isTerminal,
    columns: () => 20,
  };
  return { terminal, written };
}

/** Output to streams that remember, on a terminal of 20 columns or not. */
export function fakeOutput(
  options: Partial<OutputOptions & { terminal: boolean }> = {},
): { output: Output; written: Written } {
  const { terminal: isTerminal = false, ...rest } = options;
  const { terminal, written } = fakeTerminal({ isTerminal });
  const all = { format: "text", quiet: false, color: false, tool: "search", ...rest } as const;
  return { output: new Output(terminal, all), written };
}

/** A method that remembers the first argument of each call and gives an answer. */
export function fakeMethod<Answer>(answer: Answer | ((...args: unknown[]) => Answer)) {
  const calls: unknown[] = [];
  const called = (...args: unknown[]) => {
    calls.push(args[0]);
    return Promise.resolve(answer instanceof Function ? answer(...args) : answer);
  };
  return Object.assign(called, { calls });
}

/** How a command is run. */
export interface FakeRun {
  /** Methods of the client that the command may call. */
  client?: Partial<Record<keyof Client, unknown>>;
  isTerminal?: boolean;
  input?: string;
  /** Files by absolute path. */
  files?: Record<string, string | Uint8Array>;
  /** Nobody reads what is written. */
  closed?: boolean;
}

/** Runs a command line with a made-up client; rejects as the command does. */
export async function ran(
  words: readonly string[],
  options: FakeRun = {},
): Promise<Written & { code: number }> {
  const line = await parseLine(words, COMMANDS);
  if (line.kind !== "run") throw new Error(`Cannot run: ${words.join(" ")} asks for ${line.kind}`);
  const { terminal, written } = fakeTerminal(options);
  const { command: { name, run }, args, flags } = line;
  const format = (flags.format ?? (flags.json ? "json" : "text")) as OutputOptions["format"];
  const shown = { format, quiet: flags.quiet === true, color: false, tool: name.replace(" ", "-") };
  const code = await run({
    platform: fakePlatform(terminal, options.files ?? {}),
    args,
    flags,
    output: new Output(terminal, shown),
    client: () => options.client as unknown as Client,
    databasePath: () => "/db/.kbdb",
    mcp: () => Promise.reject(new Error("no MCP server in tests of commands")),
    create: () => Promise.resolve(),
  });
  return { code, ...written };
}

function fakePlatform(terminal: Terminal, files: Record<string, string | Uint8Array>): Platform {
  const read = (path: string) => {
    const data = files[path];
    if (data === undefined) throw new Error(`Cannot read ${path}: not made up`);
    return typeof data === "string" ? new TextEncoder().encode(data) : data;
  };
  const stat = (path: string) => ({ kind: "file", size: read(path).length });
  return {
    terminal,
    files: { read, stat } as unknown as Files,
    host: { cwd: () => "/desk" } as Host,
  } as unknown as Platform;
}
