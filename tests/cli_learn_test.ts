import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { scratchDatabase } from "./accept/scratch.ts";
import { kbdb, kbdbJson } from "./support/command.ts";
import { tempDir } from "./support/temp_dir.ts";

interface LearnedFiles {
  files: number;
  sections: number;
  added: number;
  unchanged: number;
  replaced: number;
  skipped: Record<string, number>;
  failed: { path: string; code: string; message: string }[];
}
interface Found {
  items: { kbid: string; docids: string[]; content?: string; heading: string | null }[];
  total: number;
}

/** A database beside a folder of files. */
async function scratch() {
  const database = await scratchDatabase();
  const root = join(database.path, "../notes");
  mkdirSync(root);
  return {
    root,
    write(files: Record<string, string | Uint8Array>): void {
      for (const [name, data] of Object.entries(files)) {
        mkdirSync(dirname(join(root, name)), { recursive: true });
        writeFileSync(join(root, name), data);
      }
    },
    run: (...args: string[]) => kbdb([...args, "--db", database.path], { cwd: root }),
    json: <T>(...args: string[]) => kbdbJson<T>([...args, "--db", database.path], { cwd: root }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

test("learn FOLDER names documents after the folder (D42)", async () => {
  await using on = await scratch();
  on.write({ "a.md": "# A\n\nalpha", "sub/b.md": "# B\n\nalpha" });
  const result = await on.json<LearnedFiles>("learn", on.root);
  assert.deepEqual([result.files, result.added, result.sections], [2, 2, 2]);
  const { items } = await on.json<Found>("search", "alpha");
  const docids = items.flatMap((item) => item.docids).sort();
  assert.deepEqual(docids, ["notes/a.md", "notes/sub/b.md"]);
});

test("learn takes --prefix, --docid and --tag (D42)", async () => {
  await using on = await scratch();
  on.write({ "a.md": "# A\n\nalpha", "b.md": "# B\n\nbeta" });
  await on.json("learn", ".", "--prefix", "p/q/", "--tag", "work, home");
  await on.json("learn", "b.md", "--docid", "mine");
  const { items: [a] } = await on.json<Found>("search", "alpha", "--tag", "home");
  assert.deepEqual(a.docids, ["p/q/a.md"]);
  const { items: [b] } = await on.json<Found>("search", "beta");
  assert.deepEqual(b.docids.sort(), ["mine", "p/q/b.md"]);
});

test("learn again says unchanged, and replaced after an edit", async () => {
  await using on = await scratch();
  on.write({ "a.md": "# A\n\nalpha", "b.md": "# B\n\nbeta" });
  await on.json("learn", ".");
  on.write({ "b.md": "# B\n\ngamma" });
  const result = await on.json<LearnedFiles>("learn", ".");
  assert.deepEqual([result.added, result.unchanged, result.replaced], [0, 1, 1]);
  assert.equal((await on.json<Found>("search", "beta")).total, 0);
  assert.equal((await on.json<Found>("search", "gamma")).total, 1);
});

test("learn refuses a docid held by another file (D42)", async () => {
  await using on = await scratch();
  on.write({ "x/README.md": "# X\n\nalpha", "y/README.md": "# Y\n\nbeta" });
  await on.json("learn", "x/README.md");
  const { code, stderr } = await on.run("learn", "y/README.md");
  assert.equal(code, 1);
  assert.match(stderr, /--docid or --prefix/);
  assert.equal((await on.json<Found>("search", "alpha")).total, 1);
});

test("learn keeps file names exactly and merges none (B43)", async () => {
  await using on = await scratch();
  const names = [
    "my file.md",
    "my-file.md",
    "my_file.md",
    "Foo.md",
    "foo.md",
    "[.md",
    "🐘.md",
    "Зоны.md",
    "con.md",
    "a.md..md",
    "e\u0301.md",
    "\u00e9.md",
    "a\\b.md",
    "tab\there.md",
    "%2e%2e.md",
    `${"x".repeat(252)}.md`,
  ];
  on.write(Object.fromEntries(names.map((name, i) => [name, `# N${i}\n\nalpha ${i}`])));
  const result = await on.json<LearnedFiles>("learn", ".");
  assert.deepEqual([result.added, result.failed], [names.length, []]);
  const { items } = await on.json<Found>("search", "alpha", "--limit", "100");
  const docids = items.flatMap((item) => item.docids).sort();
  assert.deepEqual(docids, names.map((name) => `notes/${name}`).sort());
  const again = await on.json<LearnedFiles>("learn", ".");
  assert.equal(again.unchanged, names.length);
});

test("learn takes those names as docids too (B43)", async () => {
  await using on = await scratch();
  const docids = ["a b", "a-b", "a_b", "A-B", "../x", "/etc/hostname", "C:\\x", ".", "🐘", "a%2fb"];
  for (const [i, docid] of docids.entries()) {
    on.write({ "n.md": `# N${i}\n\nalpha ${i}` });
    await on.json("learn", "n.md", "--docid", docid);
  }
  const { items } = await on.json<Found>("search", "alpha");
  assert.deepEqual(items.flatMap((item) => item.docids).sort(), [...docids].sort());
  assert.equal((await on.run("check")).code, 0);
});

test("learn imports or names every encoding (B38)", async () => {
  await using on = await scratch();
  const utf16 = Buffer.from("\uFEFF# Sechzehn\n\nalpha sechzehn", "utf16le");
  on.write({
    "nul.md": "# Nul\n\nalpha before\0after",
    "bad.md": Buffer.concat([Buffer.from("# Bad\n\nalpha "), Buffer.of(0xff), Buffer.from(" x")]),
    "cut.md": Buffer.from("# Cut\n\nalpha 漢").subarray(0, -1),
    "le.md": utf16,
    "be.md": Buffer.from(utf16).swap16(),
    "latin.md": Buffer.from("# Latin\n\nalpha caf\xe9", "latin1"),
    "gbk.md": Buffer.from([0x23, 0x20, 0xba, 0xba, 0xd7, 0xd6]),
    "picture.md": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0xff]),
    "cr.md": "# Ends\r\ralpha lines\r",
    "crlf.md": "# Ends\r\n\r\nalpha lines\r\n",
    "mixed.md": "# Ends\r\n\nalpha lines",
    "empty.md": "",
    "white.md": " \n\t\r\n",
    "composed.md": "# Form\n\nalpha caf\u00e9",
    "decomposed.md": "# Form\n\nalpha cafe\u0301",
    "bom.md": "\uFEFF# Bom\n\nalpha bom",
  });
  const { code, stdout, stderr } = await on.run("learn", ".", "--json");
  const result = JSON.parse(stdout) as LearnedFiles;
  assert.equal(code, 1);
  const failed = result.failed.map(({ path }) => basename(path)).sort();
  assert.deepEqual(failed, ["bad.md", "cut.md", "gbk.md", "latin.md", "picture.md"]);
  for (const { path, code, message } of result.failed) {
    assert.equal(code, "bad_request");
    assert.match(message, /UTF-8/);
    assert.ok(stderr.includes(basename(path)));
  }
  assert.deepEqual([result.added, result.skipped.empty], [9, 2]);
  const ends = await on.json<Found>("search", "lines");
  assert.deepEqual(ends.items.map((item) => item.docids.length), [3]);
  const form = await on.json<Found>("search", "café");
  assert.deepEqual(form.items.map((item) => item.docids.length), [2]);
  assert.equal((await on.json<Found>("search", "sechzehn")).items[0].docids.length, 2);
  for (const word of ["before", "after"]) {
    assert.deepEqual((await on.json<Found>("search", word)).items[0].docids, ["notes/nul.md"]);
  }
});

test("learn reads Latin-1 where it is told to (D8)", async () => {
  await using on = await scratch();
  on.write({ "latin.md": Buffer.from("# Caf\xe9\n\nna\xefve", "latin1") });
  await on.json("learn", "latin.md", "--encoding", "latin1");
  const { items } = await on.json<Found>("search", "naïve", "--content");
  assert.equal(items[0].content, "# Café\n\nnaïve");
});

test("learn refuses a file over 16 MiB and goes on (D57)", async () => {
  await using on = await scratch();
  on.write({ "big.md": "x ".repeat(8_400_000), "small.md": "# S\n\nalpha" });
  const { code, stdout } = await on.run("learn", ".", "--json");
  const { added, failed } = JSON.parse(stdout) as LearnedFiles;
  assert.equal(code, 1);
  assert.deepEqual([added, failed.length, failed[0].code], [1, 1, "too_large"]);
  assert.match(failed[0].message, /16800000 bytes.*16777216/);
});

test("learn counts only what it stored", async () => {
  await using on = await scratch();
  on.write({ "bad.md": Uint8Array.of(0xff), "big.md": "x ".repeat(8_400_000) });
  const { code, stdout } = await on.run("learn", ".");
  assert.equal(code, 1);
  assert.match(stdout, /^Learned 0 files, 0 sections .*\n {2}added 0, .*failed 2\n$/);
});

test("learn survives a file that no message can hold (D57)", async () => {
  await using on = await scratch();
  on.write({ "control.md": "\x01".repeat(6_000_000), "small.md": "# S\n\nalpha" });
  const { stdout } = await on.run("learn", ".", "--json");
  const { added, failed } = JSON.parse(stdout) as LearnedFiles;
  assert.deepEqual([added, failed.map(({ code }) => code)], [1, ["too_large"]]);
});

test("learn counts what it passes over by reason (B41)", async () => {
  await using on = await scratch();
  on.write({
    "a.md": "# A\n\nalpha",
    ".env": "SECRET=1",
    "image.png": "x",
    "node_modules/x/README.md": "# X",
    ".gitignore": "drafts/\n",
    "drafts/d.md": "# D",
  });
  symlinkSync("a.md", join(on.root, "link.md"));
  await on.json("db", "init", join(on.root, "inner"));
  const result = await on.json<LearnedFiles>("learn", ".");
  assert.deepEqual(result.skipped, {
    hidden: 2,
    database: 1,
    ignored: 1,
    type: 1,
    symlink: 1,
    dependencies: 1,
  });
  const { stdout } = await on.run("learn", ".");
  assert.match(stdout, /passed over: .*2 hidden/);
});

test("learn never opens a pipe that is named (B41)", async (context) => {
  await using on = await scratch();
  const pipe = join(on.root, "pipe.md");
  if (spawnSync("mkfifo", [pipe]).status !== 0) return context.skip("this system has no mkfifo");
  const { code, stderr } = await on.run("learn", "pipe.md");
  assert.equal(code, 2);
  assert.match(stderr, /pipe, socket or device/);
});

test("learn refuses a database, its parts and its links (B41)", async () => {
  await using on = await scratch();
  symlinkSync("../.kbdb/sections", join(on.root, "link"));
  for (const path of ["../.kbdb", "../.kbdb/sections", "../.kbdb/kbdb.toml", "link"]) {
    const { code, stderr } = await on.run("learn", path);
    assert.equal(code, 2, path);
    assert.match(stderr, /belongs to the database/);
  }
});

test("learn names a file whose name is no UTF-8 and goes on (B43)", async (context) => {
  await using on = await scratch();
  on.write({ "a.md": "# A\n\nalpha" });
  const script = "printf '# B' > \"$(printf 'b\\377.md')\"";
  if (spawnSync("sh", ["-c", script], { cwd: on.root }).status !== 0) {
    return context.skip("this file system takes no such name");
  }
  const { code, stdout } = await on.run("learn", ".", "--json");
  const { added, failed } = JSON.parse(stdout) as LearnedFiles;
  assert.deepEqual([code, added, failed.length], [1, 1, 1]);
  rmSync(on.root, { recursive: true });
});

test("learn of the same folder by another spelling changes nothing (B43)", async () => {
  await using on = await scratch();
  using folder = tempDir();
  on.write({ "a.md": "# A\n\nalpha" });
  await on.json("learn", ".");
  symlinkSync(on.root, folder.join("link"));
  for (const path of [`${on.root}/`, `${on.root}/../notes`, folder.join("link")]) {
    const { unchanged } = await on.json<LearnedFiles>("learn", path);
    assert.equal(unchanged, 1, path);
  }
});
