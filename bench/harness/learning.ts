/**
 * How long learning takes. What is learned here is removed again, so that other operations meet
 * the size that the results name.
 *
 * @module
 */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../mod.ts";
import { generate } from "../generate-corpus.ts";
import { Writer } from "../prose.ts";
import { sectionId } from "../section_id.ts";
import { elapsed, memoryOf, open, openSettled, stopDaemon } from "./product.ts";
import { type Measurement, measurement, throughput } from "./result_file.ts";
import { corpusOf, learnInto, type Subject } from "./subject.ts";

/** Sections of one run of `batch-learn`, as documented. */
const BATCH = 100;
const BODY_WORDS = 250;

/** Single sections, each durable and searchable before the next one. */
export async function measureLearn(subject: Subject): Promise<Measurement[]> {
  const learner = new Learner(new Writer(subject.freshSeed));
  const cold = await measureColdLearn(subject, learner);
  await using db = await openSettled(subject.path);
  // Not counted: the first write of a daemon loads what writing needs.
  await learner.learn(db);
  const results = [
    await measureLearns(db, { learner, variant: "without-embedding", runs: subject.n }),
    await measureLearns(db, { learner, variant: "many", runs: Math.ceil(subject.queries / 5) }),
    cold,
  ];
  await removeAll(db, learner.kbids);
  return results;
}

/** Learns sections that are new, and knows them afterwards. */
class Learner {
  readonly kbids: string[] = [];

  constructor(private readonly writer: Writer) {}

  /** Learns one; milliseconds. */
  learn(db: Database): Promise<number> {
    const content = this.writer.body(BODY_WORDS);
    const tags = this.writer.tags();
    return elapsed(async () => this.kbids.push((await db.learn({ content, tags })).kbid));
  }
}

async function measureLearns(
  db: Database,
  { learner, variant, runs }: { learner: Learner; variant: string; runs: number },
): Promise<Measurement> {
  const samples: number[] = [];
  for (let i = 0; i < runs; i++) samples.push(await learner.learn(db));
  return measurement({ operation: "learn", variant, ...await memoryOf(db) }, samples);
}

/** The first learn of a daemon that was started for it. */
async function measureColdLearn(subject: Subject, learner: Learner): Promise<Measurement> {
  const samples: number[] = [];
  let memory: Awaited<ReturnType<typeof memoryOf>> | undefined;
  for (let i = 0; i < subject.n; i++) {
    await stopDaemon(subject.path);
    await using db = await open(subject.path);
    await db.status(); // starts the daemon, which is not timed
    samples.push(await learner.learn(db));
    memory = await memoryOf(db);
  }
  return measurement({ operation: "learn", variant: "cold", ...memory! }, samples);
}

/** Batches of 100 sections, one after another. */
export async function measureBatchLearn(subject: Subject): Promise<Measurement[]> {
  await using db = await openSettled(subject.path);
  const { n } = subject;
  const sections = [...generate({ count: BATCH * n, seed: subject.freshSeed + 1 })];
  const samples: number[] = [];
  for (let start = 0; start < sections.length; start += BATCH) {
    const lines = sections.slice(start, start + BATCH).map((section) => JSON.stringify(section));
    samples.push(
      await elapsed(async () => {
        const { failed } = await db.learnBatch(lines);
        if (failed.length > 0) throw new Error(`Cannot learn a batch: ${failed[0].message}`);
      }),
    );
  }
  const about = {
    operation: "batch-learn",
    variant: "sequential",
    ...await memoryOf(db),
    throughput_ops_per_s: throughput(BATCH, samples),
    sections: sections.length,
  };
  await removeAll(db, sections.map(({ content }) => sectionId(content)));
  return [measurement(about, samples)];
}

async function removeAll(db: Database, kbids: readonly string[]): Promise<void> {
  for (const kbid of kbids) await db.unlearn({ kbid });
  await db.emptyTrash();
}

/** The whole corpus into an empty database: from a batch file, and from a folder of files. */
export async function measureBulkLearn(subject: Subject): Promise<Measurement[]> {
  const results: Measurement[] = [];
  if (subject.learnedMs !== null) {
    results.push(
      await bulk(subject.path, { subject, variant: "batch-file", ms: subject.learnedMs }),
    );
  }
  const path = join(subject.folder, "folder/.kbdb");
  if (existsSync(path)) rmSync(path, { recursive: true });
  try {
    const ms = await learnInto(path, [corpusOf(subject, "files")]);
    results.push(await bulk(path, { subject, variant: "folder", ms }));
  } finally {
    await stopDaemon(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
  return results;
}

async function bulk(
  path: string,
  { subject, variant, ms }: { subject: Subject; variant: string; ms: number },
): Promise<Measurement> {
  await using db = await open(path);
  const { sections } = subject;
  const about = {
    operation: "bulk-learn",
    variant,
    ...await memoryOf(db),
    throughput_ops_per_s: throughput(sections, [ms]),
    sections,
  };
  return measurement(about, [ms]);
}
