/**
 * Repeatable random numbers for generated data. Only integer arithmetic and exact divisions, so a
 * seed gives the same numbers on every machine and runtime.
 *
 * @module
 */

/** A stream of repeatable random numbers. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
}

/** Spreads a seed over 32 bits (the finalizer of MurmurHash3). */
function scramble(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** The four words of state of an `sfc32` generator. */
function initialState(seed: number): Int32Array {
  const high = Math.floor(seed / 2 ** 32);
  return new Int32Array([scramble(seed), scramble(high ^ 0x9e3779b9), scramble(~seed), 1]);
}

/**
 * A repeatable generator (sfc32, 128 bits of state).
 *
 * @example Same seed, same numbers
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRandom } from "./random.ts";
 *
 * assert.equal(createRandom(42).below(100), createRandom(42).below(100));
 * ```
 */
export function createRandom(seed: number): Random {
  const state = initialState(seed);
  const bits = (): number => {
    const sum = (state[0] + state[1] + state[3]) | 0;
    state[3]++;
    state[0] = state[1] ^ (state[1] >>> 9);
    state[1] = state[2] + (state[2] << 3);
    state[2] = ((state[2] << 21) | (state[2] >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let round = 0; round < 16; round++) bits();
  const next = () => bits() / 2 ** 32;
  return {
    next,
    below: (end) => Math.floor(next() * end),
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
  };
}

/** Draws ranks 0, 1, 2 ... with probability in proportion to 1 / (rank + 1). */
export interface ZipfSampler {
  /** The next rank. */
  draw(random: Random): number;
}

/**
 * A sampler of Zipf's law with exponent 1 over `size` ranks, by Walker's alias method: each draw
 * costs one table look-up, however many ranks there are.
 */
export function createZipfSampler(size: number): ZipfSampler {
  const weights = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank++) sum += weights[rank] = 1 / (rank + 1);
  for (let rank = 0; rank < size; rank++) weights[rank] *= size / sum;
  const alias = new Uint32Array(size);
  pairUp(weights, alias);
  return {
    draw(random) {
      const slot = random.below(size);
      return random.next() < weights[slot] ? slot : alias[slot];
    },
  };
}

/** Fills every slot to exactly 1 from a rank that has more, and notes whose it is. */
function pairUp(weights: Float64Array, alias: Uint32Array): void {
  const small: number[] = [];
  const large: number[] = [];
  weights.forEach((weight, rank) => (weight < 1 ? small : large).push(rank));
  while (small.length > 0 && large.length > 0) {
    const giver = large[large.length - 1];
    const taker = small.pop()!;
    alias[taker] = giver;
    weights[giver] -= 1 - weights[taker];
    if (weights[giver] < 1) small.push(large.pop()!);
  }
  // What is left differs from 1 by rounding only.
  for (const rank of [...small, ...large]) weights[rank] = 1;
}
