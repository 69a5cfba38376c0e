import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentCreateParams, AgentResult } from "../../rpc/prompts.ts";
import { newDisk } from "../../store/testing.ts";
import { agentCreate, agentDelete, agentGet, agentList } from "./agents.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { skillDelete, skillGet, skillLearn } from "./skills.ts";
import { checkOf, learn, newBase, openBase, paths, refusal } from "../testing.ts";
import { unlearn } from "../write/unlearn.ts";

let keys = 0;

/** Stores a skill; its id. */
async function skill(base: KnowledgeBase, name: string): Promise<string> {
  const params = { key: `skill ${++keys}`, name, description: `Does ${name}`, body: `Do ${name}` };
  return (await base.run((parts) => skillLearn(parts, params))).kbid;
}

/** Creates an agent under a key of its own. */
function create(base: KnowledgeBase, facts: Partial<AgentCreateParams> = {}): Promise<AgentResult> {
  const sample = { name: "clerk", description: "Keeps books", persona: "You are\na clerk." };
  const params = { key: `agent ${++keys}`, ...sample, skills: [], ...facts };
  return base.run((parts) => agentCreate(parts, params));
}

function get(base: KnowledgeBase, docid: string) {
  return base.run((parts) => agentGet(parts, { docid }));
}

function remove(base: KnowledgeBase, docid: string) {
  return base.run((parts) => agentDelete(parts, { key: `delete ${++keys}`, docid }));
}

/** Documents that the index has for a section. */
function docidsOf(base: KnowledgeBase, kbid: string): Promise<string[] | undefined> {
  return base.run(({ keeper }) => keeper.recordOf(kbid)?.docids);
}

test("agentCreate() stores persona and skills in order", async () => {
  const { base } = await newBase();
  const one = await skill(base, "one");
  const two = await skill(base, "two");
  const created = await create(base, { skills: [two, one, two] });
  assert.deepEqual(created, { docid: "agent-clerk", name: "clerk", skills: [two, one, two] });
  assert.deepEqual(await get(base, "agent-clerk"), {
    docid: "agent-clerk",
    name: "clerk",
    description: "Keeps books",
    persona: "You are\na clerk.",
    skills: [
      { kbid: two, name: "two", position: 0 },
      { kbid: one, name: "one", position: 1 },
      { kbid: two, name: "two", position: 2 },
    ],
  });
  assert.deepEqual(await docidsOf(base, one), ["agent-clerk"]);
});

test("agentCreate() replaces the agent of its name", async () => {
  const { base } = await newBase();
  const one = await skill(base, "one");
  const two = await skill(base, "two");
  await create(base, { skills: [one] });
  await create(base, { skills: [two], persona: "You are another clerk." });
  const { persona, skills } = await get(base, "agent-clerk");
  assert.deepEqual([persona, skills.map(({ kbid }) => kbid)], ["You are another clerk.", [two]]);
  assert.deepEqual([await docidsOf(base, one), await docidsOf(base, two)], [[], ["agent-clerk"]]);
  assert.equal((await base.run(agentList)).agents.length, 1);
});

test("agentCreate() writes nothing where nothing changes", async () => {
  const { base, files } = await newBase();
  await create(base);
  const before = files.read(paths.document("agent-clerk"));
  await create(base);
  assert.deepEqual(files.read(paths.document("agent-clerk")), before);
});

test("agentCreate() names skills that it does not find", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "No skill" });
  const one = await skill(base, "one");
  await assert.rejects(create(base, { skills: ["nobody", one, kbid] }), (error: Error) => {
    assert.ok(error.message.includes(`"nobody", "${kbid}"`), error.message);
    assert.ok(!error.message.includes(one), error.message);
    return true;
  });
  await assert.rejects(get(base, "agent-clerk"), { code: "not_found" });
});

test("agentCreate() refuses missing skills, bad names and a held docid", async () => {
  const { base } = await newBase();
  const skills = undefined as unknown as string[];
  await assert.rejects(create(base, { skills }), { code: "bad_request" });
  await assert.rejects(create(base, { name: "A clerk" }), { code: "bad_request" });
  await learn(base, { content: "A page", docid: "agent-clerk" });
  await assert.rejects(create(base), { code: "conflict" });
});

test("agentList() lists agents by name", async () => {
  const { base } = await newBase();
  const one = await skill(base, "one");
  await create(base, { name: "b" });
  await create(base, { name: "a", skills: [one, one] });
  await learn(base, { content: "A page", docid: "page" });
  assert.deepEqual((await base.run(agentList)).agents, [
    { docid: "agent-a", name: "a", description: "Keeps books", skillCount: 2 },
    { docid: "agent-b", name: "b", description: "Keeps books", skillCount: 0 },
  ]);
});

test("agentGet() names no skill that was deleted", async () => {
  const { base } = await newBase();
  const one = await skill(base, "one");
  const two = await skill(base, "two");
  await create(base, { skills: [one, two] });
  await base.run((parts) => skillDelete(parts, { key: `delete ${++keys}`, kbid: one }));
  const { skills } = await get(base, "agent-clerk");
  assert.deepEqual(skills.map(({ kbid, name }) => [kbid, name]), [[one, null], [two, "two"]]);
});

test("agentGet() refuses ordinary documents", async () => {
  const { base } = await newBase();
  await learn(base, { content: "A page", docid: "page" });
  await assert.rejects(get(base, "page"), { code: "not_found" });
});

test("agentDelete() takes the manifest and leaves the skills", async () => {
  const { base } = await newBase();
  const one = await skill(base, "one");
  await create(base, { skills: [one] });
  assert.deepEqual(await remove(base, "agent-clerk"), { docid: "agent-clerk", removed: true });
  assert.deepEqual(await remove(base, "agent-clerk"), { docid: "agent-clerk", removed: false });
  assert.deepEqual((await base.run(agentList)).agents, []);
  assert.equal((await base.run((parts) => skillGet(parts, { name: "one" }))).kbid, one);
  assert.deepEqual(await docidsOf(base, one), []);
  const [entry] = await base.run(({ store }) => store.trash.list());
  assert.deepEqual([entry.reason, entry.documents[0].docid], ["agent-delete", "agent-clerk"]);
  assert.deepEqual((await checkOf(base)).errors, []);
});

test("agentDelete() refuses ordinary documents", async () => {
  const { base } = await newBase();
  await learn(base, { content: "A page", docid: "page" });
  await assert.rejects(remove(base, "page"), { code: "conflict" });
});

test("agentDelete() works where a skill is damaged", async () => {
  const { base, files } = await newBase();
  const one = await skill(base, "one");
  await create(base, { skills: [one] });
  files.write(paths.section(one), new TextEncoder().encode("garbage"));
  assert.equal((await remove(base, "agent-clerk")).removed, true);
});

test("learn() and unlearn() leave the docids of agents alone", async () => {
  const { base } = await newBase();
  await create(base);
  for (const document of [true, false]) {
    const item = { content: "A page", docid: "agent-clerk", document, replace: true };
    assert.equal((await refusal(base, item)).code, "conflict");
  }
  const params = { key: "unlearn", docid: "agent-clerk" };
  await assert.rejects(base.run((parts) => unlearn(parts, params)), { code: "conflict" });
  assert.equal((await get(base, "agent-clerk")).persona, "You are\na clerk.");
});

test("agents are the same after a restart and after a rebuild", async () => {
  const files = await newDisk();
  const base = await openBase(files);
  const one = await skill(base, "one");
  await create(base, { skills: [one] });
  const before = await get(base, "agent-clerk");
  await base.close();
  const again = await openBase(files);
  assert.deepEqual(await get(again, "agent-clerk"), before);
  await again.rebuild(() => {});
  assert.deepEqual(await get(again, "agent-clerk"), before);
  assert.deepEqual(await docidsOf(again, one), ["agent-clerk"]);
  assert.deepEqual((await checkOf(again)).errors, []);
});
