import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { test } from "node:test";
import { daemonPid, scratchDatabase } from "./accept/scratch.ts";
import { kbdb, kbdbJson } from "./support/command.ts";
import { tempDir } from "./support/temp_dir.ts";

interface Found {
  total: number;
}

test("a copy of a database in use is a database of its own (B47)", async () => {
  await using original = await scratchDatabase();
  using folder = tempDir();
  const copy = folder.join(".kbdb");
  const learn = (db: string, input: string) => kbdbJson(["learn", "-", "--db", db], { input });
  const total = async (db: string, word: string) =>
    (await kbdbJson<Found>(["search", word, "--db", db])).total;
  await learn(original.path, "zebrafish");
  const pid = await daemonPid(original.path);
  cpSync(original.path, copy, {
    recursive: true,
    filter: (name) => !name.endsWith("/socket"),
  });
  try {
    assert.equal(await total(copy, "zebrafish"), 1);
    assert.notEqual(await daemonPid(copy), pid);
    await learn(copy, "narwhal");
    assert.equal(await total(original.path, "narwhal"), 0);
    assert.equal(await daemonPid(original.path), pid);
    for (const db of [original.path, copy]) {
      assert.equal((await kbdb(["check", "--db", db])).code, 0);
    }
  } finally {
    await kbdb(["worker", "stop", "--db", copy]);
  }
});
