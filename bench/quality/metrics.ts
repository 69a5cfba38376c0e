/**
 * Measures of a ranking against graded judgements, as published results use them.
 *
 * @module
 */

/** Results that a query gets; Recall@100 and MRR look at all of them. */
export const RESULTS = 100;
const NDCG_CUT = 10;

/** Measures of one query, each from 0 to 1. */
export interface Measures {
  /** Normalised discounted cumulated gain of the first 10 results. */
  readonly ndcg_at_10: number;
  /** Share of everything relevant among the first 100 results. */
  readonly recall_at_100: number;
  /** One by the rank of the first relevant of 100 results, or 0; its mean is MRR. */
  readonly mrr: number;
}

/** Measures of all queries together. */
export interface Means extends Measures {
  /** Share of the queries that found nothing. */
  readonly no_result: number;
}

/**
 * Measures a ranking of ids, in which none may come twice, against the grades of ids. What has a grade
 * above 0 is relevant; what has none is not.
 *
 * nDCG is Järvelin and Kekäläinen's (2002) as `ndcg_cut` of trec_eval computes it, which published
 * results for BEIR collections come from: the gain is the grade itself (not 2^grade - 1), divided by
 * the logarithm of base 2 of the rank plus 1; the ideal ranking is made of all judgements, found or not.
 *
 * @throws {RangeError} if nothing is relevant, for then there is no ideal ranking
 *
 * @example Of two relevant ids, the lesser one comes first
 * ```ts
 * import { measure } from "./metrics.ts";
 * import assert from "node:assert/strict";
 *
 * const grades = new Map([["a", 3], ["b", 1]]);
 * const { ndcg_at_10, recall_at_100, mrr } = measure(["b", "x", "a"], grades);
 * assert.equal(ndcg_at_10, (1 + 3 / 2) / (3 + 1 / Math.log2(3)));
 * assert.deepEqual([recall_at_100, mrr], [1, 1]);
 * ```
 */
export function measure(
  ranking: readonly string[],
  grades: ReadonlyMap<string, number>,
): Measures {
  const relevant = [...grades.values()].filter((grade) => grade > 0);
  if (relevant.length === 0) throw new RangeError("Cannot measure a query: nothing is relevant");
  const gains = ranking.slice(0, RESULTS).map((id) => Math.max(0, grades.get(id) ?? 0));
  const first = gains.findIndex((gain) => gain > 0);
  return {
    ndcg_at_10: discounted(gains) / discounted(relevant.sort((a, b) => b - a)),
    recall_at_100: gains.filter((gain) => gain > 0).length / relevant.length,
    mrr: first < 0 ? 0 : 1 / (first + 1),
  };
}

function discounted(gains: readonly number[]): number {
  return sum(gains.slice(0, NDCG_CUT).map((gain, i) => gain / Math.log2(i + 2)));
}

/**
 * Means over queries. `results` is the number of results that a query got.
 *
 * @throws {RangeError} if there are no queries
 *
 * @example
 * ```ts
 * import { means } from "./metrics.ts";
 * import assert from "node:assert/strict";
 *
 * const found = { ndcg_at_10: 1, recall_at_100: 1, mrr: 1, results: 3 };
 * const lost = { ndcg_at_10: 0, recall_at_100: 0, mrr: 0, results: 0 };
 * assert.equal(means([found, lost]).no_result, 0.5);
 * ```
 */
export function means(queries: readonly (Measures & { readonly results: number })[]): Means {
  if (queries.length === 0) throw new RangeError("Cannot take means: there are no queries");
  const mean = (values: number[]) => sum(values) / values.length;
  return {
    ndcg_at_10: mean(queries.map((one) => one.ndcg_at_10)),
    recall_at_100: mean(queries.map((one) => one.recall_at_100)),
    mrr: mean(queries.map((one) => one.mrr)),
    no_result: mean(queries.map(({ results }) => Number(results === 0))),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
