/**
 * `kbdb mcp` as a process of its own, spoken to message by message: for what the official client
 * would not send or not let through.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import process from "node:process";
import { kbdb, kbdbCommand } from "../support/command.ts";
import { type TempDir, tempDir } from "../support/temp_dir.ts";

/** A message as it came over the wire. */
// deno-lint-ignore no-explicit-any -- tests look into messages without asking what they are
export type WireMessage = any;

/** How a server is started. */
export interface WireOptions {
  /** The command and its arguments before `mcp`. @default {the command of this runtime} */
  readonly command?: readonly string[];
  /** Arguments after `mcp`. */
  readonly args: readonly string[];
  /** All variables. @default {HOME and PATH} */
  readonly env?: Readonly<Record<string, string>>;
  /** Folder that the server starts in. @default {"/"} */
  readonly cwd?: string;
  /** How long a message may take. @default {20000} */
  readonly patienceMs?: number;
}

/** Variables that every host has. */
export function plainEnvironment(): Record<string, string> {
  const { HOME = "/root", PATH = "" } = process.env;
  return { HOME, PATH };
}

/** A server that was started, and all that it says. */
export class WireServer implements AsyncDisposable {
  readonly child: ChildProcess;
  /** Messages in the order in which they came. */
  readonly messages: WireMessage[] = [];
  /** All of standard output. */
  stdout = "";
  /** All of standard error. */
  stderr = "";
  readonly #exit: Promise<number | null>;
  readonly #patienceMs: number;
  #rest = "";
  #lastId = 0;
  #wake: (() => void)[] = [];

  constructor(options: WireOptions) {
    const { command = kbdbCommand(), args, env = plainEnvironment(), cwd = "/" } = options;
    this.#patienceMs = options.patienceMs ?? 20_000;
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const all = ["-i", ...variables, ...command, "mcp", ...args];
    const child = this.child = spawn("/usr/bin/env", all, { cwd, stdio: ["pipe", "pipe", "pipe"] });
    child.stdin!.on("error", () => {});
    const decoder = new TextDecoder();
    child.stdout!.on("data", (bytes) => this.#hear(decoder.decode(bytes, { stream: true })));
    child.stderr!.on("data", (bytes) => this.stderr += new TextDecoder().decode(bytes));
    this.#exit = new Promise((resolve) => {
      child.on("close", (code) => {
        resolve(code);
        for (const wake of this.#wake.splice(0)) wake();
      });
    });
  }

  /** Starts a server of a database. */
  static on(path: string, options: Partial<WireOptions> = {}): WireServer {
    return new WireServer({ args: ["--db", path], ...options });
  }

  /** Sends messages in one write; text goes as it is, with a line end behind it. */
  send(...messages: WireMessage[]): void {
    const lines = messages.map((one) => typeof one === "string" ? one : JSON.stringify(one));
    this.child.stdin!.write(lines.map((line) => `${line}\n`).join(""));
  }

  /** Sends a notification. */
  notify(method: string, params?: unknown): void {
    this.send({ jsonrpc: "2.0", method, params });
  }

  /** Sends a request; resolves to its whole answer. */
  async request(method: string, params?: unknown): Promise<WireMessage> {
    const id = `request ${++this.#lastId}`;
    this.send({ jsonrpc: "2.0", id, method, params });
    return await this.answer(id);
  }

  /** The answer to a request. */
  answer(id: string | number): Promise<WireMessage> {
    return this.heard((one) => one.id === id && one.method === undefined);
  }

  /** Sends `initialize`, waits for its answer, and says `initialized`. */
  async hello(params: Readonly<Record<string, unknown>> = {}): Promise<WireMessage> {
    const answer = await this.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "kbdb-test", version: "1" },
      ...params,
    });
    this.notify("notifications/initialized");
    return answer;
  }

  /** Calls a tool; resolves to its result. */
  async call(name: string, args: object = {}, _meta?: object): Promise<WireMessage> {
    const { result, error } = await this.request("tools/call", { name, arguments: args, _meta });
    if (error) throw new Error(`${name} broke the protocol: ${JSON.stringify(error)}`);
    return result;
  }

  /** The JSON of a tool that succeeds. */
  async tool(name: string, args: object = {}): Promise<WireMessage> {
    const { content: [{ text }], isError } = await this.call(name, args);
    if (isError) throw new Error(`${name} failed: ${text}`);
    return JSON.parse(text);
  }

  /** The text of a tool that fails. */
  async failure(name: string, args: object = {}): Promise<string> {
    const { content: [{ text }], isError } = await this.call(name, args);
    if (!isError) throw new Error(`${name} succeeded: ${text}`);
    return text;
  }

  /** The first message that fits, from the start on; waits for it. */
  async heard(fits: (message: WireMessage) => boolean): Promise<WireMessage> {
    const end = Date.now() + this.#patienceMs;
    while (true) {
      const found = this.messages.find(fits);
      if (found) return found;
      const left = end - Date.now();
      if (left < 0 || this.ended) throw new Error(`Not heard: ${fits}; ${this.stderr}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake.push(() => (clearTimeout(timer), resolve()));
      });
    }
  }

  /** Notifications of a method so far. */
  told(method: string): WireMessage[] {
    return this.messages.filter((one) => one.method === method && one.id === undefined)
      .map(({ params }) => params);
  }

  /** Whether the process is gone. */
  get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Ends the input; resolves to the exit code. */
  async end(): Promise<number | null> {
    this.child.stdin!.end();
    const timer = setTimeout(() => this.child.kill("SIGKILL"), this.#patienceMs);
    const code = await this.#exit;
    clearTimeout(timer);
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  #hear(text: string): void {
    this.stdout += text;
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop()!;
    this.messages.push(...lines.map((line) => JSON.parse(line)));
    for (const wake of this.#wake.splice(0)) wake();
  }
}

/** A place for databases; their daemons are stopped at the end of the block. */
export class Place implements AsyncDisposable {
  readonly folder: TempDir = tempDir();
  readonly #databases = new Set<string>();

  /** Path of a database whose name is not easy; it is not there yet. */
  path(name = "Zoë's 日本 base.kbdb"): string {
    const path = this.folder.join(name);
    this.#databases.add(path);
    return path;
  }

  /** A database that is there. */
  async database(name?: string): Promise<string> {
    const path = this.path(name);
    if (!path.endsWith(".kbdb")) mkdirSync(path, { recursive: true });
    const { code, stderr } = await kbdb(["db", "init", path]);
    if (code !== 0) throw new Error(stderr);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const path of this.#databases) await kbdb(["worker", "stop", "--db", path]);
    this.folder.remove();
  }
}
