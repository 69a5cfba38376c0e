import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChangedIds, type ChangeEvent, noChange } from "../rpc/changes.ts";
import { ChangeHub } from "./changes.ts";

/** A change of sections. */
function changeOf(seq: number, ids: Partial<ChangedIds>): ChangeEvent {
  const change = noChange(seq);
  return { ...change, sections: { ...change.sections, ...ids } };
}

/** A hub, and what its listener was told. */
function listening(seq = 0): { hub: ChangeHub; told: ChangeEvent[] } {
  const hub = new ChangeHub(seq);
  const told: ChangeEvent[] = [];
  hub.onChange((event) => told.push(event));
  return { hub, told };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

test("publish() tells changes of one moment as one event", async () => {
  const { hub, told } = listening();
  hub.publish(changeOf(1, { added: ["a"] }));
  hub.publish(changeOf(2, { removed: ["b"] }));
  assert.deepEqual(told, []);
  await pause(80);
  assert.deepEqual(told, [changeOf(2, { added: ["a"], removed: ["b"] })]);
});

test("publish() tells less often while changes keep coming", async () => {
  const { hub, told } = listening();
  for (let seq = 1; seq <= 30; seq++) {
    hub.publish(changeOf(seq, { added: [`${seq}`] }));
    await pause(10);
  }
  hub.tell();
  assert.ok(told.length <= 3, `${told.length} events`);
  assert.equal(told.flatMap((event) => event.sections.added).length, 30);
});

test("publish() lets the last change of an id count", () => {
  const { hub, told } = listening();
  hub.publish(changeOf(1, { added: ["new"], updated: ["old"], removed: ["back"] }));
  hub.publish(changeOf(2, { added: ["back"], updated: ["new"], removed: ["old"] }));
  hub.tell();
  const [{ sections }] = told;
  assert.deepEqual(sections, { added: ["new", "back"], updated: [], removed: ["old"] });
});

test("publish() cuts long lists and says so", () => {
  const { hub, told } = listening();
  const ids = Array.from({ length: 700 }, (_, i) => `${i}`);
  hub.publish(changeOf(1, { added: ids }));
  hub.publish(changeOf(2, { removed: ids.map((id) => `r${id}`), updated: ids }));
  hub.tell();
  const [{ sections, incomplete }] = told;
  assert.equal(sections.added.length, 700);
  assert.equal(sections.removed.length, 300);
  assert.equal(incomplete, true);
});

test("publish() keeps what single changes said of prompts and of being incomplete", () => {
  const { hub, told } = listening();
  hub.publish({ ...noChange(1), prompts: true });
  hub.publish({ ...noChange(2), incomplete: true });
  hub.publish(noChange(3));
  hub.tell();
  assert.deepEqual(told, [{ ...noChange(3), prompts: true, incomplete: true }]);
});

test("onChange() tells everybody until they leave", () => {
  const { hub, told } = listening();
  const others: ChangeEvent[] = [];
  const leave = hub.onChange((event) => others.push(event));
  hub.publish(noChange(1));
  hub.tell();
  leave();
  hub.publish(noChange(2));
  hub.tell();
  assert.deepEqual([told.length, others.length], [2, 1]);
});

test("since() tells where changes stand", () => {
  const { hub } = listening(7);
  assert.deepEqual(hub.since({}), { seq: 7 });
  assert.deepEqual(hub.since({ since: 7 }), { seq: 7 });
});

test("since() gives what was missed as one event", () => {
  const { hub, told } = listening(7);
  hub.publish(changeOf(8, { added: ["a"] }));
  hub.tell();
  hub.publish(changeOf(9, { added: ["b"] }));
  const answer = hub.since({ since: 8 });
  assert.deepEqual(answer, { seq: 9, missed: changeOf(9, { added: ["b"] }) });
  assert.equal(told.length, 2);
  const { missed } = hub.since({ since: 7 });
  assert.deepEqual(missed, changeOf(9, { added: ["a", "b"] }));
});

test("since() admits what it cannot know", () => {
  const { hub } = listening(7);
  hub.publish(changeOf(8, { added: ["a"] }));
  const unknown = { ...noChange(8), prompts: true, incomplete: true };
  assert.deepEqual(hub.since({ since: 6 }).missed, unknown);
  assert.deepEqual(hub.since({ since: 9 }).missed, unknown);
});

test("since() remembers the last 1,000 events", () => {
  const { hub } = listening();
  for (let seq = 1; seq <= 1001; seq++) {
    hub.publish(changeOf(seq, { updated: ["a"] }));
    hub.tell();
  }
  assert.equal(hub.since({ since: 0 }).missed?.incomplete, true);
  assert.deepEqual(hub.since({ since: 1 }).missed, changeOf(1001, { updated: ["a"] }));
});
