/**
 * What the rest of kbdb may ask of the machine it runs on. Only the files in this folder know a
 * runtime or an operating system; everything else is handed a {@linkcode Platform}.
 *
 * @module
 */

/** Why a file operation failed, told apart so that callers never mistake one for another. */
export type FileErrorCode =
  | "not_found"
  | "exists"
  | "permission"
  | "read_only"
  | "no_space"
  | "is_directory"
  | "not_directory"
  | "not_empty"
  | "busy"
  | "too_many_open"
  | "name_too_long"
  | "other";

/** A failed file operation: what was attempted on which path, and why it failed. */
export class FileError extends Error {
  override readonly name = "FileError";

  constructor(
    readonly code: FileErrorCode,
    readonly action: string,
    readonly path: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`Cannot ${action} ${path}: ${reason}`, options);
  }
}

/** What stands under a name. `other` is a pipe, socket or device, which kbdb never opens. */
export type FileKind = "file" | "directory" | "symlink" | "other";

/** One entry of a folder; symbolic links are reported as such, never followed. */
export interface DirEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/** Facts about a path. */
export interface FileInfo {
  readonly kind: FileKind;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, or 0 where the system does not tell. */
  readonly modifiedMs: number;
  /**
   * When the content, rights or name last changed, in milliseconds since 1970: unlike
   * {@linkcode FileInfo.modifiedMs}, no program can set it back. 0 where the system does not tell.
   */
  readonly changedMs: number;
  /** Permission bits such as `0o600`, or `null` where the system has none. */
  readonly mode: number | null;
  /** Owner, or `null` where the system has none. */
  readonly uid: number | null;
  /**
   * The same for two paths of one file or folder, and for no other of this machine: device and inode;
   * `null` where the system has none.
   */
  readonly identity: string | null;
}

/** A file open for appending, by one process at a time. */
export interface AppendFile {
  /** Bytes in the file, counting what {@linkcode AppendFile.write} added. */
  readonly size: number;
  /** Adds all of `data` at the end. On failure the file may hold a part of it: truncate. */
  write(data: Uint8Array): void;
  /** Resolves once everything written before would survive a power cut; writes may go on meanwhile. */
  flush(): Promise<void>;
  /** Cuts the file to `size` bytes. */
  truncate(size: number): void;
  /** Fine to call twice. */
  close(): void;
}

/**
 * The file layer. Small operations are synchronous, because the daemon handles thousands a second;
 * only a flush, which waits for the disk, is not. Every failure is a {@linkcode FileError}.
 * New files get mode 0600 and new folders 0700 where the system has modes.
 */
export interface Files {
  /** The whole file. */
  read(path: string): Uint8Array;
  /** Up to `length` bytes from `offset`; fewer only where the file ends. */
  readPart(path: string, range: { offset: number; length: number }): Uint8Array;
  /** Fills `buffer` from `offset` as far as the file goes; how many bytes it filled. */
  readInto(path: string, place: { offset: number; buffer: Uint8Array }): number;
  /** Creates or overwrites in place, unflushed. With `exclusive`, fails with `exists`. */
  write(path: string, data: Uint8Array, options?: { exclusive?: boolean }): void;
  /**
   * Puts `data` at `path` so that a reader sees the whole old or the whole new file: written to a
   * temporary name in the same folder, then renamed. Not flushed. The temporary name is
   * `.<name>.<random>.tmp` with the first 40 characters of the name, and is removed if anything
   * fails.
   */
  replace(path: string, data: Uint8Array): void;
  /** Like {@linkcode Files.replace}, and durable: file flushed before, folder after the rename. */
  replaceDurably(path: string, data: Uint8Array): Promise<void>;
  /** Opens a file at its end, creating it if it is not there. */
  openAppend(path: string): AppendFile;
  /** Replaces what is there, except a folder. */
  rename(from: string, to: string): void;
  /** Removes a file, symbolic link or socket; `not_found` if it is not there. */
  remove(path: string): void;
  /** Removes a folder and everything in it, without following links; fine if it is not there. */
  removeTree(path: string): void;
  /** Creates a folder and its missing parents; fine if it is there. */
  makeDir(path: string): void;
  /** Entries in code-unit order of their names. */
  list(path: string): DirEntry[];
  /** Follows links. */
  stat(path: string): FileInfo;
  /** Does not follow links. */
  lstat(path: string): FileInfo;
  /**
   * A quick look whether something stands there, without the cost of an error if not. Follows links;
   * `false` also where that cannot be found out.
   */
  exists(path: string): boolean;
  /** The one real path: links, `..` and trailing slashes resolved. */
  realPath(path: string): string;
  setMode(path: string, mode: number): void;
  /** Flushes one file or folder to the disk; of folders, Windows does so by itself. */
  flush(path: string): Promise<void>;
}

/** A connected byte stream. */
export interface Channel {
  /** Chunks as they come; ends when the other side closes. Throws {@linkcode SocketError}. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Resolves once the system took all bytes. Calls are kept in order. */
  write(data: Uint8Array): Promise<void>;
  /** Closes both directions, dropping writes that are still waiting; fine to call twice. */
  close(): void;
  /** Stops (or starts again) keeping the process alive. */
  setKeepAlive(on: boolean): void;
}

/** Why a socket operation failed. `refused`: nobody listens there. `missing`: no such name. */
export type SocketErrorCode =
  | "refused"
  | "missing"
  | "in_use"
  | "permission"
  | "not_a_socket"
  | "too_long"
  | "unsupported"
  | "closed"
  | "other";

/** A failed socket operation. `unsupported` is a sandbox that refuses sockets altogether. */
export class SocketError extends Error {
  override readonly name = "SocketError";

  constructor(
    readonly code: SocketErrorCode,
    readonly action: string,
    readonly address: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`Cannot ${action} ${address}: ${reason}`, options);
  }
}

/** A listening local socket. */
export interface Listener {
  /** Accepted connections; ends after {@linkcode Listener.close}. */
  readonly connections: AsyncIterable<Channel>;
  /**
   * Stops listening and removes the name, unless something else stands there by now. Does not close
   * accepted channels.
   */
  close(): void;
}

/** Local sockets: Unix domain sockets, named pipes on Windows. */
export interface Sockets {
  /**
   * `missing` and `refused` are the only codes that mean nobody serves there; a listener too busy to
   * accept is waited for, and then given up as `other`.
   */
  connect(address: string): Promise<Channel>;
  /**
   * Listens with rights for this user only (0600), in a folder that only this user may enter.
   * `in_use` if a socket has the name, also a dead one; `not_a_socket` if anything else has.
   */
  listen(address: string): Promise<Listener>;
}

/** How a program is started again as the daemon. */
export interface WorkerCommand {
  /** Module URL of the daemon's entry file; `null` in a single executable, which starts itself. */
  readonly entry: string | null;
  /** Arguments after the entry file. */
  readonly args: readonly string[];
  /** Paths that the daemon must be able to read and write. */
  readonly paths: readonly string[];
}

/** The daemon could not be started. `unsupported`: a sandbox or missing right forbids processes. */
export class SpawnError extends Error {
  override readonly name = "SpawnError";

  constructor(readonly code: "unsupported" | "other", reason: string, options?: ErrorOptions) {
    super(`Cannot start the daemon: ${reason}`, options);
  }
}

/** Signals that the daemon and the command line listen to. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The process and the machine. */
export interface Host {
  /** `deno` or `node`, for messages and reports. */
  readonly runtime: "deno" | "node";
  readonly os: "linux" | "darwin" | "windows";
  readonly pid: number;
  /** Arguments of the program, without runtime and script. */
  readonly args: readonly string[];
  cwd(): string;
  /** `undefined` also where the runtime was not given the right to look. */
  env(name: string): string | undefined;
  /** The user's number, or `null` where there is none (Windows). */
  uid(): number | null;
  hostName(): string;
  /**
   * Folder for short socket names: `/tmp/kbdb-<uid>`, on Windows one in the user's local data. Never
   * taken from TMPDIR or XDG variables. Whoever uses it creates it and checks its owner and mode.
   */
  runtimeDir(): string;
  /** Resident memory of this process, bytes. */
  residentBytes(): number;
  /** Whether a process with this id runs, also if it belongs to someone else. */
  isAlive(pid: number): boolean;
  /**
   * Something that tells two processes with one id apart: boot id and start time. `null` where it
   * cannot be had: the process is gone, the system is not Linux, or Deno runs with less than all
   * rights, which then keeps `/proc` from it, as it does from the daemon.
   */
  startIdentity(pid: number): string | null;
  /**
   * Starts the daemon: own session, no inherited descriptor, working folder `/`, this environment.
   * Throws {@linkcode SpawnError}.
   */
  spawnDetached(command: WorkerCommand): void;
  /** Names the process in listings, where the runtime can (Node). */
  setTitle(title: string): void;
  /** Quietly does nothing where the system does not know the signal (Windows). */
  onSignal(signal: StopSignal, handler: () => void): void;
  exit(code: number): never;
}

/** Why a thread is of no use: not possible here, broken by an error, or over. */
export type ThreadErrorCode = "unsupported" | "failed" | "ended";

/** A thread could not be started, or will answer no more. */
export class ThreadError extends Error {
  override readonly name = "ThreadError";

  constructor(readonly code: ThreadErrorCode, reason: string, options?: ErrorOptions) {
    super(`Cannot use a thread: ${reason}`, options);
  }
}

/** One end of the line between two threads. Messages are copied, and come in the order of sending. */
export interface ThreadPort {
  /** Sends a message; the buffers of `transfer` move to the other side instead of being copied. */
  post(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  /**
   * The next message. Rejects with a {@linkcode ThreadError} once the other side has failed or ended
   * and what it sent before has been received; an uncaught error under Node may overtake that.
   */
  receive(): Promise<unknown>;
}

/** A program that runs beside this one in the same process, with memory of its own. */
export interface Thread extends ThreadPort {
  /**
   * Ends it at once, wherever it is, and lets the process end too; fine to call twice. A thread is
   * always ended by the one who started it, never by itself.
   */
  end(): void;
}

/** Threads of the runtime. */
export interface Threads {
  /**
   * Starts the module at a URL, which takes its line with {@linkcode Threads.parent}. It has the
   * rights of this program. Asks the person at a terminal for nothing.
   *
   * @throws {ThreadError} `unsupported` where the runtime has no right to load the module; what is
   * found out later makes {@linkcode ThreadPort.receive} reject
   */
  start(entry: string): Thread;
  /** The line to who started this thread; `null` in the program's first one. */
  parent(): ThreadPort | null;
}

/** The three standard streams. */
export interface Terminal {
  /** The whole of standard input. */
  readInput(): Promise<Uint8Array>;
  /**
   * Standard input as it comes, until it ends; that the other side is gone is an end too. Each chunk
   * has memory of its own. Take one of the two, this or {@linkcode Terminal.readInput}, and only once.
   */
  inputChunks(): AsyncIterable<Uint8Array>;
  /**
   * Resolves once written, or to `false` if the reader has closed the pipe. Anything else, such as a
   * full disk behind a redirection, is a {@linkcode FileError}.
   */
  writeOut(data: string | Uint8Array): Promise<boolean>;
  /** Writes at once, and never throws. */
  writeError(data: string): void;
  inputIsTerminal(): boolean;
  outputIsTerminal(): boolean;
  errorIsTerminal(): boolean;
  /** Columns of the terminal, 80 where unknown. */
  columns(): number;
}

/** Everything kbdb needs of a runtime. */
export interface Platform {
  readonly files: Files;
  readonly sockets: Sockets;
  readonly host: Host;
  readonly terminal: Terminal;
  readonly threads: Threads;
}
