import assert from "node:assert/strict";
import { test } from "node:test";
import { isImageType, typeInFolder, typeOfFile } from "./source_types.ts";

test("typeInFolder() takes prose only", () => {
  assert.equal(typeInFolder("README.MD"), "text/markdown");
  assert.equal(typeInFolder("notes.txt"), "text/plain");
  for (const name of ["a.png", "a.ts", "a.json", "a", ".md", "md"]) {
    assert.equal(typeInFolder(name), null, name);
  }
});

for (
  const [name, type] of [
    ["a.md", "text/markdown"],
    ["a.JPG", "image/jpeg"],
    ["a.svg", "image/svg+xml"],
    ["a.avif", "image/avif"],
    ["a.tsx", "text/typescript"],
    ["a.json", "application/json"],
    ["a.tar.py", "text/x-python"],
    ["Makefile", "text/plain"],
    ["a.unknown", "text/plain"],
    ["a.constructor", "text/plain"],
  ]
) {
  test(`typeOfFile() learns ${name} as ${type}`, () => assert.equal(typeOfFile(name), type));
}

test("isImageType() tells images from texts", () => {
  assert.ok(isImageType("image/png") && isImageType("IMAGE/PNG"));
  assert.ok(!isImageType("text/plain") && !isImageType("x/image/png"));
});
