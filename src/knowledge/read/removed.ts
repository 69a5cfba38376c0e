/**
 * Sentences about what is not there: it may lie in the trash.
 *
 * @module
 */

import { isKbid } from "../../store/paths.ts";
import type { Store } from "../../store/store.ts";

const PLAIN_WORD = /^[\p{L}\p{N}_.~/-]+$/u;

/** Knows what lies in the trash, which is looked at once, when something is missing. */
export class MissingIds {
  #removed: Set<string> | null = null;

  /** Looks into this store's trash. */
  constructor(private readonly store: Pick<Store, "trash">) {}

  /** That a section is not there, and how it comes back. */
  section(kbid: string): string {
    return this.#of("Section", kbid);
  }

  /** That a document is not there, and how it comes back. */
  document(docid: string): string {
    return this.#of("Document", docid);
  }

  /** The same for an id that may be either. */
  sentence(id: string): string {
    return isKbid(id) ? this.section(id) : this.document(id);
  }

  /** How an id comes back, or `null` where nothing of it lies in the trash. */
  wayBack(id: string): string | null {
    this.#removed ??= new Set(
      this.store.trash.list().flatMap((entry) => [
        ...entry.sections.map(({ kbid }) => kbid),
        ...entry.documents.map(({ docid }) => docid),
      ]),
    );
    if (!this.#removed.has(id)) return null;
    return `kbdb restore ${PLAIN_WORD.test(id) ? id : JSON.stringify(id)}`;
  }

  #of(kind: string, id: string): string {
    const way = this.wayBack(id);
    if (way === null) return `${kind} not found: ${id}`;
    return `${kind} ${id} was removed. Bring it back with: ${way}`;
  }
}
