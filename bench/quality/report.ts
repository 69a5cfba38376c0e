/**
 * What a measurement leaves behind: a table for people, and a file for programs.
 *
 * @module
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import config from "../../deno.json" with { type: "json" };
import type { Published } from "./options.ts";
import type { CollectionResult } from "./run.ts";

const HEAD = ["collection", "system", "queries", "nDCG@10", "Recall@100", "MRR", "no result"];
const RULE = ["---", "---", "---:", "---:", "---:", "---:", "---:"];

/** The figures as a table in Markdown, those of other systems below kbdb's. */
export function tableOf(
  results: readonly CollectionResult[],
  published: readonly Published[],
): string {
  const rows = results.flatMap((result) => [
    ownRow(result),
    ...published.filter(({ collection }) => collection === result.collection).map(publishedRow),
  ]);
  return [HEAD, RULE, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function ownRow(result: CollectionResult): string[] {
  const { collection, queries, ndcg_at_10, recall_at_100, mrr, no_result } = result;
  const figures = [ndcg_at_10, recall_at_100, mrr].map(figure);
  const share = `${(100 * no_result).toFixed(1)} %`;
  return [cell(collection), `kbdb ${config.version}`, String(queries), ...figures, share];
}

function publishedRow({ collection, system, ndcg_at_10, recall_at_100, mrr }: Published): string[] {
  const figures = [ndcg_at_10, recall_at_100, mrr].map(figure);
  return [cell(collection), cell(system), "", ...figures, ""];
}

function figure(value: number | null): string {
  return value === null ? "" : value.toFixed(3);
}

/** A text that a table holds. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** Writes `quality-<time>.json` into a folder, which is made if missing; its path. */
export function writeReport(
  folder: string,
  report: { time: Date; results: readonly CollectionResult[]; published: readonly Published[] },
): string {
  const { time, results, published } = report;
  const timestamp = time.toISOString();
  const value = { timestamp, kbdb_version: config.version, results, published };
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `quality-${timestamp.replace(/[-:]/g, "")}.json`);
  writeFileSync(path, JSON.stringify(value, rounded, 1) + "\n");
  return path;
}

/** Six digits are more than any difference that means something. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toFixed(6)) : value;
}
