/**
 * The command line: understand, run, tell the exit code.
 *
 * @module
 */

import { Client, type DatabaseConnection } from "../client/client.ts";
import { findDatabase } from "../client/locate.ts";
import type { Platform } from "../platform/types.ts";
import { exitCodeOf, toKbdbError } from "../rpc/errors.ts";
import { VERSION } from "../rpc/version.ts";
import { type ParsedLine, parseLine } from "./args.ts";
import { type Command, EXIT, type FlagValues, textFlag, usageError } from "./command.ts";
import { check } from "./commands/check.ts";
import { dbInit } from "./commands/db_init.ts";
import { learn } from "./commands/learn.ts";
import { rebuild } from "./commands/rebuild.ts";
import { recall } from "./commands/recall.ts";
import { search } from "./commands/search.ts";
import { status } from "./commands/status.ts";
import { workerStatus, workerStop } from "./commands/worker.ts";
import { commandHelp, overview } from "./help.ts";
import { Output, visibleLine } from "./output.ts";

/** What the door hands over: the command line itself knows neither daemon nor store. */
export interface Doors {
  /** Module URL of the daemon's entry file. */
  readonly workerEntry: string;
  /** Opens a database in this process, or makes it. */
  openInProcess(
    options: { path: string; create?: { name?: string } },
  ): Promise<DatabaseConnection>;
}

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  dbInit,
  learn,
  search,
  recall,
  status,
  check,
  rebuild,
  workerStatus,
  workerStop,
];

/** Runs a command line; resolves to the exit code. */
export async function runCommandLine(platform: Platform, doors: Doors): Promise<number> {
  platform.host.onSignal("SIGINT", () => platform.host.exit(EXIT.interrupted));
  try {
    const line = await parseLine(platform.host.args, COMMANDS);
    return await runParsed(line, { platform, doors });
  } catch (error) {
    return report(platform, error);
  }
}

async function runParsed(
  line: ParsedLine,
  parts: { platform: Platform; doors: Doors },
): Promise<number> {
  const { platform } = parts;
  if (line.kind === "run") return await runCommand(line, parts);
  const text = line.kind === "version"
    ? `kbdb ${VERSION}\n`
    : line.command
    ? commandHelp(line.command)
    : overview(COMMANDS, VERSION);
  await platform.terminal.writeOut(text);
  return EXIT.ok;
}

async function runCommand(
  line: ParsedLine & { kind: "run" },
  parts: { platform: Platform; doors: Doors },
): Promise<number> {
  const { platform, doors } = parts;
  const { command, args, flags } = line;
  const output = new Output(platform.terminal, outputOptions(platform, flags));
  let path: string | null = null;
  let client: Client | null = null;
  const databasePath = () => path ??= findDatabase(platform, textFlag(flags, "db"));
  try {
    return await command.run({
      platform,
      args,
      flags,
      output,
      databasePath,
      client: () =>
        client ??= new Client(platform, {
          path: databasePath(),
          workerEntry: doors.workerEntry,
          openInProcess: doors.openInProcess,
          daemon: flags.noDaemon ? "never" : "auto",
          onNotice: (sentence) => output.note(sentence),
        }),
      create: async ({ path, name }) => {
        const create = name === undefined ? {} : { name };
        await (await doors.openInProcess({ path, create })).close();
      },
    });
  } finally {
    await (client as Client | null)?.close();
  }
}

function outputOptions(platform: Platform, flags: FlagValues) {
  const named = textFlag(flags, "format");
  const format = named ?? (flags.json ? "json" : "text");
  if (format !== "text" && format !== "json") {
    throw usageError(`Cannot print as ${format}: use text or json`);
  }
  if (flags.json && format !== "json") {
    throw usageError(`Cannot print as json and ${format}: use --json or --format`);
  }
  const plain = flags.noColor === true || Boolean(platform.host.env("NO_COLOR"));
  const color = !plain && platform.terminal.outputIsTerminal();
  return { format, quiet: flags.quiet === true, color } as const;
}

function report(platform: Platform, thrown: unknown): number {
  const error = toKbdbError(thrown);
  platform.terminal.writeError(`kbdb: ${visibleLine(error.message)}\n`);
  return exitCodeOf(error.code);
}
