/**
 * What a command is: one table row gives its arguments, flags, help and action.
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
  /** Makes a new database. */
  create(options: { path: string; name?: string }): Promise<void>;
}

/** A command. */
export interface Command {
  readonly name: string;
  /** Arguments as the usage line shows them. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What the help says beyond the summary. */
  readonly details?: string;
  readonly flags: Readonly<Record<string, FlagSpec>>;
  /** Command lines with what they do. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Resolves to the exit code. */
  run(context: CommandContext): Promise<number>;
}

/** Exit codes (D35); those of failures come from their error codes. */
export const EXIT = { ok: 0, failure: 1, usage: 2, notFound: 3, checkFailed: 4, interrupted: 130 };

/** A flag's text, if it was given. */
export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
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

/** A mistake on the command line; ends with exit code 2. */
export function usageError(message: string): KbdbError {
  return new KbdbError("bad_request", message);
}
