import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeHub } from "../knowledge/changes.ts";
import { type ChangeEvent, noChange } from "../rpc/changes.ts";
import { channelPair } from "../rpc/channel_pair.ts";
import { Connection } from "../rpc/connection.ts";
import { contextId } from "../rpc/endpoint.ts";
import { KbdbError } from "../rpc/errors.ts";
import { type HelloParams, PROTOCOL_VERSION } from "../rpc/protocol.ts";
import { VERSION } from "../rpc/version.ts";
import { ChangeFeed, type ChangeSource } from "./change_feed.ts";
import type { Service } from "./service.ts";
import { Session, type SessionHost } from "./session.ts";

const ROOT = "/notes/.kbdb";
const HELLO: HelloParams = {
  protocol: PROTOCOL_VERSION,
  version: VERSION,
  context: contextId(ROOT),
  token: "secret",
};

/** A session whose service answers every method with its name, and what it told the daemon. */
function session(overrides: Partial<SessionHost> = {}) {
  const told: string[] = [];
  const [near, far] = channelPair();
  const hub = new ChangeHub(4);
  const source: ChangeSource = {
    onChange: (listener) => hub.onChange(listener),
    changesSince: (params) => hub.since(params),
  };
  const service = {
    clientSettings: { max_reply_bytes: 5000 },
    call: (method: string) => Promise.resolve(method),
    changes: (tell: (change: ChangeEvent) => Promise<void>) =>
      Promise.resolve(new ChangeFeed(source, tell)),
  } as unknown as Service;
  const endpoint = { protocol: 1, version: VERSION, pid: 7, address: "/s", token: "secret" };
  const host: SessionHost = {
    service,
    root: ROOT,
    endpoint,
    begin: () => told.push("begin"),
    end: () => told.push("end"),
    stop: () => told.push("stop"),
    ...overrides,
  };
  const server = new Session(far, host);
  const ended = server.run();
  const client = new Connection(near);
  void client.run();
  const publish = (seq: number) => {
    hub.publish(noChange(seq));
    hub.tell();
  };
  return { client, told, server, ended, publish };
}

/** What a client is told besides answers. */
function notificationsOf(client: Connection): unknown[] {
  const heard: unknown[] = [];
  client.onNotification = (method, params) => heard.push([method, (params as ChangeEvent).seq]);
  return heard;
}

test("Session serves after hello", async () => {
  const { client, told } = session();
  const greeting = await client.call("hello", HELLO);
  assert.deepEqual(greeting, {
    protocol: PROTOCOL_VERSION,
    version: VERSION,
    pid: 7,
    settings: { max_reply_bytes: 5000 },
  });
  assert.equal(await client.call("status", {}) as unknown, "status");
  assert.deepEqual(told, ["begin", "end"]);
  client.close();
});

test("Session refuses every call before hello", async () => {
  const { client, told } = session();
  for (const method of ["status", "stop", "subscribe"] as const) {
    await assert.rejects(client.call(method, {}), { code: "permission", message: /hello/ });
  }
  assert.deepEqual(told, []);
  client.close();
});

for (
  const [name, params, code] of [
    ["a wrong token", { ...HELLO, token: "secreT" }, "permission"],
    ["no token", { ...HELLO, token: undefined }, "permission"],
    ["an object as token", { ...HELLO, token: {} }, "permission"],
    ["no parameters", undefined, "permission"],
    ["a number", 5, "permission"],
    ["a wrong context", { ...HELLO, context: contextId("/other/.kbdb") }, "bad_request"],
  ] as const
) {
  test(`Session refuses hello with ${name} (B11)`, async () => {
    const { client } = session();
    await assert.rejects(client.call("hello", params as never), { code });
    await assert.rejects(client.call("status", {}), { code: "permission" });
    client.close();
  });
}

test("Session lets another protocol only stop the daemon (B14)", async () => {
  const { client, told } = session();
  const { protocol } = await client.call("hello", { ...HELLO, protocol: PROTOCOL_VERSION + 1 });
  assert.equal(protocol, PROTOCOL_VERSION);
  for (const method of ["status", "subscribe"] as const) {
    await assert.rejects(client.call(method, {}), { code: "version_mismatch" });
  }
  assert.deepEqual(await client.call("stop", {}), { stopping: true, pid: 7 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(told, ["stop"]);
  client.close();
});

test("Session refuses an unknown method and goes on (B20)", async () => {
  const { client } = session();
  await client.call("hello", HELLO);
  for (const method of ["later", "toString", "__proto__", ""]) {
    await assert.rejects(client.call(method as "status", {}), { code: "unsupported" });
  }
  assert.equal(await client.call("status", {}) as unknown, "status");
  client.close();
});

test("Session refuses calls to a leaving daemon (B13)", async () => {
  const { client, told } = session({
    begin: () => {
      throw new KbdbError("leaving", "Cannot serve: the daemon is leaving");
    },
  });
  await client.call("hello", HELLO);
  await assert.rejects(client.call("status", {}), { code: "leaving" });
  assert.deepEqual(told, []);
  client.close();
});

test("Session ends a call that failed", async () => {
  const service = {
    call: () => Promise.reject(new KbdbError("no_space", "Cannot write: full")),
  } as unknown as Service;
  const { client, told } = session({ service });
  await client.call("hello", HELLO);
  await assert.rejects(client.call("status", {}), { code: "no_space" });
  assert.deepEqual(told, ["begin", "end"]);
  client.close();
});

test("Session tells of changes from subscribe to unsubscribe", async () => {
  const { client, server, publish } = session();
  await client.call("hello", HELLO);
  const heard = notificationsOf(client);
  publish(5);
  assert.equal(server.subscribed, false);
  assert.deepEqual(await client.call("subscribe", {}), { seq: 5 });
  assert.equal(server.subscribed, true);
  publish(6);
  publish(7);
  await client.call("status", {});
  assert.deepEqual(heard, [["changed", 6], ["changed", 7]]);
  assert.deepEqual(await client.call("unsubscribe", {}), {});
  publish(8);
  await client.call("status", {});
  assert.equal(heard.length, 2);
  assert.equal(server.subscribed, false);
  client.close();
});

test("Session answers a subscription with what was missed", async () => {
  const { client, publish } = session();
  await client.call("hello", HELLO);
  publish(5);
  const { seq, missed } = await client.call("subscribe", { since: 4 });
  assert.deepEqual([seq, missed], [5, noChange(5)]);
  assert.deepEqual(await client.call("subscribe", { since: 5 }), { seq: 5 });
  assert.equal((await client.call("subscribe", { since: 2 })).missed?.incomplete, true);
  await assert.rejects(client.call("subscribe", { since: "5" as never }), { code: "bad_request" });
  client.close();
});

test("Session tells each change once, however often it is asked to", async () => {
  const { client, publish } = session();
  await client.call("hello", HELLO);
  const heard = notificationsOf(client);
  await Promise.all([1, 2, 3].map(() => client.call("subscribe", {})));
  publish(9);
  await client.call("status", {});
  assert.deepEqual(heard, [["changed", 9]]);
  client.close();
});

test("Session ends its subscription with the connection (D56)", async () => {
  const { client, server, ended } = session();
  await client.call("hello", HELLO);
  await client.call("subscribe", {});
  client.close();
  await ended;
  assert.equal(server.subscribed, false);
});
