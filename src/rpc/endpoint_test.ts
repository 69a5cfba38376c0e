import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { tempDir } from "../../tests/support/temp_dir.ts";
import { platform } from "../platform/host.ts";
import type { Files, Host, Platform } from "../platform/types.ts";
import {
  contextId,
  ensurePrivateFolder,
  MAX_SOCKET_PATH_BYTES,
  readEndpoint,
  socketAddress,
  workerFolder,
} from "./endpoint.ts";
import { KbdbError } from "./errors.ts";

const { host } = platform;
const ENDPOINT = { protocol: 1, version: "0.1.0", pid: 7, address: "/x/socket", token: "secret" };

function addressOf(root: string, on: Host = host): string {
  return socketAddress(root, {
    host: on,
    folder: workerFolder(root, { host: on, writable: true }),
  });
}

/** This platform, with every file owned by `uid`. */
function ownedBy(uid: number): Platform {
  const files = new Proxy(platform.files, {
    get(target, name: keyof Files) {
      if (name === "lstat") return (path: string) => ({ ...target.lstat(path), uid });
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ...platform, files };
}

function isPermission(error: unknown): boolean {
  return error instanceof KbdbError && error.code === "permission";
}

test("socketAddress() lies in the database if it is short", () => {
  assert.equal(addressOf("/home/me/.kbdb"), "/home/me/.kbdb/worker/socket");
});

test("socketAddress() differs for paths with one long beginning (B10)", () => {
  const start = `/tmp/${"d".repeat(105)}`;
  const addresses = ["one", "two"].map((name) => addressOf(`${start}-${name}/.kbdb`));
  assert.notEqual(addresses[0], addresses[1]);
  for (const address of addresses) assert.ok(address.length <= MAX_SOCKET_PATH_BYTES, address);
});

test("socketAddress() counts bytes, not characters (B10)", () => {
  const address = addressOf(`/tmp/${"漢".repeat(40)}/.kbdb`);
  assert.ok(address.startsWith(host.runtimeDir()), address);
  assert.ok(new TextEncoder().encode(address).length <= MAX_SOCKET_PATH_BYTES);
});

test("socketAddress() is a named pipe on Windows", () => {
  const windows: Host = { ...host, os: "windows" };
  assert.match(addressOf("C:\\data\\.kbdb", windows), /^\\\\\.\\pipe\\kbdb-[0-9a-f]{32}$/);
});

test("contextId() is the SHA-256 of the path", () => {
  const sha256 = createHash("sha256").update("/a").digest("hex");
  assert.equal(contextId("/a"), sha256);
});

test("workerFolder() of a read-only database is private (D54)", () => {
  const folder = workerFolder("/srv/.kbdb", { host, writable: false });
  assert.ok(folder.startsWith(`${host.runtimeDir()}/`), folder);
});

test("readEndpoint() reads what the daemon wrote", () => {
  using folder = tempDir();
  writeFileSync(folder.join("endpoint"), JSON.stringify(ENDPOINT));
  assert.deepEqual(readEndpoint(platform, folder.path), ENDPOINT);
});

test("readEndpoint() takes a missing or torn file as none", () => {
  using folder = tempDir();
  assert.equal(readEndpoint(platform, folder.path), null);
  for (const text of ["", "{", "null", '{"address":5}']) {
    writeFileSync(folder.join("endpoint"), text);
    assert.equal(readEndpoint(platform, folder.path), null, text);
  }
});

test("readEndpoint() refuses a symbolic link (B11)", () => {
  using folder = tempDir();
  writeFileSync(folder.join("elsewhere"), JSON.stringify(ENDPOINT));
  symlinkSync(folder.join("elsewhere"), folder.join("endpoint"));
  assert.throws(() => readEndpoint(platform, folder.path), isPermission);
});

test("readEndpoint() refuses another user's file (B11)", () => {
  using folder = tempDir();
  writeFileSync(folder.join("endpoint"), JSON.stringify(ENDPOINT));
  const foreign = ownedBy((host.uid() ?? 0) + 1);
  assert.throws(() => readEndpoint(foreign, folder.path), isPermission);
});

test("ensurePrivateFolder() closes an open folder to others (B11)", () => {
  using folder = tempDir();
  mkdirSync(folder.join("run"));
  chmodSync(folder.join("run"), 0o777);
  ensurePrivateFolder(platform, folder.join("run"));
  assert.equal(statSync(folder.join("run")).mode & 0o777, 0o700);
});

test("ensurePrivateFolder() leaves a read-only folder read-only (D54)", () => {
  using folder = tempDir();
  mkdirSync(folder.join("run"));
  chmodSync(folder.join("run"), 0o555);
  ensurePrivateFolder(platform, folder.join("run"));
  assert.equal(statSync(folder.join("run")).mode & 0o777, 0o500);
});

test("ensurePrivateFolder() refuses links and foreign folders (B11)", () => {
  using folder = tempDir();
  mkdirSync(folder.join("real"));
  symlinkSync(folder.join("real"), folder.join("link"));
  assert.throws(() => ensurePrivateFolder(platform, folder.join("link")), isPermission);
  const foreign = ownedBy((host.uid() ?? 0) + 1);
  assert.throws(() => ensurePrivateFolder(foreign, folder.join("real")), isPermission);
});
