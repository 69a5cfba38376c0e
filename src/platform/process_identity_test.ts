import assert from "node:assert/strict";
import { test } from "node:test";
import { isRunning, parseProcessFacts, readStartIdentity } from "./process_identity.ts";

const STAT = (name: string, state: string) =>
  `4711 (${name}) ${state} 1 4711 4711 0 -1 4194560 759 0 0 0 1 2 0 0 20 0 7 0 98765 1 2 3`;

test("parseProcessFacts() survives brackets and spaces in the name", () => {
  for (const name of ["deno", "a b", ") Z 1 2 3", "((x) y)"]) {
    assert.deepEqual(parseProcessFacts(STAT(name, "S")), { state: "S", startTicks: "98765" });
  }
  assert.equal(parseProcessFacts(""), undefined);
  assert.equal(parseProcessFacts("1 (cut) S 1 2"), undefined);
});

test("isRunning() is false for ended processes only", () => {
  const states = ["R", "S", "D", "T", "t", "Z", "X"];
  const running = states.filter((state) => isRunning(parseProcessFacts(STAT("x", state))!));
  assert.deepEqual(running, ["R", "S", "D", "T", "t"]);
});

test("readStartIdentity() joins boot id and start time", () => {
  const read = (state: string) => (path: string) =>
    path === "/proc/4711/stat" ? STAT("x", state) : "0a-1b\n";
  assert.equal(readStartIdentity(4711, read("S")), "0a-1b:98765");
  assert.equal(readStartIdentity(4711, read("Z")), null);
  const refused = () => {
    throw new Error("no right to read /proc");
  };
  assert.equal(readStartIdentity(4711, refused), null);
});
