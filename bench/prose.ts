/**
 * Made-up prose for the synthetic corpus.
 *
 * @module
 */

import { createRandom, createZipfSampler, type Random, type ZipfSampler } from "./random.ts";
import { makeVocabulary, TOPIC_TAGS, VOCABULARY_SIZE } from "./vocabulary.ts";

/** Words of a body: 0.4 to 2 times the average, with exactly that mean. */
export function bodyLength(average: number, random: Random): number {
  // Uniform in [0.4, 1] five times of eight, else in [1, 2]: .625 * .7 + .375 * 1.5 = 1.
  const factor = random.chance(0.625) ? 0.4 + 0.6 * random.next() : 1 + random.next();
  return Math.max(1, Math.round(average * factor));
}

/** The text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Turns random numbers into text. */
export class Writer {
  /** Where all decisions come from. */
  readonly random: Random;
  readonly #vocabulary = makeVocabulary();
  readonly #zipf: ZipfSampler = createZipfSampler(VOCABULARY_SIZE);

  /** A writer whose texts depend on the seed alone. */
  constructor(seed: number) {
    this.random = createRandom(seed);
  }

  /** Words by Zipf's law. */
  words(count: number): string[] {
    const words = new Array<string>(count);
    for (let at = 0; at < count; at++) words[at] = this.#vocabulary[this.#zipf.draw(this.random)];
    return words;
  }

  /** One to three different topics. */
  tags(): string[] {
    const tags = new Set<string>();
    const wanted = this.random.between(1, 3);
    while (tags.size < wanted) tags.add(TOPIC_TAGS[this.random.below(TOPIC_TAGS.length)]);
    return [...tags];
  }

  /** Paragraphs with `length` words in all; one of them links to `target`, if given. */
  body(length: number, target?: string): string {
    const sentences: string[] = [];
    for (let left = length; left > 0;) {
      const size = Math.min(left, this.random.between(6, 22));
      sentences.push(this.sentence(size));
      left -= size;
    }
    if (target !== undefined) {
      sentences.splice(this.random.between(1, sentences.length), 0, `See $(link:${target}).`);
    }
    return this.#paragraphs(sentences);
  }

  /** A sentence of `length` words with its punctuation. */
  sentence(length: number): string {
    const words = this.words(length);
    for (let index = 2; index < length - 2; index++) {
      if (this.random.chance(0.07)) words[index] += ",";
    }
    const roll = this.random.next();
    return capitalize(words.join(" ")) + (roll < 0.92 ? "." : roll < 0.97 ? "?" : "!");
  }

  #paragraphs(sentences: string[]): string {
    const paragraphs: string[] = [];
    for (let start = 0; start < sentences.length;) {
      const end = start + this.random.between(3, 6);
      paragraphs.push(sentences.slice(start, end).join(" "));
      start = end;
    }
    return paragraphs.join("\n\n");
  }
}
