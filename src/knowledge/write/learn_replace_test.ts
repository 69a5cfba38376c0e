import assert from "node:assert/strict";
import { test } from "node:test";
import {
  entriesOf,
  find,
  idOfText,
  learn,
  learnItem,
  newBase,
  newKey,
  recalled,
  refusal,
} from "../testing.ts";
import { agentCreate } from "../prompts/agents.ts";
import { skillLearn } from "../prompts/skills.ts";

test("learn() with replace takes the place of what a document held (D11)", async () => {
  const { base } = await newBase();
  await learn(base, { content: "# One\n\n# Two", docid: "d", document: true });
  const answer = await learnItem(base, { content: "new", docid: "d", title: "T", replace: true });
  assert.ok(answer.ok);
  assert.deepEqual([answer.outcome, answer.result.title], ["replaced", "T"]);
  assert.deepEqual((await entriesOf(base, "d"))?.map(({ kbid }) => kbid), [idOfText("new")]);
  assert.equal(typeof (await recalled(base, idOfText("# One"))).retired, "string");
  assert.deepEqual(await find(base, "one"), []);
});

test("learn() with replace lifts the conflict of sources (D11, D42)", async () => {
  const { base } = await newBase();
  await learn(base, { content: "a", docid: "d", document: true, source: "/a" });
  const other = { content: "b", docid: "d", document: true, source: "/b" };
  assert.equal((await refusal(base, other)).code, "conflict");
  await learn(base, { ...other, replace: true });
  assert.deepEqual((await recalled(base, idOfText("b"))).sources, ["/b"]);
  await learn(base, { content: "c", docid: "d", replace: true });
  assert.equal((await recalled(base, idOfText("c"))).sources, undefined);
});

test("learn() with replace needs a docid", async () => {
  const { base } = await newBase();
  assert.deepEqual(await refusal(base, { content: "a", replace: true }), {
    code: "bad_request",
    message:
      "Cannot learn in the place of a document: its docid is missing. Give docid, or leave " +
      "replace out.",
  });
});

test("learn() leaves skills and agents to their own tools (D40)", async () => {
  const { base } = await newBase();
  for (const [type, way] of [["skill", "skill-learn"], [" Agent ", "agent-create"]]) {
    const { code, message } = await refusal(base, { content: "a", type });
    assert.equal(code, "bad_request");
    assert.match(message, new RegExp(`^Cannot learn as ${type.trim().toLowerCase()}: use ${way}`));
  }
  const { code, message } = await refusal(base, { content: "a", type: "application/pdf" });
  assert.equal(code, "unsupported");
  assert.match(message, /Use text\/\*, application\/json or image\/\*\.$/);
});

test("learn() refuses content that is stored as a skill (D40)", async () => {
  const { base } = await newBase();
  const skill = { key: newKey(), name: "sort", description: "Sorts", body: "Sort {{ what }}" };
  const { kbid } = await base.run((parts) => skillLearn(parts, skill));
  const { content } = await recalled(base, kbid);
  const error = await refusal(base, { content });
  assert.equal(error.code, "conflict");
  assert.match(
    error.message,
    new RegExp(`^Cannot learn section ${kbid}: its content is stored as`),
  );
});

test("learn() refuses the docid of an agent", async () => {
  const { base } = await newBase();
  const agent = { key: newKey(), name: "clerk", description: "d", persona: "p", skills: [] };
  await base.run((parts) => agentCreate(parts, agent));
  for (const more of [{}, { document: true }, { replace: true }]) {
    const { code, message } = await refusal(base, { content: "a", docid: "agent-clerk", ...more });
    assert.equal(code, "conflict");
    assert.match(message, /an agent has that docid\. Choose another docid, or change the agent/);
  }
});

test("learn() warns of secrets and never shows them (D34)", async () => {
  const { base } = await newBase();
  const key = "AKIA" + "Q3EGRIZ5KJ7XW2PM";
  const { warnings, kbid } = await learn(base, { content: `# Keys\n\nid ${key}\n\npassword: x` });
  assert.equal(warnings?.length, 1);
  assert.match(
    warnings![0],
    /^The content seems to hold a secret \(AWS access key\)\. It is stored/,
  );
  assert.ok(!warnings![0].includes(key));
  assert.deepEqual(await find(base, "keys"), [kbid]);
});

test("learn() takes blank names as left out", async () => {
  const { base } = await newBase();
  const result = await learn(base, { content: "# Own", title: " ", description: "" });
  assert.deepEqual([result.title, result.description], ["Own", null]);
});

test("learn() keeps a document's type when something joins it", async () => {
  const { base } = await newBase();
  await learn(base, { content: "# One", docid: "d" });
  await learn(base, { content: "let a = 1", type: "text/typescript", docid: "d" });
  const type = await base.run(({ store }) => {
    const stored = store.readDocument("d");
    return stored.state === "found" && stored.value.type;
  });
  assert.equal(type, "text/markdown");
});
