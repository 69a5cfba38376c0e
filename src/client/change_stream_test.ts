import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChangeEvent, noChange } from "../rpc/changes.ts";
import { ChangeStream } from "./change_stream.ts";
import type { OnChange } from "./change_watch.ts";

/** A stream and whoever feeds it. */
function stream() {
  let onChange: OnChange = () => {};
  const told: string[] = [];
  const changes = new ChangeStream(
    (listener) => {
      onChange = listener;
      return Promise.resolve(() => void told.push("stopped"));
    },
    () => void told.push("ended"),
  );
  return { changes, told, tell: (seq: number) => onChange(noChange(seq)) };
}

test("ChangeStream gives changes in order, come before or after they are asked for", async () => {
  const { changes, tell } = stream();
  tell(1);
  tell(2);
  const seqs: number[] = [];
  setTimeout(() => tell(3), 5);
  for await (const { seq } of changes) {
    seqs.push(seq);
    if (seq === 3) break;
  }
  assert.deepEqual(seqs, [1, 2, 3]);
});

test("ChangeStream answers several that ask at once, each with another change", async () => {
  const { changes, tell } = stream();
  const asked = [changes.next(), changes.next()];
  tell(1);
  tell(2);
  assert.deepEqual((await Promise.all(asked)).map(({ value }) => (value as ChangeEvent).seq), [
    1,
    2,
  ]);
});

test("ChangeStream stops its subscription when the loop is left", async () => {
  const { changes, told, tell } = stream();
  tell(1);
  for await (const _ of changes) break;
  await Promise.resolve();
  assert.deepEqual(told, ["ended", "stopped"]);
  assert.deepEqual(await changes.next(), { done: true, value: undefined });
});

test("ChangeStream ends a loop that waits", async () => {
  const { changes } = stream();
  setTimeout(() => changes.end(), 5);
  for await (const _ of changes) throw new Error("Nothing was told");
});

test("ChangeStream tells a loop far behind that everything may have changed", async () => {
  const { changes, tell } = stream();
  for (let seq = 1; seq <= 1001; seq++) tell(seq);
  const { value } = await changes.next();
  assert.deepEqual([value?.seq, value?.incomplete], [1001, true]);
});

test("ChangeStream fails once where it could not subscribe", async () => {
  const changes = new ChangeStream(() => Promise.reject(new Error("no daemon")));
  await assert.rejects(changes.next(), /no daemon/);
  assert.deepEqual(await changes.next(), { done: true, value: undefined });
  const late = new ChangeStream(() => Promise.reject(new Error("no daemon")));
  await Promise.resolve();
  await assert.rejects(late.next(), /no daemon/);
});
