import assert from "node:assert/strict";
import { test } from "node:test";
import { tempDir } from "../../tests/support/temp_dir.ts";
import { platform } from "../platform/host.ts";
import { type Host, SpawnError } from "../platform/types.ts";
import { noChange } from "../rpc/changes.ts";
import { KbdbError } from "../rpc/errors.ts";
import { Client, type ClientOptions, type DatabaseConnection } from "./client.ts";

/** A connection that answers every call with the method's name. */
function answering(calls: string[]): DatabaseConnection {
  return {
    call: (method) => {
      calls.push(method);
      return Promise.resolve(method as never);
    },
    subscribe: (onChange) => {
      calls.push("subscribe");
      onChange(noChange(1));
      return Promise.resolve(() => {});
    },
    settings: () => Promise.resolve({ max_reply_bytes: 1000 }),
    close: () => {
      calls.push("close");
      return Promise.resolve();
    },
  };
}

/** A client on a machine that allows no child processes. */
function sandboxed(path: string, options: Partial<ClientOptions> = {}): Client {
  const host: Host = {
    ...platform.host,
    spawnDetached: () => {
      throw new SpawnError("unsupported", "this sandbox forbids processes");
    },
  };
  const openInProcess = () => Promise.resolve(answering([]));
  return new Client({ ...platform, host }, {
    path,
    workerEntry: "unused",
    openInProcess,
    ...options,
  });
}

test("Client opens nothing before the first call", async () => {
  let opened = 0;
  const openInProcess = () => Promise.resolve((opened += 1, answering([])));
  const client = sandboxed("/none", { daemon: "never", openInProcess });
  assert.equal(opened, 0);
  await client.status();
  await client.status();
  assert.equal(opened, 1);
});

test("Client falls back once for calls made together (D53)", async () => {
  using folder = tempDir();
  let opened = 0;
  const notices: string[] = [];
  const client = sandboxed(folder.path, {
    openInProcess: () => Promise.resolve((opened += 1, answering([]))),
    onNotice: (sentence) => notices.push(sentence),
  });
  const answers = await Promise.all([client.status(), client.check(), client.rebuild()]);
  assert.deepEqual(answers as unknown[], ["status", "check", "rebuild"]);
  assert.equal(opened, 1);
  assert.equal(notices.length, 1);
});

test("Client never falls back where no daemon is wanted", async () => {
  const refuse = () => Promise.reject(new SpawnError("unsupported", "no"));
  const client = sandboxed("/none", { daemon: "never", openInProcess: refuse });
  await assert.rejects(client.status(), KbdbError);
});

test("Client tries again after it could not open", async () => {
  let tries = 0;
  const openInProcess = () =>
    ++tries === 1
      ? Promise.reject(new KbdbError("locked", "Cannot lock: process 7 holds it"))
      : Promise.resolve(answering([]));
  const client = sandboxed("/none", { daemon: "never", openInProcess });
  await assert.rejects(client.status(), { code: "locked" });
  assert.equal(await client.status() as unknown, "status");
});

test("Client gives every write a key of its own", async () => {
  const keys: string[] = [];
  const connection: DatabaseConnection = {
    ...answering([]),
    call: (_, params) => {
      keys.push((params as { key: string }).key);
      return Promise.resolve({ results: [] } as never);
    },
  };
  const openInProcess = () => Promise.resolve(connection);
  const client = sandboxed("/none", { daemon: "never", openInProcess });
  await client.learn([{ content: "x" }]);
  await client.learn([{ content: "x" }]);
  await client.unlearn({ kbid: "x" });
  await client.skillDelete("x");
  assert.equal(new Set(keys).size, 4);
  assert.ok(keys.every((key) => typeof key === "string"));
});

test("Client keeps what reads without a key", async () => {
  const seen: unknown[] = [];
  const connection: DatabaseConnection = {
    ...answering([]),
    call: (method, params) => Promise.resolve(seen.push([method, params]) as never),
  };
  const openInProcess = () => Promise.resolve(connection);
  const client = sandboxed("/none", { daemon: "never", openInProcess });
  await client.content({ ids: ["x"] });
  await client.gc({ dry_run: true });
  assert.deepEqual(seen, [["content", { ids: ["x"] }], ["gc", { dry_run: true }]]);
});

test("Client lets a subscription go before the calls after it", async () => {
  const calls: string[] = [];
  const connection = answering(calls);
  const subscribe = connection.subscribe.bind(connection);
  connection.subscribe = async (onChange) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return await subscribe(onChange);
  };
  const openInProcess = () => Promise.resolve(connection);
  const client = sandboxed("/none", { daemon: "never", openInProcess });
  await Promise.all([client.status(), client.subscribe(() => {}), client.check()]);
  assert.deepEqual(calls, ["status", "subscribe", "check"]);
});

test("Client knows the settings of its database (D52)", async () => {
  const openInProcess = () => Promise.resolve(answering([]));
  const client = sandboxed("/none", { daemon: "never", openInProcess });
  assert.deepEqual(await client.settings(), { max_reply_bytes: 1000 });
});

test("Client refuses calls after close()", async () => {
  const calls: string[] = [];
  const openInProcess = () => Promise.resolve(answering(calls));
  const client = sandboxed("/none", { daemon: "never", openInProcess });
  await client.status();
  await client.close();
  await assert.rejects(client.status(), { code: "bad_request", message: /closed/ });
  assert.deepEqual(calls, ["status", "close"]);
});

test("Client gives errors of the file layer as KbdbError", async () => {
  using folder = tempDir();
  const client = sandboxed(folder.join("gone"));
  await assert.rejects(client.status(), (error) => {
    return error instanceof KbdbError && error.code === "not_found";
  });
});
