import assert from "node:assert/strict";
import { test } from "node:test";
import { Admission } from "./admission.ts";

const never = new AbortController().signal;
const settle = () => new Promise((resolve) => setTimeout(resolve));

/** Asks to be let in, one after another; notes who was, or `-` and who gave up. */
function queue(admission: Admission, signals: readonly AbortSignal[]): string[] {
  const events: string[] = [];
  signals.forEach(async (signal, index) => {
    events.push(await admission.enter(signal) ? `${index}` : `-${index}`);
  });
  return events;
}

test("Admission lets in so many, in order", async () => {
  const admission = new Admission(2, () => false);
  const events = queue(admission, Array(5).fill(never));
  await settle();
  assert.deepEqual(events, ["0", "1"]);
  admission.leave();
  await settle();
  assert.deepEqual(events, ["0", "1", "2"]);
  admission.leave();
  admission.leave();
  await settle();
  assert.deepEqual(events, ["0", "1", "2", "3", "4"]);
});

test("Admission lets none in while the output is clogged", async () => {
  let clogged = true;
  const admission = new Admission(2, () => clogged);
  const events = queue(admission, [never]);
  await settle();
  assert.deepEqual(events, []);
  clogged = false;
  admission.next();
  await settle();
  assert.deepEqual(events, ["0"]);
});

test("Admission lets go who gives up, and keeps no room for them", async () => {
  const admission = new Admission(1, () => false);
  const stop = new AbortController();
  const events = queue(admission, [never, stop.signal, never, AbortSignal.abort()]);
  stop.abort();
  await settle();
  assert.deepEqual(events, ["0", "-1"]);
  admission.leave();
  await settle();
  assert.deepEqual(events.slice(2), ["2"]);
  admission.leave();
  await settle();
  assert.deepEqual(events.slice(3), ["-3"]);
  assert(await admission.enter(never));
});
