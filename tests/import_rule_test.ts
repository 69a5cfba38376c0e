import assert from "node:assert/strict";
import { test } from "node:test";
import { breaches } from "./support/import_rule.ts";
import { projectFiles, readProjectFile } from "./support/project.ts";

test("every source file keeps the import rule (D55)", () => {
  const files = projectFiles(".", ".ts");
  assert.ok(files.length > 10, `only ${files.length} files found`);
  const found = files.flatMap((path) => breaches(path, readProjectFile(path)));
  assert.deepEqual(found, []);
});

/** A path, a line of source, and what the breach must mention; empty where it is allowed. */
const samples: [path: string, source: string, breach: string][] = [
  ["src/store/a.ts", 'import { x } from "../platform/deno.ts";', ""],
  ["src/store/a.ts", 'import { x } from "./b.ts";', ""],
  ["src/store/a.ts", 'import { x } from "../rpc/errors.ts";', "src/rpc"],
  ["src/store/a.ts", 'import type { X } from "../core/index.ts";', "src/core"],
  ["src/store/a.ts", 'export { x } from "../knowledge/learn.ts";', "src/knowledge"],
  ["src/store/a.ts", 'const x = await import("../daemon/x.ts");', "src/daemon"],
  ["src/store/a.ts", "const x = await import(name);", "computed"],
  ["src/store/a.ts", 'import(new URL("../daemon/x.ts", import.meta.url).href);', "src/daemon"],
  ["src/store/a.ts", 'type X = import("../daemon/x.ts").X;', "src/daemon"],
  ["src/store/a.ts", '// import { x } from "../cli/x.ts";', ""],
  ["src/store/a.ts", 'const text = `import { x } from "../cli/x.ts"`;', ""],
  ["src/store/a.ts", 'import\n{ x }\nfrom "../cli/x.ts"', "src/cli"],
  ["src/store/a.ts", 'import { x } from "../../tests/support/x.ts";', "outside src"],
  ["src/store/a.ts", 'import { x } from "../../wasm/pkg/kbdb_wasm.js";', "outside src"],
  ["src/store/a.ts", 'import { join } from "node:path";', ""],
  ["src/store/a.ts", 'import { readFile } from "node:fs/promises";', "node:fs/promises"],
  ["src/store/a.ts", 'import "node:fs";', "node:fs"],
  ["src/store/a.ts", 'import type { Socket } from "node:net";', "node:net"],
  ["src/store/a.ts", 'import { parse } from "smol-toml";', ""],
  ["src/store/a.ts", 'import { parse } from "npm:smol-toml";', "bare"],
  ["src/store/a.ts", 'import ts from "typescript";', "development"],
  ["src/core/a.ts", 'import { x } from "../../wasm/pkg/kbdb_wasm.js";', ""],
  ["src/core/a.ts", 'import { join } from "node:path";', "src/core may not"],
  ["src/core/a.ts", 'import { x } from "../platform/types.ts";', "src/platform"],
  ["src/core/a.ts", 'import { parse } from "smol-toml";', "package"],
  ["src/knowledge/a.ts", 'import type { X } from "../rpc/protocol.ts";', ""],
  ["src/knowledge/a.ts", 'import { KbdbError } from "../rpc/errors.ts";', ""],
  ["src/knowledge/a.ts", 'import { Connection } from "../rpc/connection.ts";', "src/rpc"],
  ["src/knowledge/a.ts", 'import type { Connection } from "../rpc/connection.ts";', ""],
  ["src/rpc/a.ts", 'import type { Host } from "../platform/types.ts";', ""],
  ["src/rpc/a.ts", 'import { FileError } from "../platform/types.ts";', ""],
  ["src/rpc/a.ts", 'import { openFiles } from "../platform/files.ts";', "src/platform"],
  ["src/cli/a.ts", 'import { type X, type Y } from "../rpc/connection.ts";', ""],
  ["src/cli/a.ts", 'import { type X, y } from "../rpc/connection.ts";', "src/rpc"],
  ["src/cli/a.ts", 'import { x } from "../store/paths.ts";', "src/store"],
  ["src/cli/a.ts", 'import { x } from "../../mod.ts";', "outside src"],
  ["src/platform/a.ts", 'import { spawn } from "node:child_process"; Deno.exit();', ""],
  ["src/platform/a.ts", 'import { x } from "../rpc/errors.ts";', "src/rpc"],
  ["src/helpers/a.ts", 'import { x } from "../rpc/errors.ts";', "no such room"],
  ["src/client/a.ts", "const pid = Deno.pid;", "Deno"],
  ["src/client/a.ts", "const host = globalThis.Deno;", "Deno"],
  ["src/client/a.ts", "const id = globalThis.process.pid;", "process"],
  ["src/client/a.ts", "if (typeof process === 'object') run();", "process"],
  ["src/client/a.ts", "const run = { process: 1 }; run.process + 1;", ""],
  ["src/client/a.ts", "// Deno.pid is not for us", ""],
  ["cli.ts", 'import { main } from "./src/cli/main.ts";', ""],
  ["cli.ts", 'import { x } from "./tests/support/x.ts";', "door"],
  ["cli.ts", "main(Deno.args);", "Deno"],
  ["worker.ts", 'import { argv } from "node:process";', "node:process"],
  ["src/store/a_test.ts", 'import { test } from "node:test"; import { x } from "../rpc/x.ts";', ""],
  ["src/store/a_test.ts", "const path = Deno.makeTempDirSync();", "Deno"],
  ["src/store/a_test.ts", 'import "../../cli.ts";', "command"],
  ["src/store/testing.ts", 'import { test } from "node:test";', ""],
  ["src/store/a.ts", 'import { x } from "./testing.ts";', "for tests only"],
  ["bench/a.ts", 'import { x } from "../src/store/x.ts";', "door"],
  ["bench/a.ts", 'import { openDatabase } from "../mod.ts"; Deno.exit(1);', ""],
];

/** Whether the rule says of a sample what it should; otherwise what it said. */
function judge([path, source, expected]: (typeof samples)[number]): string[] {
  const found = breaches(path, source);
  const right = expected === ""
    ? found.length === 0
    : found.length === 1 && found[0].includes(expected);
  return right ? [] : [`${source} in ${path}: ${found.join(", ") || "allowed"}`];
}

test("breaches() allows what the table allows", () => {
  assert.deepEqual(samples.filter(([, , expected]) => expected === "").flatMap(judge), []);
});

test("breaches() refuses what the table does not allow", () => {
  assert.deepEqual(samples.filter(([, , expected]) => expected !== "").flatMap(judge), []);
});

test("breaches() names file and line", () => {
  const found = breaches("src/store/a.ts", '\n\nimport "node:fs";');
  assert.deepEqual(found, ["src/store/a.ts:3 imports node:fs: only src/platform may"]);
});
