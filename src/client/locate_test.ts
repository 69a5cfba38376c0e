import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { type TempDir, tempDir } from "../../tests/support/temp_dir.ts";
import { platform } from "../platform/host.ts";
import type { Platform } from "../platform/types.ts";
import { KbdbError } from "../rpc/errors.ts";
import { databaseAround, findDatabase, newDatabasePath, openable } from "./locate.ts";

/** This platform in a working folder, with `KBDB_DIR` set or not. */
function at(cwd: string, variable?: string): Platform {
  const env = (name: string) => name === "KBDB_DIR" ? variable : undefined;
  return { ...platform, host: { ...platform.host, cwd: () => cwd, env } };
}

function makeDatabase(folder: TempDir, name: string): string {
  mkdirSync(folder.join(name, "sections"), { recursive: true });
  writeFileSync(folder.join(name, "kbdb.toml"), "format = 1\n");
  return folder.join(name);
}

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof KbdbError && error.code === code;
}

test("findDatabase() prefers --db to KBDB_DIR to the nearest (D5)", () => {
  using folder = tempDir();
  const [flag, variable, near] = ["a/.kbdb", "b/.kbdb", "c/.kbdb"]
    .map((name) => makeDatabase(folder, name));
  mkdirSync(folder.join("c/deep/er"), { recursive: true });
  const cwd = folder.join("c/deep/er");
  assert.equal(findDatabase(at(cwd, variable), flag), flag);
  assert.equal(findDatabase(at(cwd, variable), undefined), variable);
  assert.equal(findDatabase(at(cwd), undefined), near);
  assert.equal(findDatabase(at(cwd, ""), undefined), near);
});

test("findDatabase() takes the nearest upwards only (D5)", () => {
  using folder = tempDir();
  makeDatabase(folder, ".kbdb");
  const inner = makeDatabase(folder, "x/.kbdb");
  mkdirSync(folder.join("x/y"));
  assert.equal(findDatabase(at(folder.join("x/y")), undefined), inner);
});

test("findDatabase() passes over a .kbdb that is no database", () => {
  using folder = tempDir();
  const outer = makeDatabase(folder, ".kbdb");
  mkdirSync(folder.join("x/.kbdb"), { recursive: true });
  assert.equal(findDatabase(at(folder.join("x")), undefined), outer);
});

test("findDatabase() reads --db from the working folder", () => {
  using folder = tempDir();
  const path = makeDatabase(folder, "a/.kbdb");
  for (const db of ["a", "a/", "./a/.kbdb", "a/../a/.kbdb/", "a/.kbdb/sections/.."]) {
    assert.equal(findDatabase(at(folder.path), db), path, db);
  }
});

test("findDatabase() without any names the way out", () => {
  using folder = tempDir();
  assert.throws(() => findDatabase(at(folder.path), undefined), (error) => {
    return hasCode("not_found")(error) && /kbdb db init/.test((error as Error).message);
  });
});

test("openable() tells a missing from a foreign folder (D61)", () => {
  using folder = tempDir();
  mkdirSync(folder.join("foreign"));
  writeFileSync(folder.join("file"), "");
  const { files } = platform;
  assert.throws(() => openable(files, folder.join("none")), hasCode("not_found"));
  assert.throws(() => openable(files, folder.join("foreign")), hasCode("bad_request"));
  assert.throws(() => openable(files, folder.join("file")), hasCode("bad_request"));
});

test("openable() accepts a database of any name", () => {
  using folder = tempDir();
  const path = makeDatabase(folder, "notes");
  assert.equal(openable(platform.files, path), path);
});

test("newDatabasePath() adds .kbdb unless the name has it", () => {
  assert.equal(newDatabasePath("/notes"), "/notes/.kbdb");
  assert.equal(newDatabasePath("/notes/.kbdb"), "/notes/.kbdb");
  assert.equal(newDatabasePath("/notes.kbdb"), "/notes.kbdb");
});

test("databaseAround() finds the database that a path lies in", () => {
  using folder = tempDir();
  const path = makeDatabase(folder, "a/.kbdb");
  assert.equal(databaseAround(platform.files, path), path);
  assert.equal(databaseAround(platform.files, folder.join("a/.kbdb/sections")), path);
  assert.equal(databaseAround(platform.files, folder.join("a/.kbdb/kbdb.toml")), path);
  assert.equal(databaseAround(platform.files, folder.join("a")), null);
});
