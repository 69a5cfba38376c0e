import assert from "node:assert/strict";
import { test } from "node:test";
import { runtime } from "../../tests/support/command.ts";
import { platform } from "./host.ts";
import { ThreadError } from "./types.ts";

const { threads } = platform;

/**
 * A thread that answers as this runtime's `parent()` would, without a file of its own: both runtimes
 * load such addresses.
 */
function threadOf(body: string): string {
  const line = runtime === "deno"
    ? `const port = self; const listen = (f) => {
         port.onmessage = (e) => f(e.data);
         port.postMessage("kbdb-thread-listening");
       };`
    : `const { parentPort: port } = await import("node:worker_threads");
       const listen = (f) => port.on("message", f);`;
  return `data:text/javascript,${encodeURIComponent(`${line}\n${body}`)}`;
}

const ECHO = threadOf(`
  await new Promise((resolve) => setTimeout(resolve, 50));
  listen((message) => {
    if (message === "throw") throw new Error("boom");
    if (message === "loop") for (;;) {}
    port.postMessage(message);
  });
`);

test("a thread answers in order, also what was sent while it started", async () => {
  const thread = threads.start(ECHO);
  thread.post(1);
  thread.post({ bytes: new Uint8Array([1, 2]) });
  assert.equal(await thread.receive(), 1);
  assert.deepEqual(await thread.receive(), { bytes: new Uint8Array([1, 2]) });
  thread.end();
});

test("post() moves the buffers that are to be transferred", async () => {
  const thread = threads.start(ECHO);
  for (const late of [false, true]) {
    const bytes = new Uint8Array([7, 8, 9]);
    thread.post(bytes, [bytes.buffer]);
    assert.deepEqual(await thread.receive(), new Uint8Array([7, 8, 9]));
    if (late) assert.equal(bytes.length, 0);
  }
  thread.end();
});

test("end() stops a busy thread and rejects who waits", async () => {
  const thread = threads.start(ECHO);
  thread.post("loop");
  const waiting = thread.receive();
  setTimeout(() => thread.end(), 100);
  await assert.rejects(waiting, { name: "ThreadError", code: "ended" });
  thread.end();
  await assert.rejects(thread.receive(), { code: "ended" });
});

test("an error in a thread reaches who started it", async () => {
  const thread = threads.start(ECHO);
  thread.post("first");
  assert.equal(await thread.receive(), "first");
  // Only now: under Node an uncaught error may overtake a message.
  thread.post("throw");
  await assert.rejects(thread.receive(), (error) => {
    assert.ok(error instanceof ThreadError);
    assert.equal(error.code, "failed");
    assert.match(error.message, /^Cannot use a thread: .*boom/);
    return true;
  });
  thread.end();
});

test("a thread whose module is missing is told of", async () => {
  const thread = threads.start("file:///nonexistent/kbdb/thread.mjs");
  await assert.rejects(thread.receive(), { name: "ThreadError", code: "failed" });
  thread.end();
});

test("parent() is null in the program's first thread", () => {
  assert.equal(threads.parent(), null);
});
