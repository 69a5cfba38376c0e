/**
 * Measures kbdb beside SQLite FTS5, tantivy, MiniSearch and FlexSearch: the same corpus, the same
 * queries, each engine in a process of its own. Prints Markdown and writes a result file, which
 * `results.ts` describes.
 *
 * `deno task bench:peers [--sizes 1000,10000,100000] [--queries 1000] [--trials 3] [--keep FOLDER]`
 *
 * @module
 */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { milliseconds } from "../figures.ts";
import { machine } from "../harness/product.ts";
import { type Engine, ENGINES } from "./engines.ts";
import { prepare, type ReadyEngine } from "./install.ts";
import { HELP, parseOptions, type PeerOptions, UsageError } from "./options.ts";
import { reportOf } from "./report.ts";
import {
  type EngineFacts,
  type PeerResults,
  type SizeResult,
  summarize,
  type Trial,
} from "./results.ts";
import {
  makeInserts,
  makeQueries,
  rotated,
  runTrial,
  SEEDS,
  WORDS,
  type Workload,
  writeSections,
} from "./trial.ts";

const WARM_UP = 100;
const INSERTS = 100;
/** As in `programs/serve.mjs`. */
const LIMIT = 20;
/** What a folder in memory is known by. */
const TMPFS = 0x01021994;

/** An engine that was asked for: ready, or why it is missing. */
interface Candidate {
  readonly engine: Engine;
  readonly ready?: ReadyEngine;
  readonly missing?: string;
}

/** What an engine came to so far. */
interface Measured {
  readonly engine: Engine;
  readonly ready: ReadyEngine;
  readonly trials: Trial[];
  readonly failures: string[];
}

/** Installs, measures and sums up. */
export async function comparePeers(options: PeerOptions, folder: string): Promise<PeerResults> {
  const timestamp = new Date().toISOString();
  const about = machine();
  const candidates = await prepareAll(options, folder);
  const sizes: SizeResult[] = [];
  for (const size of options.sizes) {
    console.error(`${size} sections`);
    sizes.push(await measureSize(candidates, { options, folder, size }));
  }
  return {
    format: 1,
    timestamp,
    machine: about,
    method: {
      seeds: SEEDS,
      queries: options.queries,
      words_per_query: WORDS,
      warm_up: WARM_UP,
      inserts: INSERTS,
      limit: LIMIT,
      trials: options.trials,
      in_memory_files: statfsSync(folder).type === TMPFS,
    },
    engines: candidates.map(factsOf),
    sizes,
  };
}

async function prepareAll(options: PeerOptions, folder: string): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const engine of ENGINES.filter(({ id }) => options.engines.includes(id))) {
    try {
      const ready = await prepare(engine, { folder, kbdb: options.kbdb });
      console.error(`${engine.name}: ${ready.version}`);
      candidates.push({ engine, ready });
    } catch (error) {
      const missing = (error as Error).message;
      console.error(`${engine.name}: not to be had here: ${missing}`);
      candidates.push({ engine, missing });
    }
  }
  return candidates;
}

function factsOf({ engine, ready, missing }: Candidate): EngineFacts {
  const { id, name, packages, durable, snippets, stemming, remark } = engine;
  return {
    id,
    name,
    version: ready?.version ?? null,
    ...(missing === undefined ? {} : { missing }),
    packages,
    durable,
    snippets,
    stemming,
    remark,
  };
}

async function measureSize(
  candidates: readonly Candidate[],
  { options, folder, size }: { options: PeerOptions; folder: string; size: number },
): Promise<SizeResult> {
  const work = workload(folder, { size, queries: options.queries });
  const measured = candidates.flatMap(({ engine, ready }): Measured[] =>
    ready === undefined ? [] : [{ engine, ready, trials: [], failures: [] }]
  );
  for (let trial = 0; trial < options.trials; trial++) {
    for (const one of rotated(measured, trial)) {
      const came = await addTrial(one, { work, folder });
      console.error(`  trial ${trial + 1}, ${one.engine.name}: ${came}`);
    }
  }
  return {
    sections: size,
    corpus_bytes: statSync(work.corpus).size,
    engines: summarize(measured.map(({ engine, trials, failures }) => {
      return { engine: engine.id, trials, failures };
    })),
  };
}

/** Runs a trial and keeps what it came to, which is returned as a line. */
async function addTrial(
  { engine, ready, trials, failures }: Measured,
  { work, folder }: { work: Workload; folder: string },
): Promise<string> {
  const data = mkdtempSync(join(folder, `data-${engine.id}-`));
  try {
    const { command } = ready;
    const trial = await runTrial(work, { command, durable: engine.durable, data });
    trials.push(trial);
    return line(trial);
  } catch (error) {
    failures.push((error as Error).message);
    return (error as Error).message;
  } finally {
    rmSync(data, { recursive: true, force: true, maxRetries: 3 });
  }
}

function line({ figures }: Trial): string {
  const { index_ms, search_p50_ms, search_p99_ms } = figures;
  return `index ${milliseconds(index_ms!)} ms, search p50 ${milliseconds(search_p50_ms!)} ms, ` +
    `p99 ${milliseconds(search_p99_ms!)} ms`;
}

/** The corpus of a size, made where it is not there yet, and what is to be done with it. */
function workload(
  folder: string,
  { size, queries }: { size: number; queries: number },
): Workload {
  const corpus = join(folder, `sections-${size}.ndjson`);
  if (!existsSync(corpus)) {
    // Whole or not there, should the program be ended meanwhile.
    writeSections(`${corpus}.part`, size);
    renameSync(`${corpus}.part`, corpus);
  }
  const all = makeQueries(queries + WARM_UP);
  return {
    corpus,
    sections: size,
    warmUp: all.slice(0, WARM_UP),
    queries: all.slice(WARM_UP),
    inserts: makeInserts(INSERTS),
  };
}

function writeResults(results: PeerResults, out: string): string {
  mkdirSync(out, { recursive: true });
  const name = `peers-${results.timestamp.replaceAll(/[:.]/g, "-")}.json`;
  writeFileSync(join(out, name), JSON.stringify(results, null, 2) + "\n");
  return join(out, name);
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) return console.log(HELP);
  const keep = options.keep === undefined ? undefined : resolve(options.keep);
  if (keep !== undefined) mkdirSync(keep, { recursive: true });
  const folder = keep ?? mkdtempSync(join(tmpdir(), "kbdb-peers-"));
  try {
    const results = await comparePeers(options, folder);
    console.log(reportOf(results));
    console.error(`written to ${writeResults(results, options.out)}`);
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
