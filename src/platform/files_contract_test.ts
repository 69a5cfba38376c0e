import assert from "node:assert/strict";
import { after, test } from "node:test";
import { MemoryFiles } from "./memory_files.ts";
import { platform } from "./host.ts";
import { randomName } from "./random_name.ts";
import { FileError, type FileErrorCode, type Files } from "./types.ts";

const text = (content: string) => new TextEncoder().encode(content);
const read = (files: Files, path: string) => new TextDecoder().decode(files.read(path));

function failsWith(code: FileErrorCode, path: string, call: () => unknown): void {
  assert.throws(call, (error) => {
    assert(error instanceof FileError, `not a FileError: ${error}`);
    assert.equal(error.code, code);
    assert.equal(error.path, path);
    assert.match(error.message, /^Cannot [a-z ]+ \/.+: [^()]+$/);
    return true;
  });
}

/** What every implementation of {@linkcode Files} does. `dir` is a new, empty folder. */
function contract(name: string, files: Files, dir: string): void {
  const at = (file: string) => `${dir}/${file}`;

  test(`${name}: write() creates and overwrites`, () => {
    files.write(at("plain"), text("a long first text"));
    files.write(at("plain"), text("short"));
    assert.equal(read(files, at("plain")), "short");
    assert.equal(files.read(at("plain")).constructor, Uint8Array);
  });

  test(`${name}: write() takes 9 MB and nothing`, () => {
    const large = new Uint8Array(9_000_000).map((_, index) => index % 251);
    files.write(at("large"), large);
    assert.equal(files.stat(at("large")).size, large.length);
    assert.deepEqual(
      files.readPart(at("large"), { offset: 8_999_990, length: 10 }),
      large.slice(-10),
    );
    files.write(at("large"), new Uint8Array(0));
    assert.equal(files.read(at("large")).length, 0);
  });

  test(`${name}: write() keeps what exclusive finds`, () => {
    files.write(at("only"), text("first"), { exclusive: true });
    failsWith("exists", at("only"), () => files.write(at("only"), text("x"), { exclusive: true }));
    assert.equal(read(files, at("only")), "first");
  });

  test(`${name}: readPart() stops where the file ends`, () => {
    files.write(at("part"), text("0123456789"));
    const part = (offset: number, length: number) =>
      new TextDecoder().decode(files.readPart(at("part"), { offset, length }));
    assert.equal(part(2, 3), "234");
    assert.equal(part(8, 1e15), "89");
    assert.equal(part(10, 5), "");
    assert.equal(part(50, 5), "");
  });

  test(`${name}: readInto() fills what the file has`, () => {
    files.write(at("into"), text("0123456789"));
    const buffer = text("abcdef");
    assert.equal(files.readInto(at("into"), { offset: 3, buffer: buffer.subarray(1, 4) }), 3);
    assert.equal(new TextDecoder().decode(buffer), "a345ef");
    assert.equal(files.readInto(at("into"), { offset: 8, buffer }), 2);
    assert.equal(new TextDecoder().decode(buffer), "8945ef");
    assert.equal(files.readInto(at("into"), { offset: 50, buffer }), 0);
    failsWith(
      "not_found",
      at("none"),
      () => files.readInto(at("none"), { offset: 0, buffer }),
    );
  });

  test(`${name}: replace() leaves one file`, async () => {
    files.makeDir(at("replace"));
    files.replace(at("replace/file"), text("one"));
    files.replace(at("replace/file"), text("two"));
    await files.replaceDurably(at("replace/file"), text("three"));
    assert.deepEqual(files.list(at("replace")), [{ name: "file", kind: "file" }]);
    assert.equal(read(files, at("replace/file")), "three");
  });

  test(`${name}: replace() takes the longest name`, async () => {
    const longest = at("ü".repeat(127));
    files.replace(longest, text("one"));
    await files.replaceDurably(longest, text("two"));
    assert.equal(read(files, longest), "two");
    files.remove(longest);
  });

  test(`${name}: replace() over a folder leaves no trace`, async () => {
    files.makeDir(at("over/folder"));
    failsWith("is_directory", at("over/folder"), () => files.replace(at("over/folder"), text("x")));
    await assert.rejects(files.replaceDurably(at("over/folder"), text("x")), {
      code: "is_directory",
    });
    failsWith("not_found", at("none/file"), () => files.replace(at("none/file"), text("x")));
    assert.deepEqual(files.list(at("over")), [{ name: "folder", kind: "directory" }]);
  });

  test(`${name}: openAppend() adds, cuts and counts`, async () => {
    const file = files.openAppend(at("append"));
    file.write(text("one"));
    file.write(text("two"));
    assert.equal(file.size, 6);
    await file.flush();
    file.truncate(4);
    file.write(text("!"));
    assert.equal(file.size, 5);
    file.close();
    file.close();
    const again = files.openAppend(at("append"));
    assert.equal(again.size, 5);
    again.write(text("?"));
    again.close();
    assert.equal(read(files, at("append")), "onet!?");
  });

  test(`${name}: openAppend() writes while it flushes`, async () => {
    const file = files.openAppend(at("busy"));
    const flushes: Promise<void>[] = [];
    for (let round = 0; round < 50; round++) {
      file.write(text("x"));
      flushes.push(file.flush());
      file.write(text("y"));
    }
    file.truncate(99);
    await Promise.all(flushes);
    file.close();
    assert.equal(files.stat(at("busy")).size, 99);
  });

  test(`${name}: openAppend() closes while it flushes`, async () => {
    const file = files.openAppend(at("closing"));
    file.write(text("x"));
    const flushed = file.flush();
    file.close();
    await flushed;
    assert.equal(read(files, at("closing")), "x");
  });

  test(`${name}: rename() replaces a file`, () => {
    files.write(at("from"), text("new"));
    files.write(at("to"), text("old"));
    files.rename(at("from"), at("to"));
    assert.equal(read(files, at("to")), "new");
    failsWith("not_found", at("from"), () => files.rename(at("from"), at("to")));
  });

  test(`${name}: rename() moves a folder, not over a full one`, () => {
    files.makeDir(at("move/a"));
    files.makeDir(at("move/b"));
    files.write(at("move/a/x"), text("x"));
    files.rename(at("move/a"), at("move/b"));
    assert.equal(read(files, at("move/b/x")), "x");
    files.makeDir(at("move/a"));
    failsWith("not_empty", at("move/a"), () => files.rename(at("move/a"), at("move/b")));
  });

  test(`${name}: remove() takes files only`, () => {
    files.write(at("gone"), text("x"));
    files.remove(at("gone"));
    failsWith("not_found", at("gone"), () => files.remove(at("gone")));
    files.makeDir(at("kept"));
    failsWith("is_directory", at("kept"), () => files.remove(at("kept")));
    assert.equal(files.stat(at("kept")).kind, "directory");
  });

  test(`${name}: removeTree() takes all, and nothing`, () => {
    files.makeDir(at("tree/a/b"));
    files.write(at("tree/a/b/c"), text("x"));
    files.removeTree(at("tree"));
    failsWith("not_found", at("tree"), () => files.stat(at("tree")));
    files.removeTree(at("tree"));
  });

  test(`${name}: makeDir() twice is fine, over a file not`, () => {
    files.makeDir(at("made/a/b"));
    files.makeDir(at("made/a/b"));
    files.write(at("made/file"), text("x"));
    failsWith("exists", at("made/file"), () => files.makeDir(at("made/file")));
    failsWith("not_directory", at("made/file/x"), () => files.makeDir(at("made/file/x")));
  });

  test(`${name}: list() orders by code unit`, () => {
    files.makeDir(at("names"));
    const names = ["a b", "a-b", "a.", "Z", "[.md", "Зоны", "🐘", "\ufb01", "a", "é", "e\u0301"];
    for (const entry of names) files.write(at(`names/${entry}`), text(entry));
    const listed = files.list(at("names")).map((entry) => entry.name);
    assert.deepEqual(listed, [...names].sort());
    for (const entry of listed) assert.equal(read(files, at(`names/${entry}`)), entry);
  });

  test(`${name}: stat() tells size, time and mode`, () => {
    const before = Date.now() - 1000;
    files.write(at("facts"), text("12345"));
    const { kind, size, modifiedMs, changedMs, mode, uid } = files.lstat(at("facts"));
    assert.deepEqual({ kind, size, mode }, { kind: "file", size: 5, mode: 0o600 });
    for (const time of [modifiedMs, changedMs]) {
      assert(time >= before && time <= Date.now() + 1000);
    }
    assert.equal(typeof uid, "number");
    files.makeDir(at("private/inner"));
    assert.equal(files.stat(at("private")).mode, 0o700);
    assert.equal(files.stat(at("private/inner")).mode, 0o700);
    files.setMode(at("facts"), 0o640);
    files.write(at("facts"), text("again"));
    assert.equal(files.stat(at("facts")).mode, 0o640);
  });

  test(`${name}: exists() tells what is there`, () => {
    files.write(at("there"), text("x"));
    assert.deepEqual(["there", "absent", "there/x", "."].map((path) => files.exists(at(path))), [
      true,
      false,
      false,
      true,
    ]);
  });

  test(`${name}: realPath() resolves dots and slashes`, () => {
    files.makeDir(at("real"));
    assert.equal(files.realPath(at("real/../real//")), files.realPath(at("real")));
    failsWith("not_found", at("unreal"), () => files.realPath(at("unreal")));
  });

  test(`${name}: a missing, wrong or long name is told apart`, async () => {
    files.write(at("wrong"), text("x"));
    for (const call of [files.read, files.stat, files.lstat, files.list, files.remove]) {
      failsWith("not_found", at("missing"), () => call.call(files, at("missing")));
      failsWith("not_directory", at("wrong/x"), () => call.call(files, at("wrong/x")));
    }
    failsWith("is_directory", dir, () => files.read(dir));
    failsWith("is_directory", dir, () => files.openAppend(dir));
    failsWith("not_directory", at("wrong"), () => files.list(at("wrong")));
    failsWith("not_found", at("missing/x"), () => files.openAppend(at("missing/x")));
    await assert.rejects(files.flush(at("missing")), { code: "not_found", path: at("missing") });
  });

  test(`${name}: flush() takes files and folders`, async () => {
    files.write(at("flushed"), text("x"));
    await files.flush(at("flushed"));
    await files.flush(dir);
  });
}

const memory = new MemoryFiles();
memory.makeDir("/some/where");
contract("memory", memory, "/some/where");

if (platform.host.os !== "windows") {
  const dir = `/tmp/kbdb-files-${randomName(10)}`;
  platform.files.makeDir(dir);
  contract(platform.host.runtime, platform.files, dir);
  after(() => platform.files.removeTree(dir));
}
