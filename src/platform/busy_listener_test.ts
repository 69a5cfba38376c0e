import assert from "node:assert/strict";
import { test } from "node:test";
import { connectPatiently } from "./busy_listener.ts";

function failing(code: string, times: number): { calls: number; connect: () => Promise<string> } {
  const state = {
    calls: 0,
    connect: () => {
      state.calls += 1;
      if (state.calls > times) return Promise.resolve("connected");
      return Promise.reject(Object.assign(new Error(code), { code }));
    },
  };
  return state;
}

test("connectPatiently() waits for a listener that is busy (B08)", async () => {
  const busy = failing("EAGAIN", 2);
  assert.equal(await connectPatiently(busy.connect, [1, 1, 1]), "connected");
  assert.equal(busy.calls, 3);
});

test("connectPatiently() gives up in the end", async () => {
  const busy = failing("EAGAIN", 99);
  await assert.rejects(connectPatiently(busy.connect, [1, 1]), { code: "EAGAIN" });
  assert.equal(busy.calls, 3);
});

test("connectPatiently() does not wait for nobody", async () => {
  const nobody = failing("ECONNREFUSED", 99);
  await assert.rejects(connectPatiently(nobody.connect), { code: "ECONNREFUSED" });
  assert.equal(nobody.calls, 1);
});
