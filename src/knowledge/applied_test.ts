import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangeEvent } from "../rpc/changes.ts";
import { agentCreate } from "./prompts/agents.ts";
import type { KnowledgeBase } from "./knowledge_base.ts";
import { skillLearn } from "./prompts/skills.ts";
import {
  idOfText,
  learn,
  newBase,
  newKey,
  restoreIds,
  reviseText,
  sweep,
  unlearnOne,
} from "./testing.ts";

const [ONE, TWO] = ["# One", "# Two"];
const [one, two] = [ONE, TWO].map(idOfText);
const NONE = { added: [], updated: [], removed: [] };

/** What is told of `work`. */
async function toldOf(
  base: KnowledgeBase,
  work: () => Promise<unknown>,
): Promise<Pick<ChangeEvent, "sections" | "documents" | "prompts"> | undefined> {
  const { seq: since } = base.changesSince({});
  await work();
  const { missed } = base.changesSince({ since });
  if (missed === undefined) return undefined;
  const { seq, ...told } = missed;
  assert.ok(seq > since);
  return told;
}

test("onChange() tells what each write did", async () => {
  const { base } = await newBase();
  const steps: [work: () => Promise<unknown>, sections: object, documents: object][] = [
    [
      () => learn(base, { content: ONE, docid: "d" }),
      { ...NONE, added: [one] },
      { ...NONE, added: ["d"] },
    ],
    [() => learn(base, { content: ONE, tags: ["t"] }), { ...NONE, updated: [one] }, NONE],
    [
      () => learn(base, { content: ONE, docid: "e" }),
      { ...NONE, updated: [one] },
      { ...NONE, added: ["e"] },
    ],
    [
      () => reviseText(base, one, { content: TWO }),
      { ...NONE, added: [two], removed: [one] },
      { ...NONE, updated: ["d", "e"] },
    ],
    [
      () => unlearnOne(base, { docid: "e" }),
      { ...NONE, updated: [two] },
      { ...NONE, removed: ["e"] },
    ],
    [
      () => unlearnOne(base, { kbid: two }),
      { ...NONE, removed: [two] },
      { ...NONE, removed: ["d"] },
    ],
    [
      () => restoreIds(base, two),
      { ...NONE, added: [two] },
      { ...NONE, added: ["d"] },
    ],
    [() => sweep(base), { ...NONE, removed: [one] }, NONE],
    [() => restoreIds(base, one), { ...NONE, added: [one] }, NONE],
    [() => learn(base, { content: ONE }), { ...NONE, added: [one] }, NONE],
  ];
  for (const [i, [work, sections, documents]] of steps.entries()) {
    const told = await toldOf(base, work);
    assert.deepEqual(told, { sections, documents, prompts: false }, `step ${i}`);
  }
});

test("onChange() tells nothing where nothing changed", async () => {
  const { base } = await newBase();
  await learn(base, { content: ONE });
  assert.equal(await toldOf(base, () => learn(base, { content: ONE })), undefined);
  assert.equal(await toldOf(base, () => unlearnOne(base, { docid: "none" })), undefined);
});

test("onChange() tells of skills and agents", async () => {
  const { base } = await newBase();
  const skill = { key: newKey(), name: "sort", description: "Sorts", body: "Sort" };
  const told = await toldOf(base, () => base.run((parts) => skillLearn(parts, skill)));
  assert.equal(told?.prompts, true);
  const agent = { key: newKey(), name: "clerk", description: "d", persona: "p", skills: [] };
  const ofAgent = await toldOf(base, () => base.run((parts) => agentCreate(parts, agent)));
  assert.deepEqual([ofAgent?.prompts, ofAgent?.documents.added], [true, ["agent-clerk"]]);
});

test("onChange() calls whoever listens, until he stops", async () => {
  const { base } = await newBase();
  const events: ChangeEvent[] = [];
  const stop = base.onChange((event) => events.push(event));
  await learn(base, { content: ONE });
  base.changesSince({});
  assert.deepEqual(events.map(({ sections }) => sections.added), [[one]]);
  stop();
  await learn(base, { content: TWO });
  base.changesSince({});
  assert.equal(events.length, 1);
});
