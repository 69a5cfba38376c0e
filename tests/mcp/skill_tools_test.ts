import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession, type TestSession } from "./session.ts";
import { KBID, NOBODY, textsOf } from "./tools_support.ts";

const GREET = { name: "greet", description: "Greets", body: "Hello {{ who }}, {{ how }}." };
const CLERK = { name: "clerk", description: "Answers", persona: "You are a clerk." };

/** The text of the first block, as it stands. */
async function textOf(session: TestSession, tool: string, args = {}): Promise<string> {
  return textsOf(await session.result(tool, args))[0];
}

test("skill-learn stores a skill and tells its arguments on one line [tool-skill-learn-04 tool-skill-learn-05 tool-skill-learn-06 ruling-d58-2 ruling-d58-3]", async () => {
  await using session = await openSession();
  const text = await textOf(session, "skill-learn", GREET);
  assert(!text.includes("\n"));
  const { kbid, name, type, arguments: all } = JSON.parse(text);
  assert.match(kbid, KBID);
  assert.deepEqual({ name, type }, { name: "greet", type: "skill" });
  assert.deepEqual(all, [{ name: "who", required: true }, { name: "how", required: true }]);
});

test("given and found arguments are merged [missed-skill-1 tool-skill-learn-03 ruling-d58-4]", async () => {
  await using session = await openSession();
  const given = [{ name: "how", description: "In which tone" }, { name: "why", required: "true" }];
  const { arguments: all } = await session.tool("skill-learn", { ...GREET, arguments: given });
  assert.deepEqual(all, [
    { name: "how", description: "In which tone", required: false },
    { name: "why", required: true },
    { name: "who", required: true },
  ]);
  const { messages } = await session.call("prompts/get", {
    name: "greet",
    arguments: { who: "Ann", why: "x" },
  }) as { messages: { content: { text: string } }[] };
  assert.equal(messages[0].content.text, "Hello Ann, .");
});

test("arguments come as models write them [tool-skill-learn-03 ruling-d20-2]", async () => {
  await using session = await openSession();
  const body = "{{ a }} {{ b }} {{ c }} {{ d }}";
  const given = JSON.stringify([
    { name: "a", description: null, required: null },
    { name: "b", description: 7, required: "false" },
    { name: "c", required: true, extra: 1 },
  ]);
  const { arguments: all } = await session.tool("skill-learn", {
    ...GREET,
    body,
    arguments: given,
  });
  assert.deepEqual(all, [
    { name: "a", required: false },
    { name: "b", description: "7", required: false },
    { name: "c", required: true },
    { name: "d", required: true },
  ]);
});

test("arguments that cannot be are refused, naming them [func-skill-1 ruling-d21-1]", async () => {
  await using session = await openSession();
  const wrong: [given: unknown, says: RegExp][] = [
    ["who", /arguments must be an array of objects/],
    [["who"], /arguments must be an array of objects/],
    [[{}], /arguments need a name that is a string/],
    [[{ name: {} }], /arguments need a name that is a string/],
    [[{ name: "who", description: [] }], /arguments need a description that is a string/],
    [[{ name: "a b" }], /"a b" is no name for an argument/],
    [[{ name: "who" }, { name: "who" }], /who is declared twice/],
  ];
  for (const [given, says] of wrong) {
    assert.match(await session.failure("skill-learn", { ...GREET, arguments: given }), says);
  }
  assert.deepEqual(await session.tool("skill-list"), []);
});

for (
  const { missing, cites: _ } of [
    { missing: "name", cites: ["tool-skill-learn-01"] },
    { missing: "description", cites: ["tool-skill-learn-02"] },
  ]
) {
  test(`skill-learn without ${missing} is refused`, async () => {
    await using session = await openSession();
    const args = { ...GREET, [missing]: undefined };
    assert.match(await session.failure("skill-learn", args), new RegExp(`${missing} is missing`));
  });
}

test("names are lower-case words joined by hyphens [tool-skill-learn-01 tool-agent-create-01 ruling-d58-1]", async () => {
  await using session = await openSession();
  const long = "a".repeat(65);
  for (const name of ["Greet", "a_b", "a b", "-a", "a-", "a--b", "ä", "", "../x", long]) {
    assert.match(await session.failure("skill-learn", { ...GREET, name }), /name/, name);
    const agent = { ...CLERK, name, skills: [] };
    assert.match(await session.failure("agent-create", agent), /name/, name);
  }
  await session.tool("skill-learn", { ...GREET, name: long.slice(1) });
});

test("an empty body is refused in these words [missed-skill-2 error-14]", async () => {
  await using session = await openSession();
  for (const body of ["", "  \n", undefined]) {
    assert.equal(
      await session.failure("skill-learn", { ...GREET, body }),
      "skill body must not be empty",
    );
  }
});

test("skill-list tells kbid, name, description and how many arguments [tool-skill-list-02 tool-skill-list-03 missed-skill-3]", async () => {
  await using session = await openSession();
  assert.equal(await textOf(session, "skill-list"), "[]");
  const { kbid } = await session.tool("skill-learn", GREET);
  const skill = { kbid, name: "greet", description: "Greets", argumentCount: 2 };
  assert.equal(await textOf(session, "skill-list"), JSON.stringify([skill], null, 2));
});

test("skills of one name stand side by side; the name gives the newest [error-16 ruling-d26-1 ruling-d26-2 ruling-d58-7 missed-prompt-3]", async () => {
  await using session = await openSession();
  const first = await session.tool("skill-learn", GREET);
  const second = await session.tool("skill-learn", { ...GREET, body: "Good day." });
  assert.notEqual(first.kbid, second.kbid);
  const listed = await session.tool("skill-list");
  assert.deepEqual(listed.map(({ kbid }: { kbid: string }) => kbid), [second.kbid, first.kbid]);
  assert.equal((await session.tool("skill-get", { name: "greet" })).body, "Good day.");
  assert.equal((await session.tool("skill-get", { kbid: first.kbid })).body, GREET.body);
  const { prompts } = await session.call("prompts/list") as { prompts: unknown[] };
  assert.deepEqual(prompts, [{ name: "greet", description: "Greets", arguments: [] }]);
  assert.deepEqual((await session.call("prompts/get", { name: "greet" })).messages, [
    { role: "user", content: { type: "text", text: "Good day." } },
  ]);
});

test("skill-get shows a whole skill by name or kbid, and the kbid wins [tool-skill-get-01 tool-skill-get-02 tool-skill-get-04 tool-skill-get-05 missed-skill-4]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("skill-learn", GREET);
  await session.tool("skill-learn", { ...GREET, name: "other" });
  const whole = {
    kbid,
    name: "greet",
    description: "Greets",
    arguments: [{ name: "who", required: true }, { name: "how", required: true }],
    body: GREET.body,
  };
  const text = JSON.stringify(whole, null, 2);
  assert.equal(await textOf(session, "skill-get", { name: "greet" }), text);
  assert.equal(await textOf(session, "skill-get", { kbid, name: "other" }), text);
});

test("skill-get refuses what it cannot find [tool-skill-get-03 error-15 missed-skill-5]", async () => {
  await using session = await openSession();
  assert.equal(await session.failure("skill-get"), "Provide name or kbid");
  assert.match(await session.failure("skill-get", { name: "absent" }), /absent/);
  assert.match(await session.failure("skill-get", { kbid: NOBODY }), new RegExp(NOBODY));
  const { kbid } = await session.tool("learn", { content: "A fact." });
  assert.match(await session.failure("skill-get", { kbid }), /no skill/);
});

test("skill-delete takes skills alone, and leaves agents with a gap [tool-skill-delete-01 tool-skill-delete-02 tool-skill-delete-03 tool-agent-get-04 error-17 missed-agent-1 missed-skill-6 ruling-d58-8]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("skill-learn", GREET);
  const other = await session.tool("skill-learn", { ...GREET, name: "other" });
  const skills = [kbid, other.kbid];
  const { docid } = await session.tool("agent-create", { ...CLERK, skills });
  const fact = await session.tool("learn", { content: "A fact." });
  assert.match(await session.failure("skill-delete", { kbid: fact.kbid }), /skill/);
  assert.match(await session.failure("skill-delete"), /kbid is missing/);
  assert.equal(
    await textOf(session, "skill-delete", { kbid }),
    JSON.stringify({ kbid, removed: true }),
  );
  const agent = await session.tool("agent-get", { docid });
  assert.deepEqual(agent.skills, [
    { kbid, name: null, position: 0 },
    { kbid: other.kbid, name: "other", position: 1 },
  ]);
  assert.equal((await session.tool("skill-delete", { kbid: NOBODY })).removed, false);
});

test("agent-create stores an agent on one line, and twice is as once [tool-agent-create-04 tool-agent-create-05 ruling-d58-5 missed-agent-2]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("skill-learn", GREET);
  const created = JSON.stringify({ docid: "agent-clerk", name: "clerk", skills: [kbid] });
  const args = { ...CLERK, skills: [kbid] };
  assert.equal(await textOf(session, "agent-create", args), created);
  assert.equal(await textOf(session, "agent-create", args), created);
  await session.tool("agent-create", { ...CLERK, persona: "You are brief.", skills: [] });
  const agents = await session.tool("agent-list");
  assert.equal(agents.length, 1);
  assert.equal(
    (await session.tool("agent-get", { docid: "agent-clerk" })).persona,
    "You are brief.",
  );
});

test("agent-create refuses what is missing and skills that are none [tool-agent-create-02 tool-agent-create-03 tool-agent-create-04 ruling-d58-6 func-agent-1]", async () => {
  await using session = await openSession();
  for (const key of ["description", "persona", "skills"]) {
    const args = { ...CLERK, skills: [], [key]: undefined };
    assert.match(await session.failure("agent-create", args), new RegExp(`${key} is missing`));
  }
  const { kbid } = await session.tool("learn", { content: "A fact." });
  for (const skill of [NOBODY, kbid]) {
    const failure = await session.failure("agent-create", { ...CLERK, skills: [skill] });
    assert.match(failure, new RegExp(skill));
  }
  assert.deepEqual(await session.tool("agent-list"), []);
});

test("agent-list and agent-get show agents [tool-agent-list-02 tool-agent-list-03 tool-agent-get-01 tool-agent-get-02 tool-agent-get-03]", async () => {
  await using session = await openSession();
  assert.equal(await textOf(session, "agent-list"), "[]");
  const { kbid } = await session.tool("skill-learn", GREET);
  const { docid } = await session.tool("agent-create", { ...CLERK, skills: [kbid] });
  const listed = { docid, name: "clerk", description: "Answers", skillCount: 1 };
  assert.equal(await textOf(session, "agent-list"), JSON.stringify([listed], null, 2));
  const skills = [{ kbid, name: "greet", position: 0 }];
  const whole = { docid, ...CLERK, skills };
  assert.equal(await textOf(session, "agent-get", { docid }), JSON.stringify(whole, null, 2));
  await session.tool("learn", { content: "A fact.", docid: "facts" });
  assert.match(await session.failure("agent-get", { docid: "facts" }), /facts/);
  assert.match(await session.failure("agent-get", { docid: "agent-absent" }), /agent-absent/);
});

test("agent-delete takes the agent alone [tool-agent-delete-01 tool-agent-delete-02 tool-agent-delete-03 missed-agent-3 ruling-d58-8]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("skill-learn", GREET);
  const { docid } = await session.tool("agent-create", { ...CLERK, skills: [kbid] });
  await session.tool("learn", { content: "A fact.", docid: "facts" });
  assert.match(await session.failure("agent-delete", { docid: "facts" }), /facts/);
  assert.equal(
    await textOf(session, "agent-delete", { docid }),
    JSON.stringify({ docid, removed: true }),
  );
  assert.deepEqual(await session.tool("agent-list"), []);
  assert.equal((await session.tool("skill-get", { kbid })).name, "greet");
  assert.equal((await session.tool("agent-delete", { docid })).removed, false);
});

test("what is too long for a reply is refused, naming the way (D28)", async () => {
  await using session = await openSession({ room: 2000 });
  const body = "Do this. ".repeat(500);
  await session.tool("skill-learn", { ...GREET, body });
  await session.tool("agent-create", { ...CLERK, persona: body, skills: [] });
  assert.match(await session.failure("skill-get", { name: "greet" }), /kbdb skill get greet/);
  assert.match(
    await session.failure("agent-get", { docid: "agent-clerk" }),
    /kbdb agent get clerk/,
  );
  const { messages } = await session.call("prompts/get", { name: "greet" });
  assert.match(JSON.stringify(messages), /Do this/);
});

test("long lists of skills say how to go on (D50)", async () => {
  await using session = await openSession({ room: 1500 });
  for (let i = 0; i < 20; i++) {
    await session.tool("skill-learn", { ...GREET, name: `skill-${i + 10}` });
  }
  const names: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const { content, structuredContent } = await session.result("skill-list", { offset });
    const [block] = content;
    assert(block.type === "text" && block.text.length <= 1500);
    const page = structuredContent as { result: { name: string }[]; next_offset?: number };
    names.push(...page.result.map(({ name }) => name));
    offset = page.next_offset;
  }
  assert.deepEqual(names, Array.from({ length: 20 }, (_, i) => `skill-${i + 10}`));
});
