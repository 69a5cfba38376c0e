/**
 * One look at files for edits from outside (D47): what it works with, what it found, and how that
 * gets into the index.
 *
 * Files are examined in the writer's order: what a file says is in the index before any write that
 * comes later, and a file that a write on its way will change is examined once more after it.
 *
 * @module
 */

import type { IndexRecord } from "../../core/search_index.ts";
import { type ChangeEvent, noChange } from "../../rpc/changes.ts";
import type { JournalRecord } from "../../store/journal_record.ts";
import { type Removal, removalName } from "../../store/removal.ts";
import type { ScanKind, ScannedFile } from "../../store/scan.ts";
import { changeOf, lookBefore } from "../applied.ts";
import type { BaseParts } from "../base_parts.ts";
import { Gathered } from "../changes.ts";
import type { Losses } from "../losses.ts";
import { Holders } from "./holders.ts";
import { Slices } from "../slices.ts";

/** What a look works with. */
export interface OutsideParts
  extends Pick<BaseParts, "store" | "keeper" | "reader" | "writer" | "lost" | "publish" | "now"> {
  readonly losses: Losses;
}

/** Where a look begins and what it leaves out. */
export interface PassOptions {
  readonly parts: OutsideParts;
  /** Files that changed before are as the index has them: milliseconds since 1970. */
  readonly since: number;
  /** Called with the number of files that were looked at. */
  looked(files: number): void;
}

/** The work was stopped. */
export class Stopped extends Error {}

/** How long examining may hold the writer's order. */
const SLICE_MS = 5;
/** A file that a stream of writes keeps changing is left to the next look. */
const TRIES = 5;
const PAGE = 1000;

/** A look that is under way. */
export class Pass {
  readonly parts: OutsideParts;
  readonly holders: Holders;
  readonly #gathered = new Gathered();
  readonly #slices = new Slices();
  #found = 0;
  #examined = 0;
  #stopped = false;

  constructor(private readonly options: PassOptions) {
    this.parts = options.parts;
    this.holders = new Holders(options.parts);
  }

  /** How many sections and documents were found to differ. */
  get found(): number {
    return this.#found;
  }

  /** How many files were read. */
  get examined(): number {
    return this.#examined;
  }

  /** What was found, as a change with a number. */
  changes(seq: number): ChangeEvent {
    return { ...this.#gathered.event, seq };
  }

  /** The look ends as soon as it can. */
  stop(): void {
    this.#stopped = true;
  }

  /**
   * Lets others work.
   *
   * @throws {Stopped} if there is no time left
   */
  async breathe(): Promise<void> {
    await this.#slices.breathe();
    if (this.#stopped) throw new Stopped();
  }

  /** The files of a folder, or `null` where they cannot be told: then nothing in it is missing. */
  files(kind: ScanKind, folder: string): ScannedFile[] | null {
    const name = `${kind}/${folder}`;
    try {
      const files = this.parts.store.scanFolder(kind, folder);
      this.parts.losses.forget(name);
      this.options.looked(files.length);
      return files;
    } catch (error) {
      this.parts.losses.doubtFolder(name, error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** Whether a file may have been changed from outside. */
  isSuspicious({ changedMs, modifiedMs }: ScannedFile): boolean {
    return Math.max(changedMs, modifiedMs) >= this.options.since;
  }

  /** The index's entries of a kind, page by page. */
  async *known(
    kind: string,
    from: { after?: string; page?: number } = {},
  ): AsyncGenerator<IndexRecord> {
    const { page: limit = PAGE } = from;
    const next = (after = from.after) => this.parts.keeper.index.list(kind, { after, limit });
    for (let page = next(); page.length > 0; page = next(page.at(-1)!.kbid)) {
      yield* page;
      await this.breathe();
    }
  }

  /**
   * Examines each in the writer's order. `examine` returns `false` for what has to be examined once
   * more, because a write on its way concerns it.
   */
  async examineAll(ids: Iterable<string>, examine: (id: string) => boolean): Promise<void> {
    let left = [...ids];
    this.#examined += left.length;
    for (let tries = 0; left.length > 0 && tries < TRIES; tries++) {
      const again: string[] = [];
      for (let at = 0; at < left.length;) {
        await this.parts.writer.inOrder(() => {
          const until = performance.now() + SLICE_MS;
          do {
            const id = left[at++];
            if (!examine(id)) again.push(id);
          } while (at < left.length && performance.now() < until);
        });
        await this.breathe();
      }
      left = again;
    }
  }

  /** A file carries the number of a write; whether later writes have to go on above it. */
  raise(seq: number): boolean {
    const { store } = this.parts;
    const before = store.seq;
    store.raiseSeq(seq);
    return store.seq > before;
  }

  /** Puts what files say into the index, as a write would. */
  take(changes: Partial<JournalRecord>): void {
    const { keeper } = this.parts;
    const nothing = { sections: [], documents: [], requests: [], removal: null };
    // Not a number of its own: only what a checkpoint has sealed may count as applied.
    const record = { seq: keeper.appliedSeq, ...nothing, ...changes };
    const before = lookBefore(record, keeper.index);
    keeper.apply(record);
    this.#note(changeOf(record, before));
  }

  /** A section is not whole, and left out of searches and answers. */
  lose(kbid: string, reason: string): void {
    const known = this.parts.keeper.index.get(kbid);
    this.parts.lost(kbid, reason);
    if (known === null) return;
    const change = noChange(0);
    change.sections.removed.push(kbid);
    change.prompts = known.kind === "skill";
    this.#note(change);
  }

  #note(change: ChangeEvent): void {
    for (const { added, updated, removed } of [change.sections, change.documents]) {
      this.#found += added.length + updated.length + removed.length;
    }
    this.#gathered.add(change);
  }
}

/** What was removed, as a write would have it; nothing goes to the trash. */
export function removalOf(
  pass: Pass,
  gone: { kbids?: readonly string[]; documents?: readonly string[] },
): Removal {
  const { store, now } = pass.parts;
  // A folder that is gone as a whole is not a folder whose files are gone.
  if (!store.exists()) throw new Stopped();
  const { kbids = [], documents = [] } = gone;
  const sections = kbids.map((kbid) => ({ kbid, places: [] }));
  const at = now().toISOString();
  return { name: removalName(store.seq), at, reason: "unlearn", sections, documents };
}

/** Whether the index's entry is what the files give. */
export function isSame(known: IndexRecord, given: IndexRecord): boolean {
  const keys = Object.keys(given) as (keyof IndexRecord)[];
  return keys.every((key) => JSON.stringify(known[key]) === JSON.stringify(given[key]));
}
