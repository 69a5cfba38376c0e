/**
 * Measures kbdb on the synthetic corpus, through its command and its library, and compares the
 * figures with a baseline and with the documented limits.
 *
 * ```sh
 * deno task bench --sizes small
 * deno task bench:node --sizes small
 * ```
 *
 * @module
 */

import { resolve } from "node:path";
import process from "node:process";
import {
  type Baseline,
  baselinePath,
  readBaseline,
  updated,
  writeBaseline,
} from "./harness/baseline.ts";
import { confirmed } from "./harness/confirm.ts";
import { type BenchmarkOptions, HELP, parseOptions, UsageError } from "./harness/options.ts";
import { loadNow, machine, platformLabel, runtimeLabel } from "./harness/product.ts";
import { type ResultFile, writeResult } from "./harness/result_file.ts";
import type { Size } from "./harness/sizes.ts";
import { workFolder } from "./harness/subject.ts";
import { measureSize } from "./harness/suite.ts";
import { tableOf } from "./harness/table.ts";
import { judge } from "./harness/verdict.ts";

/** Where a run writes to. */
export interface Output {
  /** A text for standard output. */
  readonly print: (text: string) => void;
  /** A line for standard error. */
  readonly tell: (line: string) => void;
}

/** Measures what the options say; the exit code. */
export async function runBenchmark(options: BenchmarkOptions, output: Output): Promise<number> {
  output.tell(embeddingNotice(options.embeddingProvider));
  output.tell(`kbdb on ${platformLabel}, ${runtimeLabel}, ${options.n} runs of each variant`);
  // Read first: a file that is none is better known before the hours than after.
  const path = resolve(options.baseline ?? baselinePath);
  const baseline = readBaseline(path);
  if (options.baseline !== undefined && !baseline && !options.updateBaseline) {
    throw new Error(`Cannot compare: ${path} is not there`);
  }
  warnOfLoad(output);
  const known = options.updateBaseline ? undefined : baseline;
  const results = await measureAll({ options, baseline: known }, output);
  for (const result of results) output.print(tableOf(result));
  if (options.updateBaseline) {
    writeBaseline(path, updated(baseline ?? {}, results));
    output.tell(`Baseline written: ${path}`);
  } else if (!baseline) output.tell(`No baseline yet: ${path}; --update-baseline makes it`);
  const { passed, lines } = judge(results, known);
  lines.forEach(output.tell);
  return passed ? 0 : 1;
}

function embeddingNotice(provider: string | undefined): string {
  return provider === undefined
    ? "No embedding provider is given: hybrid measurements are skipped"
    : `Embedding provider "${provider}" is not used: this version of kbdb has no embedding; ` +
      "hybrid measurements are skipped";
}

/** On a busy machine the slowest of ten runs tells of its neighbours. */
function warnOfLoad({ tell }: Output): void {
  const load = loadNow();
  const { cores } = machine();
  if (load > cores / 2) tell(`Note: the machine is busy, load ${load} on ${cores} cores`);
}

/** What is to be measured, and what the figures are held against. */
interface Plan {
  readonly options: BenchmarkOptions;
  readonly baseline: Baseline | undefined;
}

/** Result files are written one by one, so that a long run that fails keeps what it has. */
async function measureAll(plan: Plan, output: Output): Promise<ResultFile[]> {
  const { options } = plan;
  const folder = workFolder(options.keep);
  const results: ResultFile[] = [];
  try {
    for (const size of options.sizes) {
      const result = await measureTwice(size, { ...plan, folder: folder.path, tell: output.tell });
      output.tell(`  written to ${writeResult(resolve(options.out), result)}`);
      results.push(result);
    }
  } finally {
    folder.remove();
  }
  return results;
}

/** Measures a size, and again what is a regression. */
async function measureTwice(
  size: Size,
  { baseline, ...context }: Plan & { folder: string; tell: Output["tell"] },
): Promise<ResultFile> {
  const { options, tell } = context;
  return await confirmed(await measureSize(size, context), {
    baseline: baseline?.[size.label],
    retries: options.retries,
    measure: (operations) => {
      tell(`  measured again, as p99 is too high: ${operations.join(", ")}`);
      return measureSize(size, { ...context, options: { ...options, operations } });
    },
  });
}

async function main(): Promise<number> {
  const output: Output = {
    print: (text) => console.log(text),
    tell: (line) => console.error(line),
  };
  try {
    const options = parseOptions(process.argv.slice(2));
    if (!options.help) return await runBenchmark(options, output);
    output.print(HELP);
    return 0;
  } catch (error) {
    output.tell(error instanceof UsageError ? `${error.message}; see --help` : String(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

if (import.meta.main) process.exitCode = await main();
