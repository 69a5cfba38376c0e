/**
 * The file layer over the few calls in which the runtimes differ.
 *
 * @module
 */
import { basename, dirname, join } from "node:path";
import { toFileError } from "./file_errors.ts";
import { randomName } from "./random_name.ts";
import { retrySharing } from "./retry.ts";
import type { AppendFile, DirEntry, FileInfo, Files } from "./types.ts";

/**
 * How a file is opened: `create` empties what is there, `create_new` fails with it, `append` keeps
 * it; `update` is for writing to what must be there.
 */
export type OpenHow = "read" | "update" | "create" | "create_new" | "append";

/** An open file of a runtime. Errors are the runtime's own. */
export interface OpenFile {
  size(): number;
  /** Bytes read, 0 at the end. */
  readAt(buffer: Uint8Array, offset: number): number;
  /** Bytes written, maybe fewer than given. */
  writeAt(data: Uint8Array, offset: number): number;
  truncate(size: number): void;
  /** Must not hinder writes that happen meanwhile. */
  sync(): Promise<void>;
  close(): void;
}

/** The file calls of a runtime. Errors are the runtime's own. */
export interface FileCalls {
  readonly windows: boolean;
  readFile(path: string): Uint8Array;
  open(path: string, how: OpenHow): OpenFile;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  removeTree(path: string): void;
  makeDirs(path: string): void;
  readDir(path: string): DirEntry[];
  stat(path: string): FileInfo;
  lstat(path: string): FileInfo;
  exists(path: string): boolean;
  realPath(path: string): string;
  chmod(path: string, mode: number): void;
}

/** {@linkcode Files} of the machine. */
export class SystemFiles implements Files {
  readonly #calls: FileCalls;

  constructor(calls: FileCalls) {
    this.#calls = calls;
  }

  read(path: string): Uint8Array {
    return attempt("read", path, () => this.#calls.readFile(path));
  }

  readPart(path: string, range: { offset: number; length: number }): Uint8Array {
    return this.#reading(path, (file) => readRange(file, range));
  }

  readInto(path: string, place: { offset: number; buffer: Uint8Array }): number {
    return this.#reading(path, (file) => fill(file, place));
  }

  write(path: string, data: Uint8Array, options: { exclusive?: boolean } = {}): void {
    attempt("write", path, () => {
      const file = this.#calls.open(path, options.exclusive ? "create_new" : "create");
      try {
        writeAll(file, data, 0);
      } finally {
        file.close();
      }
    });
  }

  replace(path: string, data: Uint8Array): void {
    const temporary = temporaryName(path);
    try {
      this.write(temporary, data, { exclusive: true });
      this.rename(temporary, path);
    } catch (error) {
      this.#forget(temporary);
      throw renamed(error, path);
    }
  }

  async replaceDurably(path: string, data: Uint8Array): Promise<void> {
    const temporary = temporaryName(path);
    try {
      await this.#writeFlushed(temporary, data);
      this.rename(temporary, path);
    } catch (error) {
      this.#forget(temporary);
      throw renamed(error, path);
    }
    await this.flush(dirname(path));
  }

  openAppend(path: string): AppendFile {
    return attempt(
      "open",
      path,
      () => new SystemAppendFile(path, this.#calls.open(path, "append")),
    );
  }

  rename(from: string, to: string): void {
    this.#patiently(() => attempt("rename", from, () => this.#calls.rename(from, to)));
  }

  remove(path: string): void {
    this.#patiently(() => attempt("remove", path, () => this.#calls.unlink(path)));
  }

  removeTree(path: string): void {
    try {
      this.#patiently(() => attempt("remove", path, () => this.#calls.removeTree(path)));
    } catch (error) {
      if (toFileError(error, { action: "remove", path }).code !== "not_found") throw error;
    }
  }

  makeDir(path: string): void {
    attempt("create", path, () => this.#calls.makeDirs(path));
  }

  list(path: string): DirEntry[] {
    const entries = attempt("list", path, () => this.#calls.readDir(path));
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  stat(path: string): FileInfo {
    return attempt("read", path, () => this.#calls.stat(path));
  }

  lstat(path: string): FileInfo {
    return attempt("read", path, () => this.#calls.lstat(path));
  }

  exists(path: string): boolean {
    return this.#calls.exists(path);
  }

  realPath(path: string): string {
    return attempt("resolve", path, () => this.#calls.realPath(path));
  }

  setMode(path: string, mode: number): void {
    attempt("set the mode of", path, () => this.#calls.chmod(path, mode));
  }

  async flush(path: string): Promise<void> {
    const { windows } = this.#calls;
    // Windows has no way to flush a folder, and flushes a file only if it is open for writing.
    if (windows && this.stat(path).kind === "directory") return;
    const file = attempt("flush", path, () => this.#calls.open(path, windows ? "update" : "read"));
    await syncAndClose(file, path);
  }

  #reading<T>(path: string, read: (file: OpenFile) => T): T {
    return attempt("read", path, () => {
      const file = this.#calls.open(path, "read");
      try {
        return read(file);
      } finally {
        file.close();
      }
    });
  }

  async #writeFlushed(path: string, data: Uint8Array): Promise<void> {
    const file = attempt("write", path, () => this.#calls.open(path, "create_new"));
    try {
      attempt("write", path, () => writeAll(file, data, 0));
    } catch (error) {
      file.close();
      throw error;
    }
    await syncAndClose(file, path);
  }

  #patiently(action: () => void): void {
    if (this.#calls.windows) retrySharing(action);
    else action();
  }

  #forget(path: string): void {
    try {
      this.#calls.unlink(path);
    } catch {
      // It was never created, or the disk is failing: the first error is the one to tell.
    }
  }
}

class SystemAppendFile implements AppendFile {
  readonly #path: string;
  readonly #file: OpenFile;
  #size: number;
  #open = true;

  constructor(path: string, file: OpenFile) {
    this.#path = path;
    this.#file = file;
    this.#size = file.size();
  }

  get size(): number {
    return this.#size;
  }

  write(data: Uint8Array): void {
    attempt("write", this.#path, () => writeAll(this.#file, data, this.#size));
    this.#size += data.length;
  }

  async flush(): Promise<void> {
    try {
      await this.#file.sync();
    } catch (error) {
      throw toFileError(error, { action: "flush", path: this.#path });
    }
  }

  truncate(size: number): void {
    attempt("cut", this.#path, () => this.#file.truncate(size));
    this.#size = size;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#file.close();
  }
}

function attempt<T>(action: string, path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw toFileError(error, { action, path });
  }
}

/** The failure of a temporary file, told of the file it was for. */
function renamed(error: unknown, path: string): unknown {
  const cause = (error as { cause?: unknown }).cause;
  return cause === undefined ? error : toFileError(cause, { action: "write", path });
}

async function syncAndClose(file: OpenFile, path: string): Promise<void> {
  try {
    await file.sync();
  } catch (error) {
    throw toFileError(error, { action: "flush", path });
  } finally {
    file.close();
  }
}

function readRange(file: OpenFile, range: { offset: number; length: number }): Uint8Array {
  const { offset, length } = range;
  const available = Math.max(0, file.size() - offset);
  const buffer = new Uint8Array(Math.min(length, available));
  return buffer.subarray(0, fill(file, { offset, buffer }));
}

function fill(file: OpenFile, place: { offset: number; buffer: Uint8Array }): number {
  const { offset, buffer } = place;
  let filled = 0;
  while (filled < buffer.length) {
    const count = file.readAt(buffer.subarray(filled), offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

function writeAll(file: OpenFile, data: Uint8Array, offset: number): void {
  let written = 0;
  while (written < data.length) {
    written += file.writeAt(data.subarray(written), offset + written);
  }
}

function temporaryName(path: string): string {
  // A name may already be as long as the file system allows, hence the cut.
  const name = [...basename(path)].slice(0, 40).join("");
  return join(dirname(path), `.${name}.${randomName(12)}.tmp`);
}
