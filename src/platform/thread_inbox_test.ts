import assert from "node:assert/strict";
import { test } from "node:test";
import { ThreadInbox } from "./thread_inbox.ts";
import { ThreadError } from "./types.ts";

test("ThreadInbox gives messages in order, waited for or not", async () => {
  const inbox = new ThreadInbox();
  const early = inbox.take();
  inbox.put(1);
  inbox.put(2);
  inbox.put(3);
  assert.deepEqual([await early, await inbox.take(), await inbox.take()], [1, 2, 3]);
});

test("ThreadInbox tells the first reason, after the last message", async () => {
  const inbox = new ThreadInbox();
  inbox.put("last");
  inbox.close(new ThreadError("failed", "it broke"));
  inbox.close(new ThreadError("ended", "it was ended"));
  inbox.put("too late");
  assert.equal(await inbox.take(), "last");
  for (let i = 0; i < 2; i++) {
    await assert.rejects(inbox.take(), {
      code: "failed",
      message: "Cannot use a thread: it broke",
    });
  }
});

test("ThreadInbox close() rejects who waits", async () => {
  const inbox = new ThreadInbox();
  const waiting = [inbox.take(), inbox.take()];
  inbox.close(new ThreadError("ended", "it was ended"));
  for (const one of waiting) await assert.rejects(one, { code: "ended" });
});
