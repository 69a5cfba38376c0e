/**
 * Settings of a database, from `worker.toml`; every one has a default (D52). The table is all that
 * is known of them: kind, range and meaning, also for the reference.
 *
 * @module
 */

import { join } from "node:path";
import { parse, TomlError } from "smol-toml";
import { FileError, type Files } from "../platform/types.ts";
import { KbdbError } from "../rpc/errors.ts";
import { DEFAULT_REPLY_BYTES } from "../rpc/protocol.ts";

/** What a setting may be; its kind is that of its default. */
export interface SettingRow {
  readonly default: number | boolean;
  /** Numbers: whole ones only. @default {false} */
  readonly whole?: boolean;
  /** Numbers: the least. */
  readonly least?: number;
  /** Numbers: more than this. */
  readonly above?: number;
  /** Numbers: the most. */
  readonly most?: number;
  /** What it does, in one sentence. */
  readonly help: string;
}

/** All settings, by table and name. */
export const SETTINGS = {
  "worker.idle_seconds": {
    default: 600,
    above: 0,
    most: 1e9,
    help: "The daemon leaves after so many seconds without a call and without a subscription.",
  },
  "gc.grace_days": {
    default: 0,
    least: 0,
    most: 36_500,
    help: "Superseded and left-over sections are kept from gc for so many days.",
  },
  "gc.trash_days": {
    default: 30,
    least: 0,
    most: 36_500,
    help: "What was removed can be restored for so many days.",
  },
  "mcp.max_reply_bytes": {
    default: DEFAULT_REPLY_BYTES,
    whole: true,
    least: 4000,
    most: 1_000_000,
    help: "The most bytes of text in one reply to an MCP client.",
  },
  "log.enabled": {
    default: true,
    help: "Whether one line a call is written to worker/log.",
  },
  "log.max_bytes": {
    default: 1_048_576,
    whole: true,
    least: 10_000,
    most: 1_073_741_824,
    help: "The log is continued in a new file before it has more bytes than this.",
  },
  "log.files": {
    default: 3,
    whole: true,
    least: 1,
    most: 100,
    help: "So many files of the log are kept, the current one among them.",
  },
} as const satisfies Record<string, SettingRow>;

/** Name of a setting, such as `log.enabled`. */
export type SettingName = keyof typeof SETTINGS;

/** The value of every setting. */
export type Settings = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name]["default"] extends boolean ? boolean
    : number;
};

/** Settings, and what in the file was not understood. */
export interface LoadedSettings {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

/** Where nothing is set. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, row]) => [name, row.default]),
) as Settings;

/**
 * Reads the settings of a database.
 *
 * @throws {KbdbError} `bad_request` for a file or a value that cannot be used, naming the line
 */
export async function loadSettings(files: Files, root: string): Promise<LoadedSettings> {
  const text = readText(files, join(root, "worker.toml"));
  if (text === null) return { settings: DEFAULT_SETTINGS, warnings: [] };
  const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS };
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(flatten(parsed(text)))) {
    if (isKnown(name)) settings[name] = checked(name, { value, text });
    else warnings.push(await unknownSetting(name));
  }
  return { settings: settings as Settings, warnings };
}

function readText(files: Files, path: string): string | null {
  try {
    return new TextDecoder().decode(files.read(path));
  } catch (error) {
    if (error instanceof FileError && error.code === "not_found") return null;
    throw error;
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split("\n")[0];
    throw new KbdbError("bad_request", `Cannot use worker.toml, line ${error.line}: ${reason}`);
  }
}

/** `{worker: {idle_seconds: 1}}` as `{"worker.idle_seconds": 1}`. */
function flatten(table: Record<string, unknown>, prefix = ""): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(table)) {
    const isTable = typeof value === "object" && value !== null && !Array.isArray(value) &&
      !(value instanceof Date);
    if (isTable) Object.assign(flat, flatten(value as Record<string, unknown>, `${prefix}${key}.`));
    else flat[prefix + key] = value;
  }
  return flat;
}

function isKnown(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

function checked(name: SettingName, given: { value: unknown; text: string }): unknown {
  const { value, text } = given;
  const row: SettingRow = SETTINGS[name];
  if (typeof row.default === "boolean" ? typeof value === "boolean" : isInRange(value, row)) {
    return value;
  }
  throw new KbdbError(
    "bad_request",
    `Cannot use worker.toml, line ${lineOf(text, name)}: ` +
      `${name} must be ${expected(row)}, not ${shown(value)}`,
  );
}

function isInRange(value: unknown, row: SettingRow): boolean {
  const { least = -Infinity, above = -Infinity, most = Infinity, whole } = row;
  return typeof value === "number" && value >= least && value > above && value <= most &&
    (!whole || Number.isInteger(value));
}

/** `a whole number from 1 to 100`, also for the reference. */
export function expected(row: SettingRow): string {
  if (typeof row.default === "boolean") return "true or false";
  const kind = row.whole ? "a whole number" : "a number";
  return row.above === undefined
    ? `${kind} from ${row.least} to ${row.most}`
    : `${kind} above ${row.above}, at most ${row.most}`;
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : JSON.stringify(value).slice(0, 60);
}

async function unknownSetting(name: string): Promise<string> {
  // Only a mistake loads it.
  const { nearest } = await import("../rpc/nearest.ts");
  const names = Object.keys(SETTINGS);
  const near = nearest(name, names);
  const hint = near ? `Did you mean ${near}?` : `Known: ${names.join(", ")}`;
  return `worker.toml: unknown setting ${name}. ${hint}`;
}

/** The line that gives a setting its value, whether under its table or by its whole name. */
function lineOf(text: string, name: string): number {
  const [table, key] = name.split(".");
  const lines = text.split("\n");
  const spelled = new RegExp(`^\\s*(${table}\\b.*)?["']?\\b${key}["']?\\s*=`);
  const header = new RegExp(`^\\s*\\[\\s*["']?${table}["']?\\s*\\]`);
  const start = lines.findIndex((line) => header.test(line));
  const under = lines.findIndex((line, i) => i > start && spelled.test(line));
  return under + 1;
}
