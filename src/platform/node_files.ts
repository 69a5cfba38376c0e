/**
 * The file calls of Node.
 *
 * @module
 */
import * as fs from "node:fs";
import { platform as osName } from "node:process";
import { plainBytes } from "./node_bytes.ts";
import type { FileCalls, OpenFile, OpenHow } from "./system_files.ts";
import type { FileInfo, FileKind } from "./types.ts";

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_TRUNC } = fs.constants;

const FLAGS: Readonly<Record<OpenHow, number>> = {
  read: O_RDONLY,
  update: O_WRONLY,
  create: O_WRONLY | O_CREAT | O_TRUNC,
  create_new: O_WRONLY | O_CREAT | O_EXCL,
  append: O_WRONLY | O_CREAT,
};

const WINDOWS = osName === "win32";

/** The file calls of Node. */
export const nodeFileCalls: FileCalls = {
  windows: WINDOWS,
  readFile: (path) => plainBytes(fs.readFileSync(path)),
  open: (path, how) => new NodeFile(path, how),
  rename: (from, to) => fs.renameSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
  removeTree: (path) => fs.rmSync(path, { recursive: true }),
  makeDirs: (path) => void fs.mkdirSync(path, { recursive: true, mode: 0o700 }),
  readDir: (path) =>
    fs.readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      kind: kindOf(entry),
    })),
  stat: (path) => toInfo(fs.statSync(path)),
  lstat: (path) => toInfo(fs.lstatSync(path)),
  exists: (path) => fs.existsSync(path),
  realPath: (path) => fs.realpathSync.native(path),
  chmod: (path, mode) => fs.chmodSync(path, mode),
};

class NodeFile implements OpenFile {
  readonly #descriptor: number;
  readonly #sync: typeof fs.fsync;
  #syncs = 0;
  #closing = false;

  constructor(path: string, how: OpenHow) {
    this.#descriptor = fs.openSync(path, FLAGS[how], 0o600);
    this.#sync = how === "append" ? fs.fdatasync : fs.fsync;
  }

  size(): number {
    return fs.fstatSync(this.#descriptor).size;
  }

  readAt(buffer: Uint8Array, offset: number): number {
    return fs.readSync(this.#descriptor, buffer, 0, buffer.length, offset);
  }

  writeAt(data: Uint8Array, offset: number): number {
    return fs.writeSync(this.#descriptor, data, 0, data.length, offset);
  }

  truncate(size: number): void {
    fs.ftruncateSync(this.#descriptor, size);
  }

  sync(): Promise<void> {
    this.#syncs += 1;
    return new Promise((resolve, reject) => {
      this.#sync(this.#descriptor, (error) => {
        this.#syncs -= 1;
        if (this.#closing) this.close();
        if (error) reject(error);
        else resolve();
      });
    });
  }

  close(): void {
    // The number of a closed descriptor is given to the next file, which a flush would then hit.
    this.#closing = this.#syncs > 0;
    if (!this.#closing) fs.closeSync(this.#descriptor);
  }
}

function toInfo(info: fs.Stats): FileInfo {
  return {
    kind: kindOf(info),
    size: info.size,
    modifiedMs: info.mtimeMs,
    changedMs: info.ctimeMs,
    mode: WINDOWS ? null : info.mode & 0o7777,
    uid: WINDOWS ? null : info.uid,
    identity: WINDOWS ? null : `${info.dev}:${info.ino}`,
  };
}

function kindOf(of: Pick<fs.Stats, "isFile" | "isDirectory" | "isSymbolicLink">): FileKind {
  if (of.isSymbolicLink()) return "symlink";
  if (of.isDirectory()) return "directory";
  return of.isFile() ? "file" : "other";
}
