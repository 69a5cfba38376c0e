/**
 * Guessing what a mistyped word was meant to be. Apart from the rest, so that only a mistake loads it.
 *
 * @module
 */

import { distance } from "fastest-levenshtein";

/** The candidate that differs in the fewest letters, if it is near enough to be meant. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const ranked = [...new Set(candidates)]
    .map((candidate) => ({ candidate, letters: distance(word, candidate) }))
    .sort((a, b) => a.letters - b.letters);
  const best = ranked[0];
  return best && best.letters <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : null;
}
