/**
 * From the words of a command line to a command with its flags.
 *
 * @module
 */

import { typeFlag } from "type-flag";
import type { KbdbError } from "../rpc/errors.ts";
import { type Command, type FlagSpec, type FlagValues, usageError } from "./command.ts";

/** Flags that every command takes. */
export const GLOBAL_FLAGS: Readonly<Record<string, FlagSpec>> = {
  db: {
    kind: "text",
    value: "PATH",
    help: "Folder of the database (else KBDB_DIR, else the nearest .kbdb upwards)",
  },
  json: { kind: "switch", help: "Print JSON; the same as --format json" },
  format: { kind: "text", value: "FORMAT", help: "text or json" },
  quiet: { kind: "switch", help: "Print nothing but results and errors" },
  noColor: { kind: "switch", help: "No colours; NO_COLOR in the environment does the same" },
  noDaemon: { kind: "switch", help: "Open the database in this process instead of its daemon" },
  help: { kind: "switch", help: "Show help; -h does the same" },
  version: { kind: "switch", help: "Show the version" },
};

/** A command line, understood. */
export type ParsedLine =
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly command: Command | null }
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
  commands: readonly Command[],
): Promise<ParsedLine> {
  const { command, rest, before } = findCommand(words, commands);
  if (command === null) return await withoutCommand(words, commands);
  const asksHelp = words[0] === "help";
  const specs = { ...GLOBAL_FLAGS, ...command.flags };
  const parsed = parseFlags([...before, ...rest], specs);
  if (asksHelp || parsed.flags.help) return { kind: "help", command };
  if (parsed.flags.version) return { kind: "version" };
  await refuseUnknown(parsed.unknown, { specs, command });
  refuseArguments(parsed.args, command);
  return { kind: "run", command, args: parsed.args, flags: checkedFlags(parsed.flags, specs) };
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

/** Finds a command of one or two words, skipping flags that stand before it. */
function findCommand(
  words: readonly string[],
  commands: readonly Command[],
): { command: Command | null; rest: readonly string[]; before: readonly string[] } {
  const start = words[0] === "help" ? 1 : 0;
  const at = firstWord(words, start);
  for (const length of [2, 1]) {
    const name = words.slice(at, at + length).join(" ");
    const command = commands.find((command) => command.name === name);
    if (command) {
      return { command, rest: words.slice(at + length), before: words.slice(start, at) };
    }
  }
  return { command: null, rest: [], before: [] };
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
  commands: readonly Command[],
): Promise<ParsedLine> {
  const start = words[0] === "help" ? 1 : 0;
  const at = firstWord(words, start);
  const word = words[at];
  const { flags, unknown } = parseFlags(words.slice(start, at), GLOBAL_FLAGS);
  await refuseUnknown(unknown, { specs: GLOBAL_FLAGS, command: null });
  if (word === undefined) {
    return flags.version ? { kind: "version" } : { kind: "help", command: null };
  }
  const isGroup = commands.some((command) => command.name.startsWith(`${word} `));
  if (word === "help" || (start === 1 && isGroup)) return { kind: "help", command: null };
  throw isGroup ? incomplete(words.slice(at), commands) : await unknownCommand(word, commands);
}

/** The first word is that of a group of commands, the second is missing or wrong. */
function incomplete([group, word]: readonly string[], commands: readonly Command[]): KbdbError {
  const names = commands.filter((command) => command.name.startsWith(`${group} `))
    .map((command) => `kbdb ${command.name}`).join(", ");
  const state = word === undefined
    ? `kbdb ${group}: a word is missing`
    : `kbdb ${group} ${word}: unknown command`;
  return usageError(`Cannot run ${state}. Choose: ${names}`);
}

async function unknownCommand(word: string, commands: readonly Command[]): Promise<KbdbError> {
  const names = commands.map((command) => command.name);
  const { nearest } = await import("./nearest.ts");
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

function refuseArguments(args: readonly string[], command: Command): void {
  if (command.usage !== "" || args.length === 0) return;
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
  const { nearest } = await import("./nearest.ts");
  const near = nearest(name, Object.keys(facts.specs).map(flagName));
  const help = facts.command ? `kbdb ${facts.command.name} --help` : "kbdb --help";
  throw usageError(
    `Cannot use ${name}: unknown flag.` + (near ? ` Did you mean ${near}?` : "") +
      ` See: ${help}. Words that begin with - go after --`,
  );
}
