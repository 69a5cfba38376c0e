/**
 * The command line: understand, run, tell the exit code.
 *
 * @module
 */

import type { Platform } from "../platform/types.ts";
import { exitCodeOf, toKbdbError } from "../rpc/errors.ts";
import { toolFailure } from "../rpc/results.ts";
import { VERSION } from "../rpc/version.ts";
import { asksForMcp, type ParsedLine, parseLine } from "./args.ts";
import { EXIT } from "./command.ts";
import { COMMANDS, GROUPS } from "./commands.ts";
import { printableJson, visibleLine } from "./output.ts";
import type { Doors } from "./run.ts";

/** Runs a command line; resolves to the exit code. */
export async function runCommandLine(platform: Platform, doors: Doors): Promise<number> {
  platform.host.onSignal("SIGINT", () => platform.host.exit(EXIT.interrupted));
  try {
    const line = await parseLine(platform.host.args, COMMANDS);
    if (line.kind === "run") {
      const { runCommand } = await import("./run.ts");
      return await runCommand(line, { platform, doors });
    }
    await platform.terminal.writeOut(await information(line));
    return EXIT.ok;
  } catch (error) {
    return await report(platform, error);
  }
}

async function information(line: ParsedLine & { kind: "version" | "help" }): Promise<string> {
  if (line.kind === "version") return `kbdb ${VERSION}\n`;
  const { commandHelp, groupHelp, overview } = await import("./help.ts");
  if (line.command) return commandHelp(line.command);
  return line.group ? groupHelp(line.group, COMMANDS) : overview(GROUPS, VERSION);
}

/** Tells a failure where it is looked for: in the form of MCP it is a result like any other. */
async function report(platform: Platform, thrown: unknown): Promise<number> {
  const { terminal, host } = platform;
  const error = toKbdbError(thrown);
  if (asksForMcp(host.args)) {
    await terminal.writeOut(printableJson(toolFailure(error), 2));
  } else {
    terminal.writeError(`kbdb: ${visibleLine(error.message)}\n`);
  }
  return exitCodeOf(error.code);
}
