/**
 * Baseline files: for one platform and runtime, an object of results by corpus size.
 *
 * @module
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { find } from "./compare.ts";
import { platformLabel, root, runtimeLabel } from "./product.ts";
import type { ResultFile } from "./result_file.ts";

/** Results by the label of their corpus size. */
export type Baseline = Record<string, ResultFile>;

/** The file of this platform and runtime. */
export const baselinePath = join(root, `bench/baselines/${platformLabel}-${runtimeLabel}.json`);

/**
 * Reads a baseline; `undefined` where the file is not there.
 *
 * @throws {Error} if the file is no baseline
 */
export function readBaseline(path: string): Baseline | undefined {
  if (!existsSync(path)) return undefined;
  const value: Baseline = JSON.parse(readFileSync(path, "utf8"));
  const entries = Object.entries(value);
  if (entries.every(([size, one]) => one?.corpus_size === size && Array.isArray(one.results))) {
    return value;
  }
  throw new Error(`Cannot compare with ${path}: it is no baseline`);
}

/**
 * Puts fresh results into a baseline. Sizes and operations that were not measured keep what they had.
 */
export function updated(baseline: Baseline, results: readonly ResultFile[]): Baseline {
  const next: Baseline = { ...baseline };
  for (const result of results) {
    const before = next[result.corpus_size];
    const kept = before?.results.filter((one) => find(result, one) === undefined) ?? [];
    next[result.corpus_size] = { ...result, results: [...result.results, ...kept] };
  }
  const inOrder = Object.entries(next).sort(([, a], [, b]) => a.sections - b.sections);
  return Object.fromEntries(inOrder);
}

/** Writes a baseline; the folder is made if missing. */
export function writeBaseline(path: string, baseline: Baseline): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(baseline, null, 2) + "\n");
}

/** Why figures of two results are hard to compare, as sentences. */
export function differences(result: ResultFile, baseline: ResultFile): string[] {
  const sentences: string[] = [];
  for (const key of ["platform", "runtime", "seed"] as const) {
    if (result[key] === baseline[key]) continue;
    sentences.push(`The baseline was measured with ${key} ${baseline[key]}, not ${result[key]}`);
  }
  for (const key of ["cpu", "cores"] as const) {
    const [now, before] = [result.machine[key], baseline.machine[key]];
    if (now !== before) {
      sentences.push(`The baseline was measured with ${key} ${before}, not ${now}`);
    }
  }
  return sentences;
}
