/**
 * Running a command that was understood. Apart from the rest, so that help and version do not load what
 * reaches a database.
 *
 * @module
 */

import { Client, type DatabaseConnection } from "../client/client.ts";
import { findDatabase } from "../client/locate.ts";
import type { Platform } from "../platform/types.ts";
import type { ParsedLine } from "./args.ts";
import { type FlagValues, type McpDoor, textFlag, usageError } from "./command.ts";
import { Output, type OutputOptions } from "./output.ts";

/** What the door hands over: the command line itself knows neither daemon nor store. */
export interface Doors {
  /** Module URL of the daemon's entry file. */
  readonly workerEntry: string;
  /** Opens a database in this process, or makes it. */
  openInProcess(
    options: { path: string; create?: { name?: string } },
  ): Promise<DatabaseConnection>;
  /** Loads the MCP server, which uses the clients that `connect` gives. */
  loadMcp(parts: McpParts): Promise<McpDoor>;
}

/** What the command line lends to the MCP server. */
export interface McpParts {
  /** A client of a database that is there. */
  connect(path: string): Client;
  /** Makes a new database. */
  create(path: string): Promise<void>;
}

/** Runs a command; resolves to the exit code. */
export async function runCommand(
  line: ParsedLine & { kind: "run" },
  parts: { platform: Platform; doors: Doors },
): Promise<number> {
  const { platform, doors } = parts;
  const { command, args, flags } = line;
  const output = new Output(platform.terminal, outputOptions(platform, line));
  let path: string | null = null;
  let client: Client | null = null;
  const databasePath = () => path ??= findDatabase(platform, textFlag(flags, "db"));
  const connect = (path: string) =>
    new Client(platform, {
      path,
      workerEntry: doors.workerEntry,
      openInProcess: doors.openInProcess,
      daemon: flags.noDaemon ? "never" : "auto",
      onNotice: (sentence) => output.note(sentence),
    });
  const create = async ({ path, name }: { path: string; name?: string }) => {
    const create = name === undefined ? {} : { name };
    await (await doors.openInProcess({ path, create })).close();
  };
  try {
    return await command.run({
      platform,
      args,
      flags,
      output,
      databasePath,
      client: () => client ??= connect(databasePath()),
      mcp: () => doors.loadMcp({ connect, create: (path) => create({ path }) }),
      create,
    });
  } finally {
    output.end();
    await (client as Client | null)?.close();
  }
}

function outputOptions(platform: Platform, line: ParsedLine & { kind: "run" }): OutputOptions {
  const { command, flags } = line;
  const plain = flags.noColor === true || Boolean(platform.host.env("NO_COLOR"));
  return {
    format: formatOf(flags),
    quiet: flags.quiet === true,
    color: !plain && platform.terminal.outputIsTerminal(),
    tool: command.name.replace(" ", "-"),
  };
}

function formatOf(flags: FlagValues): OutputOptions["format"] {
  const format = textFlag(flags, "format") ?? (flags.json ? "json" : "text");
  if (format !== "text" && format !== "json" && format !== "mcp") {
    throw usageError(`Cannot print as ${format}: use text, json or mcp`);
  }
  if (flags.json && format !== "json") {
    throw usageError(`Cannot print as json and ${format}: use --json or --format`);
  }
  return format;
}
