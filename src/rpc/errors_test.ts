import assert from "node:assert/strict";
import { test } from "node:test";
import { FileError, SocketError } from "../platform/types.ts";
import {
  type ErrorCode,
  exitCodeOf,
  isErrorCode,
  KbdbError,
  rpcNumber,
  toKbdbError,
  toldError,
} from "./errors.ts";
import { compareVersions } from "./version.ts";

const EXIT_CODES: Record<ErrorCode, number> = {
  bad_request: 2,
  not_found: 3,
  conflict: 1,
  too_large: 1,
  locked: 5,
  busy: 5,
  leaving: 5,
  unreachable: 5,
  version_mismatch: 5,
  damaged: 4,
  permission: 1,
  read_only: 1,
  no_space: 1,
  unsupported: 1,
  interrupted: 130,
  internal: 1,
};
const CODES = Object.keys(EXIT_CODES) as ErrorCode[];

test("exitCodeOf() follows D35", () => {
  assert.deepEqual(Object.fromEntries(CODES.map((code) => [code, exitCodeOf(code)])), EXIT_CODES);
});

test("rpcNumber() gives every code a number of its own", () => {
  const numbers = CODES.map(rpcNumber);
  assert.equal(new Set(numbers).size, CODES.length);
  for (const number of numbers) assert.ok(number < -32000 && number >= -32768, String(number));
});

test("isErrorCode() knows only the table's own names", () => {
  assert.ok(CODES.every(isErrorCode));
  for (const other of ["toString", "__proto__", "", 5, null]) assert.ok(!isErrorCode(other));
});

test("toldError() takes a code of a later version as internal", () => {
  assert.equal(toldError({ code: "locked", message: "held" }).code, "locked");
  const { code, message } = toldError({ code: "not_yet_thought_of", message: "news" });
  assert.deepEqual([code, message], ["internal", "news"]);
});

test("toKbdbError() keeps codes that mean the same", () => {
  const full = toKbdbError(new FileError("no_space", "write", "/x", "the disk is full"));
  assert.deepEqual([full.code, full.message], ["no_space", "Cannot write /x: the disk is full"]);
  const error = new KbdbError("locked", "held");
  assert.equal(toKbdbError(error), error);
});

test("toKbdbError() takes a useless socket as unreachable (B08)", () => {
  const occupied = new SocketError("not_a_socket", "listen on", "/x", "a folder is there");
  assert.equal(toKbdbError(occupied).code, "unreachable");
});

test("toKbdbError() takes anything thrown", () => {
  for (const thrown of ["text", null, undefined, 5, new TypeError("x"), { code: "toString" }]) {
    assert.equal(toKbdbError(thrown).code, "internal");
  }
});

test("KbdbError crosses the wire as code and message", () => {
  const json = JSON.parse(JSON.stringify(new KbdbError("busy", "Cannot: later")));
  assert.deepEqual(json, { code: "busy", message: "Cannot: later" });
});

test("compareVersions() orders versions by their numbers (B14)", () => {
  assert.ok(compareVersions("0.9.0", "0.10.0") < 0);
  assert.ok(compareVersions("1.0.0", "0.10.9") > 0);
  assert.equal(compareVersions("1.2.3", "1.2.3"), 0);
  assert.equal(compareVersions("1.2.3", "1.2.3-beta.1"), 0);
  assert.equal(compareVersions("", "nonsense"), 0);
});
