/**
 * Learning files and folders: find, read, send in batches, and tell what became of each.
 *
 * @module
 */

import { basename, resolve } from "node:path";
import { FileError, type Platform } from "../platform/types.ts";
import { KbdbError, toKbdbError, toldError } from "../rpc/errors.ts";
import {
  type AddSectionResult,
  BATCH_BYTES,
  type LearnItem,
  type LearnItemResult,
} from "../rpc/protocol.ts";
import type { Client } from "./client.ts";
import { fileOf, itemOf, type LearnFilesOptions, type Root, type SourceFile } from "./items.ts";
import { databaseAround } from "./locate.ts";
import type { SkipReason } from "./walk.ts";

/** A file that could not be learned. */
export interface FailedFile {
  /** The file, as an absolute path. */
  path: string;
  /** An {@linkcode ErrorCode}. */
  code: string;
  /** What failed, why, and the way out. */
  message: string;
}

/** What became of the files. */
export interface LearnFilesResult {
  /** Files that were sent. */
  files: number;
  /** Sections of all documents, counted once a document. */
  sections: number;
  /** Documents that are new. */
  added: number;
  /** Documents that held the same already. */
  unchanged: number;
  /** Documents whose content took the place of an older one. */
  replaced: number;
  /** What was passed over in folders, by reason. */
  skipped: Partial<Record<SkipReason, number>>;
  /** Files that could not be learned. */
  failed: FailedFile[];
  /** Remarks about learned files, each beginning with its path. */
  warnings: string[];
  /** Milliseconds that it took. */
  elapsed_ms: number;
}

/** Most items in one request, so that answers stay small. */
const BATCH_ITEMS = 256;
/** Requests on their way at once: the daemon works while the next files are read. */
const IN_FLIGHT = 2;

/**
 * Learns files and folders. A file that cannot be learned costs only itself and is named in the
 * result.
 *
 * @throws {KbdbError} `not_found` if a named path is not there, `bad_request` for options that
 * contradict each other; then nothing is learned
 */
export async function learnFiles(
  parts: { platform: Platform; client: Client },
  request: { paths: string[]; options: LearnFilesOptions },
): Promise<LearnFilesResult> {
  const start = performance.now();
  const run = new Run(parts, request.options);
  const roots = request.paths.map((path) => rootOf(parts.platform, path));
  refuseContradictions(roots, request.options);
  for (const root of roots) await run.root(root);
  await run.finish();
  return { ...run.result, elapsed_ms: Math.round(performance.now() - start) };
}

/** Learns a single file and gives the full answer about it. */
export async function learnFile(
  parts: { platform: Platform; client: Client },
  request: { path: string; options: LearnFilesOptions },
): Promise<AddSectionResult> {
  const { path, options } = request;
  const root = rootOf(parts.platform, path);
  refuseContradictions([root], options);
  const item = itemOf(parts.platform, { file: fileOf(root, options), options });
  const [answer] = await parts.client.learn([item], options.onProgress);
  if (answer.ok) return answer.result;
  throw toldError(answer.error);
}

class Run {
  readonly #result: Omit<LearnFilesResult, "elapsed_ms"> = {
    files: 0,
    sections: 0,
    added: 0,
    unchanged: 0,
    replaced: 0,
    skipped: {},
    failed: [],
    warnings: [],
  };
  #batch: { item: LearnItem; path: string }[] = [];
  #batchBytes = 0;
  #inFlight: Promise<void>[] = [];

  constructor(
    private readonly parts: { platform: Platform; client: Client },
    private readonly options: LearnFilesOptions,
  ) {}

  get result(): Omit<LearnFilesResult, "elapsed_ms"> {
    return this.#result;
  }

  async root(root: Root): Promise<void> {
    if (root.info.kind !== "directory") {
      await this.#file(fileOf(root, this.options));
      return;
    }
    const prefix = (this.options.prefix ?? basename(root.path)).replace(/\/+$/, "");
    // Only for folders: reading ignore files takes a package that other commands do without.
    const { walk } = await import("./walk.ts");
    for (const found of walk(this.parts.platform.files, root.path)) {
      const untyped = found.kind === "skipped" && found.reason === "type" && this.options.type;
      if (found.kind === "unreadable") {
        const error = { code: "permission", message: found.reason };
        this.#fail(resolve(root.path, found.relative), error);
      } else if (found.kind === "skipped" && !untyped) {
        this.#skip(found.reason);
      } else {
        await this.#file({
          path: resolve(root.path, found.relative),
          docid: prefix === "" ? found.relative : `${prefix}/${found.relative}`,
          type: this.options.type ?? (found as { type: string }).type,
          inFolder: true,
        });
      }
    }
  }

  async finish(): Promise<void> {
    await this.#send();
    await Promise.all(this.#inFlight);
    this.#report();
  }

  async #file(file: SourceFile): Promise<void> {
    let item: LearnItem;
    try {
      item = itemOf(this.parts.platform, { file, options: this.options });
    } catch (error) {
      this.#fail(file.path, toKbdbError(error));
      return;
    }
    if (file.inFolder && !item.base64 && item.content.trim() === "") {
      this.#skip("empty");
      return;
    }
    // A large file goes by itself, so that one beyond the size of a message costs no other.
    if (this.#batchBytes + item.content.length > BATCH_BYTES) await this.#send();
    this.#batch.push({ item, path: file.path });
    this.#batchBytes += item.content.length;
    if (this.#batchBytes >= BATCH_BYTES || this.#batch.length >= BATCH_ITEMS) await this.#send();
  }

  async #send(): Promise<void> {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    const sent = this.#learn(batch.map(({ item }) => item))
      .then((answers) => this.#take(batch, answers));
    // Awaited below or in finish(); until then a failure must not count as unhandled.
    sent.catch(() => {});
    this.#inFlight.push(sent);
    if (this.#inFlight.length > IN_FLIGHT) await this.#inFlight.shift();
  }

  async #learn(items: LearnItem[]): Promise<LearnItemResult[]> {
    try {
      return await this.parts.client.learn(items);
    } catch (error) {
      if (!(error instanceof KbdbError) || error.code !== "too_large") throw error;
      return items.map(() => ({ ok: false, error: error.toJSON() }));
    }
  }

  #take(batch: readonly { path: string }[], answers: readonly LearnItemResult[]): void {
    for (const [i, answer] of answers.entries()) {
      this.#result.files += 1;
      if (!answer.ok) {
        this.#fail(batch[i].path, answer.error);
        continue;
      }
      this.#result[answer.outcome] += 1;
      this.#result.sections += answer.sections;
      for (const warning of answer.result.warnings ?? []) {
        this.#result.warnings.push(`${batch[i].path}: ${warning}`);
      }
    }
    this.#report();
  }

  #report(): void {
    const { files, sections } = this.#result;
    const message = `${files} files, ${sections} sections`;
    this.options.onProgress?.({ done: files, total: null, message });
  }

  #skip(reason: SkipReason): void {
    this.#result.skipped[reason] = (this.#result.skipped[reason] ?? 0) + 1;
  }

  #fail(path: string, error: { code: string; message: string }): void {
    this.#result.failed.push({ path, ...toldError(error).toJSON() });
  }
}

function rootOf(platform: Platform, path: string): Root {
  const absolute = resolve(platform.host.cwd(), path);
  const real = realPathOf(platform, { absolute, path });
  const info = platform.files.stat(real);
  const database = databaseAround(platform.files, real);
  if (database !== null) {
    throw new KbdbError(
      "bad_request",
      `Cannot learn ${path}: it belongs to the database ${database}, which is not learned into one`,
    );
  }
  if (info.kind === "other") {
    throw new KbdbError(
      "bad_request",
      `Cannot learn ${path}: it is a pipe, socket or device. Pipe text in with: kbdb learn -`,
    );
  }
  return { path: real, name: basename(absolute), info };
}

/** A missing path is told as the caller named it. */
function realPathOf(platform: Platform, named: { absolute: string; path: string }): string {
  try {
    return platform.files.realPath(named.absolute);
  } catch (cause) {
    if (!(cause instanceof FileError) || cause.code !== "not_found") throw cause;
    const message = `Cannot learn ${named.path}: no such file or folder`;
    throw new KbdbError("not_found", message, { cause });
  }
}

function refuseContradictions(roots: Root[], options: LearnFilesOptions): void {
  if (options.docid !== undefined && options.prefix !== undefined) {
    throw new KbdbError(
      "bad_request",
      "Cannot use both a docid and a prefix: --docid is the whole docid. Leave one out.",
    );
  }
  const single = roots.length === 1 && roots[0].info.kind === "file";
  if (single) return;
  for (const name of ["docid", "title"] as const) {
    if (options[name] === undefined) continue;
    throw new KbdbError(
      "bad_request",
      `Cannot learn several files under one ${name}: --${name} goes with a single file.` +
        (name === "docid" ? " For a folder use --prefix." : " Leave it out."),
    );
  }
}
