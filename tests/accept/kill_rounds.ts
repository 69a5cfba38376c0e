/**
 * Kills the daemon with -9 at random moments while a client learns, and proves that nothing it
 * acknowledged is lost.
 *
 * @module
 */

import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { generate, type Section } from "../../bench/generate-corpus.ts";
import { createRandom, type Random } from "../../bench/random.ts";
import { type Database, openDatabase } from "../../mod.ts";
import { kbdb } from "../support/command.ts";
import { daemonPid, expectCleanCheck, scratchDatabase } from "./scratch.ts";

const ROUNDS = 20;
const SECTIONS_PER_ROUND = 300;
/** Calls under way at a time. */
const LANES = 8;
const MAX_DELAY_MS = 300;
const QUERIES = 50;

/** What the client was told is stored: id to content. */
type Acknowledged = Map<string, string>;

/** Learns all sections, a few at a time, and notes each as soon as it is acknowledged. */
async function learnAll(
  database: Database,
  { sections, acknowledged }: { sections: Section[]; acknowledged: Acknowledged },
): Promise<string[]> {
  const failures: string[] = [];
  const rest = sections.values();
  const lane = async () => {
    for (const { content, title, tags } of rest) {
      try {
        const { kbid } = await database.learn({ content, title, tags, docid: tags[0] });
        acknowledged.set(kbid, content);
      } catch (error) {
        failures.push(String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return failures;
}

/** One round: learns, and kills the daemon meanwhile. Returns what was not acknowledged. */
async function round(
  path: string,
  { sections, acknowledged, random }: {
    sections: Section[];
    acknowledged: Acknowledged;
    random: Random;
  },
): Promise<string[]> {
  const database = await openDatabase(path);
  await database.status();
  const pid = await daemonPid(path);
  const learning = learnAll(database, { sections, acknowledged });
  await sleep(random.between(1, MAX_DELAY_MS));
  const before = acknowledged.size;
  process.kill(pid, "SIGKILL");
  const failures = await learning;
  await database.close();
  const during = acknowledged.size - before;
  console.log(`killed ${pid}: ${before} acknowledged before, ${during} after in this round`);
  return failures;
}

/** How many acknowledged sections cannot be read back with the content that was learned. */
async function countMissing(database: Database, acknowledged: Acknowledged): Promise<number> {
  let missing = 0;
  const ids = [...acknowledged.keys()];
  for (let start = 0; start < ids.length; start += 100) {
    for (const item of (await database.recall(ids.slice(start, start + 100))).items) {
      if (!("content" in item) || item.content !== acknowledged.get(item.kbid)) missing++;
    }
  }
  return missing;
}

/** Results of many searches, without what may differ from run to run. */
async function searchAll(database: Database, queries: string[]): Promise<string[]> {
  const results: string[] = [];
  for (const query of queries) {
    const { items, total } = await database.search(query, { limit: 20 });
    results.push(JSON.stringify({ query, total, items }));
  }
  return results;
}

/** Queries of one to three words out of the sections themselves. */
function makeQueries(sections: Section[], random: Random): string[] {
  return Array.from({ length: QUERIES }, () => {
    const words = sections[random.below(sections.length)].content.match(/\w+/g) ?? [];
    const start = random.below(words.length);
    return words.slice(start, start + random.between(1, 3)).join(" ");
  });
}

/** The part `kill` of the acceptance. */
export async function killRounds(): Promise<void> {
  await using scratch = await scratchDatabase();
  const seed = Date.now();
  console.log(`seed ${seed}`);
  const random = createRandom(seed);
  const all = [...generate({ count: ROUNDS * SECTIONS_PER_ROUND, avgBodyLength: 60 })];
  const acknowledged: Acknowledged = new Map();
  const failures: string[] = [];
  for (let at = 0; at < all.length; at += SECTIONS_PER_ROUND) {
    const sections = all.slice(at, at + SECTIONS_PER_ROUND);
    failures.push(...await round(scratch.path, { sections, acknowledged, random }));
  }
  if (failures.length > 0) {
    // A client sends again what a lost connection left open, so no call may fail.
    throw new Error(`${failures.length} calls failed: ${[...new Set(failures)].join("; ")}`);
  }
  const database = await openDatabase(scratch.path);
  const missing = await countMissing(database, acknowledged);
  console.log(`acknowledged ${acknowledged.size}, missing ${missing}`);
  if (missing > 0) throw new Error(`${missing} acknowledged sections are lost`);
  if (acknowledged.size === 0) throw new Error("Nothing was acknowledged at all");
  await expectCleanCheck(scratch.path);
  await compareWithRebuild(database, { path: scratch.path, queries: makeQueries(all, random) });
  await database.close();
}

/** Fails where a search answers otherwise after the index was made anew from the files. */
async function compareWithRebuild(
  database: Database,
  { path, queries }: { path: string; queries: string[] },
): Promise<void> {
  const before = await searchAll(database, queries);
  const rebuilt = await kbdb(["rebuild", "--db", path], { timeoutMs: 120_000 });
  if (rebuilt.code !== 0) throw new Error(`kbdb rebuild failed: ${rebuilt.stderr}`);
  const after = await searchAll(database, queries);
  const different = before.filter((result, index) => result !== after[index]);
  console.log(`searches equal after rebuild: ${before.length - different.length} of ${QUERIES}`);
  if (different.length > 0) throw new Error(`A search differs after rebuild: ${different[0]}`);
}
