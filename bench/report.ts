/**
 * Makes tables and charts of result files.
 *
 * ```sh
 * deno task bench:report
 * ```
 *
 * @module
 */

import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { chartOf } from "./harness/chart.ts";
import { readResult, type ResultFile } from "./harness/result_file.ts";
import { reportOf, sorted } from "./harness/table.ts";

const HELP = `Makes Markdown tables and SVG charts of benchmark results.

Usage: deno task bench:report [FILE...] [FLAGS]

Without files, takes the latest result of each platform, runtime and size in the folder of
results. Prints the tables; writes a chart for each platform and runtime into the same folder,
named such as linux-x86_64-deno-2.svg.

Flags:
  --results FOLDER  folder of results and charts; default: bench/results
  --out FILE        write the tables there instead of printing them
  --no-charts       write no charts
  --help            show this help

Examples:
  deno task bench:report                                  the latest results
  deno task bench:report --out docs/benchmarks.md         into a document
  deno task bench:report bench/results/*-small-*.json     a history of one size, as tables`;

const FLAGS = {
  "results": { type: "string", default: "bench/results" },
  "out": { type: "string" },
  "no-charts": { type: "boolean", default: false },
  "help": { type: "boolean", short: "h", default: false },
} as const;

/** The latest result of each platform, runtime and size. */
export function latest(results: readonly ResultFile[]): ResultFile[] {
  const newest = new Map<string, ResultFile>();
  for (const result of results) {
    const key = `${runtimeOf(result)} ${result.corpus_size}`;
    const other = newest.get(key);
    if (!other || other.timestamp < result.timestamp) newest.set(key, result);
  }
  return sorted([...newest.values()]);
}

/** Charts by the name of their file: one for each platform and runtime. */
export function charts(results: readonly ResultFile[]): Map<string, string> {
  const chosen = latest(results);
  const names = [...new Set(chosen.map(runtimeOf))];
  return new Map(names.map((name) => {
    const group = chosen.filter((result) => runtimeOf(result) === name);
    return [`${name}.svg`, chartOf(group)];
  }));
}

function runtimeOf({ platform, runtime }: ResultFile): string {
  return `${platform}-${runtime}`;
}

/** Results of the peers and of the quality bench, which lie beside those of the harness. */
const OTHERS = /^(?:peers|quality)-/;

function resultsIn(folder: string): ResultFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => name.endsWith(".json") && !OTHERS.test(name)).sort()
    .map((name) => readResult(join(folder, name)));
}

function writeCharts(folder: string, results: readonly ResultFile[]): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, chart] of charts(results)) {
    writeFileSync(join(folder, name), chart);
    console.error(`Chart written: ${join(folder, name)}`);
  }
}

/** Makes what the command line asks for. */
function report(args: readonly string[]): void {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: FLAGS,
    allowPositionals: true,
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const { results: folder, out } = values;
  const results = positionals.length > 0 ? positionals.map(readResult) : latest(resultsIn(folder));
  if (results.length === 0) throw new Error(`Cannot report: ${folder} has no results`);
  const tables = reportOf(results);
  if (out === undefined) console.log(tables);
  else writeFileSync(out, tables);
  if (!values["no-charts"]) writeCharts(folder, results);
}

if (import.meta.main) {
  try {
    report(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = error instanceof TypeError ? 2 : 1;
  }
}
