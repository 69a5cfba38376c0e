/**
 * How long the looking-after takes: rebuild, check and gc.
 *
 * @module
 */

import type { Database } from "../../mod.ts";
import { generate, type Section, SECTIONS_PER_FILE } from "../generate-corpus.ts";
import { elapsed, memoryOf, openSettled } from "./product.ts";
import { type Measurement, measurement } from "./result_file.ts";
import { queries } from "./searching.ts";
import type { Subject } from "./subject.ts";

/** The share of all sections that is superseded before each gc. */
const SUPERSEDED = 0.1;

/** Rebuilds by themselves, then searches one after another for as long as one more takes. */
export async function measureRebuild(subject: Subject): Promise<Measurement[]> {
  await using db = await openSettled(subject.path);
  const rss_before_bytes = (await memoryOf(db)).daemon_rss_bytes;
  const samples: number[] = [];
  let sections = 0;
  for (let i = 0; i < subject.n; i++) {
    samples.push(await elapsed(async () => sections += (await db.rebuild()).sections_reindexed));
  }
  const about = {
    operation: "rebuild",
    variant: "lexical",
    ...await memoryOf(db),
    sections,
    rss_before_bytes,
  };
  return [measurement(about, samples), await measureMeanwhile(db)];
}

async function measureMeanwhile(db: Database): Promise<Measurement> {
  const samples: number[] = [];
  const source = queries(9);
  let running = true;
  const rebuilding = db.rebuild().finally(() => running = false);
  while (running) {
    const query = source.next().value;
    samples.push(await elapsed(() => db.search(query)));
  }
  await rebuilding;
  const about = { operation: "search", variant: "during-rebuild", ...await memoryOf(db) };
  return measurement(about, samples);
}

/** Full scans. A database with faults would be a wrong thing to measure. */
export async function measureCheck(subject: Subject): Promise<Measurement[]> {
  await using db = await openSettled(subject.path);
  const samples: number[] = [];
  let sections = 0;
  for (let i = 0; i < subject.n; i++) {
    samples.push(
      await elapsed(async () => {
        const { ok, errors, sections_checked } = await db.check();
        if (!ok) throw new Error(`Cannot measure a damaged database: ${JSON.stringify(errors[0])}`);
        sections += sections_checked;
      }),
    );
  }
  const about = { operation: "check", variant: "full-scan", ...await memoryOf(db), sections };
  return [measurement(about, samples)];
}

/** Each run after other contents have taken the place of a tenth of all documents. */
export async function measureGc(subject: Subject): Promise<Measurement[]> {
  await using db = await openSettled(subject.path);
  const docids = await allDocids(db);
  const share = Math.max(1, Math.round(docids.length * SUPERSEDED));
  const count = subject.n * share * SECTIONS_PER_FILE;
  const source = generate({ count, seed: subject.freshSeed + 2 })[Symbol.iterator]();
  const samples: number[] = [];
  let sections = 0;
  for (let i = 0; i < subject.n * share; i += share) {
    for (let j = i; j < i + share; j++) {
      const content = documentOf(source);
      await db.learn({ content, docid: docids[j % docids.length], document: true, replace: true });
    }
    samples.push(await elapsed(async () => sections += (await db.gc()).removed_sections));
    await db.emptyTrash();
  }
  if (sections === 0) throw new Error("Cannot measure gc: it found nothing to remove");
  const about = { operation: "gc", variant: "superseded-10-percent", ...await memoryOf(db) };
  return [measurement({ ...about, sections }, samples)];
}

/** As many new sections as a document of the corpus has. */
function documentOf(source: Iterator<Section>): string {
  const parts: string[] = [];
  for (let i = 0; i < SECTIONS_PER_FILE; i++) {
    const { title, content } = source.next().value!;
    // Without the links: what they name is not in this database.
    parts.push(`## ${title}\n\n${content.replace(/ ?See \$\(link:\w+\)\./, "")}`);
  }
  return parts.join("\n\n");
}

async function allDocids(db: Database): Promise<string[]> {
  const docids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await db.listDocuments({ limit: 1000, ...(cursor ? { cursor } : {}) });
    docids.push(...page.items.map(({ docid }) => docid));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return docids;
}
