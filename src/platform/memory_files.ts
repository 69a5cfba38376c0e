/**
 * Files in memory, for tests of what lies above: no disk, failures on demand, and power cuts.
 *
 * @module
 */
import { basename, dirname, resolve } from "node:path/posix";
import { fileError } from "./file_errors.ts";
import {
  addFile,
  appendData,
  checkReplaces,
  flushNode,
  type MemoryFile,
  type MemoryFolder,
  type MemoryNode,
  newFolder,
  powerCut,
  removeEntry,
  setData,
  setEntry,
} from "./memory_nodes.ts";
import type { AppendFile, DirEntry, FileErrorCode, FileInfo, Files } from "./types.ts";

/** A changing call: what it does (`write`, `flush`, `rename`, `remove`, ...) to which path. */
export interface FileChange {
  readonly action: string;
  readonly path: string;
}

/** How a {@linkcode MemoryFiles.crash} leaves what was not flushed. */
export interface CrashOptions {
  /**
   * Bytes of an unflushed tail that reached the disk all the same: a torn last write.
   * @default {0}
   */
  readonly tornBytes?: number;
}

/**
 * {@linkcode Files} in memory, with Unix paths. It is strict about power cuts: a file's content
 * survives once the file was flushed, its name once the folder was. There are no links.
 *
 * @example A name that was never flushed
 * ```ts
 * import assert from "node:assert/strict";
 * import { MemoryFiles } from "./memory_files.ts";
 *
 * const files = new MemoryFiles();
 * files.write("/note", new Uint8Array(3));
 * files.crash();
 * assert.deepEqual(files.list("/"), []);
 * ```
 */
export class MemoryFiles implements Files {
  readonly #root = newFolder();
  #failures: Exclude<FileErrorCode, "other">[] = [];

  /**
   * Called before each changing call, which fails with whatever this throws. A write that fails so
   * leaves half of its data behind.
   */
  beforeChange: ((change: FileChange) => void) | undefined;

  /** Makes the next changing calls fail, each with one of `codes` in turn. */
  failNext(...codes: readonly Exclude<FileErrorCode, "other">[]): void {
    this.#failures.push(...codes);
  }

  /** A power cut: everything that was not flushed is lost. Files that are open must not be used. */
  crash(options: CrashOptions = {}): void {
    this.#failures = [];
    powerCut(this.#root, options.tornBytes ?? 0);
  }

  read(path: string): Uint8Array {
    return this.#file({ action: "read", path }).data.slice();
  }

  readPart(path: string, range: { offset: number; length: number }): Uint8Array {
    const { data } = this.#file({ action: "read", path });
    return data.slice(range.offset, range.offset + range.length);
  }

  readInto(path: string, place: { offset: number; buffer: Uint8Array }): number {
    const { offset, buffer } = place;
    const part = this.readPart(path, { offset, length: buffer.length });
    buffer.set(part);
    return part.length;
  }

  write(path: string, data: Uint8Array, options: { exclusive?: boolean } = {}): void {
    const change = { action: "write", path };
    const folder = this.#parent(change);
    const there = folder.entries.get(nameOf(path));
    if (there && options.exclusive) throw fileError("exists", change);
    if (there?.kind === "directory") throw fileError("is_directory", change);
    const leaveHalf = () =>
      setData(there ?? addFile(folder, nameOf(path)), data.subarray(0, data.length >> 1));
    this.#allow(change, leaveHalf);
    setData(there ?? addFile(folder, nameOf(path)), data);
  }

  replace(path: string, data: Uint8Array): void {
    const change = { action: "write", path };
    const folder = this.#parent(change);
    if (folder.entries.get(nameOf(path))?.kind === "directory") {
      throw fileError("is_directory", change);
    }
    this.#allow(change);
    setData(addFile(folder, nameOf(path)), data);
  }

  async replaceDurably(path: string, data: Uint8Array): Promise<void> {
    await turn();
    this.#allow({ action: "flush", path });
    this.replace(path, data);
    flushNode(this.#node({ action: "flush", path }));
    await this.flush(dirname(resolve("/", path)));
  }

  openAppend(path: string): AppendFile {
    const change = { action: "open", path };
    const folder = this.#parent(change);
    const there = folder.entries.get(nameOf(path));
    if (there?.kind === "directory") throw fileError("is_directory", change);
    if (!there) this.#allow(change);
    return this.#appendFile(path, there ?? addFile(folder, nameOf(path)));
  }

  rename(from: string, to: string): void {
    const change = { action: "rename", path: from };
    const node = this.#node(change);
    const target = this.#parent({ action: "rename", path: to });
    const there = target.entries.get(nameOf(to));
    if (there === node) return;
    checkReplaces({ node, there }, change);
    this.#allow(change);
    removeEntry(this.#parent(change), nameOf(from));
    setEntry(target, nameOf(to), node);
  }

  remove(path: string): void {
    const change = { action: "remove", path };
    this.#file(change);
    this.#allow(change);
    removeEntry(this.#parent(change), nameOf(path));
  }

  removeTree(path: string): void {
    const change = { action: "remove", path };
    if (!this.#find(change)) return;
    this.#allow(change);
    removeEntry(this.#parent(change), nameOf(path));
  }

  makeDir(path: string): void {
    const change = { action: "create", path };
    let folder = this.#root;
    for (const name of namesOf(path)) {
      let next = folder.entries.get(name);
      if (next?.kind === "file") {
        const last = this.#find(change) === next;
        throw fileError(last ? "exists" : "not_directory", change);
      }
      if (!next) {
        this.#allow(change);
        setEntry(folder, name, next = newFolder());
      }
      folder = next;
    }
  }

  list(path: string): DirEntry[] {
    const folder = this.#node({ action: "list", path });
    if (folder.kind === "file") throw fileError("not_directory", { action: "list", path });
    const entries = Array.from(folder.entries, ([name, { kind }]) => ({ name, kind }));
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  stat(path: string): FileInfo {
    const node = this.#node({ action: "read", path });
    const size = node.kind === "file" ? node.data.length : 0;
    const { kind, modifiedMs, mode } = node;
    // Nobody here sets times back, so one is enough.
    const changedMs = modifiedMs;
    return { kind, size, modifiedMs, changedMs, mode, uid: 0, identity: identityOf(node) };
  }

  lstat(path: string): FileInfo {
    return this.stat(path);
  }

  exists(path: string): boolean {
    try {
      return this.stat(path) !== null;
    } catch {
      return false;
    }
  }

  realPath(path: string): string {
    this.#node({ action: "resolve", path });
    return resolve("/", path);
  }

  setMode(path: string, mode: number): void {
    this.#node({ action: "set the mode of", path }).mode = mode;
  }

  async flush(path: string): Promise<void> {
    const node = this.#node({ action: "flush", path });
    await turn();
    this.#allow({ action: "flush", path });
    flushNode(node);
  }

  #appendFile(path: string, file: MemoryFile): AppendFile {
    return {
      get size(): number {
        return file.data.length;
      },
      write: (data) => {
        const leaveHalf = () => appendData(file, data.subarray(0, data.length >> 1));
        this.#allow({ action: "write", path }, leaveHalf);
        appendData(file, data);
      },
      flush: async () => {
        await turn();
        this.#allow({ action: "flush", path });
        flushNode(file);
      },
      truncate: (size) => {
        this.#allow({ action: "cut", path });
        setData(file, file.data.subarray(0, size));
      },
      close: () => {},
    };
  }

  #allow(change: FileChange, leave: () => void = () => {}): void {
    try {
      this.beforeChange?.(change);
      const code = this.#failures.shift();
      if (code) throw fileError(code, change);
    } catch (error) {
      leave();
      throw error;
    }
  }

  #find(change: FileChange, path: string = change.path): MemoryNode | undefined {
    let node: MemoryNode | undefined = this.#root;
    for (const name of namesOf(path)) {
      if (node?.kind === "file") throw fileError("not_directory", change);
      node = node?.entries.get(name);
    }
    return node;
  }

  #node(change: FileChange): MemoryNode {
    const found = this.#find(change);
    if (!found) throw fileError("not_found", change);
    return found;
  }

  #file(change: FileChange): MemoryFile {
    const node = this.#node(change);
    if (node.kind === "directory") throw fileError("is_directory", change);
    return node;
  }

  #parent(change: FileChange): MemoryFolder {
    const node = this.#find(change, dirname(resolve("/", change.path)));
    if (!node) throw fileError("not_found", change);
    if (node.kind === "file") throw fileError("not_directory", change);
    return node;
  }
}

function nameOf(path: string): string {
  return basename(resolve("/", path));
}

function namesOf(path: string): string[] {
  return resolve("/", path).split("/").filter((name) => name !== "");
}

/** Lets others run, as a real flush does. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

const identities = new WeakMap<MemoryNode, string>();
let nodesSeen = 0;

function identityOf(node: MemoryNode): string {
  const known = identities.get(node) ?? `memory:${++nodesSeen}`;
  identities.set(node, known);
  return known;
}
