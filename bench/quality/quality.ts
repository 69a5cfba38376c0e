/**
 * Measures how well kbdb finds what test collections say is relevant.
 *
 * `deno task bench:quality --data FOLDER [--data FOLDER ...]`
 *
 * @module
 */

import process from "node:process";
import { readCollection } from "./collection.ts";
import { HELP, type Options, parseOptions, UsageError } from "./options.ts";
import { tableOf, writeReport } from "./report.ts";
import { type CollectionResult, measureCollection } from "./run.ts";

/** Where a run writes to. */
export interface Output {
  /** A text for standard output. */
  readonly print: (text: string) => void;
  /** A line for standard error. */
  readonly tell: (line: string) => void;
}

/** Does what a command line asks for; the exit code. */
export async function runQuality(args: readonly string[], output: Output): Promise<number> {
  try {
    const options = parseOptions(args);
    if (options.help) output.print(HELP);
    else await measureAll(options, output);
    return 0;
  } catch (error) {
    output.tell(error instanceof Error ? error.message : String(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

async function measureAll(options: Options, { print, tell }: Output): Promise<void> {
  const { data, published, out } = options;
  const collections = data.map(readCollection);
  for (const { collection } of published) {
    if (collections.some(({ name }) => name === collection)) continue;
    throw new UsageError(`Cannot compare with figures for ${collection}: it is not measured`);
  }
  const results: CollectionResult[] = [];
  for (const collection of collections) {
    const start = performance.now();
    const result = await measureCollection(collection);
    results.push(result);
    tell(`${countsOf(result)}, ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
  print(tableOf(results, published));
  tell(`Written to ${writeReport(out, { time: new Date(), results, published })}`);
}

function countsOf({ collection, entries, empty, equal, queries }: CollectionResult): string {
  return `${collection}: ${entries} entries (${empty} empty, ${equal} equal to another), ` +
    `${queries} queries`;
}

if (import.meta.main) {
  process.exitCode = await runQuality(process.argv.slice(2), {
    print: (text) => console.log(text),
    tell: (line) => console.error(line),
  });
}
