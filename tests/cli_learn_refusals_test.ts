import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchDatabase } from "./accept/scratch.ts";
import { kbdb, kbdbJson } from "./support/command.ts";

/** A database in a folder that also holds `a.md`. */
async function scratch() {
  const database = await scratchDatabase();
  const root = join(database.path, "..");
  writeFileSync(join(root, "a.md"), "# A\n\nalpha");
  return {
    run: (...args: string[]) => kbdb(args, { cwd: root }),
    total: async (word: string) =>
      (await kbdbJson<{ total: number }>(["search", word], { cwd: root })).total,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

for (
  const [args, reason] of [
    [[".", "--docid", "x"], /--docid goes with a single file/],
    [["a.md", "a.md", "--title", "x"], /--title goes with a single file/],
    [["a.md", "--docid", "x", "--prefix", "y"], /--docid is the whole docid/],
    [["-", "--prefix", "y"], /--prefix with -/],
    [["-", "--prune"], /--prune with -/],
    [["a.md", "--prune"], /--prune with a file/],
    [[".", "--description", "x"], /--description goes with a single file/],
    [["a.md", "--batch", "x.ndjson"], /files beside --batch/],
    [["--batch", "x.ndjson", "--tag", "y"], /flags for its lines/],
    [["-", "a.md"], /- beside files/],
    [["a.md", "--encoding", "gbk"], /utf-8 or latin1/],
    [["a.md", "--tag", "a,,b"], /a tag is empty/],
    [["a.md", "--type", "markdown"], /not a MIME type/],
    [[], /name a file/],
  ] as const
) {
  test(`learn ${args.join(" ")} is refused with the reason`, async () => {
    await using on = await scratch();
    const { code, stdout, stderr } = await on.run("learn", ...args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, reason);
    assert.equal(stdout, "");
    assert.equal(await on.total("alpha"), 0);
  });
}

test("learn - stores input, and refuses none", async () => {
  await using database = await scratchDatabase();
  const learn = (input: string | Uint8Array, ...args: string[]) =>
    kbdb(["learn", "-", ...args, "--json", "--db", database.path], { input });
  const { stdout } = await learn("alpha", "--title", "Now", "--tag", "x");
  assert.match(JSON.parse(stdout).kbid, /^[0-9a-z]{26}$/);
  for (const input of ["", " \n", "\uFEFF"]) {
    const { code, stderr } = await learn(input);
    assert.equal(code, 2);
    assert.match(stderr, /empty/);
  }
  const bad = await learn(Uint8Array.of(0x61, 0xff));
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /UTF-8/);
});

test("learn of a missing path learns nothing", async () => {
  await using on = await scratch();
  const { code, stderr } = await on.run("learn", "a.md", "none.md");
  assert.equal(code, 3);
  assert.match(stderr, /none\.md/);
  assert.equal(await on.total("alpha"), 0);
});
