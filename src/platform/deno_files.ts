/**
 * The file calls of Deno.
 *
 * @module
 */
import { nodeModule } from "./deno_node_modules.ts";
import { fileError } from "./file_errors.ts";
import type { FileCalls, OpenFile, OpenHow } from "./system_files.ts";
import type { DirEntry, FileInfo, FileKind } from "./types.ts";

const OPTIONS: Readonly<Record<OpenHow, Deno.OpenOptions>> = {
  read: { read: true },
  update: { write: true },
  create: { write: true, create: true, truncate: true, mode: 0o600 },
  create_new: { write: true, createNew: true, mode: 0o600 },
  append: { write: true, create: true, mode: 0o600 },
};

const WINDOWS = Deno.build.os === "windows";

/** The file calls of Deno; needs `--allow-read` and `--allow-write` for the paths given. */
export const denoFileCalls: FileCalls = {
  windows: WINDOWS,
  readFile: (path) => Deno.readFileSync(path),
  open: (path, how) => new DenoFile(path, how),
  rename: (from, to) => Deno.renameSync(from, to),
  unlink,
  removeTree: (path) => Deno.removeSync(path, { recursive: true }),
  makeDirs: (path) => Deno.mkdirSync(path, { recursive: true, mode: 0o700 }),
  readDir: (path) => Array.from(Deno.readDirSync(path), toEntry),
  stat: (path) => toInfo(Deno.statSync(path)),
  lstat: (path) => toInfo(Deno.lstatSync(path)),
  // Deno's own calls answer with an error, which takes six times as long.
  exists: (path) => nodeModule("node:fs").existsSync(path),
  realPath: (path) => Deno.realPathSync(path),
  chmod: (path, mode) => Deno.chmodSync(path, mode),
};

class DenoFile implements OpenFile {
  readonly #path: string;
  readonly #file: Deno.FsFile;
  #forSync: Deno.FsFile | undefined;

  constructor(path: string, how: OpenHow) {
    this.#path = path;
    this.#file = Deno.openSync(path, OPTIONS[how]);
    // Deno refuses to write to a file while it is being flushed, so an append file that is written
    // to meanwhile is flushed through a second descriptor; the system flushes the file, not that.
    if (how === "append") this.#forSync = this.#openForSync();
  }

  size(): number {
    return this.#file.statSync().size;
  }

  readAt(buffer: Uint8Array, offset: number): number {
    this.#file.seekSync(offset, Deno.SeekMode.Start);
    return this.#file.readSync(buffer) ?? 0;
  }

  writeAt(data: Uint8Array, offset: number): number {
    this.#file.seekSync(offset, Deno.SeekMode.Start);
    return this.#file.writeSync(data);
  }

  truncate(size: number): void {
    this.#file.truncateSync(size);
  }

  sync(): Promise<void> {
    return this.#forSync ? this.#forSync.syncData() : this.#file.sync();
  }

  close(): void {
    this.#file.close();
    this.#forSync?.close();
  }

  #openForSync(): Deno.FsFile {
    try {
      return Deno.openSync(this.#path, OPTIONS.update);
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }
}

function unlink(path: string): void {
  // Deno removes empty folders with the same call.
  if (Deno.lstatSync(path).isDirectory) throw fileError("is_directory", { action: "remove", path });
  Deno.removeSync(path);
}

function toEntry(entry: Deno.DirEntry): DirEntry {
  return { name: entry.name, kind: kindOf(entry) };
}

function toInfo(info: Deno.FileInfo): FileInfo {
  return {
    kind: kindOf(info),
    size: info.size,
    modifiedMs: info.mtime?.getTime() ?? 0,
    changedMs: info.ctime?.getTime() ?? 0,
    mode: WINDOWS || info.mode === null ? null : info.mode & 0o7777,
    uid: WINDOWS ? null : info.uid,
    identity: WINDOWS || info.ino === null ? null : `${info.dev}:${info.ino}`,
  };
}

function kindOf(of: { isFile: boolean; isDirectory: boolean; isSymlink: boolean }): FileKind {
  if (of.isSymlink) return "symlink";
  if (of.isDirectory) return "directory";
  return of.isFile ? "file" : "other";
}
