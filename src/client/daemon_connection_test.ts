import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { type TempDir, tempDir } from "../../tests/support/temp_dir.ts";
import { platform } from "../platform/host.ts";
import {
  FileError,
  type Files,
  type Host,
  type Listener,
  type Platform,
} from "../platform/types.ts";
import { type ChangeEvent, noChange, type SubscribeParams } from "../rpc/changes.ts";
import { Connection, type RequestHandler } from "../rpc/connection.ts";
import { KbdbError } from "../rpc/errors.ts";
import { PROTOCOL_VERSION } from "../rpc/protocol.ts";
import { VERSION } from "../rpc/version.ts";
import { DaemonConnection } from "./daemon_connection.ts";

/** A daemon of this process: what it says of itself, and how it answers. */
interface FakeDaemon {
  readonly pid: number;
  readonly version?: string;
  readonly protocol?: number;
  /** Milliseconds from `stop` to the end of its process; its endpoint is gone at once. */
  readonly leaving?: number;
  readonly handler?: (method: string, params: unknown, drop: () => void) => Promise<unknown>;
}

/** A machine whose `spawnDetached` starts the next of `daemons`, each in this process. */
class Machine {
  readonly root: string;
  readonly platform: Platform;
  readonly running = new Map<number, () => void>();
  readonly #connections = new Map<number, Connection[]>();
  starts = 0;

  constructor(folder: TempDir, daemons: readonly FakeDaemon[], files: Files = platform.files) {
    this.root = folder.path;
    mkdirSync(join(this.root, "worker"), { recursive: true });
    const host: Host = {
      ...platform.host,
      isAlive: (pid) => this.running.has(pid),
      spawnDetached: () => {
        const next = daemons[this.starts++];
        if (next) void this.serve(next);
      },
    };
    this.platform = { ...platform, files, host, sockets: { ...platform.sockets } };
  }

  connect(): DaemonConnection {
    return new DaemonConnection(this.platform, { root: this.root, workerEntry: "unused" });
  }

  async serve(daemon: FakeDaemon): Promise<void> {
    const { pid, version = VERSION, protocol = PROTOCOL_VERSION } = daemon;
    const address = join(this.root, "worker/socket");
    const listener = await platform.sockets.listen(address);
    const connections: Connection[] = [];
    this.#connections.set(pid, connections);
    this.running.set(pid, () => {
      rmSync(this.endpoint, { force: true });
      listener.close();
      for (const connection of connections) connection.close();
      this.running.delete(pid);
    });
    writeFileSync(this.endpoint, JSON.stringify({ protocol, version, pid, address, token: "t" }));
    void this.#accept(listener, { daemon, connections });
  }

  /** A daemon tells all its clients of a change. */
  async tell(pid: number, seq: number): Promise<void> {
    for (const connection of this.#connections.get(pid) ?? []) {
      await connection.notify("changed", noChange(seq));
    }
  }

  end(): void {
    for (const stop of this.running.values()) stop();
  }

  get endpoint(): string {
    return join(this.root, "worker/endpoint");
  }

  async #accept(
    listener: Listener,
    parts: { daemon: FakeDaemon; connections: Connection[] },
  ): Promise<void> {
    for await (const channel of listener.connections) {
      const connection: Connection = new Connection(
        channel,
        this.#answer(parts.daemon, () => connection.close()),
      );
      parts.connections.push(connection);
      void connection.run();
    }
  }

  #answer(daemon: FakeDaemon, drop: () => void): RequestHandler {
    const { pid, version = VERSION, protocol = PROTOCOL_VERSION, handler } = daemon;
    return (method, params) => {
      if (method === "hello") return Promise.resolve({ protocol, version, pid });
      if (method === "stop") {
        if (daemon.leaving) rmSync(this.endpoint);
        setTimeout(() => this.running.get(pid)?.(), daemon.leaving ?? 5);
        return Promise.resolve({ stopping: true, pid });
      }
      return handler?.(method, params, drop) ?? Promise.resolve({ pid });
    };
  }
}

function newer(version: string): string {
  return version.replace(/^\d+/, (major) => String(Number(major) + 1));
}

test("DaemonConnection starts a daemon once for many calls (B07)", async () => {
  using folder = tempDir();
  const machine = new Machine(folder, [{ pid: 1 }]);
  const connections = Array.from({ length: 5 }, () => machine.connect());
  const answers = await Promise.all(connections.map((one) => one.call("status", {})));
  assert.deepEqual(answers.map(({ pid }) => pid), [1, 1, 1, 1, 1]);
  assert.equal(machine.starts, 1);
  for (const one of connections) await one.close();
  machine.end();
});

test("DaemonConnection repeats a cut-off learn with its key (B13)", async () => {
  using folder = tempDir();
  const seen: unknown[] = [];
  const machine = new Machine(folder, [{
    pid: 1,
    handler: (_, params, drop) => {
      seen.push(params);
      if (seen.length < 3) drop();
      return Promise.resolve({ results: [] });
    },
  }]);
  const connection = machine.connect();
  const request = { key: "k1", items: [{ content: "x" }] };
  assert.deepEqual(await connection.call("learn", request), { results: [] });
  assert.deepEqual(seen, [request, request, request]);
  await connection.close();
  machine.end();
});

test("DaemonConnection gives up a call that ends every daemon", async () => {
  using folder = tempDir();
  let calls = 0;
  const handler = (_method: string, _params: unknown, drop: () => void) => {
    calls += 1;
    drop();
    return Promise.resolve({});
  };
  const machine = new Machine(folder, [{ pid: 1, handler }]);
  const connection = machine.connect();
  await assert.rejects(connection.call("check", {}), { code: "unreachable" });
  assert.equal(calls, 5);
  await connection.close();
  machine.end();
});

test("DaemonConnection goes to the next daemon when one is leaving (B13)", async () => {
  using folder = tempDir();
  const machine = new Machine(folder, [{ pid: 1 }, { pid: 2 }]);
  const connection = machine.connect();
  assert.equal((await connection.call("status", {})).pid, 1);
  machine.running.get(1)?.();
  assert.equal((await connection.call("status", {})).pid, 2);
  await connection.close();
  machine.end();
});

test("DaemonConnection passes on what the daemon refuses", async () => {
  using folder = tempDir();
  const handler = () => Promise.reject(new KbdbError("no_space", "Cannot write: full"));
  const machine = new Machine(folder, [{ pid: 1, handler }]);
  const connection = machine.connect();
  await assert.rejects(connection.call("status", {}), { code: "no_space", message: /full/ });
  await connection.close();
  machine.end();
});

test("DaemonConnection asks an older daemon to leave, once (B14)", async () => {
  using folder = tempDir();
  const machine = new Machine(folder, [{ pid: 2, version: "0.0.1" }]);
  await machine.serve({ pid: 1, version: "0.0.1", protocol: 0 });
  const connection = machine.connect();
  // The next one is no newer, as where another version starts it again and again.
  assert.equal((await connection.call("status", {})).pid, 2);
  assert.equal(machine.starts, 1);
  await connection.close();
  machine.end();
});

test("DaemonConnection lets nobody start another older daemon meanwhile (B14)", async () => {
  using folder = tempDir();
  const machine = new Machine(folder, [{ pid: 2 }, { pid: 3 }]);
  await machine.serve({ pid: 1, version: "0.0.1", leaving: 2500 });
  const [newer, older] = [machine.connect(), machine.connect()];
  const answers = [newer.call("status", {})];
  await new Promise((resolve) => setTimeout(resolve, 100));
  answers.push(older.call("status", {}));
  assert.deepEqual((await Promise.all(answers)).map(({ pid }) => pid), [2, 2]);
  assert.equal(machine.starts, 1);
  for (const one of [newer, older]) await one.close();
  machine.end();
});

test("DaemonConnection uses a newer daemon of its protocol (B14)", async () => {
  using folder = tempDir();
  const machine = new Machine(folder, []);
  await machine.serve({ pid: 1, version: newer(VERSION) });
  const connection = machine.connect();
  assert.equal((await connection.call("status", {})).pid, 1);
  await connection.close();
  machine.end();
});

test("DaemonConnection names both versions of another protocol (B14)", async () => {
  using folder = tempDir();
  const machine = new Machine(folder, []);
  await machine.serve({ pid: 1, version: newer(VERSION), protocol: PROTOCOL_VERSION + 1 });
  const connection = machine.connect();
  await assert.rejects(connection.call("status", {}), (error) => {
    assert.ok(error instanceof KbdbError && error.code === "version_mismatch");
    return error.message.includes(VERSION) && error.message.includes(newer(VERSION));
  });
  assert.ok(machine.running.has(1));
  machine.end();
});

test("DaemonConnection tells nothing to the daemon of another path", async () => {
  using original = tempDir();
  using copy = tempDir();
  const heard: string[] = [];
  const machine = new Machine(original, []);
  await machine.serve({ pid: 1, handler: (method) => Promise.resolve(heard.push(method)) });
  const copied = new Machine(copy, [{ pid: 2 }]);
  copyFileSync(machine.endpoint, copied.endpoint);
  const lock = (identity: string | null) =>
    writeFileSync(
      copied.endpoint.replace(/endpoint$/, "lock.1"),
      JSON.stringify({
        pid: 1,
        started: null,
        host: platform.host.hostName(),
        folder: { path: dirname(machine.endpoint), identity },
        token: "t",
      }),
    );
  lock(platform.files.stat(dirname(copied.endpoint)).identity);
  const connection = copied.connect();
  await assert.rejects(connection.call("status", {}), { code: "locked", message: /another path/ });
  lock("the folder of the original");
  assert.equal((await connection.call("status", {})).pid, 2);
  assert.deepEqual(heard, []);
  await connection.close();
  machine.end();
  copied.end();
});

test("DaemonConnection tells why a daemon could not start", async () => {
  using folder = tempDir();
  const machine = new Machine(folder, []);
  machine.platform.host.spawnDetached = () => {
    const failure = { code: "damaged", message: "Cannot open x: torn", at: Date.now() };
    writeFileSync(join(machine.root, "worker/start-error"), JSON.stringify(failure));
  };
  const connection = machine.connect();
  await assert.rejects(connection.call("status", {}), { code: "damaged", message: /torn/ });
});

test("DaemonConnection starts one daemon where it cannot write (D54)", async () => {
  using folder = tempDir();
  const closed = new Proxy(platform.files, {
    get(target, name: keyof Files) {
      const value = (target[name] as (...args: unknown[]) => unknown).bind(target);
      if (name !== "makeDir" && name !== "write") return value;
      return (path: string, ...rest: unknown[]) => {
        if (path.startsWith(folder.path)) throw new FileError("read_only", name, path, "read-only");
        return value(path, ...rest);
      };
    },
  });
  const machine = new Machine(folder, [], closed);
  machine.platform.host.runtimeDir = () => `${folder.path}-run`;
  const daemon = () => machine.serve({ pid: 1 });
  setTimeout(daemon, 400);
  const connection = machine.connect();
  try {
    assert.equal((await connection.call("status", {})).pid, 1);
    assert.equal(machine.starts, 1);
  } finally {
    await connection.close();
    machine.end();
    rmSync(`${folder.path}-run`, { recursive: true, force: true });
  }
});

test("DaemonConnection brings no removed database back", async () => {
  using folder = tempDir();
  const machine = new Machine(folder, [{ pid: 1 }]);
  rmSync(machine.root, { recursive: true });
  await assert.rejects(machine.connect().call("status", {}), { code: "not_found" });
  assert.equal(machine.starts, 0);
  assert.throws(() => platform.files.stat(machine.root), { code: "not_found" });
});

test("DaemonConnection keeps its connection when a call is refused", async () => {
  using folder = tempDir();
  let hellos = 0;
  const machine = new Machine(folder, [{
    pid: 1,
    handler: (method) => {
      hellos += 1;
      if (method === "check") return Promise.reject(new KbdbError("damaged", "Cannot check: torn"));
      return Promise.resolve({ pid: 1 });
    },
  }]);
  const connect = machine.platform.sockets.connect;
  let connects = 0;
  machine.platform.sockets.connect = (address) => (connects += 1, connect(address));
  const connection = machine.connect();
  await connection.call("status", {});
  const before = connects;
  await assert.rejects(connection.call("check", {}), { code: "damaged" });
  await connection.call("status", {});
  assert.equal(connects, before);
  assert.equal(hellos, 3);
  await connection.close();
  machine.end();
});

/** A daemon that knows changes up to `seq`, and what it was asked about them. */
function changing(pid: number, seq: number): FakeDaemon & { asked: SubscribeParams[] } {
  const asked: SubscribeParams[] = [];
  return {
    pid,
    asked,
    handler: (method, params) => {
      if (method !== "subscribe") return Promise.resolve({ pid });
      const { since } = params as SubscribeParams;
      asked.push(params as SubscribeParams);
      const behind = since !== undefined && since !== seq;
      return Promise.resolve({ seq, ...(behind ? { missed: noChange(seq) } : {}) });
    },
  };
}

/** Waits for what has to come. */
async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error("Cannot go on: it never came");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The numbers of changes that a connection tells of. */
async function listen(connection: DaemonConnection): Promise<{ heard: number[]; stop(): void }> {
  const heard: number[] = [];
  const stop = await connection.subscribe((change: ChangeEvent) => void heard.push(change.seq));
  return { heard, stop };
}

test("DaemonConnection tells of changes until it is told to stop", async () => {
  using folder = tempDir();
  const machine = new Machine(folder, [changing(1, 3)]);
  const connection = machine.connect();
  const { heard, stop } = await listen(connection);
  const other = await listen(connection);
  await machine.tell(1, 4);
  await until(() => heard.length === 1);
  stop();
  await machine.tell(1, 5);
  await until(() => other.heard.length === 2);
  assert.deepEqual([heard, other.heard], [[4], [4, 5]]);
  await connection.close();
  machine.end();
});

test("DaemonConnection comes back for changes while no call is made (D56)", async () => {
  using folder = tempDir();
  const next = changing(2, 7);
  const machine = new Machine(folder, [changing(1, 3), next]);
  const connection = machine.connect();
  const { heard } = await listen(connection);
  await machine.tell(1, 4);
  await until(() => heard.length === 1);
  machine.running.get(1)?.();
  await until(() => heard.length === 2);
  assert.deepEqual([heard, next.asked], [[4, 7], [{ since: 4 }]]);
  await machine.tell(2, 8);
  await until(() => heard.length === 3);
  await connection.close();
  machine.end();
});

test("DaemonConnection tells of no change where nothing was missed (D56)", async () => {
  using folder = tempDir();
  const next = changing(2, 3);
  const machine = new Machine(folder, [changing(1, 3), next]);
  const connection = machine.connect();
  const { heard } = await listen(connection);
  machine.running.get(1)?.();
  await until(() => next.asked.length === 1);
  await machine.tell(2, 4);
  await until(() => heard.length > 0);
  assert.deepEqual([heard, next.asked], [[4], [{ since: 3 }]]);
  await connection.close();
  machine.end();
});

test("DaemonConnection subscribes before a call that finds a new daemon", async () => {
  using folder = tempDir();
  const order: string[] = [];
  const handler = (method: string) => {
    order.push(method);
    return Promise.resolve({ seq: 3 });
  };
  const machine = new Machine(folder, [{ pid: 1, handler }, { pid: 2, handler }]);
  const connection = machine.connect();
  await listen(connection);
  machine.running.get(1)?.();
  await connection.call("status", {});
  assert.deepEqual(order, ["subscribe", "subscribe", "status"]);
  await connection.close();
  machine.end();
});

test("DaemonConnection starts no daemon for changes that nobody wants any more", async () => {
  using folder = tempDir();
  const machine = new Machine(folder, [changing(1, 3), changing(2, 3)]);
  const connection = machine.connect();
  const { stop } = await listen(connection);
  stop();
  machine.running.get(1)?.();
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.equal(machine.starts, 1);
  await connection.close();
});

test("DaemonConnection tells who subscribes that no daemon can be reached", async () => {
  using folder = tempDir();
  const handler = () => Promise.reject(new KbdbError("unsupported", "Cannot subscribe: unknown"));
  const machine = new Machine(folder, [{ pid: 1, handler }]);
  const connection = machine.connect();
  await assert.rejects(listen(connection), { code: "unsupported" });
  await connection.close();
  machine.end();
});

test("DaemonConnection knows the settings of its database (D52)", async () => {
  using folder = tempDir();
  const machine = new Machine(folder, [{ pid: 1 }]);
  const connection = machine.connect();
  assert.deepEqual(await connection.settings(), { max_reply_bytes: 80_000 });
  await connection.close();
  machine.end();
});
