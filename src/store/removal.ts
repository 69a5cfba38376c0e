/**
 * What a transaction takes out of the database and puts into the trash.
 *
 * @module
 */

import { checkedKbid } from "./paths.ts";

/** Why something was removed. */
export type RemovalReason = "unlearn" | "gc" | "skill-delete" | "agent-delete";

/** Where a removed section stood, so that restoring puts it back (D49). */
export interface RemovedPlace {
  readonly docid: string;
  /** Among the sections of the document, as it was before the removal. */
  readonly index: number;
  readonly gap: string;
}

/** A section that goes to the trash. */
export interface RemovedSection {
  readonly kbid: string;
  readonly places: readonly RemovedPlace[];
}

/** What a transaction moves to the trash. */
export interface Removal {
  /** Folder in the trash, as {@linkcode removalName} makes it. */
  readonly name: string;
  /** RFC 3339, UTC, milliseconds (D17). */
  readonly at: string;
  readonly reason: RemovalReason;
  readonly sections: readonly RemovedSection[];
  /** Docids. */
  readonly documents: readonly string[];
}

/**
 * Makes sure that a removal can be carried out.
 *
 * @throws {RangeError} if its name is not that of its transaction, or an id is none
 */
export function checkRemoval(removal: Removal, seq: number): void {
  if (removal.name !== removalName(seq)) {
    throw new RangeError(`Cannot remove: transaction ${seq} has the name ${removalName(seq)}`);
  }
  for (const { kbid } of removal.sections) checkedKbid(kbid);
}

/** Folder in the trash of the removal in the transaction `seq`. */
export function removalName(seq: number): string {
  return String(seq).padStart(12, "0");
}
