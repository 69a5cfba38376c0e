import assert from "node:assert/strict";
import { test } from "node:test";
import { serve } from "./serve.ts";
import { emptyHandlers, notification, request, TestClient } from "./testing.ts";
import type { ProtocolHandlers } from "./types.ts";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** How long a promise takes, in milliseconds. */
async function duration(promise: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await promise;
  return performance.now() - start;
}

/** Answers after so many milliseconds, and remembers whether it was stopped. */
function slowHandler(milliseconds: number) {
  const stopped: string[] = [];
  const handle: ProtocolHandlers["handle"] = (method, _params, { signal }) =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ method }), milliseconds);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        stopped.push(method);
      });
    });
  return { handle, stopped };
}

test("serve() ends with the input [ruling-d51-2]", async () => {
  assert((await duration(new TestClient().end())) < 200);
  const client = await TestClient.initialized();
  assert((await duration(client.end())) < 200);
});

test("serve() answers at the end what it has read (D51) [ruling-d22-9]", async () => {
  const client = await TestClient.initialized(slowHandler(50));
  client.send(request(1, "a"), request(2, "b"));
  await client.end();
  assert.deepEqual(client.unread().map(({ id }) => id), [1, 2]);
});

test("serve() waits at the end for a limited time, then stops the rest (D51) [ruling-d51-1]", async () => {
  const slow = slowHandler(60_000);
  const client = await TestClient.initialized(slow, { lastAnswersMs: 50 });
  client.send(request(1, "a"));
  const took = await duration(client.end());
  assert(took >= 40 && took < 1000, `${took} ms`);
  assert.deepEqual([client.unread(), slow.stopped], [[], ["a"]]);
});

test("serve() does not wait at the end for what was cancelled", async () => {
  const client = await TestClient.initialized({ handle: () => new Promise(() => {}) });
  client.send(request(1, "a"), notification("notifications/cancelled", { requestId: 1 }));
  assert((await duration(client.end())) < 1000);
});

test("serve() takes a last line without an end", async () => {
  const client = await TestClient.initialized();
  client.send(JSON.stringify(request(1, "tools/list")));
  await client.end();
  assert.deepEqual(client.unread().map(({ id }) => id), [1]);
});

test("serve() refuses half a message at the end", async () => {
  const client = await TestClient.initialized();
  client.send('{"jsonrpc":"2.0","id":1,"met');
  await client.end();
  assert.deepEqual(client.unread().map(({ error }) => error.code), [-32700]);
});

test("serve() writes all before it ends, also to a slow reader [client-sdk-4]", async () => {
  const client = await TestClient.initialized();
  const goOn = client.stall();
  for (let id = 0; id < 20; id++) client.send(request(id, "tools/list"));
  const end = client.end();
  await pause(20);
  goOn();
  await end;
  assert.equal(client.unread().length, 20);
});

test("serve() ends also if nobody reads what is due", async () => {
  const client = await TestClient.initialized({}, { lastAnswersMs: 30 });
  client.stall();
  client.send(request(1, "tools/list"));
  assert((await duration(client.end())) < 1000);
});

test("serve() ends quietly when the output is closed (B16)", async () => {
  const slow = slowHandler(60_000);
  const handlers: Partial<ProtocolHandlers> = {
    handle: (method, params, context) =>
      method === "quick" ? Promise.resolve({}) : slow.handle(method, params, context),
  };
  const client = await TestClient.initialized(handlers);
  client.closeOutput();
  client.send(request(1, "slow"), request(2, "quick"));
  // The input goes on.
  assert((await duration(client.done)) < 1000);
  assert.deepEqual([client.errors, slow.stopped], [[], ["slow"]]);
});

/** Serves these streams; what was logged. */
async function logOf(
  chunks: AsyncIterable<Uint8Array>,
  write: (bytes: Uint8Array) => Promise<boolean>,
): Promise<string[]> {
  const errors: string[] = [];
  await serve(emptyHandlers, { chunks, write, error: (line) => void errors.push(line) });
  return errors;
}

test("serve() tells why the output failed, and ends", async () => {
  async function* chunks() {
    yield new TextEncoder().encode("{}\n");
    await new Promise(() => {});
  }
  const errors = await logOf(chunks(), () => Promise.reject(new Error("Cannot write: disk full")));
  assert.deepEqual(errors, ["Cannot write: disk full"]);
});

test("serve() takes a broken input for its end", async () => {
  // deno-lint-ignore require-yield
  async function* chunks() {
    throw new Error("unplugged");
  }
  const errors = await logOf(chunks(), () => Promise.resolve(true));
  assert.deepEqual(errors, ["Cannot read standard input: unplugged"]);
});

test("closed() comes last, is waited for, and may fail", async () => {
  const events: string[] = [];
  const closed = async () => {
    await pause(10);
    events.push("closed");
    throw new Error("too bad");
  };
  const client = await TestClient.initialized({
    closed,
    async handle() {
      await pause(10);
      events.push("answered");
      return {};
    },
  });
  client.send(request(1, "x"));
  await client.end();
  assert.deepEqual(events, ["answered", "closed"]);
  assert.deepEqual(client.errors, ["Cannot end in order: too bad"]);
});

test("closed() does not delay the end for long", async () => {
  const client = new TestClient({ closed: () => new Promise(() => {}) }, { closedMs: 20 });
  assert((await duration(client.end())) < 1000);
});

test("serve() begins no more than a client reads (B22)", async () => {
  let begun = 0;
  const handle = () => {
    begun++;
    return Promise.resolve({ text: "x".repeat(10_000) });
  };
  const limits = { maxRunning: 4, maxUnsentBytes: 100_000 };
  const client = await TestClient.initialized({ handle }, limits);
  const goOn = client.stall();
  for (let id = 0; id < 400; id++) client.send(request(id, "x"));
  await pause(20);
  assert(begun >= 10 && begun <= 20, `${begun} begun`);
  // What needs no work goes on.
  client.send(notification("notifications/cancelled", { requestId: 399 }));
  await pause(5);
  goOn();
  await client.end();
  assert.deepEqual(client.unread().map(({ id }) => id), Array.from({ length: 399 }, (_, id) => id));
});

test("serve() reads no more than it can hold", async () => {
  const answers: (() => void)[] = [];
  const handle = () =>
    new Promise<Record<string, never>>((resolve) => {
      answers.push(() => resolve({}));
    });
  const client = await TestClient.initialized({ handle }, { maxOpenSize: 1000 });
  const text = "x".repeat(400);
  for (let id = 0; id < 6; id++) client.send(request(id, "x", { text }));
  await pause(10);
  assert.equal(answers.length, 3);
  answers.shift()!();
  await pause(10);
  assert.equal(answers.length, 3);
  const end = client.end();
  while (answers.length > 0) {
    answers.shift()!();
    await pause(5);
  }
  await end;
  assert.equal(client.unread().length, 6);
});
