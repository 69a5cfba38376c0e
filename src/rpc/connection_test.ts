import assert from "node:assert/strict";
import { test } from "node:test";
import { noChange } from "./changes.ts";
import { channelPair } from "./channel_pair.ts";
import { Connection, ConnectionLost, type RequestHandler } from "./connection.ts";
import { KbdbError } from "./errors.ts";
import { FrameSplitter, MAX_FRAME_BYTES } from "./framing.ts";
import type { Progress } from "./protocol.ts";

const encoder = new TextEncoder();

/** A served connection and the bare channel of whoever speaks to it. */
function served(handler: RequestHandler = answerMethod) {
  const [channel, far] = channelPair();
  const server = new Connection(far, handler);
  return { channel, server, ended: server.run() };
}

function answerMethod(method: string): Promise<unknown> {
  return Promise.resolve(`served ${method}`);
}

/** A client and a server on two ends of a channel. */
function pair(handler: RequestHandler): { client: Connection; server: Connection } {
  const { channel, server } = served(handler);
  const client = new Connection(channel);
  void client.run();
  return { client, server };
}

/** Sends lines, and after them a request; the messages that come back up to its answer. */
async function exchange(lines: string): Promise<Record<string, unknown>[]> {
  const { channel } = served();
  await channel.write(encoder.encode(`${lines}\n{"id":"last","method":"ping"}\n`));
  const splitter = new FrameSplitter();
  const messages: Record<string, unknown>[] = [];
  for await (const chunk of channel.chunks) {
    for (const frame of splitter.push(chunk)) messages.push(JSON.parse(frame));
    if (messages.some(({ id }) => id === "last")) break;
  }
  channel.close();
  return messages.filter(({ id }) => id !== "last");
}

function errorCodes(messages: readonly Record<string, unknown>[]): unknown[] {
  return messages.map(({ error }) => (error as { code?: unknown } | undefined)?.code);
}

for (
  const [line, code] of [
    ["null", -32600],
    ["5", -32600],
    ['"text"', -32600],
    ["[]", -32600],
    ["{}", -32600],
    ['{"jsonrpc":"2.0","id":3}', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"search"}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"search"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"meth', -32700],
  ] as const
) {
  test(`Connection answers ${line} with ${code} and goes on (B20)`, async () => {
    assert.deepEqual(errorCodes(await exchange(line)), [code]);
  });
}

test("Connection takes 0, text and large numbers as ids (B20)", async () => {
  const ids = [0, "a", 9007199254740992];
  const lines = ids.map((id) => JSON.stringify({ jsonrpc: "2.0", id, method: "status" }));
  const answers = await exchange(lines.join("\n"));
  assert.deepEqual(answers.map(({ id }) => id), ids);
});

for (
  const line of [
    '{"jsonrpc":"2.0","method":"unknown"}',
    '{"jsonrpc":"2.0","method":"progress"}',
    '{"jsonrpc":"2.0","method":"progress","params":null}',
    '{"jsonrpc":"2.0","method":"progress","params":{"id":99}}',
    '{"jsonrpc":"2.0","id":99,"result":{}}',
    '{"jsonrpc":"2.0","error":{"code":-32700}}',
    "",
  ]
) {
  test(`Connection never answers ${line || "a blank line"} (B20)`, async () => {
    assert.deepEqual(await exchange(line), []);
  });
}

test("Connection refuses an unknown method with its code", async () => {
  const { client } = pair((method) => {
    throw new KbdbError("unsupported", `Cannot call ${method}: unknown method`);
  });
  await assert.rejects(client.call("status", {}), { code: "unsupported", message: /unknown/ });
  client.close();
});

test("Connection without handler refuses calls", async () => {
  const [near, far] = channelPair();
  const [asking, other] = [new Connection(near), new Connection(far)];
  void asking.run();
  void other.run();
  await assert.rejects(asking.call("status", {}), { code: "unsupported" });
  asking.close();
});

test("Connection keeps code and message of an error", async () => {
  const { client } = pair(() => Promise.reject(new KbdbError("conflict", "Cannot: held by x")));
  await assert.rejects(client.call("status", {}), (error) => {
    return error instanceof KbdbError && error.code === "conflict" &&
      error.message === "Cannot: held by x";
  });
  client.close();
});

test("Connection gives an unknown fault as internal, without a stack", async () => {
  const { channel } = served(() => Promise.reject(new TypeError("x is not a function")));
  await channel.write(encoder.encode('{"id":1,"method":"status"}\n'));
  for await (const chunk of channel.chunks) {
    const text = new TextDecoder().decode(chunk);
    assert.equal(JSON.parse(text).error.code, -32603);
    assert.doesNotMatch(text, /\.ts|at /);
    break;
  }
  channel.close();
});

test("Connection passes progress to its own call only", async () => {
  const { client } = pair((method, _, { progress }) => {
    progress({ done: 1, total: 2, message: method });
    return Promise.resolve({});
  });
  const seen: Progress[] = [];
  const onProgress = (progress: Progress) => seen.push(progress);
  await Promise.all([client.call("check", {}, { onProgress }), client.call("rebuild", {})]);
  assert.deepEqual(seen, [{ done: 1, total: 2, message: "check" }]);
  client.close();
});

test("Connection answers calls in any order", async () => {
  const waiting: (() => void)[] = [];
  const { client } = pair((method) =>
    new Promise((resolve) => waiting.push(() => resolve(method)))
  );
  const calls = [client.call("check", {}), client.call("rebuild", {})];
  while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  for (const finish of waiting.reverse()) finish();
  assert.deepEqual(await Promise.all(calls), ["check", "rebuild"]);
  client.close();
});

test("Connection fails waiting calls with the reason on close", async () => {
  const { client, server } = pair(() => new Promise(() => {}));
  const call = client.call("status", {});
  setTimeout(() => server.close(), 5);
  await assert.rejects(call, ConnectionLost);
  await assert.rejects(client.call("status", {}), ConnectionLost);
});

test("Connection says when it ended within a message", async () => {
  const [near, far] = channelPair();
  const client = new Connection(near);
  void client.run();
  const call = client.call("status", {});
  await far.write(encoder.encode('{"id":1,'));
  setTimeout(() => far.close(), 5);
  await assert.rejects(call, { name: "ConnectionLost", message: /within a message/ });
});

test("Connection rejects a request over the limit", async () => {
  const { client } = pair(answerMethod);
  const query = "x".repeat(MAX_FRAME_BYTES);
  await assert.rejects(client.call("search", { query }), { code: "too_large" });
  assert.equal(await client.call("status", {}) as unknown, "served status");
  client.close();
});

test("Connection answers too large a result with an error", async () => {
  const { client } = pair(() => Promise.resolve("x".repeat(MAX_FRAME_BYTES)));
  await assert.rejects(client.call("status", {}), { code: "too_large" });
  client.close();
});

test("Connection ends after an endless line, saying why (B19)", async () => {
  const { channel, ended } = served();
  const chunk = new Uint8Array(1024 * 1024).fill(97);
  for (let i = 0; i <= MAX_FRAME_BYTES / chunk.length; i++) await channel.write(chunk);
  let text = "";
  for await (const part of channel.chunks) text += new TextDecoder().decode(part);
  assert.equal(JSON.parse(text).error.data.code, "too_large");
  await ended;
});

test("Connection keeps a process alive only while it waits", async () => {
  const [near, far] = channelPair();
  const kept: boolean[] = [];
  near.setKeepAlive = (on) => kept.push(on);
  void new Connection(far, answerMethod).run();
  const client = new Connection(near);
  void client.run();
  await client.call("status", {});
  assert.deepEqual(kept, [true, false]);
  client.close();
});

test("Connection hears notifications and answers none", async () => {
  const { client, server } = pair(answerMethod);
  const heard: unknown[] = [];
  client.onNotification = (method, params) => heard.push([method, params]);
  const change = noChange(7);
  await server.notify("changed", change);
  await client.call("status", {});
  assert.deepEqual(heard, [["changed", change]]);
  client.close();
});

test("Connection keeps a process alive while it attends", async () => {
  const [near, far] = channelPair();
  const kept: boolean[] = [];
  near.setKeepAlive = (on) => kept.push(on);
  void new Connection(far, answerMethod).run();
  const client = new Connection(near);
  void client.run();
  client.attend(true);
  await client.call("status", {});
  client.attend(false);
  assert.deepEqual(kept, [true, true, true, false]);
  client.close();
});
