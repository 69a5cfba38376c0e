/**
 * Reading sections for answers: through the cache, and never under an id that the bytes do not give.
 *
 * @module
 */

import { kbid as kbidOf } from "../core/text.ts";
import type { ReadOutcome } from "../store/read_outcome.ts";
import type { StoredSection } from "../store/section_file.ts";
import type { Store } from "../store/store.ts";
import type { ContentCache } from "./content_cache.ts";

/** Reads sections and remembers their contents. */
export class SectionReader {
  constructor(private readonly store: Store, private readonly cache: ContentCache) {}

  /** The whole section; one whose bytes no longer give its id is damaged (D47). */
  read(kbid: string): ReadOutcome<StoredSection> {
    const outcome = this.store.readSection(kbid);
    if (outcome.state !== "found" || kbidOf(outcome.value.content) === kbid) return outcome;
    return {
      state: "damaged",
      reason: "its bytes no longer give its id, so it was edited or damaged; " +
        "kbdb rebuild --adopt keeps an edit",
    };
  }

  /** The content alone. */
  content(kbid: string): ReadOutcome<Uint8Array> {
    const cached = this.cache.get(kbid);
    if (cached) return { state: "found", value: cached };
    const outcome = this.read(kbid);
    if (outcome.state !== "found") return outcome;
    this.cache.put(kbid, outcome.value.content);
    return { state: "found", value: outcome.value.content };
  }
}
