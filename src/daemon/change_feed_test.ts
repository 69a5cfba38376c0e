import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeHub } from "../knowledge/changes.ts";
import { type ChangeEvent, noChange } from "../rpc/changes.ts";
import { ChangeFeed, type ChangeSource } from "./change_feed.ts";

function added(seq: number, kbid: string): ChangeEvent {
  const change = noChange(seq);
  change.sections.added.push(kbid);
  return change;
}

/** What an open database makes of its hub. */
function sourceOf(hub: ChangeHub): ChangeSource {
  return {
    onChange: (listener) => hub.onChange(listener),
    changesSince: (params) => hub.since(params),
  };
}

/** Lets everything that is due be done. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

test("ChangeFeed tells what it is told, up to its end", () => {
  const hub = new ChangeHub(0);
  const told: ChangeEvent[] = [];
  const feed = new ChangeFeed(sourceOf(hub), (change) => void told.push(change));
  assert.deepEqual(feed.start({}), { seq: 0 });
  hub.publish(added(1, "a"));
  hub.tell();
  assert.deepEqual(told, [added(1, "a")]);
  feed.end();
  hub.publish(added(2, "b"));
  hub.tell();
  assert.equal(told.length, 1);
});

test("ChangeFeed begins with what was missed", () => {
  const hub = new ChangeHub(4);
  hub.publish(added(5, "a"));
  const feed = new ChangeFeed(sourceOf(hub), () => {});
  assert.deepEqual(feed.start({ since: 4 }), { seq: 5, missed: added(5, "a") });
  assert.deepEqual(feed.start({ since: 5 }), { seq: 5 });
  assert.equal(feed.start({ since: 3 }).missed?.incomplete, true);
  feed.end();
});

test("ChangeFeed tells a slow listener as one what it has not heard", async () => {
  const hub = new ChangeHub(0);
  const told: ChangeEvent[] = [];
  let heard = () => {};
  const feed = new ChangeFeed(sourceOf(hub), (change) => {
    told.push(change);
    return new Promise((resolve) => heard = resolve);
  });
  feed.start({});
  for (let seq = 1; seq <= 50; seq++) {
    hub.publish(added(seq, `s${seq}`));
    hub.tell();
  }
  await settled();
  assert.equal(told.length, 1);
  heard();
  await settled();
  assert.deepEqual(told.slice(1).map(({ seq, sections }) => [seq, sections.added.length]), [
    [50, 49],
  ]);
  heard();
  await settled();
  hub.publish(added(51, "next"));
  hub.tell();
  assert.deepEqual(told[2], added(51, "next"));
  feed.end();
});

test("ChangeFeed ends where nobody hears any more", async () => {
  const hub = new ChangeHub(0);
  let told = 0;
  const feed = new ChangeFeed(sourceOf(hub), () => {
    told += 1;
    return Promise.reject(new Error("gone"));
  });
  feed.start({});
  for (const seq of [1, 2, 3]) {
    hub.publish(added(seq, "a"));
    hub.tell();
    await settled();
  }
  assert.equal(told, 1);
});
