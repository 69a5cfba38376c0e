import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import type { MemoryFiles } from "../platform/memory_files.ts";
import { crashWithNames, newDisk, processOn } from "../store/testing.ts";
import type { KnowledgeBase } from "./knowledge_base.ts";
import { Model, randomStep, type Step } from "./model/testing.ts";
import { pictureOf, take } from "./picture/testing.ts";
import { checkOf, openBase, random, SMALL } from "./testing.ts";

/** `KBDB_MODEL_SEEDS=7,8 KBDB_MODEL_STEPS=5000` looks further. */
const SEEDS = (process.env.KBDB_MODEL_SEEDS ?? "1").split(",").map(Number);
const STEPS = Number(process.env.KBDB_MODEL_STEPS ?? 1000);
const STEPS_BETWEEN_LOOKS = 20;
/** Steps that take their place in the order at once; others wait for those before them first. */
const TOGETHER: Step["do"][] = ["learn", "replace", "revise", "unlearn", "unlearn document"];

/** A database beside its model. */
class Pair {
  #process!: ReturnType<typeof processOn>;
  #base!: KnowledgeBase;
  #model = new Model();

  private constructor(private readonly files: MemoryFiles) {}

  static async open(): Promise<Pair> {
    const pair = new Pair(await newDisk());
    await pair.#open();
    return pair;
  }

  /** A step, or several that are asked for at once. */
  async steps(pick: (below: number) => number): Promise<Step[]> {
    const steps: Step[] = [];
    const going: Promise<void>[] = [];
    for (let left = pick(4) === 0 ? 2 + pick(4) : 1; left > 0; left--) {
      const step = randomStep(pick, this.#model);
      const isLast = !TOGETHER.includes(step.do);
      if (isLast) await Promise.all(going);
      const inModel = this.#model.take(step);
      steps.push(step);
      going.push(
        take(this.#base, step).then((inBase) =>
          assert.deepEqual(inBase, inModel, JSON.stringify(step))
        ),
      );
      if (isLast) break;
    }
    await Promise.all(going);
    return steps;
  }

  /** The process ends somehow, in the middle of a step as often as not. */
  async end(pick: (below: number) => number): Promise<Step | null> {
    if (pick(3) === 0) {
      await this.#base.close();
      await this.#open();
      return null;
    }
    const step = pick(2) === 0 ? randomStep(pick, this.#model) : null;
    const going = step && take(this.#base, step).catch(() => {});
    for (let turns = pick(12); turns > 0; turns--) await Promise.resolve();
    this.#process.kill();
    const powerCut = pick(3);
    if (powerCut === 1) this.files.crash({ tornBytes: pick(60) });
    if (powerCut === 2) await crashWithNames(this.files);
    await Promise.all([going, this.#base.close().catch(() => {})]);
    await this.#open();
    if (step) await this.#settle(step);
    return step;
  }

  /** The whole database is as the model says, and made again from its files it is so too. */
  async look(): Promise<void> {
    const expected = this.#model.picture;
    assert.deepEqual(await pictureOf(this.#base), expected);
    // gc may have taken what a marker names.
    const errors = (await checkOf(this.#base)).errors;
    assert.deepEqual(errors.filter(({ type }) => type !== "broken_reference"), []);
    await this.#base.rebuild(() => {});
    assert.deepEqual(await pictureOf(this.#base), expected);
  }

  async close(): Promise<void> {
    await this.#base.close();
  }

  async #open(): Promise<void> {
    this.#process = processOn(this.files);
    this.#base = await openBase(this.#process.files, { sealing: SMALL });
  }

  /** A step that nobody confirmed was taken whole or not at all. */
  async #settle(step: Step): Promise<void> {
    const after = this.#model.clone();
    after.take(step);
    const seen = await pictureOf(this.#base);
    const isAfter = JSON.stringify(seen) === JSON.stringify(after.picture);
    if (isAfter) this.#model = after;
    assert.deepEqual(seen, this.#model.picture, `${JSON.stringify(step)} was taken by half`);
  }
}

for (const seed of SEEDS) {
  test(`${STEPS} random writes leave what a model says (seed ${seed})`, async () => {
    const pick = random(seed);
    const pair = await Pair.open();
    const taken: (Step | null)[] = [];
    try {
      for (let looked = 0; taken.length < STEPS;) {
        taken.push(...await pair.steps(pick));
        if (pick(15) === 0) taken.push(await pair.end(pick));
        if (taken.length - looked < STEPS_BETWEEN_LOOKS) continue;
        looked = taken.length;
        await pair.look();
      }
      await pair.look();
    } catch (error) {
      const last = taken.slice(-STEPS_BETWEEN_LOOKS - 10).map((step) => JSON.stringify(step)).join(
        "\n",
      );
      throw new Error(`Seed ${seed}, step ${taken.length}: ${error}\n${last}`, { cause: error });
    }
    await pair.close();
  });
}
