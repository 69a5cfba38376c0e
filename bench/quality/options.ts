/**
 * The command line of the measurement.
 *
 * @module
 */

import { parseArgs } from "node:util";

/** Published figures of another system. */
export interface Published {
  readonly collection: string;
  readonly system: string;
  readonly ndcg_at_10: number;
  /** `null` where it was not published, as with MRR. */
  readonly recall_at_100: number | null;
  readonly mrr: number | null;
}

/** What is to be measured. */
export interface Options {
  /** Folders of collections. */
  readonly data: readonly string[];
  readonly published: readonly Published[];
  /** Folder of the result file. */
  readonly out: string;
  readonly help: boolean;
}

/** A command line that cannot be understood. */
export class UsageError extends Error {}

/** The help text. */
export const HELP = `Measures how well kbdb finds what test collections say is relevant.

Usage: deno task bench:quality --data FOLDER [--data FOLDER ...] [FLAGS]

Flags:
  --data FOLDER        a collection in the layout of BEIR: corpus.jsonl, queries.jsonl, qrels.tsv;
                       a query with a "group" is searched among the entries of that group
  --published FIGURES  a row to compare with, as "COLLECTION: SYSTEM = nDCG@10/Recall@100/MRR";
                       the last two may be left out
  --out FOLDER         where the result file is written; default: bench/results
  --help               show this help

Example:
  deno task bench:quality --data ~/beir/scifact --published "scifact: BM25 = .665/.908"
`;

/**
 * Understands a command line.
 *
 * @throws {UsageError} naming what is wrong
 */
export function parseOptions(args: readonly string[]): Options {
  const { data = [], published = [], out = "bench/results", help = false } = valuesOf(args);
  if (data.length === 0 && !help) {
    throw new UsageError("Cannot measure nothing: give --data FOLDER");
  }
  return { data, published: published.map(parsePublished), out, help };
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        data: { type: "string", multiple: true },
        published: { type: "string", multiple: true },
        out: { type: "string" },
        help: { type: "boolean" },
      },
    }).values;
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

/**
 * Reads a row of published figures.
 *
 * @throws {UsageError} if it has another form
 *
 * @example
 * ```ts
 * import { parsePublished } from "./options.ts";
 * import assert from "node:assert/strict";
 *
 * const { system, ndcg_at_10, mrr } = parsePublished("scifact: BM25 = .665/.908");
 * assert.deepEqual([system, ndcg_at_10, mrr], ["BM25", 0.665, null]);
 * ```
 */
export function parsePublished(text: string): Published {
  const [, collection, system, list] = /^([^:]+):(.+)=([^=]+)$/.exec(text) ?? [];
  const figures = list?.split("/").map((figure) => figure.trim()) ?? [];
  if (figures.length < 1 || figures.length > 3 || !figures.every(isShare)) {
    throw new UsageError(
      `Cannot use --published ${text}: it is "COLLECTION: SYSTEM = nDCG@10/Recall@100/MRR"`,
    );
  }
  const [ndcg, recall = null, mrr = null] = figures.map(Number);
  return {
    collection: collection.trim(),
    system: system.trim(),
    ndcg_at_10: ndcg,
    recall_at_100: recall,
    mrr,
  };
}

function isShare(text: string): boolean {
  return text !== "" && Number(text) >= 0 && Number(text) <= 1;
}
