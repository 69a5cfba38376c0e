/**
 * The command line of the harness.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { type Operation, OPERATIONS, type Size, sizeOf, SIZES } from "./sizes.ts";

/** What is to be measured, and where things are kept. */
export interface BenchmarkOptions {
  readonly sizes: readonly Size[];
  readonly operations: readonly Operation[];
  /** Runs of each variant. */
  readonly n: number;
  /** Different queries of the variant `varied`; a fifth as many learns of the variant `many`. */
  readonly queries: number;
  /** How often what seems to be a regression is measured again. */
  readonly retries: number;
  /** Seed of the corpus. */
  readonly seed: number;
  /** Folder of the result files. */
  readonly out: string;
  /** The baseline file, if it is not the one of this platform and runtime. */
  readonly baseline?: string;
  readonly updateBaseline: boolean;
  /** Folder of corpora and databases that stay. */
  readonly keep?: string;
  readonly embeddingProvider?: string;
  readonly help: boolean;
}

/** A command line that cannot be understood. */
export class UsageError extends Error {}

/** The help text. */
export const HELP = `Measures kbdb on the synthetic corpus, through its command and its library.

Usage: deno task bench [FLAGS]        under Deno
       deno task bench:node [FLAGS]   under Node, with the npm package as it would be published

Flags:
  --sizes LIST               small, medium, large, xlarge (1,000 to 100,000 sections), or numbers
                             such as 200, 25k or 1M; default: the four labels
  --operations LIST          ${OPERATIONS.slice(0, 6).join(", ")},
                             ${OPERATIONS.slice(6).join(", ")}; default: all
  --n N                      runs of each variant; default: 10
  --queries N                different queries in the search variant "varied"; default: 1000
  --retries N                how often a regression is measured again before it counts; default: 1
  --seed N                   seed of the corpus; default: 42
  --out FOLDER               where result files are written; default: bench/results
  --baseline FILE            compare with this file; default: the file in bench/baselines
                             of this platform and runtime, if it is there
  --update-baseline          write the results into the baseline file
  --keep FOLDER              keep corpora and databases there, and use those that are there
  --embedding-provider NAME  measure searches by meaning, too
  --help                     show this help

Exit codes: 0 no regression, 1 regression or failure, 2 wrong command line

A p99 is a regression where it lies more than 20 % over the baseline's, or where it reaches the
documented limit of its operation and size. So that noise is none, it must also lie at least 2 ms
over the baseline's, or half a millisecond where it was taken from 100 samples or more. What is a
regression is measured again, and counts if it is one again.

Examples:
  deno task bench --sizes small                            a minute, before and after a change
  deno task bench --sizes small --operations search,learn  some operations only
  deno task bench --sizes small --update-baseline          what later runs are compared with
  deno task bench --sizes 1M --keep /data/bench            a million sections; keeps the database
  deno task bench:report                                   tables and charts of the latest results`;

const FLAGS = {
  "sizes": { type: "string" },
  "operations": { type: "string" },
  "n": { type: "string", default: "10" },
  "queries": { type: "string", default: "1000" },
  "retries": { type: "string", default: "1" },
  "seed": { type: "string", default: "42" },
  "out": { type: "string", default: "bench/results" },
  "baseline": { type: "string" },
  "update-baseline": { type: "boolean", default: false },
  "keep": { type: "string" },
  "embedding-provider": { type: "string" },
  "help": { type: "boolean", short: "h", default: false },
} as const;

/**
 * Reads the command line.
 *
 * @throws {UsageError} if a flag or its value is not known
 *
 * @example
 * ```ts
 * import { parseOptions } from "./options.ts";
 * import assert from "node:assert/strict";
 *
 * const { sizes, n } = parseOptions(["--sizes", "small,200"]);
 * assert.deepEqual(sizes.map(({ sections }) => sections), [1000, 200]);
 * assert.equal(n, 10);
 * ```
 */
export function parseOptions(args: readonly string[]): BenchmarkOptions {
  const values = parsed(args);
  return {
    sizes: values.sizes === undefined ? SIZES : distinct(listOf(values.sizes, size)),
    operations: values.operations === undefined ? OPERATIONS : listOf(values.operations, operation),
    n: count("n", values.n),
    queries: count("queries", values.queries),
    retries: count("retries", values.retries, 0),
    seed: count("seed", values.seed, 0),
    out: values.out,
    baseline: values.baseline,
    updateBaseline: values["update-baseline"],
    keep: values.keep,
    embeddingProvider: values["embedding-provider"],
    help: values.help,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function listOf<T>(text: string, read: (word: string) => T): T[] {
  const words = text.split(",").map((word) => word.trim()).filter((word) => word !== "");
  if (words.length === 0) throw new UsageError("Cannot measure: a list is empty");
  return [...new Set(words.map(read))];
}

/** A size may be named in several ways. */
function distinct(sizes: readonly Size[]): Size[] {
  return [...new Map(sizes.map((size) => [size.label, size])).values()];
}

function size(word: string): Size {
  const found = sizeOf(word);
  if (found) return found;
  const labels = SIZES.map(({ label }) => label).join(", ");
  throw new UsageError(`Cannot measure size "${word}": it is none of ${labels} and no number`);
}

function operation(word: string): Operation {
  const found = OPERATIONS.find((name) => name === word);
  if (found) return found;
  throw new UsageError(`Cannot measure "${word}": it is none of ${OPERATIONS.join(", ")}`);
}

function count(name: string, text: string, least = 1): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw new UsageError(`Cannot measure: --${name} is "${text}", no whole number from ${least} up`);
}
