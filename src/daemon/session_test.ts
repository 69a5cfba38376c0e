import assert from "node:assert/strict";
import { test } from "node:test";
import { channelPair } from "../rpc/channel_pair.ts";
import { Connection } from "../rpc/connection.ts";
import { contextId } from "../rpc/endpoint.ts";
import { KbdbError } from "../rpc/errors.ts";
import { type HelloParams, PROTOCOL_VERSION } from "../rpc/protocol.ts";
import { VERSION } from "../rpc/version.ts";
import type { Service } from "./service.ts";
import { Session, type SessionHost } from "./session.ts";

const ROOT = "/notes/.kbdb";
const HELLO: HelloParams = {
  protocol: PROTOCOL_VERSION,
  version: VERSION,
  context: contextId(ROOT),
  token: "secret",
};

/** A session whose service answers every known method with its name, and what it told the daemon. */
function session(overrides: Partial<SessionHost> = {}): { client: Connection; told: string[] } {
  const told: string[] = [];
  const [near, far] = channelPair();
  const service = {
    serves: (method: string) => method === "status",
    call: (method: string) => Promise.resolve(method),
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
  void new Session(far, host).run();
  const client = new Connection(near);
  void client.run();
  return { client, told };
}

test("Session serves after hello", async () => {
  const { client, told } = session();
  const greeting = await client.call("hello", HELLO);
  assert.deepEqual(greeting, { protocol: PROTOCOL_VERSION, version: VERSION, pid: 7 });
  assert.equal(await client.call("status", {}) as unknown, "status");
  assert.deepEqual(told, ["begin", "end"]);
  client.close();
});

test("Session refuses every call before hello", async () => {
  const { client, told } = session();
  for (const method of ["status", "stop"] as const) {
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
  await assert.rejects(client.call("status", {}), { code: "version_mismatch" });
  assert.deepEqual(await client.call("stop", {}), { stopping: true, pid: 7 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(told, ["stop"]);
  client.close();
});

test("Session refuses an unknown method and goes on (B20)", async () => {
  const { client } = session();
  await client.call("hello", HELLO);
  for (const method of ["unlearn", "toString", "__proto__", ""]) {
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
    serves: () => true,
    call: () => Promise.reject(new KbdbError("no_space", "Cannot write: full")),
  } as unknown as Service;
  const { client, told } = session({ service });
  await client.call("hello", HELLO);
  await assert.rejects(client.call("status", {}), { code: "no_space" });
  assert.deepEqual(told, ["begin", "end"]);
  client.close();
});
