import assert from "node:assert/strict";
import { after, test } from "node:test";
import { OutsideWatch } from "./watch.ts";

const TIMES = { quiet: 40, afterAnswers: 60, watched: 30, longestRest: 100 };

/** A watch with short times, and the looks it asked for. */
function watching(lookMs = 0): { watch: OutsideWatch; looks: string[] } {
  const looks: string[] = [];
  const look = async (name: string) => {
    looks.push(name);
    await pause(lookMs);
  };
  const watch = new OutsideWatch({ scan: () => look("scan"), look: () => look("look") }, TIMES);
  after(() => watch.stop());
  return { watch, looks };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

test("begin() scans once after some quiet", async () => {
  const { watch, looks } = watching();
  watch.begin();
  await pause(10);
  assert.deepEqual(looks, []);
  await pause(150);
  assert.deepEqual(looks, ["scan"]);
});

test("answered() scans at once, and later looks now and then", async () => {
  const { watch, looks } = watching();
  watch.begin();
  watch.answered();
  assert.deepEqual(looks, []);
  await pause(20);
  assert.deepEqual(looks, ["scan"]);
  for (let i = 0; i < 30; i++) {
    watch.answered();
    await pause(5);
  }
  assert.ok(looks.length >= 2 && looks.length <= 5, looks.join());
  await pause(100);
  const { length } = looks;
  await pause(150);
  assert.equal(looks.length, length);
});

test("answered() during a look asks for another one", async () => {
  const { watch, looks } = watching(30);
  watch.answered();
  await pause(15);
  watch.answered();
  await pause(150);
  assert.deepEqual(looks, ["scan", "look"]);
});

test("wrote() puts a look off", async () => {
  const { watch, looks } = watching();
  watch.answered();
  await pause(20);
  watch.answered();
  for (let i = 0; i < 15; i++) {
    watch.wrote();
    await pause(10);
  }
  assert.deepEqual(looks, ["scan"]);
  await pause(120);
  assert.deepEqual(looks, ["scan", "look"]);
});

test("watched() looks again and again until nobody watches", async () => {
  const { watch, looks } = watching();
  watch.watched(true);
  await pause(250);
  assert.ok(looks.length >= 4, looks.join());
  watch.watched(false);
  await pause(50);
  const { length } = looks;
  await pause(150);
  assert.equal(looks.length, length);
});

test("watched() rests after looks that took long", async () => {
  const { watch, looks } = watching(20);
  watch.watched(true);
  await pause(400);
  assert.ok(looks.length <= 5, looks.join());
});

test("stop() ends it", async () => {
  const { watch, looks } = watching();
  watch.watched(true);
  watch.stop();
  watch.answered();
  await pause(80);
  assert.deepEqual(looks, []);
});
