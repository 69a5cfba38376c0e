import assert from "node:assert/strict";
import { test } from "node:test";
import type { MemoryFiles } from "../../platform/memory_files.ts";
import {
  countChanges,
  crashWithNames,
  failAfter,
  newDisk,
  processOn,
} from "../../store/testing.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { idOf, Model, type Step } from "../model/testing.ts";
import { pictureOf, take } from "../picture/testing.ts";
import { checkOf, openBase, SMALL } from "../testing.ts";

const BEFORE: Step[] = [
  { do: "replace", texts: [0, 1, 0, 2], docid: "a", tags: ["red"], document: true },
  { do: "replace", texts: [2, 3], docid: "b", tags: [], document: true },
  { do: "learn", text: 5, tags: [] },
  { do: "unlearn document", docid: "b" },
];

/** Every kind of write, each on top of what the one before it left. */
const STEPS: Step[] = [
  { do: "revise", text: 0, by: 6 },
  { do: "unlearn", text: 1 },
  { do: "restore", ids: ["b"] },
  { do: "revise", text: 6, by: 0 },
  { do: "gc", standalone: false },
  { do: "restore", ids: [idOf(1), idOf(6)] },
  { do: "unlearn document", docid: "a" },
  { do: "learn", text: 1, docid: "b", tags: ["blue"] },
];

async function prepared(): Promise<{ files: MemoryFiles; model: Model }> {
  const files = await newDisk();
  const base = await openBase(files, { sealing: SMALL });
  const model = new Model();
  for (const step of BEFORE) assert.deepEqual(await take(base, step), model.take(step));
  await base.close();
  return { files, model };
}

/**
 * Does the steps one after another, and then closes the database.
 *
 * @returns what the database may be afterwards: a step that failed may have been taken all the same
 */
async function script(base: KnowledgeBase, model: Model): Promise<Model[]> {
  let failed: Model | null = null;
  for (const step of STEPS) {
    const after = model.clone();
    const { refused } = after.take(step);
    if (await isTaken(base, step) && !refused) model = after;
    else failed ??= after;
  }
  await base.close().catch(() => {});
  return failed ? [model, failed] : [model];
}

async function isTaken(base: KnowledgeBase, step: Step): Promise<boolean> {
  try {
    return !(await take(base, step)).refused;
  } catch {
    return false;
  }
}

/** The database is as one of the models says, and made again from its files it is so too. */
async function verify(base: KnowledgeBase, models: readonly Model[]): Promise<void> {
  const seen = await pictureOf(base);
  const expected = models.map(({ picture }) => picture);
  const found = expected.find((picture) => JSON.stringify(picture) === JSON.stringify(seen));
  assert.deepEqual(seen, found ?? expected[0]);
  assert.deepEqual((await checkOf(base)).errors, []);
  await base.rebuild(() => {});
  assert.deepEqual(await pictureOf(base), seen);
}

const ENDS = {
  "one call fails": { all: false, restart: async () => {} },
  "it is killed": { all: true, restart: async () => {} },
  "the power is cut": {
    all: true,
    restart: (files: MemoryFiles) => Promise.resolve(files.crash({ tornBytes: 33 })),
  },
  "the power is cut, names stay": { all: true, restart: crashWithNames },
};

async function runFailing(options: { calls: number; end: keyof typeof ENDS }): Promise<void> {
  const { files, model } = await prepared();
  const { all, restart } = ENDS[options.end];
  const first = processOn(files);
  const base = await openBase(first.files, { sealing: SMALL });
  failAfter(files, options.calls, { all });
  const models = await script(base, model);
  first.kill();
  files.beforeChange = undefined;
  await restart(files);
  const second = await openBase(files, { sealing: SMALL });
  // Where calls go on working, what failed left nothing behind.
  await verify(second, all ? models : models.slice(0, 1));
  await second.close();
}

for (const end of Object.keys(ENDS) as (keyof typeof ENDS)[]) {
  test(`every kind of write survives at any call: ${end} (B02)`, async () => {
    const { files, model } = await prepared();
    const base = await openBase(files, { sealing: SMALL });
    const total = await countChanges(files, () => script(base, model));
    assert.ok(total > 80, `only ${total} calls`);
    const calls = Array.from({ length: total + 2 }, (_, call) => call);
    // A few at a time: each holds an index of its own.
    while (calls.length > 0) {
      await Promise.all(
        calls.splice(0, 16).map((calls) =>
          runFailing({ calls, end }).catch((error) => {
            throw new Error(`Failing call ${calls}: ${error.stack}`, { cause: error });
          })
        ),
      );
    }
  });
}
