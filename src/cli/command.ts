/**
 * What a command is: its arguments, flags, help and action.
 *
 * @module
 */

import type { Client } from "../client/client.ts";
import type { Platform } from "../platform/types.ts";
import { KbdbError } from "../rpc/errors.ts";
import type { Output } from "./output.ts";

/** A flag of a command. */
export interface FlagSpec {
  /** `list` may be given several times. */
  readonly kind: "switch" | "text" | "count" | "list";
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly help: string;
}

/** Flags as given: switches are booleans, counts are numbers. */
export type FlagValues = Readonly<Record<string, boolean | string | number | string[] | undefined>>;

/** The MCP server, as the door hands it over. */
export interface McpDoor {
  /** Serves the named database until the input ends. */
  serve(path: string): Promise<void>;
  /** What it tells the model of the host. */
  instructions(path: string): string;
}

/** What a command runs with. */
export interface CommandContext {
  readonly platform: Platform;
  /** Words after the command's name. */
  readonly args: readonly string[];
  readonly flags: FlagValues;
  readonly output: Output;
  /** The client of the database that the command line means; opened on first use. */
  client(): Client;
  /** Folder of that database. */
  databasePath(): string;
  /** Loads the MCP server. */
  mcp(): Promise<McpDoor>;
  /** Makes a new database. */
  create(options: { path: string; name?: string }): Promise<void>;
}

/** What a command does and how its help explains it; loaded when the command is named. */
export interface CommandBody {
  /** Arguments as the usage line shows them; empty where it takes none. */
  readonly usage: string;
  /** What the help says beyond the summary. */
  readonly details?: string;
  readonly flags: Readonly<Record<string, FlagSpec>>;
  /** Command lines with what they do. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Resolves to the exit code. */
  run(context: CommandContext): Promise<number>;
}

/** A row of the table of commands: what is known of a command before its file is loaded. */
export interface CommandRow {
  /** One word or two. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Loads the rest. */
  load(): Promise<CommandBody>;
}

/** A command as a whole. */
export type Command = Omit<CommandRow, "load"> & CommandBody;

/** Loads the file of a command. */
export async function loadCommand({ name, summary, load }: CommandRow): Promise<Command> {
  return { name, summary, ...(await load()) };
}

/** Exit codes (D35); those of failures come from their error codes. */
export const EXIT = { ok: 0, failure: 1, usage: 2, notFound: 3, checkFailed: 4, interrupted: 130 };

/** A flag's text, if it was given. */
export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}

/**
 * A flag's text.
 *
 * @throws {KbdbError} `bad_request` if it was not given
 */
export function neededFlag(flags: FlagValues, name: string): string {
  const text = textFlag(flags, name);
  if (text === undefined) throw usageError(`Cannot go on without --${name}: it is needed`);
  return text;
}

/** A flag's number, if it was given. */
export function countFlag(flags: FlagValues, name: string): number | undefined {
  const value = flags[name];
  return typeof value === "number" ? value : undefined;
}

/** A flag's values, if it was given. */
export function listFlag(flags: FlagValues, name: string): string[] | undefined {
  const value = flags[name];
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

/** Tags, which may be given in several flags and several in one, separated by commas. */
export function tagsFlag(flags: FlagValues): string[] | undefined {
  return listFlag(flags, "tag")?.flatMap((list) => list.split(","));
}

/** The flags that were given of those that are called like a parameter of the request. */
export function given<T>(flags: FlagValues, names: readonly (keyof T & string)[]): Partial<T> {
  const found = names.filter((name) => isGiven(flags[name]));
  return Object.fromEntries(found.map((name) => [name, flags[name]])) as Partial<T>;
}

function isGiven(value: FlagValues[string]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/** A mistake on the command line; ends with exit code 2. */
export function usageError(message: string): KbdbError {
  return new KbdbError("bad_request", message);
}
