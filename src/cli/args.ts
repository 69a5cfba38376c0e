/**
 * From the words of a command line to a command with its flags.
 *
 * @module
 */

import { typeFlag } from "type-flag";
import type { KbdbError } from "../rpc/errors.ts";
import {
  type Command,
  type CommandRow,
  type FlagSpec,
  type FlagValues,
  loadCommand,
  usageError,
} from "./command.ts";

/** Flags that every command takes. */
export const GLOBAL_FLAGS: Readonly<Record<string, FlagSpec>> = {
  db: {
    kind: "text",
    value: "PATH",
    help: "Folder of the database (else KBDB_DIR, else the nearest .kbdb upwards)",
  },
  json: { kind: "switch", help: "Print JSON; the same as --format json" },
  format: { kind: "text", value: "FORMAT", help: "text, json, or mcp: a tool result of MCP" },
  quiet: { kind: "switch", help: "Print nothing but results and errors" },
  noColor: { kind: "switch", help: "No colours; NO_COLOR in the environment does the same" },
  noDaemon: { kind: "switch", help: "Open the database in this process instead of its daemon" },
  help: { kind: "switch", help: "Show help; -h does the same" },
  version: { kind: "switch", help: "Show the version" },
};

/** A command line, understood. */
export type ParsedLine =
  | { readonly kind: "version" }
  | {
    readonly kind: "help";
    readonly command: Command | null;
    /** First word of the commands that help was asked for. */
    readonly group?: string;
  }
  | {
    readonly kind: "run";
    readonly command: Command;
    readonly args: readonly string[];
    readonly flags: FlagValues;
  };

/**
 * Understands a command line.
 *
 * @throws {KbdbError} `bad_request` for an unknown command or flag, naming the nearest, and for a
 * value that does not fit
 */
export async function parseLine(
  words: readonly string[],
  rows: readonly CommandRow[],
): Promise<ParsedLine> {
  const { row, rest, before } = findCommand(words, rows);
  if (row === null) return await withoutCommand(words, rows);
  const command = await loadCommand(row);
  const asksHelp = words[0] === "help";
  const specs = { ...GLOBAL_FLAGS, ...command.flags };
  const parsed = parseFlags([...before, ...rest], specs);
  if (asksHelp || parsed.flags.help) return { kind: "help", command };
  if (parsed.flags.version) return { kind: "version" };
  await refuseUnknown(parsed.unknown, { specs, command });
  await refuseArguments(parsed.args, { command, rows });
  return { kind: "run", command, args: parsed.args, flags: checkedFlags(parsed.flags, specs) };
}

/** Whether a command line, understood or not, asks for the form of MCP. */
export function asksForMcp(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  const flags = end < 0 ? words : words.slice(0, end);
  return flags.includes("--format=mcp") ||
    flags.some((word, i) => word === "--format" && flags[i + 1] === "mcp");
}

/** `noColor` as `--no-color`. */
export function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

interface RawFlags {
  readonly flags: Record<string, unknown>;
  readonly unknown: readonly string[];
  readonly args: readonly string[];
}

/** Finds a command of two words or one, skipping flags that stand before it. */
function findCommand(
  words: readonly string[],
  rows: readonly CommandRow[],
): { row: CommandRow | null; rest: readonly string[]; before: readonly string[] } {
  const start = words[0] === "help" ? 1 : 0;
  const at = firstWord(words, start);
  for (const length of [2, 1]) {
    const name = words.slice(at, at + length).join(" ");
    const row = rows.find((row) => row.name === name);
    if (row) return { row, rest: words.slice(at + length), before: words.slice(start, at) };
  }
  return { row: null, rest: [], before: [] };
}

/** Global flags whose value may be the next word. */
const VALUE_FLAGS = Object.entries(GLOBAL_FLAGS)
  .filter(([, spec]) => spec.kind !== "switch").map(([name]) => flagName(name));

function firstWord(words: readonly string[], from: number): number {
  let at = from;
  while (at < words.length && words[at].startsWith("-") && words[at] !== "-") {
    at += VALUE_FLAGS.includes(words[at]) ? 2 : 1;
  }
  return at;
}

async function withoutCommand(
  words: readonly string[],
  rows: readonly CommandRow[],
): Promise<ParsedLine> {
  const start = words[0] === "help" ? 1 : 0;
  const at = firstWord(words, start);
  const word = words[at];
  const { flags, unknown } = parseFlags(words.slice(start, at), GLOBAL_FLAGS);
  await refuseUnknown(unknown, { specs: GLOBAL_FLAGS, command: null });
  if (word === undefined) {
    return flags.version ? { kind: "version" } : { kind: "help", command: null };
  }
  if (word === "help") return { kind: "help", command: null };
  const isGroup = wordsAfter(word, rows).length > 0;
  const asksHelp = start === 1 || words.slice(at).some((one) => one === "--help" || one === "-h");
  if (isGroup && asksHelp) return { kind: "help", command: null, group: word };
  throw isGroup ? await incomplete(words.slice(at), rows) : await unknownCommand(word, rows);
}

/** Second words of the commands that begin with this one. */
function wordsAfter(group: string, rows: readonly CommandRow[]): string[] {
  return rows.map(({ name }) => name.split(" "))
    .filter(([first, second]) => first === group && second !== undefined)
    .map(([, second]) => second);
}

/** The first word is that of a group of commands, the second is missing or wrong. */
async function incomplete(
  [group, word]: readonly string[],
  rows: readonly CommandRow[],
): Promise<KbdbError> {
  const seconds = wordsAfter(group, rows);
  const names = seconds.map((second) => `kbdb ${group} ${second}`).join(", ");
  if (word === undefined || word.startsWith("-")) {
    return usageError(`Cannot run kbdb ${group}: a word is missing. Choose: ${names}`);
  }
  const { nearest } = await import("../rpc/nearest.ts");
  const near = nearest(word, seconds);
  return usageError(
    `Cannot run kbdb ${group} ${word}: unknown command.` +
      (near ? ` Did you mean kbdb ${group} ${near}?` : ` Choose: ${names}`),
  );
}

async function unknownCommand(word: string, rows: readonly CommandRow[]): Promise<KbdbError> {
  const names = rows.map((row) => row.name);
  const { nearest } = await import("../rpc/nearest.ts");
  const near = nearest(word, [...names, ...names.map((name) => name.split(" ")[0]), "help"]);
  return usageError(
    `Cannot run kbdb ${word}: unknown command.` +
      (near ? ` Did you mean kbdb ${near}?` : "") + " See: kbdb --help",
  );
}

function parseFlags(
  words: readonly string[],
  specs: Readonly<Record<string, FlagSpec>>,
): RawFlags {
  const schema = Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [name, {
      type: typeOf(spec),
      ...(name === "help" ? { alias: "h" } : {}),
    }]),
  );
  const parsed = typeFlag(schema, [...words]);
  return {
    flags: parsed.flags as Record<string, unknown>,
    unknown: Object.keys(parsed.unknownFlags),
    args: [...parsed._],
  };
}

function typeOf(spec: FlagSpec): BooleanConstructor | StringConstructor | [StringConstructor] {
  if (spec.kind === "switch") return Boolean;
  return spec.kind === "list" ? [String] : String;
}

function checkedFlags(
  flags: Record<string, unknown>,
  specs: Readonly<Record<string, FlagSpec>>,
): FlagValues {
  const checked: Record<string, FlagValues[string]> = {};
  for (const [name, value] of Object.entries(flags)) {
    const kind = specs[name]?.kind;
    if (value === undefined || kind === undefined) continue;
    if (kind === "switch") checked[name] = value === true;
    else if (kind === "list") {
      checked[name] = (value as unknown[]).map((one) => givenText(name, String(one)));
    } else if (kind === "count") checked[name] = wholeNumber(name, String(value));
    else checked[name] = givenText(name, String(value));
  }
  return checked;
}

function givenText(name: string, value: string): string {
  if (value !== "") return value;
  throw usageError(`Cannot use ${flagName(name)}: it needs a value`);
}

function wholeNumber(name: string, value: string): number {
  if (/^\d+$/.test(value) && Number.isSafeInteger(Number(value))) return Number(value);
  throw usageError(
    `Cannot use ${flagName(name)}: it takes a whole number, not ${JSON.stringify(value)}`,
  );
}

async function refuseArguments(
  args: readonly string[],
  facts: { command: Command; rows: readonly CommandRow[] },
): Promise<void> {
  const { command, rows } = facts;
  if (command.usage !== "" || args.length === 0) return;
  if (wordsAfter(command.name, rows).length > 0) {
    throw await incomplete([command.name, ...args], rows);
  }
  throw usageError(
    `Cannot run kbdb ${command.name} ${args.join(" ")}: it takes no arguments. ` +
      `See: kbdb ${command.name} --help`,
  );
}

async function refuseUnknown(
  unknown: readonly string[],
  facts: { specs: Readonly<Record<string, FlagSpec>>; command: Command | null },
): Promise<void> {
  if (unknown.length === 0) return;
  const name = unknown[0].length === 1 ? `-${unknown[0]}` : flagName(unknown[0]);
  const { nearest } = await import("../rpc/nearest.ts");
  const near = nearest(name, Object.keys(facts.specs).map(flagName));
  const help = facts.command ? `kbdb ${facts.command.name} --help` : "kbdb --help";
  throw usageError(
    `Cannot use ${name}: unknown flag.` + (near ? ` Did you mean ${near}?` : "") +
      ` See: ${help}. Words that begin with - go after --`,
  );
}
