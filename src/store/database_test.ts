import assert from "node:assert/strict";
import { test } from "node:test";
import { platform } from "../platform/host.ts";
import { MemoryFiles } from "../platform/memory_files.ts";
import type { Files } from "../platform/types.ts";
import { createDatabase, DatabaseError, readConfig, refuseOccupied } from "./database.ts";
import { DatabasePaths } from "./paths.ts";
import { bytesOf, failAfter, newDisk, NOON, ROOT, temporaryFolder } from "./testing.ts";

const paths = new DatabasePaths(ROOT);

function create(files: Files, root = ROOT): Promise<unknown> {
  return createDatabase(files, { root, now: NOON });
}

function is(code: DatabaseError["code"], sentence: RegExp) {
  return (error: unknown) => {
    assert(error instanceof DatabaseError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, sentence);
    return true;
  };
}

/** Names and contents below a folder. */
function tree(files: Files, path: string): Record<string, string> {
  const all: Record<string, string> = {};
  for (const { name, kind } of files.list(path)) {
    if (kind === "directory") Object.assign(all, { [`${path}/${name}`]: "" });
    if (kind === "directory") Object.assign(all, tree(files, `${path}/${name}`));
    else all[`${path}/${name}`] = new TextDecoder().decode(files.read(`${path}/${name}`));
  }
  return all;
}

test("createDatabase() makes what readConfig() reads", async () => {
  const files = new MemoryFiles();
  const made = await createDatabase(files, { root: ROOT, language: "german", now: NOON });
  assert.deepEqual(readConfig(files, ROOT), made);
  assert.equal(made.name, "notes");
  assert.equal(made.created, "2026-03-04T12:00:00.000Z");
  assert.match(new TextDecoder().decode(files.read(paths.gitignore)), /^indexes\/\njournal\/$/m);
  const attributes = files.read(`${paths.root}/.gitattributes`);
  assert.match(new TextDecoder().decode(attributes), /^\* -text$/m);
});

test("createDatabase() survives a power cut", async () => {
  const files = await newDisk();
  const made = await createDatabase(files, { root: ROOT, now: NOON });
  files.crash();
  assert.deepEqual(readConfig(files, ROOT), made);
  for (const folder of [paths.sections, paths.documents, paths.journal]) files.list(folder);
});

for (const power of [false, true]) {
  test(`createDatabase() can be repeated after any ${power ? "power cut" : "kill"}`, async () => {
    for (let nth = 0;; nth++) {
      const files = await newDisk();
      failAfter(files, nth, { all: true });
      let done = true;
      await create(files).catch(() => done = false);
      files.beforeChange = undefined;
      if (power) files.crash();
      if (done) break;
      try {
        readConfig(files, ROOT);
        assert.throws(() => refuseOccupied(files, ROOT), is("bad_request", /a database already$/));
      } catch (error) {
        is("not_found", /there is no database. Run: kbdb db init$/)(error);
        await create(files);
      }
      readConfig(files, ROOT);
    }
  });
}

test("createDatabase() goes on after a kill in kbdb.toml", async () => {
  const { files } = platform;
  const root = `${temporaryFolder()}/.kbdb`;
  await create(files, root);
  files.rename(`${root}/kbdb.toml`, `${root}/.kbdb.toml.abcdefgh2345.tmp`);
  files.makeDir(`${root}/worker`);
  assert.throws(() => readConfig(files, root), is("not_found", /there is no database/));
  await create(files, root);
  readConfig(files, root);
});

const FOREIGN: [what: string, names: string[]][] = [
  ["a file", ["notes.txt"]],
  ["a book (D61)", ["sections/one.tex", "documents/cover.pdf", ".gitignore"]],
  ["a hidden file", [".env"]],
  ["a file named like a folder of ours", ["sections"]],
  ["a database without kbdb.toml", ["sections/ab/x.md", "documents/", "journal/", ".gitignore"]],
];

for (const [what, names] of FOREIGN) {
  test(`createDatabase() leaves ${what} alone`, async () => {
    const files = new MemoryFiles();
    files.makeDir(ROOT);
    for (const name of names) {
      const path = `${ROOT}/${name}`;
      files.makeDir(path.slice(0, path.lastIndexOf("/")));
      if (!name.endsWith("/")) files.write(path, bytesOf("theirs"));
    }
    const before = tree(files, ROOT);
    await assert.rejects(create(files), is("bad_request", /: the folder is not empty. Choose /));
    assert.throws(() => readConfig(files, ROOT), is("bad_request", /: it is no kbdb database$/));
    assert.deepEqual(tree(files, ROOT), before);
  });
}

test("createDatabase() refuses a database that is there", async () => {
  const files = new MemoryFiles();
  await create(files);
  const before = tree(files, ROOT);
  await assert.rejects(create(files), is("bad_request", /: it is a database already$/));
  assert.deepEqual(tree(files, ROOT), before);
});

test("readConfig() refuses a newer format by name", async () => {
  const files = new MemoryFiles();
  await create(files);
  const text = new TextDecoder().decode(files.read(paths.config));
  files.write(paths.config, bytesOf(text.replace("format = 1", "format = 2")));
  assert.throws(
    () => readConfig(files, ROOT),
    is("version_mismatch", /: its format 2 is newer than this program's 1. Update kbdb.$/),
  );
});

test("readConfig() says damaged, not missing", () => {
  const files = new MemoryFiles();
  files.makeDir(ROOT);
  for (const text of ["", "format = 1", 'id = "x"', "format ==", "\0\0\0\0"]) {
    files.write(paths.config, bytesOf(text));
    assert.throws(() => readConfig(files, ROOT), is("damaged", /: kbdb.toml (lacks|is damaged)/));
  }
});

test("readConfig() takes the folder's name where none is given", () => {
  const files = new MemoryFiles();
  for (const [root, name] of [[ROOT, "notes"], ["/x/team.kbdb", "team"], ["/.kbdb", "kbdb"]]) {
    files.makeDir(root);
    files.write(`${root}/kbdb.toml`, bytesOf('format = 1\nid = "x"'));
    assert.equal(readConfig(files, root).name, name);
  }
});
