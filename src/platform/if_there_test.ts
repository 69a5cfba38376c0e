import assert from "node:assert/strict";
import { test } from "node:test";
import { flushIfThere, listIfThere, readIfThere, removeIfThere } from "./if_there.ts";
import { MemoryFiles } from "./memory_files.ts";

test("a missing file is as good as removed, flushed, and empty", async () => {
  const files = new MemoryFiles();
  removeIfThere(files, "/gone");
  await flushIfThere(files, "/gone");
  assert.deepEqual(listIfThere(files, "/gone"), []);
  assert.equal(readIfThere(files, "/gone"), null);
});

test("any other failure is thrown", async () => {
  const files = new MemoryFiles();
  files.write("/note", new Uint8Array(1));
  files.failNext("permission");
  assert.throws(() => removeIfThere(files, "/note"), { code: "permission" });
  assert.throws(() => listIfThere(files, "/note"), { code: "not_directory" });
  assert.throws(() => readIfThere(files, "/"), { code: "is_directory" });
  files.failNext("no_space");
  await assert.rejects(flushIfThere(files, "/note"), { code: "no_space" });
});
