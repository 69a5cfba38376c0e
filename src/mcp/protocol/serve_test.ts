import assert from "node:assert/strict";
import { test } from "node:test";
import { HELLO, notification, request, TestClient, type WireMessage } from "./testing.ts";
import { type Peer, ProtocolError, type ProtocolHandlers, type RequestContext } from "./types.ts";

/** Calls of a handler that the test itself answers. */
function heldHandler() {
  const calls: { method: string; context: RequestContext; answer(result?: WireMessage): void }[] =
    [];
  let wake = () => {};
  const handle: ProtocolHandlers["handle"] = (method, _params, context) =>
    new Promise((resolve) => {
      calls.push({ method, context, answer: (result = {}) => resolve(result) });
      wake();
    });
  const called = async (count = 1) => {
    while (calls.length < count) await new Promise<void>((resolve) => wake = resolve);
    return calls[count - 1];
  };
  return { handle, called, calls };
}

/** Lets everything happen that waits for nothing. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

test("serve() answers initialize from what it was given", async () => {
  const seen: unknown[] = [];
  const client = new TestClient({
    instructions: "Be kind",
    capabilities: (declared) => {
      seen.push(declared);
      return { tools: {}, sampling: declared.sampling ?? "none", experimental: { "x/y": {} } };
    },
  });
  const capabilities = { sampling: { context: {} }, odd: [1], roots: true };
  client.send(request(0, "initialize", { ...HELLO, capabilities }));
  assert.deepEqual(await client.next(), {
    jsonrpc: "2.0",
    id: 0,
    result: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, sampling: { context: {} }, experimental: { "x/y": {} } },
      serverInfo: { name: "test", title: "Test", version: "1.2.3" },
      instructions: "Be kind",
    },
  });
  assert.deepEqual(seen, [capabilities]);
  await client.end();
});

test("serve() takes all that a hasty client sends at once", async () => {
  const client = new TestClient();
  const messages = [
    request(1, "initialize", HELLO),
    notification("notifications/initialized"),
    request(2, "tools/list"),
    request(3, "ping"),
  ];
  client.send(messages.map((message) => JSON.stringify(message) + "\n").join(""));
  await client.end();
  const answers = client.unread();
  assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2, 3]);
  assert.equal(answers[0].id, 1);
  assert.deepEqual(answers.find(({ id }) => id === 2).result, { tools: [] });
});

test("serve() hands over parameters and results as they are", async () => {
  const params = {
    _meta: { progressToken: true, "io.modelcontextprotocol/related-task": 5 },
    task: "x",
    text: "漢字 \u2028 🐘 \n",
    deep: [[{ __proto__: null, a: null }]],
  };
  const client = await TestClient.initialized({
    handle: (method, got) => Promise.resolve({ method, got, _meta: 7, task: {} }),
  });
  client.send(JSON.stringify({ ...request(1, "tools/call", params), extra: 1 }) + "\n");
  const { result } = await client.next();
  assert.deepEqual(
    result,
    JSON.parse(JSON.stringify({
      method: "tools/call",
      got: params,
      _meta: 7,
      task: {},
    })),
  );
  await client.end();
});

test("serve() writes one line a message, whatever the text [wire-05]", async () => {
  const text = "a\nb\r\n\u2028 \ud800 \udc00 🐘 \0";
  const client = await TestClient.initialized({ handle: () => Promise.resolve({ text }) });
  client.send(request(1, "x"));
  assert.equal((await client.next()).result.text, text);
  assert(client.lines.every((line) => line.indexOf("\n") === line.length - 1));
  await client.end();
});

test("serve() takes and gives messages of several megabytes", async () => {
  const text = "漢".repeat(3_000_000);
  const client = await TestClient.initialized({ handle: (_, params) => Promise.resolve(params) });
  client.send(request(1, "echo", { text }));
  assert.equal((await client.next()).result.text, text);
  await client.end();
});

test("serve() gives every failure its code [error-04 error-12]", async () => {
  const failures: Record<string, unknown> = {
    known: new ProtocolError(-32002, "Not there", { uri: "kbdb://x" }),
    plain: new Error("Out of luck"),
    text: "just text",
    nothing: undefined,
    coded: Object.assign(new Error("busy"), { code: 42, data: { secret: 1 } }),
  };
  const client = await TestClient.initialized({
    handle: (method) => Promise.reject(failures[method]),
  });
  const errors: Record<string, unknown> = {};
  for (const method of Object.keys(failures)) {
    client.send(request(method, method));
    const { id, error } = await client.next();
    errors[id] = error;
  }
  assert.deepEqual(errors, {
    known: { code: -32002, message: "Not there", data: { uri: "kbdb://x" } },
    plain: { code: -32603, message: "Out of luck" },
    text: { code: -32603, message: "just text" },
    nothing: { code: -32603, message: "undefined" },
    coded: { code: -32603, message: "busy" },
  });
  await client.end();
});

test("serve() answers also where a handler throws or its result is no JSON", async () => {
  const client = await TestClient.initialized({
    handle: (method) => {
      if (method === "throws") throw new Error("at once");
      return Promise.resolve({ big: 1n });
    },
  });
  client.send(request(1, "throws"));
  assert.deepEqual((await client.next()).error, { code: -32603, message: "at once" });
  client.send(request(2, "big"));
  const { id, error } = await client.next();
  assert.deepEqual([id, error.code], [2, -32603]);
  assert.match(error.message, /^Cannot send the answer to big: .*BigInt/);
  await client.end();
});

test("serve() refuses an id that is in use, and takes it again later", async () => {
  const held = heldHandler();
  const client = await TestClient.initialized(held);
  client.send(request(0, "slow"), request("0", "other"), request(0, "slow"));
  const refused = await client.next();
  assert.deepEqual([refused.id, refused.error.code], [0, -32600]);
  (await held.called(1)).answer({ first: true });
  assert.deepEqual(await client.next(), { jsonrpc: "2.0", id: 0, result: { first: true } });
  (await held.called(2)).answer();
  assert.equal((await client.next()).id, "0");
  client.send(request(0, "slow"));
  (await held.called(3)).answer();
  assert.equal((await client.next()).id, 0);
  await client.end();
});

test("serve() cancels any id and answers nothing (D51) [notify-in-2 ruling-d22-7 client-sdk-3]", async () => {
  for (const id of [0, "", 1, "a"]) {
    const held = heldHandler();
    const client = await TestClient.initialized(held);
    client.send(request(id, "slow"));
    const { context, answer } = await held.called();
    assert.equal(context.signal.aborted, false);
    client.send(notification("notifications/cancelled", { requestId: id, reason: "changed" }));
    await settle();
    assert.equal(context.signal.aborted, true);
    answer({ late: true });
    // The id is free again at once.
    client.send(request(id, "slow"));
    (await held.called(2)).answer({ second: true });
    assert.deepEqual(await client.next(), { jsonrpc: "2.0", id, result: { second: true } });
    await client.end();
    assert.deepEqual(client.unread(), []);
  }
});

test("serve() does not begin what is cancelled in the same breath", async () => {
  const held = heldHandler();
  const client = await TestClient.initialized(held);
  const both = [request(5, "slow"), notification("notifications/cancelled", { requestId: 5 })];
  client.send(both.map((message) => JSON.stringify(message) + "\n").join(""));
  await client.end();
  assert.deepEqual([held.calls.length, client.unread()], [0, []]);
});

test("serve() takes no notice of a cancel that means nothing", async () => {
  const held = heldHandler();
  const client = await TestClient.initialized(held);
  client.send(request(1, "slow"));
  const call = await held.called();
  for (const params of [undefined, null, [], {}, { requestId: null }, { requestId: "1" }]) {
    client.send(notification("notifications/cancelled", params));
  }
  client.send(notification("notifications/cancelled", { requestId: 1.5, reason: 5 }));
  await settle();
  assert.equal(call.context.signal.aborted, false);
  call.answer();
  assert.equal((await client.next()).id, 1);
  await client.end();
});

test("serve() takes a cancel with an odd reason", async () => {
  const held = heldHandler();
  const client = await TestClient.initialized(held);
  client.send(request(1, "slow"));
  const { context } = await held.called();
  client.send(notification("notifications/cancelled", { requestId: 1, reason: { a: 1 } }));
  await settle();
  assert.equal(context.signal.aborted, true);
  await client.end();
});

test("serve() hands over any progress token [missed-notify-2]", async () => {
  const client = await TestClient.initialized({
    handle: (_method, _params, { progressToken }) => Promise.resolve({ progressToken }),
  });
  const cases: [unknown, unknown][] = [[0, 0], ["", ""], ["a", "a"], [1.5, 1.5]];
  cases.push([null, undefined], [{}, undefined], [undefined, undefined]);
  for (const [token, expected] of cases) {
    client.send(request(1, "x", { _meta: { progressToken: token } }));
    assert.equal((await client.next()).result.progressToken, expected);
  }
  for (const _meta of [null, "x", []]) {
    client.send(request(1, "x", { _meta }));
    assert.deepEqual((await client.next()).result, {});
  }
  await client.end();
});

test("notify() keeps its place before the answer", async () => {
  const client = await TestClient.initialized({
    async handle(_method, _params, { peer }) {
      peer.notify("notifications/progress", { progressToken: 0, progress: 1 });
      await settle();
      peer.notify("notifications/progress", { progressToken: 0, progress: 2 });
      peer.notify("notifications/tools/list_changed");
      return {};
    },
  });
  const goOn = client.stall();
  client.send(request(1, "x"));
  await settle();
  goOn();
  await client.end();
  assert.deepEqual(
    client.unread().map(({ params, method, id }) => params?.progress ?? method ?? id),
    [
      1,
      2,
      "notifications/tools/list_changed",
      1,
    ],
  );
});

test("notify() and request() send nothing before initialized [ruling-d22-8]", async () => {
  let peer!: Peer;
  const client = new TestClient({ connected: (given) => peer = given });
  await settle();
  assert.equal(peer.facts, null);
  const tried = async () => {
    peer.notify("notifications/tools/list_changed");
    await assert.rejects(peer.request("roots/list", {}), /not sent notifications\/initialized/);
  };
  await tried();
  client.send(request(1, "initialize", HELLO));
  await client.next();
  assert.deepEqual(peer.facts, { protocolVersion: "2025-11-25", capabilities: {} });
  await tried();
  assert.deepEqual(client.unread(), []);
  client.send(notification("notifications/initialized"));
  await settle();
  peer.notify("notifications/tools/list_changed");
  assert.equal((await client.next()).method, "notifications/tools/list_changed");
  await client.end();
  peer.notify("notifications/tools/list_changed");
  await assert.rejects(peer.request("roots/list", {}), /closed the connection/);
  assert.deepEqual(client.unread(), []);
});

/** A client, and the way to it. */
async function peerOf(options = {}): Promise<{ client: TestClient; peer: Peer }> {
  let peer!: Peer;
  const client = await TestClient.initialized({ connected: (given) => peer = given }, options);
  await settle();
  return { client, peer };
}

test("request() gives what the client answers, as it is", async () => {
  const { client, peer } = await peerOf();
  for (const result of [{ role: "assistant", _meta: 5, task: { taskId: "x" } }, {}]) {
    const asked = peer.request("sampling/createMessage", { messages: [] });
    const { id, ...rest } = await client.next();
    assert.deepEqual(rest, {
      jsonrpc: "2.0",
      method: "sampling/createMessage",
      params: { messages: [] },
    });
    client.send({ jsonrpc: "2.0", id, result, extra: 1 });
    assert.deepEqual(await asked, result);
  }
  await client.end();
});

test("request() fails as the client refuses", async () => {
  const { client, peer } = await peerOf();
  const cases: [WireMessage, RegExp][] = [
    [
      { error: { code: -1, message: "User said no" } },
      /^Cannot ask .+createMessage: User said no$/,
    ],
    [{ error: { message: 5 } }, /: it refused$/],
    [{ error: null }, /: it refused$/],
    [{ result: null }, /: its result is not an object$/],
    [{ result: [1] }, /: its result is not an object$/],
  ];
  for (const [answer, message] of cases) {
    const asked = assert.rejects(peer.request("sampling/createMessage", {}), { message });
    client.send({ jsonrpc: "2.0", id: (await client.next()).id, ...answer });
    await asked;
  }
  await client.end();
});

test("request() takes no answer meant for another", async () => {
  const { client, peer } = await peerOf();
  const asked = peer.request("roots/list", {});
  const { id } = await client.next();
  for (const wrong of [id + 1, String(id), null, undefined, 1.5]) {
    client.send({ jsonrpc: "2.0", id: wrong, result: { wrong: true } });
  }
  client.send({ jsonrpc: "2.0", id, result: { right: true } });
  client.send({ jsonrpc: "2.0", id, result: { again: true } });
  assert.deepEqual(await asked, { right: true });
  await client.end();
  assert.deepEqual([client.unread(), client.errors], [[], []]);
});

test("request() tells the client when it is given up", async () => {
  const { client, peer } = await peerOf();
  const stop = new AbortController();
  const asked = assert.rejects(peer.request("roots/list", {}, stop.signal), /cancelled/);
  const { id } = await client.next();
  stop.abort();
  await asked;
  const { method, params } = await client.next();
  assert.deepEqual([method, params.requestId], ["notifications/cancelled", id]);
  client.send({ jsonrpc: "2.0", id, result: {} });
  await assert.rejects(peer.request("roots/list", {}, stop.signal), /cancelled/);
  await client.end();
  assert.deepEqual(client.unread(), []);
});

test("request() says nothing when its signal fires after the answer", async () => {
  const { client, peer } = await peerOf();
  const stop = new AbortController();
  const asked = peer.request("roots/list", {}, stop.signal);
  client.send({ jsonrpc: "2.0", id: (await client.next()).id, result: {} });
  await asked;
  stop.abort();
  await client.end();
  assert.deepEqual(client.unread(), []);
});

test("request() waits no longer than it may", async () => {
  const { client, peer } = await peerOf({ requestMs: 20 });
  await assert.rejects(peer.request("roots/list", {}), /no answer within 0.02 s$/);
  assert.deepEqual((await client.next()).method, "roots/list");
  assert.deepEqual((await client.next()).method, "notifications/cancelled");
  await client.end();
});

test("request() fails at the end of input, and its request is answered", async () => {
  const client = await TestClient.initialized({
    async handle(_method, _params, { peer }) {
      return await peer.request("roots/list", {}).catch(({ message }) => ({ message }));
    },
  });
  client.send(request(1, "x"));
  await client.next();
  await client.end();
  const answer = client.unread().find(({ id }) => id === 1);
  assert.match(answer.result.message, /closed the connection/);
});
