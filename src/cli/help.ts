/**
 * Help texts, made from the same table that the command line is parsed with.
 *
 * @module
 */

import { flagName, GLOBAL_FLAGS } from "./args.ts";
import type { Command, CommandRow, FlagSpec } from "./command.ts";
import type { CommandGroup } from "./commands.ts";

/** The list of commands. */
export function overview(groups: readonly CommandGroup[], version: string): string {
  const width = Math.max(...groups.flatMap(({ rows }) => rows).map(({ name }) => name.length));
  return [
    `kbdb ${version}: a searchable second brain in one folder of plain files`,
    "",
    "Usage: kbdb COMMAND [ARGUMENTS] [FLAGS]",
    ...groups.flatMap(({ title, rows }) => ["", `${title}:`, ...commandRows(rows, width)]),
    "",
    "Flags of every command:",
    ...flagRows(GLOBAL_FLAGS),
    "",
    "Examples:",
    "  kbdb db init              Make a database in this folder",
    "  kbdb learn docs/          Learn every Markdown and text file in docs/",
    "  kbdb search group commit  Find sections, best first",
    "",
    "Exit codes: 0 done, 1 failed, 2 wrong command line, 3 not found, 4 stored files are damaged,",
    "5 the daemon cannot be reached, 130 interrupted",
    "",
    "More about a command: kbdb COMMAND --help",
    "",
  ].join("\n");
}

/** The commands that begin with one word. */
export function groupHelp(group: string, all: readonly CommandRow[]): string {
  const rows = all.filter(({ name }) => name === group || name.startsWith(`${group} `));
  const width = Math.max(...rows.map(({ name }) => name.length));
  return [
    `Usage: kbdb ${group} COMMAND [ARGUMENTS] [FLAGS]`,
    "",
    "Commands:",
    ...commandRows(rows, width),
    "",
    `More about a command: kbdb ${group} COMMAND --help`,
    "",
  ].join("\n");
}

/** Help of one command. */
export function commandHelp(command: Command): string {
  const lines = [`kbdb ${command.name}: ${command.summary}`, ""];
  lines.push(`Usage: kbdb ${command.name}${command.usage ? ` ${command.usage}` : ""} [FLAGS]`, "");
  if (command.details) lines.push(command.details, "");
  if (Object.keys(command.flags).length > 0) {
    lines.push("Flags:", ...flagRows(command.flags), "");
  }
  lines.push("Flags of every command:", ...flagRows(GLOBAL_FLAGS), "", "Examples:");
  const width = Math.max(...command.examples.map(([line]) => line.length));
  for (const [line, meaning] of command.examples) {
    lines.push(`  ${line.padEnd(width)}  ${meaning}`);
  }
  return lines.join("\n") + "\n";
}

function commandRows(rows: readonly CommandRow[], width: number): string[] {
  return rows.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
}

function flagRows(specs: Readonly<Record<string, FlagSpec>>): string[] {
  const rows = Object.entries(specs).map(([name, spec]) => ({
    left: flagName(name) + (spec.kind === "switch" ? "" : ` ${spec.value ?? "VALUE"}`),
    right: spec.help + (spec.kind === "list" ? " (may be repeated)" : ""),
  }));
  const width = Math.max(...rows.map(({ left }) => left.length));
  return rows.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}`);
}
