/**
 * The words of the synthetic corpus: 50,000 distinct, pronounceable, made-up words, the same on
 * every machine and for every corpus size. Common words are short, as in a natural language.
 *
 * @module
 */

import { createRandom, type Random } from "./random.ts";

/** Words in the vocabulary. */
export const VOCABULARY_SIZE = 50_000;

/** The 20 topics that sections are tagged with. */
export const TOPIC_TAGS: readonly string[] = [
  "architecture",
  "backup",
  "caching",
  "database",
  "deployment",
  "design",
  "documentation",
  "errors",
  "interface",
  "logging",
  "memory",
  "monitoring",
  "network",
  "performance",
  "planning",
  "release",
  "search",
  "security",
  "storage",
  "testing",
];

const ONSETS =
  "b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr qu r s sh sl sp st str t th tr v w z"
    .split(" ");
const NUCLEI = "a a a a e e e e e i i i o o o u u ai ea ee oa oo ou".split(" ");
const CODAS = ["", "", "", "", ..."b ck d g l m mp n nd ng nt p r rd rt s st t x".split(" ")];

/** The first rank of words with one syllable more than those before. */
const LONGER_FROM = [150, 9_000];

function pick(parts: readonly string[], random: Random): string {
  return parts[random.below(parts.length)];
}

function makeWord(syllables: number, random: Random): string {
  let word = random.chance(0.2) ? "" : pick(ONSETS, random);
  for (let left = syllables; left > 0; left--) {
    word += pick(NUCLEI, random) + (left === 1 ? pick(CODAS, random) : "");
    if (left > 1) word += pick(ONSETS, random);
  }
  return word;
}

/** All words, most frequent first. Takes about 30 ms; keep the result. */
export function makeVocabulary(): string[] {
  // A seed of its own: the corpus seed must not change the language.
  const random = createRandom(20_240_101);
  const words = new Set<string>();
  while (words.size < VOCABULARY_SIZE) {
    const syllables = 1 + LONGER_FROM.filter((rank) => words.size >= rank).length;
    const word = makeWord(syllables, random);
    if (word.length > 1) words.add(word);
  }
  return [...words];
}
