import assert from "node:assert/strict";
import { test } from "node:test";
import { projectFiles, readProjectFile } from "./support/project.ts";

const MAX_LINES = 400;

/** Lines of a source file; unit tests at the end of a Rust file do not count. */
function countLines(path: string): number {
  const [source] = readProjectFile(path).split(/^#\[cfg\(test\)\]$/m);
  return source.trimEnd().split("\n").length;
}

test(`no source file has more than ${MAX_LINES} lines`, () => {
  const files = [...projectFiles("src", ".ts"), ...projectFiles("wasm", ".rs")];
  const long = files
    .filter((path) => !path.endsWith("_test.ts") && !path.includes("/tests/"))
    .map((path) => ({ path, lines: countLines(path) }))
    .filter(({ lines }) => lines > MAX_LINES);
  assert.deepEqual(long, []);
});
