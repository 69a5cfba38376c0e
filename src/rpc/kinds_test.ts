import assert from "node:assert/strict";
import { test } from "node:test";
import { KbdbError } from "./errors.ts";
import { refuseWrongKinds } from "./kinds.ts";

/** The sentence of a refusal, or nothing. */
function refusal(given: unknown, kinds: Record<string, string>): string | null {
  try {
    refuseWrongKinds("act", { given, kinds });
    return null;
  } catch (error) {
    assert.ok(error instanceof KbdbError && error.code === "bad_request", String(error));
    return error.message;
  }
}

const VALUES: Record<string, unknown> = {
  "a string": "x",
  "a number": 5,
  "true or false": false,
  "an array of strings": ["x"],
  "an array of objects": [{ x: "y" }],
  "an object of strings": { x: "y" },
};

for (
  const [kind, name] of [
    ["text", "a string"],
    ["number", "a number"],
    ["switch", "true or false"],
    ["texts", "an array of strings"],
    ["objects", "an array of objects"],
    ["values", "an object of strings"],
  ]
) {
  test(`refuseWrongKinds() takes ${name} and nothing else (B20)`, () => {
    for (const [other, value] of Object.entries(VALUES)) {
      const message = refusal({ value }, { value: kind });
      if (other === name) assert.equal(message, null, other);
      else assert.ok(message?.startsWith(`Cannot act: value must be ${name}, not `), other);
    }
    const missing = refusal({}, { value: kind });
    assert.equal(missing, `Cannot act: value must be ${name}, not nothing`);
    assert.equal(refusal({}, { value: `${kind}?` }), null);
    assert.notEqual(refusal({ value: null }, { value: `${kind}?` }), null);
  });
}

test("refuseWrongKinds() takes empty arrays and unknown names", () => {
  assert.equal(refusal({ a: [], b: [], later: 1 }, { a: "texts", b: "objects" }), null);
});

test("refuseWrongKinds() refuses what is no object (B20)", () => {
  for (const given of [null, 5, "x", []]) {
    assert.match(refusal(given, {}) ?? "", /^Cannot act: the parameters must be an object, not /);
  }
});

test("refuseWrongKinds() shows only the beginning of a long value", () => {
  assert.ok(refusal({ a: ["x".repeat(1000)] }, { a: "text" })!.length < 120);
});
