/**
 * Settings of a database's daemon, from `worker.toml`; every one has a default (D52).
 *
 * @module
 */

import { join } from "node:path";
import { parse, TomlError } from "smol-toml";
import { FileError, type Files } from "../platform/types.ts";
import { KbdbError } from "../rpc/errors.ts";

/** What `worker.toml` may set. */
export interface Settings {
  /** Seconds without a call after which the daemon leaves. @default {600} */
  readonly idleSeconds: number;
}

/** Settings, and what in the file was not understood. */
export interface LoadedSettings {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

const DEFAULTS: Settings = { idleSeconds: 600 };
const KNOWN_KEYS = ["worker.idle_seconds"];

/**
 * Reads the settings of a database.
 *
 * @throws {KbdbError} `bad_request` for a file or a value that cannot be used, naming the line
 */
export function loadSettings(files: Files, root: string): LoadedSettings {
  const text = readText(files, join(root, "worker.toml"));
  if (text === null) return { settings: DEFAULTS, warnings: [] };
  const values = flatten(parsed(text));
  const warnings = Object.keys(values).filter((key) => !KNOWN_KEYS.includes(key))
    .map((key) => `worker.toml: unknown setting ${key}. Known: ${KNOWN_KEYS.join(", ")}`);
  const idle = values["worker.idle_seconds"] ?? DEFAULTS.idleSeconds;
  if (typeof idle !== "number" || !(idle > 0)) {
    throw new KbdbError(
      "bad_request",
      `Cannot use worker.toml, line ${lineOf(text, "idle_seconds")}: ` +
        `worker.idle_seconds must be a number above 0, not ${JSON.stringify(idle)}`,
    );
  }
  return { settings: { idleSeconds: idle }, warnings };
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

function lineOf(text: string, key: string): number {
  const named = new RegExp(`^[^#]*\\b${key}\\b`);
  return text.split("\n").findIndex((line) => named.test(line)) + 1;
}
