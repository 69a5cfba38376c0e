import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { type TempDir, tempDir } from "../../tests/support/temp_dir.ts";
import { platform } from "../platform/host.ts";
import type { Platform } from "../platform/types.ts";
import { namedDatabase } from "./named_database.ts";

/** This platform in a working folder. */
function at(cwd: string): Platform {
  return { ...platform, host: { ...platform.host, cwd: () => cwd } };
}

function makeDatabase(folder: TempDir, name: string, config = ""): string {
  mkdirSync(folder.join(name), { recursive: true });
  writeFileSync(folder.join(`${name}/kbdb.toml`), config);
  return folder.join(name);
}

test("namedDatabase() finds a folder by all its spellings [ruling-d5-1 ruling-d5-2]", () => {
  using folder = tempDir();
  const path = makeDatabase(folder, "notes/.kbdb");
  symlinkSync(folder.join("notes"), folder.join("link"));
  const names = [
    "notes/.kbdb",
    "notes",
    "notes/",
    "./notes/../notes/.kbdb//",
    "link",
    "link/.kbdb",
  ];
  for (const name of [...names, path, dirname(path)]) {
    const database = namedDatabase(at(folder.path), name);
    assert.deepEqual([database.path, database.exists()], [path, true], name);
  }
});

test("namedDatabase() plans a database where the folder above is there [ruling-d61-1]", () => {
  using folder = tempDir();
  mkdirSync(folder.join("real"));
  symlinkSync(folder.join("real"), folder.join("link"));
  const plans = [
    ["new", "new/.kbdb"],
    ["new/", "new/.kbdb"],
    ["new.kbdb", "new.kbdb"],
    [".kbdb", ".kbdb"],
    ["ä b/../c?", "c?/.kbdb"],
    ["link/new.kbdb", "real/new.kbdb"],
  ];
  for (const [name, expected] of plans) {
    const database = namedDatabase(at(folder.path), name);
    assert.deepEqual([database.path, database.exists()], [folder.join(expected), false], name);
  }
});

test("namedDatabase() sees a database as soon as it is made", () => {
  using folder = tempDir();
  const database = namedDatabase(platform, folder.join("new"));
  mkdirSync(database.path, { recursive: true });
  assert.equal(database.exists(), false);
  writeFileSync(join(database.path, "kbdb.toml"), 'name = "fresh"\n');
  assert.deepEqual([database.exists(), database.name()], [true, "fresh"]);
});

test("namedDatabase() refuses what is something else, or lies in no folder [ruling-d61-4]", () => {
  using folder = tempDir();
  writeFileSync(folder.join("file"), "mine");
  mkdirSync(folder.join("photos"));
  mkdirSync(folder.join("half/.kbdb"), { recursive: true });
  for (const name of ["file", "photos", "half", "half/.kbdb", "/"]) {
    const refused = { code: "bad_request", message: /it is no kbdb database/ };
    assert.throws(() => namedDatabase(at(folder.path), name), refused, name);
  }
  for (const name of ["none/new", "none/new.kbdb", "file/new", "file/new.kbdb"]) {
    const refused = {
      code: "not_found",
      message: /nor the folder above is there\. Make the folder/,
    };
    assert.throws(() => namedDatabase(at(folder.path), name), refused, name);
  }
});

test("namedDatabase() takes a database that is just being made [ruling-d61-1]", () => {
  using folder = tempDir();
  mkdirSync(folder.join("a.kbdb/worker"), { recursive: true });
  mkdirSync(folder.join("notes/.kbdb/worker"), { recursive: true });
  mkdirSync(folder.join("notes/.kbdb/sections"));
  for (const file of [".gitignore", ".kbdb.toml.x1.tmp"]) {
    writeFileSync(folder.join(`notes/.kbdb/${file}`), "");
  }
  for (const [name, path] of [["a.kbdb", "a.kbdb"], ["notes", "notes/.kbdb"]]) {
    const database = namedDatabase(at(folder.path), name);
    assert.deepEqual([database.path, database.exists()], [folder.join(path), false]);
  }
  writeFileSync(folder.join("a.kbdb/mine.txt"), "mine");
  assert.throws(() => namedDatabase(at(folder.path), "a.kbdb"), { code: "bad_request" });
});

/** What `kbdb.toml` of a folder holds, and the name of the database. */
const NAMES: [folder: string, config: string, name: string][] = [
  ["a.kbdb", 'name = "Herons"\n', "Herons"],
  ["b.kbdb", "", "b"],
  ["c.kbdb", 'name = ""\n', "c"],
  ["d.kbdb", 'name = "  "\n', "d"],
  ["e.kbdb", "name = 3\n", "e"],
  ["f.kbdb", "name = 'broken\n", "f"],
  ["project/.kbdb", "", "project"],
];

test("name() is that of the configuration, else of the folder [ruling-d52-1]", () => {
  using folder = tempDir();
  for (const [path, config, name] of NAMES) {
    const database = namedDatabase(platform, makeDatabase(folder, path, config));
    assert.equal(database.name(), name, path);
  }
  assert.equal(namedDatabase(platform, folder.join("new")).name(), "new");
  assert.equal(namedDatabase(platform, folder.join("new.kbdb")).name(), "new");
});
