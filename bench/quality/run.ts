/**
 * One collection through the library: learned into a database of its own, then searched.
 *
 * @module
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../mod.ts";
import type { Collection, Entry, Query } from "./collection.ts";
import { type Means, means, measure, type Measures, RESULTS } from "./metrics.ts";

/** Learned at once, so that many share a flush. */
const TOGETHER = 128;

/** Measures of one query. */
export interface QueryResult extends Measures {
  readonly id: string;
  /** Results that it got, at most 100. */
  readonly results: number;
}

/** How well a collection is searched. */
export interface CollectionResult extends Means {
  readonly collection: string;
  readonly entries: number;
  /** Entries that hold neither text nor title, and cannot be stored. */
  readonly empty: number;
  /** Entries whose text another one has, too; they are one content and are found as one. */
  readonly equal: number;
  /** Queries that were measured: those with something relevant. */
  readonly queries: number;
  readonly by_query: readonly QueryResult[];
}

/**
 * Learns a collection into a new database in a temporary folder, and measures its queries.
 *
 * @throws {Error} if an entry cannot be stored, or if no query has a judgement
 */
export async function measureCollection(collection: Collection): Promise<CollectionResult> {
  const folder = mkdtempSync(join(tmpdir(), "kbdb-quality-"));
  try {
    await using db = await openDatabase(folder, { create: true, daemon: "never" });
    const contents = await learnEntries(db, collection.entries);
    return await measureQueries(db, { collection, contents });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Stores every entry as one section and gives the sections by the ids of their entries. The texts are
 * plain: what looks like a heading in one is none, and does not cut it.
 */
async function learnEntries(
  db: Database,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  const filled = entries.filter((entry) => contentOf(entry) !== "");
  for (let i = 0; i < filled.length; i += TOGETHER) {
    const some = filled.slice(i, i + TOGETHER);
    const learned = await Promise.all(some.map((entry) => learnEntry(db, entry)));
    some.forEach(({ id }, j) => contents.set(id, learned[j]));
  }
  return contents;
}

/** A title without a text is the text. */
function contentOf({ text, title }: Entry): string {
  return text.trim() || title.trim();
}

async function learnEntry(db: Database, entry: Entry): Promise<string> {
  const title = entry.title.trim();
  const { kbid, sections = [] } = await db.learn({
    content: contentOf(entry),
    type: "text/plain",
    ...(title === "" ? {} : { title }),
    ...(entry.group === undefined ? {} : { tags: [entry.group] }),
  });
  if (sections.length <= 1) return kbid;
  throw new Error(`Cannot measure: entry ${entry.id} became ${sections.length} sections`);
}

async function measureQueries(
  db: Database,
  facts: { collection: Collection; contents: ReadonlyMap<string, string> },
): Promise<CollectionResult> {
  const { collection: { name, entries, queries, grades }, contents } = facts;
  const measured: QueryResult[] = [];
  for (const query of queries) {
    const judged = gradesOfContents(grades.get(query.id), contents);
    if (![...judged.values()].some((grade) => grade > 0)) continue;
    const ranking = await rankingOf(db, query);
    measured.push({ id: query.id, results: ranking.length, ...measure(ranking, judged) });
  }
  return {
    collection: name,
    entries: entries.length,
    empty: entries.length - contents.size,
    equal: contents.size - new Set(contents.values()).size,
    queries: measured.length,
    ...means(measured),
    by_query: measured,
  };
}

/**
 * Grades of sections: where entries with equal texts are one section, its grade is their highest. An
 * entry that is not stored keeps its grade, and is never found.
 */
function gradesOfContents(
  grades: ReadonlyMap<string, number> = new Map(),
  contents: ReadonlyMap<string, string>,
): Map<string, number> {
  const judged = new Map<string, number>();
  for (const [id, grade] of grades) {
    const content = contents.get(id) ?? `not stored: ${id}`;
    judged.set(content, Math.max(grade, judged.get(content) ?? 0));
  }
  return judged;
}

async function rankingOf(db: Database, { text, group }: Query): Promise<string[]> {
  if (text.trim() === "") return [];
  const filter = group === undefined ? {} : { tag: [group] };
  const { items } = await db.search(text, { limit: RESULTS, ...filter });
  return items.map(({ kbid }) => kbid);
}
