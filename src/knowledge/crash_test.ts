import assert from "node:assert/strict";
import { test } from "node:test";
import type { MemoryFiles } from "../platform/memory_files.ts";
import type { LearnItem } from "../rpc/writing.ts";
import { countChanges, crashWithNames, failAfter, newDisk, processOn } from "../store/testing.ts";
import type { KnowledgeBase } from "./knowledge_base.ts";
import { checkOf, find, idOfText, learnItem, openBase, pictureOf, SMALL } from "./testing.ts";

/** Words of writes that were acknowledged. */
type Told = Set<string>;

/** A standalone section, or a document of two sections, that `word` finds. */
function itemOf(word: string): LearnItem {
  if (word.startsWith("doc")) {
    return { content: `# ${word}\n\n# Shared end`, docid: word, document: true };
  }
  return { content: `text ${word}` };
}

function firstIdOf(word: string): string {
  return idOfText(word.startsWith("doc") ? `# ${word}` : `text ${word}`);
}

async function learnWord(base: KnowledgeBase, word: string, told: Told): Promise<void> {
  const answer = await learnItem(base, itemOf(word));
  if (answer.ok) told.add(word);
}

/** Enough writes for checkpoints in between, a rebuild, and a close. */
async function script(base: KnowledgeBase, told: Told): Promise<void> {
  await Promise.all(["one", "two", "doca"].map((word) => learnWord(base, word, told)));
  await Promise.all(["three", "four", "docb"].map((word) => learnWord(base, word, told)));
  const rebuilt = base.rebuild(() => {}).catch(() => {});
  for (const word of ["docc", "eight", "nine", "ten"]) await learnWord(base, word, told);
  await rebuilt;
  await Promise.all(["five", "six", "seven"].map((word) => learnWord(base, word, told)));
  await base.close().catch(() => {});
}

async function prepared(): Promise<{ files: MemoryFiles; told: Told }> {
  const files = await newDisk();
  const base = await openBase(files, { sealing: SMALL });
  const told: Told = new Set();
  for (const word of ["zero", "doczero"]) await learnWord(base, word, told);
  await base.close();
  return { files, told };
}

/** Every acknowledged write is found, and everything found is whole. */
async function verify(base: KnowledgeBase, told: Told): Promise<void> {
  for (const word of told) {
    assert.deepEqual(await find(base, word), [firstIdOf(word)], `${word} is lost`);
    const { items } = await base.search({ query: word, content: true });
    assert.match(items[0].content ?? "", new RegExp(`${word}$`));
    assert.deepEqual(items[0].docids, word.startsWith("doc") ? [word] : []);
  }
  assert.deepEqual((await checkOf(base)).errors, []);
  const queries = [...told, "text", "shared end"];
  const before = await pictureOf(base, queries);
  await base.rebuild(() => {});
  assert.deepEqual(await pictureOf(base, queries), before);
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
  const { files, told } = await prepared();
  const { all, restart } = ENDS[options.end];
  const first = processOn(files);
  const base = await openBase(first.files, { sealing: SMALL });
  failAfter(files, options.calls, { all });
  await script(base, told);
  first.kill();
  files.beforeChange = undefined;
  await restart(files);
  const second = await openBase(files, { sealing: SMALL });
  await verify(second, told);
  await learnWord(second, "last", told);
  await second.close();
  await crashWithNames(files);
  const third = await openBase(files, { sealing: SMALL });
  await verify(third, told);
  await third.close();
}

for (const end of Object.keys(ENDS) as (keyof typeof ENDS)[]) {
  test(`learn() survives at any call: ${end} (B02)`, async () => {
    const { files, told } = await prepared();
    const base = await openBase(files, { sealing: SMALL });
    const total = await countChanges(files, () => script(base, told));
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
