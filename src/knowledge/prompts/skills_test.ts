import assert from "node:assert/strict";
import { test } from "node:test";
import type { SkillLearnParams, SkillResult } from "../../rpc/prompts.ts";
import { parseSkillContent } from "../../rpc/skill_text.ts";
import { newDisk } from "../../store/testing.ts";
import { builtinSkills } from "./builtin_skills.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import {
  skillBuiltins,
  skillDelete,
  skillGet,
  skillInstall,
  skillLearn,
  skillList,
  skillRender,
} from "./skills.ts";
import { checkOf, find, learn, newBase, openBase, paths } from "../testing.ts";

let keys = 0;

/** Stores a skill under a key of its own. */
function store(base: KnowledgeBase, facts: Partial<SkillLearnParams> = {}): Promise<SkillResult> {
  const sample = { name: "greet", description: "Greets somebody", body: "Hello {{ who }}" };
  return base.run((parts) => skillLearn(parts, { key: `skill ${++keys}`, ...sample, ...facts }));
}

function remove(base: KnowledgeBase, kbid: string) {
  return base.run((parts) => skillDelete(parts, { key: `delete ${++keys}`, kbid }));
}

/** Name and id of every skill listed. */
async function listed(base: KnowledgeBase): Promise<string[]> {
  const { skills } = await base.run(skillList);
  return skills.map(({ name, kbid }) => `${name} ${kbid}`);
}

test("skillLearn() answers like learn and adds name and arguments", async () => {
  const { base } = await newBase();
  const { kbid, elapsed_ms, ...rest } = await store(base, { arguments: [{ name: "tone" }] });
  assert.match(kbid, /^[0-9a-z]{26}$/);
  assert.ok(elapsed_ms >= 0);
  assert.deepEqual(rest, {
    type: "skill",
    title: "greet",
    description: "Greets somebody",
    indexed_terms_count: 0,
    attached: false,
    name: "greet",
    arguments: [{ name: "tone", required: false }, { name: "who", required: true }],
  });
});

test("skillLearn() stores the definition as the section's content", async () => {
  const { base } = await newBase();
  const { kbid } = await store(base, { body: "\r\nHello {{who}}  \r\n" });
  const { meta, content } = await base.run(({ reader }) => {
    const outcome = reader.read(kbid);
    assert.ok(outcome.state === "found");
    return outcome.value;
  });
  assert.deepEqual([meta.type, meta.title, meta.standalone], ["skill", "greet", true]);
  assert.deepEqual(parseSkillContent(new TextDecoder().decode(content)), {
    name: "greet",
    description: "Greets somebody",
    arguments: [{ name: "who", required: true }],
    body: "Hello {{who}}",
  });
});

test("skillLearn() knows what is stored already", async () => {
  const { base } = await newBase();
  const first = await store(base);
  const again = await store(base, { arguments: [{ name: "who", required: true }] });
  assert.equal(first.existing, undefined);
  assert.deepEqual([again.existing, again.kbid], [true, first.kbid]);
  assert.equal((await listed(base)).length, 1);
});

test("skillLearn() applies a repeated request once", async () => {
  const { base } = await newBase();
  const first = await store(base, { key: "same" });
  const again = await store(base, { key: "same", body: "Something else" });
  assert.equal(again.kbid, first.kbid);
  assert.equal((await listed(base)).length, 1);
});

test("skillLearn() refuses an empty body in the words of the document", async () => {
  const { base } = await newBase();
  for (const body of ["", " \n\t", undefined as unknown as string]) {
    await assert.rejects(store(base, { body }), {
      code: "bad_request",
      message: "skill body must not be empty",
    });
  }
});

test("skillLearn() refuses names that are none (D58)", async () => {
  const { base } = await newBase();
  for (const name of ["", "A", "a b", "a--b", "-a", "a-", "ä", "a_b", "x".repeat(65)]) {
    await assert.rejects(store(base, { name }), { code: "bad_request" }, name);
  }
  await store(base, { name: "0-a9" });
  await store(base, { name: "x".repeat(64) });
});

test("skillLearn() refuses arguments that no placeholder can have", async () => {
  const { base } = await newBase();
  for (const names of [["1a"], [""], ["a b"], ["a", "b", "a"]]) {
    const declared = names.map((name) => ({ name }));
    await assert.rejects(store(base, { arguments: declared }), { code: "bad_request" });
  }
});

test("skillLearn() refuses content that is an ordinary section (D40)", async () => {
  const { base, files } = await newBase();
  const { kbid } = await store(base);
  const json = new TextDecoder().decode(files.read(paths.section(kbid))).split("\n+++\n")[1];
  await remove(base, kbid);
  await learn(base, { content: json, type: "application/json" });
  await assert.rejects(store(base), { code: "conflict" });
});

test("skillGet() takes the newest of a name and any by id (D26)", async () => {
  const { base } = await newBase();
  const old = await store(base);
  const young = await store(base, { body: "Good morning {{ who }}" });
  const get = (params: { name?: string; kbid?: string }) =>
    base.run((parts) => skillGet(parts, params));
  assert.equal((await get({ name: "greet" })).kbid, young.kbid);
  assert.equal((await get({ name: "greet", kbid: old.kbid })).body, "Hello {{ who }}");
  assert.deepEqual(await get({ kbid: young.kbid }), {
    kbid: young.kbid,
    name: "greet",
    description: "Greets somebody",
    arguments: [{ name: "who", required: true }],
    body: "Good morning {{ who }}",
  });
});

test("skillGet() takes a skill that was stored again for the newest", async () => {
  const { base } = await newBase();
  const old = await store(base);
  await store(base, { body: "Good morning {{ who }}" });
  const again = await store(base);
  assert.equal(again.existing, true);
  const found = await base.run((parts) => skillGet(parts, { name: "greet" }));
  assert.equal(found.kbid, old.kbid);
  assert.equal((await listed(base)).length, 2);
});

test("skillGet() refuses what it does not find", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "An ordinary section" });
  const get = (params: { name?: string; kbid?: string }) =>
    base.run((parts) => skillGet(parts, params));
  await assert.rejects(get({}), { code: "bad_request", message: "Provide name or kbid" });
  await assert.rejects(get({ name: "none" }), { code: "not_found" });
  await assert.rejects(get({ kbid: "none" }), { code: "not_found" });
  await assert.rejects(get({ kbid, name: "greet" }), { code: "not_found" });
});

test("skillList() lists all by name, the newest of a name first", async () => {
  const { base } = await newBase();
  const b1 = await store(base, { name: "b" });
  const a = await store(base, { name: "a" });
  const b2 = await store(base, { name: "b", body: "Two" });
  assert.deepEqual(await listed(base), [`a ${a.kbid}`, `b ${b2.kbid}`, `b ${b1.kbid}`]);
  const { skills } = await base.run(skillList);
  assert.deepEqual(skills.map((skill) => skill.argumentCount), [1, 0, 1]);
});

test("skillList() is the same after a restart and after a rebuild", async () => {
  const files = await newDisk();
  const base = await openBase(files);
  await learn(base, { content: "An ordinary section" });
  await store(base, { name: "b" });
  await store(base, { name: "b", body: "Two" });
  const before = await listed(base);
  await base.close();
  const again = await openBase(files);
  assert.deepEqual(await listed(again), before);
  await again.rebuild(() => {});
  assert.deepEqual(await listed(again), before);
});

test("skillList() names a damaged skill and lists the others", async () => {
  const { base, files } = await newBase();
  const bad = await store(base, { name: "bad" });
  const good = await store(base, { name: "good" });
  files.write(paths.section(bad.kbid), new TextEncoder().encode("garbage"));
  assert.deepEqual(await listed(base), [`good ${good.kbid}`]);
  assert.ok(base.status().warnings.some((warning) => warning.includes(bad.kbid)));
});

test("skillRender() fills in values literally (D27)", async () => {
  const { base } = await newBase();
  await store(base);
  const render = (values?: Record<string, string>) =>
    base.run((parts) => skillRender(parts, { name: "greet", arguments: values }));
  assert.deepEqual(await render({ who: "{{ who }} $&" }), { text: "Hello {{ who }} $&" });
  await assert.rejects(render(), /required argument who is missing/);
});

test("skillDelete() puts a skill into the trash and nothing else", async () => {
  const { base } = await newBase();
  const { kbid } = await store(base);
  const section = await learn(base, { content: "An ordinary section" });
  assert.deepEqual(await remove(base, kbid), { kbid, removed: true });
  assert.deepEqual(await listed(base), []);
  assert.deepEqual(await remove(base, kbid), { kbid, removed: false });
  assert.deepEqual(await remove(base, "no id"), { kbid: "no id", removed: false });
  await assert.rejects(remove(base, section.kbid), { code: "conflict" });
  const [entry] = await base.run(({ store }) => store.trash.list());
  assert.equal(entry.reason, "skill-delete");
  assert.deepEqual(entry.sections.map((section) => section.kbid), [kbid]);
});

test("skills stay out of ordinary searches", async () => {
  const { base } = await newBase();
  const { kbid } = await store(base, { body: "parcel {{ who }}" });
  const section = await learn(base, { content: "The parcel waits" });
  assert.deepEqual(await find(base, "parcel"), [section.kbid]);
  assert.deepEqual(await find(base, "parcel", { type: ["skill"] }), [kbid]);
});

test("skillInstall() stores what comes with the program", async () => {
  const { base } = await newBase();
  const install = (name: string) =>
    base.run((parts) => skillInstall(parts, { key: `install ${++keys}`, name }));
  const { skills: [before] } = await base.run(skillBuiltins);
  assert.deepEqual([before.name, before.installed], ["memory-protocol", false]);
  const { kbid } = await install("memory-protocol");
  const { skills: [after] } = await base.run(skillBuiltins);
  assert.equal(after.installed, true);
  assert.equal((await install("memory-protocol")).existing, true);
  assert.equal((await base.run((parts) => skillGet(parts, { name: after.name }))).kbid, kbid);
  await assert.rejects(install("none"), { code: "not_found" });
  assert.deepEqual((await checkOf(base)).errors, []);
});

test("builtinSkills() render with and without their arguments", () => {
  for (const { name, description, body, arguments: declared } of builtinSkills()) {
    assert.ok(description.length > 20 && description.length < 300, name);
    assert.ok(body.length > 1000, name);
    assert.ok(declared.every((argument) => argument.required === false), name);
  }
});
