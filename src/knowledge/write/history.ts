/**
 * The revisions of a section: what it was corrected to and from (D12, D43).
 *
 * @module
 */

import { KbdbError } from "../../rpc/errors.ts";
import type { HistoryParams, HistoryResult, Revision } from "../../rpc/reading.ts";
import type { SectionMeta } from "../../store/section_file.ts";
import type { BaseParts } from "../base_parts.ts";
import { revisionKey } from "../index/records.ts";
import { refuseBadKbid } from "./write_checks.ts";

/** What is left of a revision. */
interface Remains {
  /** `null` where it is gone for good, or cannot be read. */
  readonly meta: SectionMeta | null;
  readonly removed: boolean;
}

/**
 * All revisions of a section, oldest first, by the id of any of them.
 *
 * @throws {KbdbError} `not_found` for an id of which nothing is known
 */
export function history(parts: BaseParts, params: HistoryParams): HistoryResult {
  refuseBadKbid(params.kbid, "show the history of");
  const chain = new Chain(parts);
  const path = chain.pathFrom(params.kbid);
  if (path === null) throw new KbdbError("not_found", `Section not found: ${params.kbid}`);
  const newest = path.at(-1)!;
  const current = chain.remains(newest).removed ? null : newest;
  const revisions = chain.behind(path).map((kbid): Revision => {
    const { meta, removed } = chain.remains(kbid);
    const { title: heading = null, created: created_at = null } = meta ?? {};
    return { kbid, heading, created_at, current: kbid === current, removed };
  });
  return { current, revisions: revisions.reverse() };
}

/** Walks along revisions, those in the trash too. */
class Chain {
  readonly #known = new Map<string, Remains>();

  constructor(private readonly parts: BaseParts) {}

  remains(kbid: string): Remains {
    const known = this.#known.get(kbid);
    if (known) return known;
    const found = this.#look(kbid);
    this.#known.set(kbid, found);
    return found;
  }

  /** From an id over those that took its place to the newest, or `null` for an unknown id. */
  pathFrom(start: string): string[] | null {
    const path = new Set([start]);
    for (let next = this.#successor(start, path); next !== null;) {
      path.add(next);
      next = this.#successor(next, path);
    }
    const { meta, removed } = this.remains(start);
    return path.size === 1 && removed && meta === null ? null : [...path];
  }

  /** All revisions that a path ends, newest first. */
  behind(path: readonly string[]): string[] {
    const found = new Set<string>();
    for (const kbid of path.toReversed()) {
      found.add(kbid);
      this.#addOlder(found, kbid);
    }
    // A section names no more than so many; the last of them names those before it.
    for (let size = 0; size < found.size;) {
      size = found.size;
      this.#addOlder(found, [...found].at(-1)!);
    }
    return [...found];
  }

  #addOlder(found: Set<string>, kbid: string): void {
    for (const older of this.remains(kbid).meta?.supersedes ?? []) found.add(older);
  }

  #successor(kbid: string, path: ReadonlySet<string>): string | null {
    const { meta, removed } = this.remains(kbid);
    // Of what is gone for good only its successors tell.
    const next = removed && meta === null
      ? this.#whatSupersedes(kbid, { start: path.size === 1 })
      : meta?.superseded_by ?? null;
    return next === null || path.has(next) ? null : next;
  }

  #whatSupersedes(kbid: string, options: { start: boolean }): string | null {
    const { index } = this.parts.keeper;
    // A retired one on the way may lead back to where the path came from.
    for (const kind of options.start ? ["section", "retired"] : ["section"]) {
      const [found] = index.list(kind, { ref: revisionKey(kbid), limit: 1 });
      if (found) return found.kbid;
    }
    return null;
  }

  #look(kbid: string): Remains {
    const { store } = this.parts;
    const stored = store.readSection(kbid);
    if (stored.state === "found") return { meta: stored.value.meta, removed: false };
    if (stored.state !== "missing") return { meta: null, removed: false };
    const entry = store.trash.find(kbid);
    const trashed = entry && store.trash.readSection(entry, kbid);
    return { meta: trashed?.state === "found" ? trashed.value.meta : null, removed: true };
  }
}
