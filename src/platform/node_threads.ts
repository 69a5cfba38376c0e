/**
 * Threads as Node's worker threads.
 *
 * @module
 */
import { createRequire } from "node:module";
import process from "node:process";
import type { Worker } from "node:worker_threads";
import { ThreadInbox } from "./thread_inbox.ts";
import { type Thread, ThreadError, type ThreadPort, type Threads } from "./types.ts";

/** Threads under Node. */
export const nodeThreads: Threads = { start: (entry) => new NodeThread(entry), parent };

class NodeThread implements Thread {
  readonly #worker: Worker;
  readonly #inbox = new ThreadInbox();

  constructor(entry: string) {
    // Without the flags of this program, some of which a thread refuses.
    this.#worker = new (loadThreads().Worker)(new URL(entry), { execArgv: [] });
    this.#worker.on("message", (message) => this.#inbox.put(message));
    this.#worker.on("messageerror", () => this.#failed("a message could not be read"));
    this.#worker.on("error", (error) => this.#failed(error.message, error));
    this.#worker.on("exit", (code) => this.#failed(`it ended by itself with code ${code}`));
  }

  post(message: unknown, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  receive(): Promise<unknown> {
    return this.#inbox.take();
  }

  end(): void {
    this.#inbox.close(new ThreadError("ended", "it was ended"));
    void this.#worker.terminate();
  }

  #failed(reason: string, cause?: unknown): void {
    this.#inbox.close(new ThreadError("failed", reason, { cause }));
  }
}

/** Loaded when first needed, and without an `await`; any path will do for Node's own modules. */
function loadThreads(): typeof import("node:worker_threads") {
  return createRequire(process.execPath)("node:worker_threads");
}

let port: ThreadPort | null = null;

function parent(): ThreadPort | null {
  return port ??= listen(loadThreads());
}

function listen({ parentPort }: typeof import("node:worker_threads")): ThreadPort | null {
  if (parentPort === null) return null;
  const inbox = new ThreadInbox();
  parentPort.on("message", (message) => inbox.put(message));
  return {
    post: (message, transfer = []) => parentPort.postMessage(message, transfer),
    receive: () => inbox.take(),
  };
}
