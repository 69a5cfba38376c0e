/**
 * Edits from outside, such as a person's editor or `git checkout` makes them (D47). All files are
 * looked through once, some time after the start; afterwards only folders whose entries changed.
 * Truth is never written to: the index follows it.
 *
 * @module
 */

import type { ChangeEvent } from "../../rpc/changes.ts";
import type { ScanStatus } from "../../rpc/protocol.ts";
import type { Maintenance } from "../maintenance.ts";
import { DOCUMENT_KINDS, findHolders, lookAtDocuments } from "./documents.ts";
import { type Folders, FolderTimes } from "./folders.ts";
import { type OutsideParts, Pass, Stopped } from "./pass.ts";
import { lookAtSections, SECTION_KINDS, sectionFolders } from "./sections.ts";

/** Times of files and of this process may differ by so much: what is close is looked at. */
const MARGIN_MS = 2000;
/** Files of more writes are not read again to see whether they were edited as well. */
const MOST_WRITES = 1000;
/** After so many files were read for nothing, they should not be read again. */
const WORTH_KEEPING = 256;

/** What the look for edits works with. */
export interface OutsideEditsParts extends OutsideParts {
  readonly maintenance: Maintenance;
}

/** Looks for edits from outside in one open database. */
export class OutsideEdits {
  readonly #folders: FolderTimes;
  #state: ScanStatus["state"] = "waiting";
  #done = 0;
  #found = 0;
  #scanning: Promise<void> | null = null;
  /** Ends with the last look that was asked for. */
  #work: Promise<void> = Promise.resolve();
  #pass: Pass | null = null;
  /** Sections and documents that this process wrote since the last look. */
  #writes = 0;
  /** When folders were looked at last. */
  #lookedMs = 0;
  /** All files were looked through. */
  #isWhole = false;
  /** Something was found that is not in the index on disk. */
  #isOwed = false;
  #fault: string | null = null;
  #closed = false;

  constructor(private readonly parts: OutsideEditsParts) {
    this.#folders = new FolderTimes(parts.store);
  }

  /** How far the look through all files has come, and what was found since the start. */
  get status(): ScanStatus {
    return {
      state: this.#state,
      done: this.#done,
      total: this.#state === "waiting" ? null : this.#total(),
      found: this.#found,
    };
  }

  /** Why edits could not be looked for, as a sentence. */
  get fault(): string | null {
    return this.#fault;
  }

  /** This process changed sections and documents. */
  wrote(change: ChangeEvent): void {
    for (const ids of [...Object.values(change.sections), ...Object.values(change.documents)]) {
      this.#writes += ids.length;
    }
    for (const docids of Object.values(change.documents)) {
      for (const docid of docids) this.#pass?.holders.forgetList(docid);
    }
  }

  /** Looks through all files, once; later calls wait for the same look. */
  scan(): Promise<void> {
    return this.#scanning ??= this.#begin(() => this.#scan());
  }

  /**
   * Looks through folders whose entries changed since the look before; not before the scan, which is
   * repeated where it failed.
   */
  async look(): Promise<void> {
    if (this.#state !== "done") return;
    await this.#begin(() => this.#isWhole ? this.#look() : this.#scan());
  }

  /** Ends a look that is under way; what it found so far counts. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#pass?.stop();
    await this.#work;
  }

  /** One look after another; what goes wrong is told in the status. */
  #begin(work: () => Promise<void>): Promise<void> {
    return this.#work = this.#work.then(async () => {
      if (this.#closed) return;
      try {
        await work();
        this.#fault = null;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#fault = `Edits from outside could not be looked for: ${reason}`;
      }
    });
  }

  async #scan(): Promise<void> {
    const { store, keeper, now } = this.parts;
    const began = now().getTime();
    this.#state = "running";
    this.#done = this.#writes = 0;
    this.#lookedMs = began;
    try {
      await this.#folders.look(began);
      const folders = { documents: store.scanFolders("documents"), sections: sectionFolders() };
      // A time to come was told by a clock that went wrong.
      const pass = this.#passOf(keeper.scannedMs > began ? 0 : keeper.scannedMs);
      await this.#lookThrough(pass, { folders, scannedMs: began });
    } finally {
      this.#state = "done";
    }
  }

  async #look(): Promise<void> {
    const began = this.parts.now().getTime();
    const folders = await this.#folders.look(began);
    const [since, writes] = [this.#lookedMs, this.#writes];
    this.#lookedMs = began;
    this.#writes = 0;
    if (folders.documents.length + folders.sections.length === 0) return;
    // Reading all that was learned in bulk would cost as much again; the next scan does.
    const pass = this.#passOf(writes > MOST_WRITES ? Infinity : since);
    await this.#lookThrough(pass, { folders });
  }

  /** A look at files that changed since a time, and at those that came or went. */
  #passOf(sinceMs: number): Pass {
    const looked = (files: number) => {
      if (this.#state === "running") this.#done += files;
    };
    return new Pass({ parts: this.parts, since: sinceMs - MARGIN_MS, looked });
  }

  async #lookThrough(
    pass: Pass,
    where: { folders: Folders; scannedMs?: number },
  ): Promise<void> {
    this.#pass = pass;
    let scannedMs: number | undefined;
    try {
      await lookAtDocuments(pass, where.folders.documents);
      for (const folder of where.folders.sections) await lookAtSections(pass, folder);
      await findHolders(pass);
      scannedMs = where.scannedMs;
      this.#isWhole = true;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    } finally {
      this.#pass = null;
      await this.#keep(pass, scannedMs);
    }
  }

  /** Tells what was found and puts it on disk, where no journal has it. */
  async #keep(pass: Pass, scannedMs?: number): Promise<void> {
    const { store, keeper, maintenance, publish } = this.parts;
    this.#found += pass.found;
    this.#isOwed ||= pass.found > 0;
    if (this.#isOwed) {
      return await maintenance.run(async () => {
        const seq = await this.#number();
        if (pass.found > 0) publish(pass.changes(seq));
        if (store.writable) await this.#commit(scannedMs);
      });
    }
    if (scannedMs === undefined) return;
    keeper.scannedMs = scannedMs;
    // Otherwise the next commit takes it along.
    const isWorthKeeping = pass.examined >= WORTH_KEEPING && store.writable;
    if (isWorthKeeping) await maintenance.run(() => maintenance.commitIndex({ seal: false }));
  }

  /** A number for what was found, where it stands among the writes, so that it counts as applied. */
  async #number(): Promise<number> {
    const { store, keeper, writer } = this.parts;
    const seq = store.takeSeq();
    const nothing = { sections: [], documents: [], requests: [] };
    await writer.inOrder(() => void keeper.apply({ seq, ...nothing }));
    return seq;
  }

  async #commit(scannedMs?: number): Promise<void> {
    const { keeper, maintenance } = this.parts;
    const before = keeper.scannedMs;
    keeper.scannedMs = scannedMs ?? before;
    try {
      await maintenance.commitIndex({ seal: true });
      this.#isOwed = false;
    } catch (error) {
      // A commit that does not hold what was found must not say that the files were looked through.
      keeper.scannedMs = before;
      throw error;
    }
  }

  /** Files that there are, as far as is known. */
  #total(): number {
    if (this.#state === "done") return this.#done;
    const { kinds } = this.parts.keeper.index.stats();
    const known = [...SECTION_KINDS, ...DOCUMENT_KINDS].map((kind) => kinds[kind] ?? 0);
    return Math.max(this.#done, known.reduce((sum, count) => sum + count, 0));
  }
}
