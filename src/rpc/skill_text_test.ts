import assert from "node:assert/strict";
import { test } from "node:test";
import {
  argumentsOf,
  parseSkillContent,
  placeholdersOf,
  renderSkill,
  serializeSkillContent,
  type SkillContent,
} from "./skill_text.ts";

/** A skill of this body. */
function skillOf(body: string, facts: Partial<SkillContent> = {}): SkillContent {
  return { name: "sample", description: "A sample", arguments: [], body, ...facts };
}

test("placeholdersOf() finds each name once, in order", () => {
  const body = "{{b}} {{ a }} {{\tb\n}} {{ c-1 }} {{_x}}";
  assert.deepEqual(placeholdersOf(body), ["b", "a", "c-1", "_x"]);
});

test("placeholdersOf() leaves alone what is no placeholder", () => {
  const body = "{{}} {{ }} {{1a}} {{a b}} { {a} } {{-a}} {{ä}} {{a}";
  assert.deepEqual(placeholdersOf(body), []);
});

test("placeholdersOf() sees a placeholder inside more braces", () => {
  assert.deepEqual(placeholdersOf("{{{ name }}}"), ["name"]);
});

test("argumentsOf() lists declared ones first and adds found ones as required", () => {
  const declared = [
    { name: "z", description: "Last of all" },
    { name: "unused", required: true },
  ];
  assert.deepEqual(argumentsOf("{{ a }} {{ z }} {{ b }}", declared), [
    { name: "z", description: "Last of all", required: false },
    { name: "unused", required: true },
    { name: "a", required: true },
    { name: "b", required: true },
  ]);
});

test("renderSkill() puts values in literally and in one pass", () => {
  const values = { a: "$& $1 $$ {{ b }}", b: "{{ a }}" };
  assert.equal(renderSkill(skillOf("<{{ a }}|{{b}}>"), values), "<$& $1 $$ {{ b }}|{{ a }}>");
});

test("renderSkill() names a required argument that is missing", () => {
  assert.throws(() => renderSkill(skillOf("{{ a }} {{ b }}"), { a: "x" }), {
    code: "bad_request",
    message: "Cannot render skill sample: the required argument b is missing",
  });
});

test("renderSkill() takes an empty value for given", () => {
  assert.equal(renderSkill(skillOf("<{{ a }}>"), { a: "" }), "<>");
});

test("renderSkill() makes optional arguments that are left out empty", () => {
  const skill = skillOf("<{{ a }}>", { arguments: [{ name: "a" }] });
  assert.equal(renderSkill(skill, {}), "<>");
});

test("renderSkill() ignores values without a placeholder", () => {
  assert.equal(renderSkill(skillOf("plain {{1}}"), { a: "x" }), "plain {{1}}");
});

test("renderSkill() takes no value from what every object has", () => {
  const skill = skillOf("{{ constructor }}{{ __proto__ }}");
  assert.throws(() => renderSkill(skill, {}), /required argument constructor is missing/);
});

test("serializeSkillContent() gives equal skills equal bytes", () => {
  const one = skillOf("{{ b }}", { arguments: [{ name: "a", description: "A" }] });
  const other = {
    body: one.body,
    arguments: [
      { required: false, description: "A", name: "a", extra: 1 },
      { name: "b", required: true },
    ],
    description: one.description,
    name: one.name,
  };
  assert.equal(serializeSkillContent(one), serializeSkillContent(other));
  assert.equal(
    Object.keys(JSON.parse(serializeSkillContent(other))).join(),
    "name,description,arguments,body",
  );
});

test("parseSkillContent() reads back what was serialized", () => {
  const skill = skillOf('Say "{{ a }}"\n\\ € 𝄞', { arguments: [{ name: "n", required: true }] });
  const back = parseSkillContent(serializeSkillContent(skill));
  assert.deepEqual(back, { ...skill, arguments: argumentsOf(skill.body, skill.arguments) });
});

test("parseSkillContent() finds arguments where none are stored", () => {
  const { arguments: found } = parseSkillContent('{"name":"n","description":"d","body":"{{x}}"}');
  assert.deepEqual(found, [{ name: "x", required: true }]);
});

const malformed = [
  "",
  "{",
  "null",
  "[]",
  '"text"',
  '{"description":"d","body":"b"}',
  '{"name":"n","body":"b"}',
  '{"name":"n","description":"d"}',
  '{"name":"n","description":"d","body":7}',
  '{"name":"n","description":"d","body":"b","arguments":{}}',
  '{"name":"n","description":"d","body":"b","arguments":[null]}',
  '{"name":"n","description":"d","body":"b","arguments":[{"name":1}]}',
  '{"name":"n","description":"d","body":"b","arguments":[{"name":"a","required":"yes"}]}',
];

test("parseSkillContent() throws on what is no skill", () => {
  for (const json of malformed) {
    assert.throws(() => parseSkillContent(json), /^SyntaxError: Cannot read the skill: /, json);
  }
});
