/**
 * The log of a database: one line a call, and never a content, a query or a path (D37). No call waits
 * for it and none fails because of it: lines are made and written in batches, some time after the
 * answer has gone out.
 *
 * ```
 * 2026-11-30T12:00:00.000Z method=search db=notes items=20 bytes=27 ms=0.4 outcome=ok args=3b0c44298fc1
 * ```
 *
 * @module
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { join } from "node:path";
import { removeIfThere } from "../platform/if_there.ts";
import { FileError, type Files } from "../platform/types.ts";
import { joinBytes } from "../rpc/framing.ts";
import type { LearnResult } from "../rpc/writing.ts";

/** Where the log lies and how long it grows. */
export interface CallLogOptions {
  readonly folder: string;
  /** A file has at most so many bytes. */
  readonly maxBytes: number;
  /** So many files are kept: `log`, `log.1` and so on, the newest first. */
  readonly files: number;
  /** Whether the folder is still this process's own. */
  isHeld(): boolean;
}

/** A call that was answered. */
export interface LoggedCall {
  readonly method: string;
  /** Name of the database. */
  readonly database: string;
  readonly params: object;
  /** Things that were given or found. */
  readonly items: number;
  readonly ms: number;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
}

const NAME = "log";
/** Lines wait so long for others. */
const WRITE_MS = 100;
/** More lines than this do not wait, so that writing them takes no time that a call would notice. */
const BATCH_LINES = 64;
/** The digest covers so much of the arguments: that of a large batch must not cost its hashing. */
const DIGEST_CHARACTERS = 65_536;

const encoder = new TextEncoder();

/** Writes one line a call. */
export class CallLog {
  #waiting: (() => string)[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #soon = false;
  #fault: string | null = null;

  constructor(private readonly files: Files, private readonly options: CallLogOptions) {}

  /** Why nothing is written, or `null` where it is. */
  get fault(): string | null {
    return this.#fault;
  }

  /** Logs a call. */
  call(call: LoggedCall): void {
    const at = now();
    this.#add(() => callLine(at, call));
  }

  /** Logs what is no call: a word, then names and values. */
  event(word: string, facts: Readonly<Record<string, string | number>>): void {
    const line = `${now()} ${word} ${pairs(facts)}`;
    this.#add(() => line);
  }

  /** Writes what waits; never throws. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#soon = false;
    const waiting = this.#waiting.splice(0);
    if (waiting.length === 0) return;
    try {
      // A folder that was removed or replaced gets nothing more from here.
      if (this.options.isHeld()) this.#write(waiting.map((line) => encoder.encode(`${line()}\n`)));
      this.#fault = null;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#fault = `The log is not written: ${reason}. Calls are served without it.`;
    }
  }

  #add(line: () => string): void {
    this.#waiting.push(line);
    const soon = this.#waiting.length >= BATCH_LINES;
    if (this.#timer !== null && this.#soon === soon) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#soon = soon;
    this.#timer = setTimeout(() => this.flush(), soon ? 0 : WRITE_MS);
  }

  #write(lines: readonly Uint8Array[]): void {
    for (let done = 0; done < lines.length;) {
      done += this.#append(lines.slice(done));
      if (done < lines.length) this.#rotate();
    }
  }

  /** Appends the lines that fit, at least one to an empty file; how many it appended. */
  #append(lines: readonly Uint8Array[]): number {
    const { files, path } = this;
    refuseLink(files, path);
    const file = files.openAppend(path);
    const { size } = file;
    try {
      const count = fitting(lines, { size, maxBytes: this.options.maxBytes });
      if (count > 0) file.write(joinBytes(lines.slice(0, count), bytesOf(lines, count)));
      return count;
    } catch (error) {
      // Half a line would spoil the next one.
      file.truncate(size);
      throw error;
    } finally {
      file.close();
    }
  }

  #rotate(): void {
    const { files, path, options } = this;
    const numbered = (number: number) => number === 0 ? path : `${path}.${number}`;
    for (const number of [...logNumbers(files, options.folder), 0]) {
      if (number + 1 >= options.files) removeIfThere(files, numbered(number));
      else files.rename(numbered(number), numbered(number + 1));
    }
  }

  get path(): string {
    return join(this.options.folder, NAME);
  }
}

/** How many things a call was about: those that it named, else those that it found. */
export function countItems(params: object, result: unknown): number {
  const named = Object.entries(params).find(([name]) => /^(items|kbids|ids)$/.test(name))?.[1];
  const found = Object.values(result ?? {}).find(Array.isArray);
  const items = Array.isArray(named) ? named : found;
  return items?.length ?? 0;
}

/** `ok`, or why the first of several contents was refused. */
export function outcomeOf(result: unknown): string {
  const { results = [] } = result as Partial<LearnResult>;
  for (const item of results) if (!item.ok) return item.error.code;
  return "ok";
}

function now(): string {
  return new Date().toISOString();
}

function callLine(at: string, call: LoggedCall): string {
  const { method, database, params, items, ms, outcome } = call;
  // The key is another one each time; without it equal calls have equal digests.
  const { key: _, ...args } = params as { key?: unknown };
  const json = JSON.stringify(args);
  const digest = sha256(encoder.encode(json.slice(0, DIGEST_CHARACTERS)));
  const facts = pairs({
    method,
    db: database,
    items,
    bytes: encoder.encode(json).length,
    ms: Math.round(ms * 10) / 10,
    outcome,
    args: bytesToHex(digest).slice(0, 12),
  });
  return `${at} ${facts}`;
}

/** `name=value name="other value"`. */
function pairs(facts: Readonly<Record<string, string | number>>): string {
  return Object.entries(facts).map(([name, value]) => {
    const text = String(value);
    return `${name}=${/^[\w.:+-]+$/.test(text) ? text : JSON.stringify(text)}`;
  }).join(" ");
}

function bytesOf(lines: readonly Uint8Array[], count: number): number {
  return lines.slice(0, count).reduce((sum, line) => sum + line.length, 0);
}

function fitting(
  lines: readonly Uint8Array[],
  file: { size: number; maxBytes: number },
): number {
  let { size } = file;
  const full = lines.findIndex((line) => (size += line.length) > file.maxBytes);
  if (full < 0) return lines.length;
  return full === 0 && file.size === 0 ? 1 : full;
}

/** A link in a folder that came from elsewhere must not lead the log to another file. */
function refuseLink(files: Files, path: string): void {
  try {
    if (files.lstat(path).kind === "file") return;
  } catch (error) {
    if (error instanceof FileError && error.code === "not_found") return;
    throw error;
  }
  throw new Error(`${path} is no plain file. Remove it`);
}

/** Numbers of the older files, the oldest first. */
function logNumbers(files: Files, folder: string): number[] {
  return files.list(folder)
    .map(({ name }) => /^log\.([1-9]\d{0,8})$/.exec(name)?.[1])
    .filter((number) => number !== undefined)
    .map(Number)
    .sort((a, b) => b - a);
}
