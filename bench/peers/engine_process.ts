/**
 * The driver's side of an engine's program: one request at a time, one line of JSON each way.
 * `programs/serve.mjs` tells what may be asked.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Section } from "../generate-corpus.ts";

/** Requests by their name: what is asked for, and the answer. */
export interface Requests {
  describe: [asked: true, answer: { version: string }];
  index: [asked: string, answer: { ms: number; sections: number }];
  search: [asked: readonly string[], answer: SearchAnswer];
  insert: [asked: readonly Section[], answer: { ms: number[] }];
  memory: [asked: true, answer: { rss: number; client_rss?: number }];
  close: [asked: true, answer: Record<never, never>];
}

/** What all searches together came to. */
export interface SearchAnswer {
  /** Milliseconds of each. */
  ms: number[];
  /** Results of all. */
  results: number;
  /** Characters of all their snippets. */
  snippet_chars: number;
}

/** The longest that an engine may take for a request. */
const LIMIT_MS = 30 * 60_000;

/** A running engine. */
export class EngineProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  /** No answers come where the program cannot be started; not every runtime ends its output. */
  readonly #noAnswers: Promise<IteratorResult<string>>;
  /** How the program ended. */
  readonly #ending: Promise<string>;
  #isClosed = false;

  /** Starts a program; what it writes on standard error is passed on. */
  constructor(command: readonly string[], stderr: "inherit" | "ignore" = "inherit") {
    const [program, ...args] = command;
    this.#child = spawn(program, args, { stdio: ["pipe", "pipe", stderr] });
    this.#ending = endingOf(this.#child);
    this.#noAnswers = new Promise((resolve) => {
      this.#child.on("error", () => resolve({ done: true, value: undefined }));
    });
    // A program that is gone takes nothing; why is told by its missing answer.
    this.#child.stdin!.on("error", () => {});
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  /**
   * Asks the engine and waits for its answer.
   *
   * @throws {Error} with its sentence where it failed, or if it ended or took too long
   */
  async request<Name extends keyof Requests>(
    name: Name,
    asked: Requests[Name][0],
  ): Promise<Requests[Name][1]> {
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), LIMIT_MS);
    try {
      this.#child.stdin!.write(JSON.stringify({ [name]: asked }) + "\n");
      const { value, done } = await Promise.race([this.#lines.next(), this.#noAnswers]);
      if (done) throw new Error(`Cannot ${name}: ${await this.#ending}`);
      return answerOf(name, value);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the engine, in order where it can. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await this.request("close", true);
    } finally {
      this.#child.stdin!.end();
      await this.#ending;
    }
  }

  /** The same as {@linkcode EngineProcess.close}, but silent: the reason was told before. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close().catch(() => {});
  }
}

function endingOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => {
      resolve(signal === null ? `the program ended with code ${code}` : `ended by ${signal}`);
    });
  });
}

function answerOf(name: string, line: string) {
  const answer = JSON.parse(line);
  if (answer.error !== undefined) throw new Error(`Cannot ${name}: ${answer.error}`);
  return answer;
}
