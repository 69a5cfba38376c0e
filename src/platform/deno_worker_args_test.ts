import assert from "node:assert/strict";
import { test } from "node:test";
import { denoWorkerArgs } from "./deno_worker_args.ts";
import { runtimeDirOf } from "./runtime_dir.ts";

const entry = "file:///srv/kbdb/worker.ts";

test("the daemon may reach its paths, sockets, variables and little else (B25)", () => {
  const args = denoWorkerArgs({
    entry,
    args: ["kbdb-worker", "/db"],
    paths: ["/db", "/tmp/kbdb-1"],
  });
  assert.deepEqual(args.slice(-3), [entry, "kbdb-worker", "/db"]);
  const flags = args.slice(1, -3);
  assert(flags.includes("--no-prompt"));
  assert(flags.includes("--allow-read=/db,/tmp/kbdb-1,/srv/kbdb"));
  assert(flags.includes("--allow-write=/db,/tmp/kbdb-1"));
  for (const wide of ["-A", "--allow-all", "--allow-run", "--allow-ffi", "--allow-read"]) {
    assert(!flags.includes(wide), wide);
  }
});

test("the daemon may read the program that it is", () => {
  const read = (entry: string) =>
    denoWorkerArgs({ entry, args: [], paths: ["/db"] }).find((arg) =>
      arg.startsWith("--allow-read")
    );
  assert.equal(read("file:///a%20b/worker.js"), "--allow-read=/db,/a b");
  assert.equal(read("file:///C:/kbdb/worker.js"), "--allow-read=/db,C:/kbdb");
  assert.equal(read("https://jsr.io/@dikolab/kbdb/0.1.0/worker.ts"), "--allow-read=/db");
});

test("a path with a comma is reached through the folder above it", () => {
  const args = denoWorkerArgs({ entry, args: [], paths: ["/home/a, b/c/.kbdb", "/x/y,z"] });
  assert(args.includes("--allow-read=/home,/x,/srv/kbdb"));
});

test("only an entry on this disk has a configuration beside it", () => {
  const flags = (from: string) => denoWorkerArgs({ entry: from, args: [], paths: [] });
  assert(!flags(entry).includes("--no-config"));
  assert(flags("https://jsr.io/@dikolab/kbdb/0.1.0/worker.ts").includes("--no-config"));
});

test("a single executable starts itself with the arguments alone", () => {
  const command = { entry: null, args: ["worker", "run"], paths: ["/db"] };
  assert.deepEqual(denoWorkerArgs(command), ["worker", "run"]);
});

test("the runtime folder depends on the user alone", () => {
  const asked: string[] = [];
  const env = (name: string) => {
    asked.push(name);
    return `C:\\Users\\a\\${name}`;
  };
  assert.equal(runtimeDirOf({ os: "linux", uid: () => 1000, env }), "/tmp/kbdb-1000");
  assert.deepEqual(asked, []);
  const windows = runtimeDirOf({ os: "windows", uid: () => null, env });
  assert.equal(windows, "C:\\Users\\a\\LOCALAPPDATA\\kbdb\\run");
});
