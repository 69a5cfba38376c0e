/**
 * All operations on one corpus size, from an empty folder to a result.
 *
 * @module
 */

import { milliseconds } from "../figures.ts";
import { measureBatchLearn, measureBulkLearn, measureLearn } from "./learning.ts";
import { measureCheck, measureGc, measureRebuild } from "./maintaining.ts";
import type { BenchmarkOptions } from "./options.ts";
import { coreBytes, machine, open, platformLabel, runtimeLabel, stopDaemon } from "./product.ts";
import type { Measurement, ResultFile } from "./result_file.ts";
import { measureSearch } from "./searching.ts";
import { type Operation, OPERATIONS, type Size } from "./sizes.ts";
import { measureStart } from "./starting.ts";
import { indexSizes, prepare, type Subject } from "./subject.ts";

type Measure = (subject: Subject) => Promise<Measurement[]>;

/** In the order in which they are run: what changes the database comes last. */
const STEPS: readonly { operation: Operation; measure: Measure; changes?: boolean }[] = [
  { operation: "bulk-learn", measure: measureBulkLearn },
  { operation: "search", measure: measureSearch },
  { operation: "rebuild", measure: measureRebuild },
  { operation: "check", measure: measureCheck },
  { operation: "start", measure: measureStart },
  { operation: "gc", measure: measureGc, changes: true },
  { operation: "learn", measure: measureLearn, changes: true },
  { operation: "batch-learn", measure: measureBatchLearn, changes: true },
];

/** What a run needs besides its options. */
export interface RunContext {
  readonly options: BenchmarkOptions;
  /** Folder of corpora and databases. */
  readonly folder: string;
  /** Told of each measurement as it is made. */
  readonly tell: (line: string) => void;
}

/** Measures one size. */
export async function measureSize(size: Size, context: RunContext): Promise<ResultFile> {
  const { options, folder, tell } = context;
  tell(`${size.label}: ${size.sections} sections`);
  const subject = await prepare(folder, { size, options });
  try {
    const steady = await measureSteps(subject, context, false);
    const known = await facts(subject);
    const changing = await measureSteps(subject, context, true);
    return resultFile(subject, { size, known, results: inOrder([...steady, ...changing]) });
  } finally {
    await stopDaemon(subject.path);
  }
}

async function measureSteps(
  subject: Subject,
  { options, tell }: RunContext,
  changes: boolean,
): Promise<Measurement[]> {
  const results: Measurement[] = [];
  for (const step of STEPS) {
    if ((step.changes ?? false) !== changes || !options.operations.includes(step.operation)) {
      continue;
    }
    for (const result of await step.measure(subject)) {
      tell(line(result));
      results.push(result);
    }
  }
  return results;
}

function line({ operation, variant, n, p50_ms, p99_ms }: Measurement): string {
  const times = `p50 ${milliseconds(p50_ms)} ms, p99 ${milliseconds(p99_ms)} ms`;
  return `  ${`${operation}, ${variant}`.padEnd(30)} ${times} (${n} runs)`;
}

async function facts({ path }: Subject): Promise<Pick<ResultFile, "index_sizes" | "kbdb_version">> {
  await using db = await open(path);
  const { version, index } = await db.status();
  return { index_sizes: indexSizes(path, index.generation), kbdb_version: version };
}

/** In the order of the document, then of the measurements. */
function inOrder(results: Measurement[]): Measurement[] {
  const place = ({ operation }: Measurement) => OPERATIONS.indexOf(operation as Operation);
  return results.sort((a, b) => place(a) - place(b));
}

function resultFile(
  subject: Subject,
  { size, known, results }: {
    size: Size;
    known: Awaited<ReturnType<typeof facts>>;
    results: Measurement[];
  },
): ResultFile {
  return {
    timestamp: new Date().toISOString().replace(/\.\d+/, ""),
    platform: platformLabel,
    runtime: runtimeLabel,
    corpus_size: size.label,
    results,
    index_sizes: known.index_sizes,
    sections: size.sections,
    seed: subject.seed,
    database: subject.learnedMs === null ? "kept" : "fresh",
    kbdb_version: known.kbdb_version,
    core_bytes: coreBytes(),
    machine: machine(),
  };
}
