import assert from "node:assert/strict";
import { test } from "node:test";
import { type Inbound, readMessage } from "./messages.ts";

/** Code and id of the error that a message gets. */
function refused(message: unknown): unknown[] {
  const read = readMessage(typeof message === "string" ? message : JSON.stringify(message));
  return read.kind === "refusal" ? [read.code, read.id] : [read.kind];
}

const base = { jsonrpc: "2.0", id: 1, method: "m" };

test("readMessage() refuses what is not JSON", () => {
  for (const text of ["{", "x", '{"jsonrpc":"2.0","id":1', "NaN", "'a'", "\0"]) {
    assert.deepEqual(refused(text), [-32700, undefined], text);
  }
});

test("readMessage() refuses what is not an object", () => {
  for (const text of ["null", "5", '"a"', "true", "[]", '[{"jsonrpc":"2.0"}]']) {
    assert.deepEqual(refused(text), [-32600, undefined], text);
  }
});

test("readMessage() refuses an id that is neither text nor a whole number", () => {
  for (const id of [null, 1.5, true, {}, [], [1], 2 ** 53, -(2 ** 53)]) {
    assert.deepEqual(refused({ ...base, id }), [-32600, undefined], `${id}`);
  }
});

test("readMessage() takes 0, negative numbers and any text for an id", () => {
  for (const id of [0, -1, 2 ** 53 - 1, "", "0", "漢字 🐘"]) {
    const read = readMessage(JSON.stringify({ ...base, id }));
    assert.deepEqual(read, { kind: "request", id, method: "m", params: {} });
  }
});

test("readMessage() refuses another version of JSON-RPC", () => {
  for (const jsonrpc of ["1.0", 2, null, undefined]) {
    assert.deepEqual(refused({ ...base, jsonrpc }), [-32600, 1], `${jsonrpc}`);
  }
});

test("readMessage() refuses a method that is not text", () => {
  for (const method of [undefined, null, 5, {}]) {
    assert.deepEqual(refused({ ...base, method }), [-32600, 1], `${method}`);
  }
  assert.deepEqual(refused({ jsonrpc: "2.0" }), [-32600, undefined]);
  assert.deepEqual(refused("{}"), [-32600, undefined]);
});

test("readMessage() refuses parameters that are not an object", () => {
  for (const params of [null, [], [1], "a", 5, false]) {
    assert.deepEqual(refused({ ...base, params }), [-32602, 1], JSON.stringify(params));
  }
});

test("readMessage() says what is wrong and what to do", () => {
  const messages = ["{", "[]", "5", '{"jsonrpc":"2.0","id":1.5,"method":"m"}'].map((text) =>
    (readMessage(text) as Inbound & { kind: "refusal" }).message
  );
  assert.deepEqual(messages, [
    "Cannot read a line: it is not JSON. Send one message a line.",
    "Cannot read a message: it is a batch. Send each message in a line of its own.",
    "Cannot read a message: it is not an object. Send one JSON-RPC message a line.",
    "Cannot read a message: id must be text or a whole number below 2^53",
  ]);
});

test("readMessage() never refuses a notification for its parameters", () => {
  for (const params of [null, [], "a", 5]) {
    const read = readMessage(JSON.stringify({ jsonrpc: "2.0", method: "m", params }));
    assert.deepEqual(read, { kind: "notification", method: "m", params: {} });
  }
});

test("readMessage() never refuses a response", () => {
  for (const message of [{ id: 1, result: {} }, { id: null, error: 5 }, { result: 1 }]) {
    assert.deepEqual(refused(message), ["response"]);
  }
});
