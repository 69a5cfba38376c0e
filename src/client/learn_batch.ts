/**
 * Learning many contents from lines of JSON (D57). A line that cannot be learned costs only itself.
 *
 * @module
 */

import { resolve } from "node:path";
import type { Platform } from "../platform/types.ts";
import { KbdbError, toKbdbError, toldError } from "../rpc/errors.ts";
import { type Kinds, refuseWrongKinds } from "../rpc/kinds.ts";
import type { LearnItem, LearnItemResult } from "../rpc/writing.ts";
import { Batches } from "./batches.ts";
import type { OnProgress } from "./calls.ts";
import type { Client } from "./client.ts";
import { fileLines } from "./file_lines.ts";

/** A line of a batch: one content. */
export interface BatchLine {
  /** Text, or base64 of an image. */
  content: string;
  /** MIME type. @default {"text/markdown"} */
  type?: string;
  /** Title of the section, if its first heading is not to be used. */
  title?: string;
  /** Searchable beside the content. */
  description?: string;
  /** Document that the content joins. */
  docid?: string;
  /** Added to those that the section has. */
  tags?: string[];
  /** Where the content came from. */
  source?: string;
}

/** Lines of JSON, or the path of a file of them. */
export type BatchSource = string | Iterable<string> | AsyncIterable<string>;

/** A line that could not be learned. */
export interface FailedLine {
  /** Its number, from 1. */
  line: number;
  /** An {@linkcode ErrorCode}. */
  code: string;
  /** What failed, why, and the way out. */
  message: string;
}

/** What became of the lines. */
export interface LearnBatchResult {
  /** Lines that were read; blank ones do not count. */
  lines: number;
  /** Sections of all contents. */
  sections: number;
  /** Contents that are new. */
  added: number;
  /** Contents that were stored before. */
  unchanged: number;
  /** Contents that changed what a document held. */
  replaced: number;
  /** Lines that could not be learned. */
  failed: FailedLine[];
  /** Remarks, each beginning with the line's number. */
  warnings: string[];
  /** Milliseconds that it took. */
  elapsed_ms: number;
}

const LINE: Kinds<BatchLine> = {
  content: "text",
  type: "text?",
  title: "text?",
  description: "text?",
  docid: "text?",
  tags: "texts?",
  source: "text?",
};

/**
 * Learns lines of JSON, each a content of its own.
 *
 * @throws {FileError} if the file cannot be read; lines that were learned before stay
 */
export async function learnBatch(
  parts: { platform: Platform; client: Client },
  request: { source: BatchSource; onProgress?: OnProgress },
): Promise<LearnBatchResult> {
  const start = performance.now();
  const run = new Run(parts.client, request.onProgress);
  const { platform: { files, host } } = parts;
  const { source } = request;
  const lines = typeof source === "string" ? fileLines(files, resolve(host.cwd(), source)) : source;
  for await (const line of lines) await run.line(line);
  await run.finish();
  return { ...run.result, elapsed_ms: Math.round(performance.now() - start) };
}

class Run {
  readonly #result: Omit<LearnBatchResult, "elapsed_ms"> = {
    lines: 0,
    sections: 0,
    added: 0,
    unchanged: 0,
    replaced: 0,
    failed: [],
    warnings: [],
  };
  readonly #batches: Batches<number>;
  readonly #unknown = new Set<string>();
  #number = 0;

  constructor(client: Client, private readonly onProgress?: OnProgress) {
    this.#batches = new Batches(client, (answers) => {
      for (const { answer, from } of answers) this.#take(answer, from);
      this.#report();
    });
  }

  get result(): Omit<LearnBatchResult, "elapsed_ms"> {
    this.#result.failed.sort((a, b) => a.line - b.line);
    return this.#result;
  }

  /** A line, or why it could not be read. */
  async line(line: string | KbdbError): Promise<void> {
    const number = ++this.#number;
    if (typeof line === "string" && line.trim() === "") return;
    this.#result.lines += 1;
    let item: LearnItem;
    try {
      item = this.#item(line, number);
    } catch (error) {
      this.#fail(number, toKbdbError(error));
      return;
    }
    await this.#batches.add(item, number);
  }

  async finish(): Promise<void> {
    await this.#batches.finish();
    this.#report();
  }

  #item(line: string | KbdbError, number: number): LearnItem {
    if (typeof line !== "string") throw line;
    const given = parsed(line, number);
    refuseWrongKinds(`learn line ${number}`, { given, kinds: LINE });
    for (const name of Object.keys(given as object)) {
      if (Object.hasOwn(LINE, name) || this.#unknown.has(name)) continue;
      this.#unknown.add(name);
      this.#warn(number, `${JSON.stringify(name)} is not known and is left out`);
    }
    const known = Object.entries(given as object).filter(([name]) => Object.hasOwn(LINE, name));
    return Object.fromEntries(known) as unknown as LearnItem;
  }

  #take(answer: LearnItemResult, number: number): void {
    if (!answer.ok) {
      this.#fail(number, toldError(answer.error));
      return;
    }
    this.#result[answer.outcome] += 1;
    this.#result.sections += answer.sections;
    for (const warning of answer.result.warnings ?? []) this.#warn(number, warning);
  }

  #warn(number: number, remark: string): void {
    this.#result.warnings.push(`line ${number}: ${remark}`);
  }

  #fail(number: number, error: KbdbError): void {
    this.#result.failed.push({ line: number, ...error.toJSON() });
  }

  #report(): void {
    const { added, unchanged, replaced, failed, sections } = this.#result;
    const done = added + unchanged + replaced + failed.length;
    this.onProgress?.({ done, total: null, message: `${done} lines, ${sections} sections` });
  }
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new KbdbError("bad_request", `Cannot learn line ${number}: no JSON (${reason})`, {
      cause,
    });
  }
}
