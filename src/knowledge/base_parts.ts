/**
 * What the operations of an open database work with. Each operation is a function in a file of its
 * own that takes these parts; {@linkcode KnowledgeBase.run} hands them out once the index is loaded.
 *
 * @module
 */

import type { ChangeEvent } from "../rpc/changes.ts";
import type { Store } from "../store/store.ts";
import type { IndexKeeper } from "./index/keeper.ts";
import type { SectionReader } from "./sections.ts";
import type { Writer } from "./write/writer.ts";

/** Settings that knowledge itself obeys. */
export interface KnowledgeSettings {
  /** Days that a superseded or retired section is kept from gc. @default {0} */
  readonly graceDays: number;
  /** Days that something stays in the trash. @default {30} */
  readonly trashDays: number;
}

/** The parts of an open database. */
export interface BaseParts {
  readonly store: Store;
  readonly keeper: IndexKeeper;
  readonly reader: SectionReader;
  readonly writer: Writer;
  readonly settings: KnowledgeSettings;
  /** Faults that were noticed before. */
  readonly warnings: readonly string[];
  now(): Date;
  /** Called with a section that the index has and the disk no longer has whole. */
  lost(kbid: string, reason: string): void;
  /** Cuts the journal short, so that it keeps no text of what is gone for good. */
  cutJournal(): Promise<void>;
  /** Tells those who subscribed of a change that no write made, such as an edit from outside. */
  publish(change: ChangeEvent): void;
}

/** Settings where nothing is set. */
export const DEFAULT_SETTINGS: KnowledgeSettings = { graceDays: 0, trashDays: 30 };
