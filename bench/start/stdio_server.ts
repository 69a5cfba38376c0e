/**
 * An MCP server as a host sees it: started, asked, timed.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";

/** A server that runs. */
export class StdioServer {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (line: string) => void>();
  readonly #started = performance.now();
  #rest = "";
  #lastId = 0;

  constructor(command: readonly string[], env: Record<string, string> = {}) {
    const [program, ...args] = command;
    this.#child = spawn(program, args, {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...Deno.env.toObject(), ...env },
    });
    this.#child.stdout!.on("data", (chunk) => this.#read(String(chunk)));
  }

  /** Shakes hands; milliseconds from the start of the process to the reply. */
  async initialize(): Promise<number> {
    await this.ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "kbdb-bench", version: "1" },
    });
    const ms = performance.now() - this.#started;
    this.#send({ method: "notifications/initialized" });
    return ms;
  }

  /** The result of a request, and the milliseconds that it took. */
  async ask(method: string, params: unknown): Promise<{ ms: number; result: unknown }> {
    const id = this.#lastId++;
    const start = performance.now();
    const line = await new Promise<string>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ id, method, params });
    });
    const ms = performance.now() - start;
    return { ms, result: JSON.parse(line).result };
  }

  /** Calls a tool; milliseconds. */
  async call(name: string, args: unknown): Promise<number> {
    const { ms, result } = await this.ask("tools/call", { name, arguments: args });
    const { isError, content } = result as { isError?: boolean; content: unknown };
    if (isError && name !== "no-such-tool") throw new Error(JSON.stringify(content));
    return ms;
  }

  /** Resident memory in bytes (Linux). */
  residentBytes(): number {
    const status = Deno.readTextFileSync(`/proc/${this.#child.pid}/status`);
    return 1024 * Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  }

  /** Ends its input and waits for it. */
  async end(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.on("exit", resolve));
    this.#child.stdin!.end();
    await gone;
  }

  #send(message: object): void {
    this.#child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop()!;
    for (const line of lines) {
      const { id } = JSON.parse(line);
      this.#waiting.get(id)?.(line);
      this.#waiting.delete(id);
    }
  }
}
