/**
 * How long searches take.
 *
 * @module
 */

import type { Database } from "../../mod.ts";
import { Writer } from "../prose.ts";
import { elapsed, memoryOf, open, openSettled, stopDaemon } from "./product.ts";
import { type Measurement, measurement } from "./result_file.ts";
import type { Subject } from "./subject.ts";

/** Uncounted searches before a timed one of the variant `warm`. */
const WARM_UP = 10;
/** Uncounted searches before the variant `varied`. */
const VARIED_WARM_UP = 100;

/** Fewer searches while something lasts are no sample. */
const LEAST_DURING = 10;

/** Queries of three words by Zipf's law. */
export function* queries(seed: number): Generator<string, never> {
  const writer = new Writer(seed);
  while (true) yield writer.words(3).join(" ");
}

function take(count: number, seed: number): string[] {
  const source = queries(seed);
  return Array.from({ length: count }, () => source.next().value);
}

/** All variants of `search` that need no other operation beside them. */
export async function measureSearch(subject: Subject): Promise<Measurement[]> {
  const cold = await measureCold(subject);
  const during = await measureDuringScan(subject);
  await using db = await openSettled(subject.path);
  return [
    cold,
    await measureWarm(db, subject),
    await measureVaried(db, subject, "varied"),
    ...during,
  ];
}

/** The first search of a daemon that was started for it. */
async function measureCold(subject: Subject): Promise<Measurement> {
  const samples: number[] = [];
  let memory: Awaited<ReturnType<typeof memoryOf>> | undefined;
  for (const query of take(subject.n, 11)) {
    await stopDaemon(subject.path);
    await using db = await open(subject.path);
    await db.status(); // starts the daemon, which is not timed
    samples.push(await elapsed(() => db.search(query)));
    memory = await memoryOf(db);
  }
  return measurement({ operation: "search", variant: "cold", ...memory! }, samples);
}

/**
 * Different queries while a daemon that was just started looks for edits from outside; none where
 * that is over after few.
 */
async function measureDuringScan(subject: Subject): Promise<Measurement[]> {
  await stopDaemon(subject.path);
  await using db = await open(subject.path);
  const samples: number[] = [];
  for (const query of take(subject.queries, 13)) {
    samples.push(await elapsed(() => db.search(query)));
    if ((await db.status()).scan.state === "done") break;
  }
  // The first search waited for the start, and during the last one the look ended.
  const during = samples.slice(1, -1);
  if (during.length < LEAST_DURING) return [];
  const about = { operation: "search", variant: "during-scan", ...await memoryOf(db) };
  return [measurement(about, during)];
}

/** Each of N queries after ten identical searches that are not counted. */
async function measureWarm(db: Database, subject: Subject): Promise<Measurement> {
  const samples: number[] = [];
  for (const query of take(subject.n, 12)) {
    for (let i = 0; i < WARM_UP; i++) await db.search(query);
    samples.push(await elapsed(() => db.search(query)));
  }
  const about = { operation: "search", variant: "warm", ...await memoryOf(db) };
  return measurement(about, samples);
}

/** Many different queries, each once. */
export async function measureVaried(
  db: Database,
  subject: Subject,
  variant: string,
): Promise<Measurement> {
  const samples: number[] = [];
  let found = 0;
  for (const [i, query] of take(subject.queries + VARIED_WARM_UP, 7).entries()) {
    const ms = await elapsed(async () => found += (await db.search(query)).total);
    if (i >= VARIED_WARM_UP) samples.push(ms);
  }
  if (found === 0) throw new Error("Cannot measure searches: they find nothing");
  return measurement({ operation: "search", variant, ...await memoryOf(db) }, samples);
}
