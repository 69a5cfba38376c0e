/**
 * Learning files and folders: find, read, send in batches, and tell what became of each.
 *
 * @module
 */

import { basename, resolve } from "node:path";
import { FileError, type Platform } from "../platform/types.ts";
import { KbdbError, toKbdbError, toldError } from "../rpc/errors.ts";
import type { AddSectionResult, LearnItem } from "../rpc/writing.ts";
import { type Answered, Batches } from "./batches.ts";
import type { Client } from "./client.ts";
import { fileOf, itemOf, type LearnFilesOptions, type Root, type SourceFile } from "./items.ts";
import { databaseAround } from "./locate.ts";
import type { PrunedFolder } from "./prune.ts";
import type { Found, SkipReason } from "./walk.ts";

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
  /** Documents that were taken out because their files are gone. */
  pruned: number;
  /** What was passed over in folders, by reason. */
  skipped: Partial<Record<SkipReason, number>>;
  /** Files that could not be learned. */
  failed: FailedFile[];
  /** Remarks about learned files, each beginning with its path. */
  warnings: string[];
  /** Milliseconds that it took. */
  elapsed_ms: number;
}

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
    pruned: 0,
    skipped: {},
    failed: [],
    warnings: [],
  };
  readonly #batches: Batches<string>;
  /** Learned folders that were read whole, with what docids of their files begin with. */
  readonly #whole: PrunedFolder[] = [];

  constructor(
    private readonly parts: { platform: Platform; client: Client },
    private readonly options: LearnFilesOptions,
  ) {
    this.#batches = new Batches(parts.client, (answers) => this.#take(answers));
  }

  get result(): Omit<LearnFilesResult, "elapsed_ms"> {
    return this.#result;
  }

  async root(root: Root): Promise<void> {
    if (root.info.kind !== "directory") return await this.#file(fileOf(root, this.options));
    const prefix = (this.options.prefix ?? basename(root.path)).replace(/\/+$/, "");
    const docidStart = prefix === "" ? "" : `${prefix}/`;
    // Only for folders: reading ignore files takes a package that other commands do without.
    const { walk } = await import("./walk.ts");
    let found = 0;
    let unread = 0;
    for (const entry of walk(this.parts.platform.files, root.path)) {
      if (entry.kind === "unreadable") unread += 1;
      if (await this.#entry(entry, { root: root.path, docidStart })) found += 1;
    }
    const doubt = unread > 0
      ? "a folder in it could not be read"
      : found === 0
      ? "no file was found in it"
      : null;
    if (doubt === null) this.#whole.push({ path: root.path, docidStart });
    else if (this.options.prune) {
      this.#result.warnings.push(`${root.path}: nothing was pruned, since ${doubt}`);
    }
  }

  async finish(): Promise<void> {
    await this.#batches.finish();
    if (this.options.prune) {
      // Only where it is asked for.
      const { prune } = await import("./prune.ts");
      for (const folder of this.#whole) this.#result.pruned += await prune(this.parts, folder);
    }
    this.#report();
  }

  /** Whether it was something to learn. */
  async #entry(entry: Found, at: { root: string; docidStart: string }): Promise<boolean> {
    const path = resolve(at.root, entry.relative);
    const type = typeOfEntry(entry, this.options.type);
    if (type !== null) {
      await this.#file({ path, docid: at.docidStart + entry.relative, type, inFolder: true });
    } else if (entry.kind === "unreadable") {
      this.#fail(path, { code: "permission", message: entry.reason });
    } else if (entry.kind === "skipped") this.#skip(entry.reason);
    return type !== null;
  }

  async #file(file: SourceFile): Promise<void> {
    let item: LearnItem;
    try {
      item = itemOf(this.parts.platform, { file, options: this.options });
    } catch (error) {
      this.#fail(file.path, toKbdbError(error));
      return;
    }
    if (file.inFolder && !item.base64 && item.content.trim() === "") this.#skip("empty");
    else await this.#batches.add(item, file.path);
  }

  #take(answers: readonly Answered<string>[]): void {
    for (const { answer, from } of answers) {
      this.#result.files += 1;
      if (!answer.ok) {
        this.#fail(from, answer.error);
        continue;
      }
      this.#result[answer.outcome] += 1;
      this.#result.sections += answer.sections;
      for (const warning of answer.result.warnings ?? []) {
        this.#result.warnings.push(`${from}: ${warning}`);
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

/** `null` for what is not learned. */
function typeOfEntry(entry: Found, given: string | undefined): string | null {
  if (entry.kind === "file") return given ?? entry.type;
  return entry.kind === "skipped" && entry.reason === "type" ? given ?? null : null;
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
