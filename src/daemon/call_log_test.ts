import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { tempDir } from "../../tests/support/temp_dir.ts";
import { platform } from "../platform/host.ts";
import { MemoryFiles } from "../platform/memory_files.ts";
import { FileError, type Files } from "../platform/types.ts";
import {
  CallLog,
  type CallLogOptions,
  countItems,
  type LoggedCall,
  outcomeOf,
} from "./call_log.ts";

const CALL: LoggedCall = {
  method: "search",
  database: "my notes",
  params: { query: "where is the treasure", limit: 20 },
  items: 3,
  ms: 1.26,
  outcome: "ok",
};
const FOLDER = "/db/worker";

/** A log in memory. */
function logged(options: Partial<CallLogOptions> = {}): { files: MemoryFiles; log: CallLog } {
  const files = new MemoryFiles();
  files.makeDir(FOLDER);
  const log = new CallLog(files, {
    folder: FOLDER,
    maxBytes: 10_000,
    files: 3,
    isHeld: () => true,
    ...options,
  });
  return { files, log };
}

function read(files: Files, name = "log"): string {
  return new TextDecoder().decode(files.read(`${FOLDER}/${name}`));
}

function names(files: Files): string[] {
  return files.list(FOLDER).map(({ name }) => name);
}

test("CallLog writes one line a call (D37)", () => {
  const { files, log } = logged();
  log.call(CALL);
  log.call({ ...CALL, outcome: "not_found" });
  log.flush();
  const [first, second, end] = read(files).split("\n");
  assert.match(
    first,
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z method=search db="my notes" items=3 bytes=44 ms=1\.3 outcome=ok args=[0-9a-f]{12}$/,
  );
  assert.match(second, / outcome=not_found /);
  assert.equal(end, "");
});

test("CallLog writes nothing of what was asked (D37)", () => {
  const { files, log } = logged();
  log.call({
    ...CALL,
    params: { key: "secret", items: [{ content: "treasure", source: "/isle" }] },
  });
  log.call(CALL);
  log.flush();
  assert.doesNotMatch(read(files), /treasure|isle|secret/);
});

test("CallLog gives equal arguments equal digests, whatever the key", () => {
  const { files, log } = logged();
  const params = (key: string, content: string) => ({ key, items: [{ content }] });
  for (const given of [params("1", "a"), params("2", "a"), params("3", "b")]) {
    log.call({ ...CALL, params: given });
  }
  log.flush();
  const [first, second, third] = [...read(files).matchAll(/args=(\w+)/g)].map(([, hex]) => hex);
  assert.equal(first, second);
  assert.notEqual(first, third);
});

test("CallLog keeps a line a line, whatever names hold", () => {
  const { files, log } = logged();
  log.call({ ...CALL, database: 'a\nb "c"' });
  log.event("warning", { text: "line\r\nline" });
  log.flush();
  const lines = read(files).trimEnd().split("\n");
  assert.equal(lines.length, 2);
  assert.match(lines[0], / db="a\\nb \\"c\\"" /);
  assert.match(lines[1], /^\S+ warning text="line\\r\\nline"$/);
});

test("CallLog writes by itself after a moment", async () => {
  const { files, log } = logged();
  log.call(CALL);
  assert.deepEqual(names(files), []);
  await sleep(250);
  assert.deepEqual(names(files), ["log"]);
});

test("CallLog writes many calls soon, and not while they are made", async () => {
  const { files, log } = logged({ maxBytes: 100_000 });
  for (let i = 0; i < 200; i++) log.call(CALL);
  assert.deepEqual(names(files), []);
  await sleep(20);
  assert.equal(read(files).trimEnd().split("\n").length, 200);
});

test("CallLog keeps so many files of so many bytes", () => {
  const { files, log } = logged({ maxBytes: 10_000, files: 3 });
  for (let i = 0; i < 500; i++) {
    log.call({ ...CALL, items: i });
    if (i % 50 === 0) log.flush();
  }
  log.flush();
  assert.deepEqual(names(files), ["log", "log.1", "log.2"]);
  const all = ["log.2", "log.1", "log"].map((name) => read(files, name));
  for (const text of all) assert.ok(text.length <= 10_000 && text.endsWith("\n"));
  const numbers = [...all.join("").matchAll(/items=(\d+)/g)].map(([, items]) => Number(items));
  const first = numbers[0];
  assert.deepEqual(numbers, Array.from({ length: 500 - first }, (_, i) => first + i));
});

test("CallLog removes files that are too many by now", () => {
  const { files, log } = logged({ files: 1 });
  for (const name of ["log.1", "log.7", "log.x", "lock.3"]) {
    files.write(`${FOLDER}/${name}`, new Uint8Array(1));
  }
  files.write(`${FOLDER}/log`, new Uint8Array(9990));
  log.call(CALL);
  log.flush();
  assert.deepEqual(names(files), ["lock.3", "log", "log.x"]);
  assert.match(read(files), /^\d{4}-/);
});

test("CallLog says why it cannot write, and goes on when it can (D37)", () => {
  const { files, log } = logged();
  files.beforeChange = ({ path }) => {
    throw new FileError("no_space", "write", path, "no space left");
  };
  log.call(CALL);
  log.flush();
  assert.match(log.fault ?? "", /log is not written: Cannot write .*no space left/);
  files.beforeChange = undefined;
  log.call({ ...CALL, items: 8 });
  log.flush();
  assert.equal(log.fault, null);
  assert.match(read(files), /^\S+ method=search .* items=8 [^\n]*\n$/);
});

test("CallLog leaves no half line behind where the disk is full (D37)", () => {
  const { files, log } = logged();
  const openAppend = files.openAppend.bind(files);
  let full = false;
  files.openAppend = (path) => {
    const file = openAppend(path);
    const write = file.write.bind(file);
    file.write = (data) => {
      write(full ? data.subarray(0, 20) : data);
      if (full) throw new FileError("no_space", "write", path, "no space left");
    };
    return file;
  };
  log.call(CALL);
  log.flush();
  const before = read(files);
  full = true;
  log.call(CALL);
  log.flush();
  assert.equal(read(files), before);
});

test("CallLog writes nothing to a folder that is not its own any more (B47)", () => {
  const { files, log } = logged({ isHeld: () => false });
  log.call(CALL);
  log.flush();
  assert.deepEqual(names(files), []);
  assert.equal(log.fault, null);
});

test("CallLog writes a private file and follows no link (B11)", () => {
  using folder = tempDir();
  const options = { folder: folder.path, maxBytes: 10_000, files: 2, isHeld: () => true };
  const log = new CallLog(platform.files, options);
  log.call(CALL);
  log.flush();
  assert.equal(platform.files.stat(folder.join("log")).mode, 0o600);
  platform.files.remove(folder.join("log"));
  writeFileSync(folder.join("victim"), "");
  symlinkSync(folder.join("victim"), folder.join("log"));
  log.call(CALL);
  log.flush();
  assert.match(log.fault ?? "", /no plain file/);
  assert.equal(platform.files.stat(folder.join("victim")).size, 0);
});

test("countItems() counts what was named, else what was found", () => {
  assert.equal(countItems({ items: [1, 2] }, { results: [1] }), 2);
  assert.equal(countItems({ kbids: ["a"] }, { items: [] }), 1);
  assert.equal(countItems({ query: "x", tag: ["a"] }, { items: [1, 2, 3] }), 3);
  assert.equal(countItems({}, { tags: [1] }), 1);
  assert.equal(countItems({}, undefined), 0);
});

test("outcomeOf() names why a content was refused", () => {
  const refused = { ok: false, error: { code: "conflict", message: "Cannot learn: taken" } };
  assert.equal(outcomeOf({ results: [{ ok: true }, refused] }), "conflict");
  assert.equal(outcomeOf({ results: [{ ok: true }] }), "ok");
  assert.equal(outcomeOf({ items: [] }), "ok");
});
