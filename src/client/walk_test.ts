import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { type TempDir, tempDir } from "../../tests/support/temp_dir.ts";
import { platform } from "../platform/host.ts";
import { FileError, type Files } from "../platform/types.ts";
import { type Found, walk } from "./walk.ts";

/** Writes files, named by their paths with `/`; a path that ends in `/` is a folder. */
function fill(folder: TempDir, entries: Record<string, string>): void {
  for (const [path, text] of Object.entries(entries)) {
    mkdirSync(dirname(folder.join(path)), { recursive: true });
    if (path.endsWith("/")) mkdirSync(folder.join(path), { recursive: true });
    else writeFileSync(folder.join(path), text);
  }
}

/** What the walk finds: relative paths of files, and the reason of each other thing. */
function found(root: string, files: Files = platform.files): Record<string, string> {
  const all: Record<string, string> = {};
  for (const one of walk(files, root)) all[one.relative] = outcome(one);
  return all;
}

function outcome(one: Found): string {
  if (one.kind === "file") return one.type;
  return one.kind === "skipped" ? one.reason : one.kind;
}

test("walk() finds Markdown and text in order", () => {
  using folder = tempDir();
  fill(folder, { "b.txt": "", "a.md": "", "B/x.markdown": "", "c.png": "", "Makefile": "" });
  assert.deepEqual(Object.entries(found(folder.path)), [
    ["B/x.markdown", "text/markdown"],
    ["Makefile", "type"],
    ["a.md", "text/markdown"],
    ["b.txt", "text/plain"],
    ["c.png", "type"],
  ]);
});

test("walk() ends at links to itself and its parents (B41)", () => {
  using folder = tempDir();
  fill(folder, { "in/a.md": "", "in/x/b.md": "", "in/y/c.md": "" });
  symlinkSync(".", folder.join("in/self"));
  symlinkSync("..", folder.join("in/parent"));
  symlinkSync("../y", folder.join("in/x/other"));
  symlinkSync("../x", folder.join("in/y/other"));
  assert.deepEqual(found(folder.join("in")), {
    "a.md": "text/markdown",
    parent: "symlink",
    self: "symlink",
    "x/b.md": "text/markdown",
    "x/other": "symlink",
    "y/c.md": "text/markdown",
    "y/other": "symlink",
  });
});

test("walk() reads nothing from outside or through links (B41)", () => {
  using folder = tempDir();
  fill(folder, { "outside.txt": "secret", "in/.hidden/token.txt": "secret" });
  symlinkSync("../outside.txt", folder.join("in/notes.md"));
  symlinkSync(".hidden/token.txt", folder.join("in/token.txt"));
  symlinkSync("nowhere", folder.join("in/broken.md"));
  assert.deepEqual(found(folder.join("in")), {
    ".hidden": "hidden",
    "broken.md": "symlink",
    "notes.md": "symlink",
    "token.txt": "symlink",
  });
});

test("walk() passes over hidden files, packages and databases (B41)", () => {
  using folder = tempDir();
  fill(folder, {
    ".env": "",
    ".git/HEAD.md": "",
    ".kbdb/kbdb.toml": "",
    ".kbdb/sections/aa/a.md": "",
    "notes.kbdb/kbdb.toml": "",
    "notes.kbdb/sections/aa/a.md": "",
    "node_modules/x/README.md": "",
    "a/node_modules/y/README.md": "",
    "a/b.md": "",
  });
  assert.deepEqual(found(folder.path), {
    ".env": "hidden",
    ".git": "hidden",
    ".kbdb": "database",
    "a/b.md": "text/markdown",
    "a/node_modules": "dependencies",
    node_modules: "dependencies",
    "notes.kbdb": "database",
  });
});

test("walk() obeys nested .gitignore with negation (B41)", () => {
  using folder = tempDir();
  fill(folder, {
    ".gitignore": "*.txt\n/top.md\nbuild/\n# comment\n",
    "a.txt": "",
    "top.md": "",
    "build/x.md": "",
    "sub/.gitignore": "!keep.txt\nlocal.md\n",
    "sub/keep.txt": "",
    "sub/drop.txt": "",
    "sub/local.md": "",
    "sub/top.md": "",
    "sub/deep/keep.txt": "",
    "other/local.md": "",
  });
  assert.deepEqual(found(folder.path), {
    ".gitignore": "hidden",
    "a.txt": "ignored",
    build: "ignored",
    "other/local.md": "text/markdown",
    "sub/.gitignore": "hidden",
    "sub/deep/keep.txt": "text/plain",
    "sub/drop.txt": "ignored",
    "sub/keep.txt": "text/plain",
    "sub/local.md": "ignored",
    "sub/top.md": "text/markdown",
    "top.md": "ignored",
  });
});

test("walk() reads .gitignore with case, as git does (B43)", () => {
  using folder = tempDir();
  fill(folder, { ".gitignore": "foo.md\n", "foo.md": "", "Foo.md": "" });
  assert.equal(found(folder.path)["Foo.md"], "text/markdown");
  assert.equal(found(folder.path)["foo.md"], "ignored");
});

test("walk() never opens a named pipe (B41)", (context) => {
  using folder = tempDir();
  if (spawnSync("mkfifo", [folder.join("pipe.md")]).status !== 0) {
    return context.skip("this system has no mkfifo");
  }
  assert.deepEqual(found(folder.path), { "pipe.md": "special" });
});

test("walk() names a folder that cannot be listed and goes on", () => {
  using folder = tempDir();
  fill(folder, { "closed/a.md": "", "open/b.md": "" });
  const files = new Proxy(platform.files, {
    get(target, name: keyof Files) {
      if (name !== "list") return (target[name] as (...args: unknown[]) => unknown).bind(target);
      return (path: string) => {
        if (!path.endsWith("closed")) return target.list(path);
        throw new FileError("permission", "list", path, "permission denied");
      };
    },
  });
  assert.deepEqual(found(folder.path, files), {
    "closed/": "unreadable",
    "open/b.md": "text/markdown",
  });
});

test("walk() takes names of every kind (B43)", () => {
  using folder = tempDir();
  const names = ["my file.md", "[.md", "🐘.md", "Зоны.md", "con.md", "-x.md", "a\nb.md", "a\\b.md"];
  fill(folder, Object.fromEntries(names.map((name) => [name, ""])));
  assert.deepEqual(Object.keys(found(folder.path)).sort(), [...names].sort());
});
