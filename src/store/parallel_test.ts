import assert from "node:assert/strict";
import { test } from "node:test";
import { inParallel } from "./parallel.ts";

const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

test("inParallel() does all, a bounded number at a time", async () => {
  const done: number[] = [];
  let now = 0;
  let most = 0;
  await inParallel(Array.from({ length: 100 }, (_, i) => i), async (i) => {
    most = Math.max(most, ++now);
    await pause();
    now -= 1;
    done.push(i);
  });
  assert.equal(done.length, 100);
  assert.ok(most > 1 && most <= 16, `${most} at a time`);
  await inParallel([], () => assert.fail());
});

test("inParallel() has ended when it fails", async () => {
  let begun = 0;
  let ended = 0;
  const work = async (i: number) => {
    begun += 1;
    if (i === 5) throw new Error("no space");
    await pause();
    ended += 1;
  };
  await assert.rejects(inParallel(Array.from({ length: 100 }, (_, i) => i), work), /no space/);
  assert.equal(ended, begun - 1);
  assert.ok(begun <= 16, `${begun} begun`);
  await pause();
  assert.equal(ended, begun - 1);
});
