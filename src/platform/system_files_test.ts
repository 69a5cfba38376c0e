import assert from "node:assert/strict";
import { lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { after, test } from "node:test";
import { platform } from "./host.ts";
import { randomName } from "./random_name.ts";
import { type FileCalls, SystemFiles } from "./system_files.ts";
import { FileError } from "./types.ts";

const { files, host } = platform;
const skip = host.os === "windows";
const dir = `/tmp/kbdb-system-${randomName(10)}`;
const at = (name: string) => `${dir}/${name}`;
const bytes = (length: number) => new Uint8Array(length).fill(7);

if (!skip) files.makeDir(dir);
after(() => files.removeTree(dir));

test("lstat() and list() report a link as a link", { skip }, () => {
  files.write(at("target"), bytes(3));
  symlinkSync(at("target"), at("link"));
  symlinkSync(at("nowhere"), at("dangling"));
  assert.equal(files.lstat(at("link")).kind, "symlink");
  assert.equal(files.stat(at("link")).kind, "file");
  assert.equal(files.realPath(at("link")), files.realPath(at("target")));
  assert.throws(() => files.stat(at("dangling")), { code: "not_found" });
  const kinds = files.list(dir).filter(({ kind }) => kind === "symlink").map(({ name }) => name);
  assert.deepEqual(kinds, ["dangling", "link"]);
  files.remove(at("dangling"));
});

test("write() with exclusive does not follow a link", { skip }, () => {
  symlinkSync(at("victim"), at("planted"));
  assert.throws(() => files.write(at("planted"), bytes(1), { exclusive: true }), {
    code: "exists",
  });
  files.replace(at("planted"), bytes(2));
  assert.equal(files.lstat(at("planted")).kind, "file");
  assert.throws(() => files.lstat(at("victim")), { code: "not_found" });
});

test("removeTree() does not follow links", { skip }, () => {
  files.makeDir(at("outside"));
  files.write(at("outside/kept"), bytes(1));
  files.makeDir(at("tree"));
  symlinkSync(at("outside"), at("tree/link"));
  symlinkSync(at("outside"), at("direct"));
  files.removeTree(at("tree"));
  files.removeTree(at("direct"));
  assert.deepEqual(files.list(at("outside")), [{ name: "kept", kind: "file" }]);
});

test("remove() leaves an empty folder behind a link", { skip }, () => {
  files.makeDir(at("empty"));
  symlinkSync(at("empty"), at("to-empty"));
  files.remove(at("to-empty"));
  assert.equal(files.stat(at("empty")).kind, "directory");
});

test("makeDir() keeps the mode of folders that are there", { skip }, () => {
  mkdirSync(at("open"), { mode: 0o755 });
  files.makeDir(at("open/inner"));
  assert.equal(lstatSync(at("open")).mode & 0o777, 0o755);
  assert.equal(lstatSync(at("open/inner")).mode & 0o777, 0o700);
});

test("a full disk is no_space (B05)", { skip: host.os !== "linux" }, () => {
  const full = files.openAppend("/dev/full");
  assert.throws(() => full.write(bytes(10)), {
    code: "no_space",
    message: "Cannot write /dev/full: no space left on the disk",
  });
  full.close();
});

test("an unknown failure names the system's code", { skip }, () => {
  symlinkSync("circle", at("circle"));
  assert.throws(() => files.read(at("circle")), {
    code: "other",
    message: `Cannot read ${at("circle")}: too many symbolic links, or links in a circle`,
  });
});

/** Calls that do nothing, except those given. */
function fakeCalls(calls: Partial<FileCalls>): FileCalls {
  const file = {
    size: () => 0,
    readAt: () => 0,
    writeAt: (data: Uint8Array) => data.length,
    truncate: () => {},
    sync: () => Promise.resolve(),
    close: () => {},
  };
  const nothing = { windows: false, open: () => file, unlink: () => {}, rename: () => {} };
  return { ...nothing, ...calls } as FileCalls;
}

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: text of the runtime`), { code });
}

test("write() goes on after a partial write", () => {
  const written: number[] = [];
  const open = fakeCalls({}).open("/", "create");
  const writeAt = (data: Uint8Array, offset: number) => {
    written.push(offset);
    return Math.min(3, data.length);
  };
  new SystemFiles(fakeCalls({ open: () => ({ ...open, writeAt }) })).write("/f", bytes(8));
  assert.deepEqual(written, [0, 3, 6]);
});

test("replace() removes its temporary file when the disk is full (B05)", async () => {
  const removed: string[] = [];
  const writeAt = () => {
    throw systemError("ENOSPC");
  };
  const open = { ...fakeCalls({}).open("/", "create"), writeAt };
  const full = new SystemFiles(
    fakeCalls({ open: () => open, unlink: (path) => void removed.push(path) }),
  );
  const expected = { code: "no_space", path: "/d/f" };
  assert.throws(() => full.replace("/d/f", bytes(8)), expected);
  await assert.rejects(full.replaceDurably("/d/f", bytes(8)), expected);
  assert.equal(removed.length, 2);
  for (const path of removed) assert.match(path, /^\/d\/\.f\.[a-z2-7]{12}\.tmp$/);
});

test("replaceDurably() flushes the file, renames, flushes the folder", async () => {
  const calls: string[] = [];
  const open = (path: string) => ({
    ...fakeCalls({}).open("/", "create"),
    sync: () => Promise.resolve(void calls.push(path === "/d" ? "flush folder" : "flush file")),
  });
  const rename = () => void calls.push("rename");
  await new SystemFiles(fakeCalls({ open, rename })).replaceDurably("/d/f", bytes(1));
  assert.deepEqual(calls, ["flush file", "rename", "flush folder"]);
});

test("rename() waits for a scanner on Windows only (B05)", () => {
  let attempts = 0;
  const rename = () => {
    attempts += 1;
    if (attempts < 3) throw systemError("EBUSY");
  };
  new SystemFiles(fakeCalls({ windows: true, rename })).rename("/a", "/b");
  assert.equal(attempts, 3);
  attempts = 0;
  assert.throws(() => new SystemFiles(fakeCalls({ rename })).rename("/a", "/b"), { code: "busy" });
  assert.equal(attempts, 1);
});

test("rename() gives up after half a second on Windows (B05)", () => {
  const start = Date.now();
  const rename = () => {
    throw systemError("EPERM");
  };
  const windows = new SystemFiles(fakeCalls({ windows: true, rename }));
  assert.throws(() => windows.rename("/a", "/b"), FileError);
  const took = Date.now() - start;
  assert(took >= 400 && took < 1500, `took ${took} ms`);
});

test("a right that Deno lacks is named with its flag (B25)", () => {
  const refused = new Error(
    'Requires write access to "/d/f", run again with the --allow-write flag',
  );
  refused.name = "NotCapable";
  const unlink = () => {
    throw refused;
  };
  assert.throws(() => new SystemFiles(fakeCalls({ unlink })).remove("/d/f"), {
    code: "permission",
    message: "Cannot remove /d/f: Deno was started without the right to; run it with --allow-write",
  });
});

test("nothing temporary is left behind", { skip }, () => {
  assert.deepEqual(readdirSync(dir).filter((name) => name.endsWith(".tmp")), []);
});
