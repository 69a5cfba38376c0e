/**
 * What keeps a section: documents that list it, and markers that name it (D13).
 *
 * @module
 */

import type { IndexRecord } from "../../core/search_index.ts";
import { KbdbError } from "../../rpc/errors.ts";
import type { BaseParts } from "../base_parts.ts";
import type { Draft } from "./draft.ts";
import { Slices } from "../slices.ts";

const PAGE = 1000;

/**
 * All sections that any manifest lists, agents' included.
 *
 * @throws {KbdbError} if a manifest cannot be read: what it lists would look unneeded
 */
export async function listedSections(parts: Pick<BaseParts, "store">): Promise<Set<string>> {
  const listed = new Set<string>();
  const slices = new Slices();
  for (const { name, outcome } of parts.store.allDocuments()) {
    await slices.breathe();
    if (outcome.state === "missing") continue;
    if (outcome.state !== "found") {
      throw new KbdbError(
        outcome.state === "damaged" ? "damaged" : "permission",
        // What reads TOML goes on over several lines.
        `Cannot sweep: the manifest documents/${name} is ${outcome.state}: ` +
          `${outcome.reason.split("\n")[0]}. ` +
          "Nothing was removed. Put the file right or remove it, then try again.",
      );
    }
    for (const { kbid } of outcome.value.sections) listed.add(kbid);
  }
  return listed;
}

/** All entries of a kind, letting others have their turn. */
export async function* entriesOf(
  { keeper }: Pick<BaseParts, "keeper">,
  kind: string,
): AsyncGenerator<IndexRecord> {
  const slices = new Slices();
  const next = (after?: string) => keeper.index.list(kind, { after, limit: PAGE });
  for (let page = next(); page.length > 0; page = next(page.at(-1)!.kbid)) {
    yield* page;
    await slices.breathe();
  }
}

/** The agents that list a skill: they keep it also while it is gone. */
export function holdersOf(
  { keeper }: Pick<BaseParts, "keeper">,
  draft: Draft,
  kbid: string,
): string[] {
  const docids: string[] = [];
  const next = (after?: string) => keeper.index.list("agent", { after, limit: PAGE });
  for (let page = next(); page.length > 0; page = next(page.at(-1)!.kbid)) {
    docids.push(...page.flatMap((record) => record.docids));
  }
  return docids.filter((docid) =>
    draft.document(docid)?.sections.some((entry) => entry.kbid === kbid)
  );
}
