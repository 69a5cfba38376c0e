import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryFiles } from "./memory_files.ts";

const text = (content: string) => new TextEncoder().encode(content);
const read = (files: MemoryFiles, path: string) => new TextDecoder().decode(files.read(path));

test("crash() keeps content and names that were flushed", async () => {
  const files = new MemoryFiles();
  files.makeDir("/db");
  await files.flush("/");
  files.write("/db/kept", text("kept"));
  await files.flush("/db/kept");
  await files.flush("/db");
  files.write("/db/nameless", text("flushed, but its name was not"));
  await files.flush("/db/nameless");
  files.write("/db/kept", text("overwritten in place"));
  files.crash();
  assert.deepEqual(files.list("/db").map(({ name }) => name), ["kept"]);
  assert.equal(read(files, "/db/kept"), "kept");
});

test("crash() empties a file that was renamed unflushed", async () => {
  const files = new MemoryFiles();
  files.replace("/file", text("never flushed"));
  await files.flush("/");
  files.crash();
  assert.equal(files.stat("/file").size, 0);
});

test("crash() brings back what was removed and not flushed", async () => {
  const files = new MemoryFiles();
  await files.replaceDurably("/file", text("here"));
  files.remove("/file");
  files.crash();
  assert.equal(read(files, "/file"), "here");
});

test("crash() tears the tail of an append file", async () => {
  for (const [tornBytes, expected] of [[0, "one"], [2, "onetw"], [99, "onetwo"]] as const) {
    const files = new MemoryFiles();
    const log = files.openAppend("/log");
    log.write(text("one"));
    await log.flush();
    await files.flush("/");
    log.write(text("two"));
    files.crash({ tornBytes });
    assert.equal(read(files, "/log"), expected);
  }
});

test("a file cut and grown again crashes to what was flushed", async () => {
  const files = new MemoryFiles();
  const log = files.openAppend("/log");
  log.write(text("first"));
  await log.flush();
  await files.flush("/");
  log.truncate(1);
  log.write(text("other"));
  assert.equal(read(files, "/log"), "fother");
  files.crash();
  assert.equal(read(files, "/log"), "first");
});

test("failNext() fails the next changes in turn (B05)", async () => {
  const files = new MemoryFiles();
  files.write("/file", text("old"));
  files.failNext("no_space", "read_only");
  assert.throws(() => files.replace("/file", text("new")), { code: "no_space" });
  await assert.rejects(files.flush("/file"), { code: "read_only" });
  assert.equal(read(files, "/file"), "old");
  files.replace("/file", text("new"));
  assert.equal(read(files, "/file"), "new");
});

test("a failed append leaves half of its data", () => {
  const files = new MemoryFiles();
  const log = files.openAppend("/log");
  files.failNext("no_space");
  assert.throws(() => log.write(text("0123456789")), { code: "no_space" });
  assert.equal(log.size, 5);
});

test("beforeChange sees each change and can refuse it", async () => {
  const files = new MemoryFiles();
  const seen: string[] = [];
  files.beforeChange = ({ action, path }) => void seen.push(`${action} ${path}`);
  files.makeDir("/a");
  files.write("/a/b", text("x"));
  files.rename("/a/b", "/a/c");
  await files.flush("/a");
  files.removeTree("/a");
  assert.deepEqual(seen, ["create /a", "write /a/b", "rename /a/b", "flush /a", "remove /a"]);
  files.beforeChange = () => {
    throw new Error("refused");
  };
  assert.throws(() => files.makeDir("/d"), /refused/);
});

test("what was read or written stays apart from the file", () => {
  const files = new MemoryFiles();
  const data = text("abc");
  files.write("/file", data);
  data.fill(0);
  files.read("/file").fill(0);
  assert.equal(read(files, "/file"), "abc");
});
