/**
 * How good one ranking is, from the ranks at which the expected ids were found.
 *
 * @module
 */

/** Scores of one query, each from 0 to 1. */
export interface RankScores {
  /** Rank of the best expected id, or `null` where none was found. */
  readonly first: number | null;
  /** One by that rank, or 0. */
  readonly reciprocalRank: number;
  /** Share of the expected ids that were found. */
  readonly recall: number;
  /** Discounted gain of the ranking, as a share of the best that it could have. */
  readonly ndcg: number;
}

/**
 * Scores a ranking of at most `limit` results. `ranks` has a rank from 1 for each expected id, or
 * `null` where it was not found.
 *
 * Every expected id has the gain 1, discounted by the logarithm of base 2 of its rank plus 1, as in
 * `ndcg_cut` of trec_eval (Järvelin and Kekäläinen, 2002). One result may be expected under several
 * ids, such as its own and its document's; they share its rank, and the gain stays at most 1.
 *
 * @example The better of two expected ids came second, the other not at all
 * ```ts
 * import { rankScores } from "./evaluation_scores.ts";
 * import assert from "node:assert/strict";
 *
 * const { reciprocalRank, recall } = rankScores([null, 2], 10);
 * assert.deepEqual([reciprocalRank, recall], [0.5, 0.5]);
 * ```
 */
export function rankScores(ranks: readonly (number | null)[], limit: number): RankScores {
  const found = ranks.filter((rank) => rank !== null);
  const ideal = Array.from({ length: Math.min(ranks.length, limit) }, (_, i) => i + 1);
  const first = found.length > 0 ? Math.min(...found) : null;
  return {
    first,
    reciprocalRank: first === null ? 0 : 1 / first,
    recall: found.length / ranks.length,
    ndcg: Math.min(1, discountedGain(found) / discountedGain(ideal)),
  };
}

function discountedGain(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0);
}

/** The mean of numbers, rounded to six digits; 0 of none. */
export function mean(values: readonly number[]): number {
  const sum = values.reduce((sum, value) => sum + value, 0);
  return values.length === 0 ? 0 : Math.round(1e6 * sum / values.length) / 1e6;
}
