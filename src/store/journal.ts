/**
 * The journal: a write is acknowledged once its record here is flushed. Records that arrive
 * together share one flush (group commit, D46).
 *
 * @module
 */

import { flushIfThere, removeIfThere } from "../platform/if_there.ts";
import { join } from "node:path";
import { type AppendFile, FileError, type Files } from "../platform/types.ts";
import type { Checksum } from "./checksum.ts";
import {
  type DamagedStretch,
  encodeRecord,
  type JournalRecord,
  parsePart,
} from "./journal_record.ts";

/** A file of the journal. */
export interface JournalPart {
  /** Parts are numbered from 1; a new one begins at every checkpoint. */
  readonly number: number;
  readonly bytes: number;
}

/** What the journal held when it was opened. */
export interface JournalContent {
  /** In the order in which they were written. */
  readonly records: readonly JournalRecord[];
  /** Sentences about damage; its bytes were kept beside the part. */
  readonly warnings: readonly string[];
}

/** Where a journal lies and how it is opened. */
export interface JournalOptions {
  readonly folder: string;
  readonly writable: boolean;
  readonly checksum: Checksum;
}

interface Waiting {
  /** `null` asks for a new part instead. */
  readonly bytes: Uint8Array | null;
  resolve(): void;
  reject(error: Error): void;
}

/** The journal of an open database. Only the holder of the lock may open it for writing. */
export class Journal {
  #file: AppendFile | null = null;
  /** The open part's name still has to be made durable: also an older process may not have. */
  #unnamed = false;
  #number: number;
  /** Oldest first. */
  readonly #older: JournalPart[];
  #closedBytes: number;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | null = null;
  #gatherers = 0;
  /** Called when the last gatherer is done. */
  #gathered: () => void = () => {};
  /** What follows here in the open part was not acknowledged, and goes before anything is added. */
  #cutTo: number | null = null;

  private constructor(
    private readonly files: Files,
    private readonly options: JournalOptions,
    parts: JournalPart[],
  ) {
    this.#older = parts.slice(0, -1);
    this.#number = parts.at(-1)?.number ?? 1;
    this.#closedBytes = parts.at(-1)?.bytes ?? 0;
  }

  /**
   * Reads what is there. With `writable`, a torn tail of the last part is cut, and damaged stretches
   * are copied to a file of their own before anything else is written.
   */
  static open(
    files: Files,
    options: JournalOptions,
  ): { journal: Journal; content: JournalContent } {
    const { folder, writable, checksum } = options;
    const records: JournalRecord[] = [];
    const warnings: string[] = [];
    const parts = listParts(files, folder);
    for (const [i, part] of parts.entries()) {
      const path = partPath(folder, part.number);
      const bytes = files.read(path);
      const parsed = parsePart(bytes, checksum);
      records.push(...parsed.records);
      const damaged = [...parsed.damaged];
      const isLast = i === parts.length - 1;
      // Only the last part can be torn: an older one was whole when its successor began.
      if (!isLast && parsed.end < bytes.length) {
        damaged.push({ start: parsed.end, end: bytes.length });
      }
      for (const stretch of damaged) {
        warnings.push(keepDamage(files, { path, bytes, stretch, writable }));
      }
      if (isLast && writable) cutTail(files, { path, end: parsed.end, size: bytes.length });
    }
    return { journal: new Journal(files, options, parts), content: { records, warnings } };
  }

  /** Bytes in all parts. */
  get bytes(): number {
    const older = this.#older.reduce((sum, part) => sum + part.bytes, 0);
    return older + (this.#file?.size ?? this.#closedBytes);
  }

  /** Number of the part that takes new records. */
  get part(): number {
    return this.#number;
  }

  /**
   * Adds a record; resolves once it would survive a power cut. Records are written in the order of
   * the calls.
   *
   * @throws {FileError} if it could not be written; then nothing of it counts
   */
  append(record: JournalRecord): Promise<void> {
    return this.#enqueue(encodeRecord(record, this.options.checksum));
  }

  /**
   * Makes durable what was found when the journal was opened. A process that was killed may have
   * written records that it never flushed: before anything is made of them they must not be lost.
   */
  async keepFound(): Promise<void> {
    const { folder } = this.options;
    await flushIfThere(this.files, partPath(folder, this.#number));
    await this.files.flush(folder);
  }

  /**
   * Holds the next flush back until the returned function is called, so that the writes of one
   * request share it. Nothing in between may wait for a write.
   */
  gather(): () => void {
    this.#gatherers += 1;
    return () => {
      this.#gatherers -= 1;
      if (this.#gatherers === 0) this.#gathered();
    };
  }

  /**
   * Begins a new part after everything appended so far, and resolves to the number of the last part
   * before it.
   */
  async rotate(): Promise<number> {
    await this.#enqueue(null);
    return this.#number - 1;
  }

  /**
   * Removes all parts up to and including `number`, the oldest first and each durably: a part that
   * came back after a power cut without its successors would bring back what these had removed.
   */
  async dropThrough(number: number): Promise<void> {
    const { folder } = this.options;
    while (this.#older.length > 0 && this.#older[0].number <= number) {
      const [oldest] = this.#older;
      removeIfThere(this.files, partPath(folder, oldest.number));
      await this.files.flush(folder);
      if (this.#older[0] === oldest) this.#older.shift();
    }
  }

  /** Waits for what was appended. */
  async close(): Promise<void> {
    while (this.#flushing) await this.#flushing;
    this.#tryToCut();
    this.#closedBytes = this.#file?.size ?? this.#closedBytes;
    this.#file?.close();
    this.#file = null;
  }

  #enqueue(bytes: Uint8Array | null): Promise<void> {
    const done = new Promise<void>((resolve, reject) =>
      this.#waiting.push({ bytes, resolve, reject })
    );
    this.#flushing ??= this.#flushAll();
    return done;
  }

  async #flushAll(): Promise<void> {
    // Lets every write of this turn join the first flush.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      if (this.#gatherers > 0) await new Promise<void>((done) => this.#gathered = done);
      const barrier = this.#waiting.findIndex(({ bytes }) => bytes === null);
      if (barrier === 0) this.#startPart(this.#waiting.shift()!);
      else await this.#flushBatch(this.#waiting.splice(0, barrier < 0 ? Infinity : barrier));
    }
    this.#flushing = null;
  }

  #startPart(barrier: Waiting): void {
    try {
      this.#nextPart();
      barrier.resolve();
    } catch (error) {
      barrier.reject(error as Error);
    }
  }

  #nextPart(): void {
    this.#cut();
    if (this.#open().size === 0) return;
    this.#older.push({ number: this.#number, bytes: this.#open().size });
    this.#file?.close();
    this.#file = null;
    this.#number += 1;
  }

  async #flushBatch(batch: Waiting[]): Promise<void> {
    try {
      const file = this.#open();
      this.#cut();
      this.#cutTo = file.size;
      for (const { bytes } of batch) file.write(bytes!);
      await file.flush();
      if (this.#unnamed) await this.files.flush(this.options.folder);
      this.#unnamed = false;
      this.#cutTo = null;
      for (const { resolve } of batch) resolve();
    } catch (error) {
      this.#tryToCut();
      // What was appended meanwhile may build on what failed, so it fails too.
      const failed = [...batch, ...this.#waiting.splice(0)];
      for (const { reject } of failed) reject(error as Error);
    }
  }

  /** What could not be flushed must not be found by a later recovery. */
  #cut(): void {
    if (this.#cutTo === null) return;
    this.#file?.truncate(this.#cutTo);
    this.#cutTo = null;
  }

  #tryToCut(): void {
    try {
      this.#cut();
    } catch {
      // The next write tries again, and fails if it cannot: it must not stand behind this one.
    }
  }

  #open(): AppendFile {
    if (!this.#file) {
      this.files.makeDir(this.options.folder);
      this.#file = this.files.openAppend(partPath(this.options.folder, this.#number));
      this.#unnamed = true;
    }
    return this.#file;
  }
}

function partPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(8, "0")}.log`);
}

function listParts(files: Files, folder: string): JournalPart[] {
  try {
    return files.list(folder)
      .filter((entry) => entry.kind === "file" && /^\d{8}\.log$/.test(entry.name))
      .map((entry) => ({
        number: Number.parseInt(entry.name),
        bytes: files.stat(join(folder, entry.name)).size,
      }));
  } catch (error) {
    if (error instanceof FileError && error.code === "not_found") return [];
    throw error;
  }
}

function cutTail(files: Files, part: { path: string; end: number; size: number }): void {
  if (part.end === part.size) return;
  const file = files.openAppend(part.path);
  file.truncate(part.end);
  file.close();
}

function keepDamage(
  files: Files,
  damage: { path: string; bytes: Uint8Array; stretch: DamagedStretch; writable: boolean },
): string {
  const { path, bytes, stretch, writable } = damage;
  const { start, end } = stretch;
  const copy = `${path}.damaged-${start}`;
  if (writable) files.replace(copy, bytes.subarray(start, end));
  return `The journal part ${path} is damaged from byte ${start} to ${end}: ` +
    "the records around it were kept, its bytes were copied beside it. Run: kbdb check";
}
