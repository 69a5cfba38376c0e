/**
 * What crosses the wire to those who want to know of changes.
 *
 * @module
 */

/** Ids that a change touched. */
export interface ChangedIds {
  /** New, or back from the trash or from being retired. */
  added: string[];
  /** Changed in place: other tags, another title, held by other documents. */
  updated: string[];
  /** Removed, retired or superseded. */
  removed: string[];
}

/** Something changed, whoever did it. */
export interface ChangeEvent {
  /** Grows with every change of the database. */
  seq: number;
  /** Kbids. */
  sections: ChangedIds;
  /** Docids. */
  documents: ChangedIds;
  /** A skill or an agent is among them. */
  prompts: boolean;
  /**
   * More happened than is listed, as after time without a connection: everything may have changed.
   */
  incomplete?: boolean;
}

/** Ask to be told of changes, as long as the connection lasts. */
export interface SubscribeParams {
  /** Number of the last change that is known; what came after it is told at once. */
  since?: number;
}

/** The answer to a subscription. */
export interface SubscribeResult {
  /** Number of the last change. */
  seq: number;
  /** What came after `since`. */
  missed?: ChangeEvent;
}

/** A change that touches nothing. */
export function noChange(seq: number): ChangeEvent {
  const none = (): ChangedIds => ({ added: [], updated: [], removed: [] });
  return { seq, sections: none(), documents: none(), prompts: false };
}

/** Everything may have changed. */
export function incompleteChange(seq: number): ChangeEvent {
  return { ...noChange(seq), prompts: true, incomplete: true };
}
