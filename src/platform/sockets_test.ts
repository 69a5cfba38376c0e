import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { symlinkSync } from "node:fs";
import process from "node:process";
import { after, test } from "node:test";
import { platform } from "./host.ts";
import { randomName } from "./random_name.ts";
import { type Channel, type Listener, SocketError, type SocketErrorCode } from "./types.ts";

const { files, host, sockets } = platform;
const skip = host.os === "windows";
const dir = `/tmp/kbdb-sockets-${randomName(6)}`;
const at = (name: string) => `${dir}/${name}`;
const text = (content: string) => new TextEncoder().encode(content);

if (!skip) files.makeDir(dir);
after(() => files.removeTree(dir));

async function failsWith(code: SocketErrorCode, call: () => Promise<unknown>): Promise<void> {
  await assert.rejects(call, (error) => {
    assert(error instanceof SocketError, `not a SocketError: ${error}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, /^Cannot [a-z ]+ \/.+: [^()]+$/);
    return true;
  });
}

async function next(listener: Listener): Promise<Channel> {
  for await (const channel of listener.connections) return channel;
  throw new Error("No connection came");
}

async function pair(name: string): Promise<{ listener: Listener; near: Channel; far: Channel }> {
  const listener = await sockets.listen(at(name));
  const [near, far] = await Promise.all([sockets.connect(at(name)), next(listener)]);
  return { listener, near, far };
}

/** Reads `length` bytes, or to the end. */
async function take(channel: Channel, length = Infinity): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of channel.chunks) {
    chunks.push(chunk);
    total += chunk.length;
    if (total >= length) break;
  }
  const joined = new Uint8Array(total);
  let filled = 0;
  for (const chunk of chunks) {
    joined.set(chunk, filled);
    filled += chunk.length;
  }
  return joined;
}

async function echo(listener: Listener): Promise<void> {
  const serve = async (channel: Channel) => {
    for await (const chunk of channel.chunks) await channel.write(chunk);
    channel.close();
  };
  const served: Promise<void>[] = [];
  for await (const channel of listener.connections) served.push(serve(channel));
  await Promise.all(served);
}

test("an echo server answers many clients", { skip }, async () => {
  const listener = await sockets.listen(at("echo"));
  const served = echo(listener);
  await Promise.all(Array.from({ length: 30 }, async (_, index) => {
    const channel = await sockets.connect(at("echo"));
    await channel.write(text(`client ${index}`));
    const answer = await take(channel, `client ${index}`.length);
    assert.equal(new TextDecoder().decode(answer), `client ${index}`);
    channel.close();
  }));
  listener.close();
  await served;
});

test("write() delivers 5 MB whole and in order", { skip }, async () => {
  const { listener, near, far } = await pair("large");
  const data = new Uint8Array(5_000_000).map((_, index) => (index * 31) >> 3);
  const written = Promise.all([near.write(data), near.write(text("tail"))]);
  const received = await take(far, data.length + 4);
  await written;
  assert.equal(received.length, data.length + 4);
  assert.deepEqual(received.subarray(0, data.length), data);
  assert.equal(new TextDecoder().decode(received.subarray(data.length)), "tail");
  for (const open of [near, far, listener]) open.close();
});

test("chunks stay as they were read", { skip }, async () => {
  const { listener, near, far } = await pair("fresh");
  const kept: Uint8Array[] = [];
  const reading = (async () => {
    for await (const chunk of far.chunks) kept.push(chunk);
  })();
  for (let value = 1; value <= 40; value++) {
    await near.write(new Uint8Array(10_000).fill(value));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  near.close();
  await reading;
  const values = kept.flatMap((chunk) => Array.from(chunk));
  assert.equal(values.length, 400_000);
  assert(values.every((value, index) => value === 1 + Math.floor(index / 10_000)));
  assert(kept.every((chunk) => chunk.constructor === Uint8Array));
  for (const open of [far, listener]) open.close();
});

test("write() waits while nobody reads", { skip }, async () => {
  const { listener, near, far } = await pair("pressure");
  let done = false;
  const written = near.write(new Uint8Array(20_000_000)).then(() => done = true);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(done, false);
  assert.equal((await take(far, 20_000_000)).length, 20_000_000);
  await written;
  for (const open of [near, far, listener]) open.close();
});

test("chunks end when the other side closes", { skip }, async () => {
  const { listener, near, far } = await pair("end");
  await near.write(text("last words"));
  near.close();
  assert.equal(new TextDecoder().decode(await take(far)), "last words");
  for (const open of [far, listener]) open.close();
});

test("chunks end when this side closes", { skip }, async () => {
  const { listener, near, far } = await pair("own-end");
  const reading = take(near);
  await new Promise((resolve) => setTimeout(resolve, 10));
  near.close();
  near.close();
  assert.equal((await reading).length, 0);
  for (const open of [far, listener]) open.close();
});

test("write() to a closed connection is closed", { skip }, async () => {
  const { listener, near, far } = await pair("broken");
  far.close();
  await failsWith("closed", async () => {
    for (let round = 0; round < 50; round++) await near.write(new Uint8Array(100_000));
  });
  near.close();
  await failsWith("closed", () => near.write(text("x")));
  listener.close();
});

test("close() rejects a write that waits", { skip }, async () => {
  const { listener, near, far } = await pair("waiting");
  const written = failsWith("closed", () => near.write(new Uint8Array(20_000_000)));
  const behind = failsWith("closed", () => near.write(text("x")));
  await new Promise((resolve) => setTimeout(resolve, 20));
  near.close();
  await Promise.all([written, behind]);
  for (const open of [far, listener]) open.close();
});

test("connect() tells missing, refused and what is no socket (B08)", { skip }, async () => {
  await failsWith("missing", () => sockets.connect(at("nowhere")));
  await failsWith("missing", () => sockets.connect(at("nowhere/socket")));
  files.write(at("file"), text("x"));
  files.makeDir(at("folder"));
  await failsWith("not_a_socket", () => sockets.connect(at("file")));
  await failsWith("not_a_socket", () => sockets.connect(at("folder")));
  await deadSocket(at("dead"));
  await failsWith("refused", () => sockets.connect(at("dead")));
});

test("listen() takes no name that is in use (B07, B08)", { skip }, async () => {
  const { listener, near, far } = await pair("taken");
  await failsWith("in_use", () => sockets.listen(at("taken")));
  await deadSocket(at("dead-too"));
  await failsWith("in_use", () => sockets.listen(at("dead-too")));
  files.write(at("plain"), text("x"));
  symlinkSync(at("victim"), at("planted"));
  for (const name of ["plain", "planted"]) {
    await failsWith("not_a_socket", () => sockets.listen(at(name)));
  }
  assert.equal(new TextDecoder().decode(files.read(at("plain"))), "x");
  await failsWith("missing", () => sockets.listen(at("nowhere/socket")));
  for (const open of [near, far, listener]) open.close();
});

test("listen() lets one of many win (B07)", { skip }, async () => {
  const tries = Array.from({ length: 20 }, () => sockets.listen(at("race")));
  const outcomes = await Promise.allSettled(tries);
  const winners = outcomes.filter((outcome) => outcome.status === "fulfilled");
  assert.equal(winners.length, 1);
  winners[0].value.close();
  assert.deepEqual(files.list(dir).filter(({ name }) => name.startsWith(".")), []);
});

test("a path too long is refused, never cut (B10)", { skip }, async () => {
  const limit = host.os === "linux" ? 107 : 103;
  const fitting = at("ü".repeat(200)).slice(0, dir.length + 1 + (limit - dir.length - 1) / 2);
  const bytes = text(fitting).length;
  const longest = fitting + "x".repeat(limit - bytes);
  const listener = await sockets.listen(longest);
  assert(files.list(dir).some(({ name }) => at(name) === longest));
  (await sockets.connect(longest)).close();
  listener.close();
  const tooLong = {
    code: "too_long",
    message: new RegExp(`has ${limit + 1} bytes.*have ${limit};`),
  };
  await assert.rejects(sockets.listen(longest + "x"), tooLong);
  await assert.rejects(sockets.connect(longest + "x"), tooLong);
});

test("a name of one letter can be listened on", { skip }, async () => {
  const listener = await sockets.listen(at("s"));
  listener.close();
});

test("the socket is for this user only (B11)", { skip }, async () => {
  const before = process.umask(0);
  const listener = await sockets.listen(at("private"));
  process.umask(before);
  assert.equal(files.lstat(at("private")).mode, 0o600);
  assert.equal(files.lstat(at("private")).kind, "other");
  listener.close();
});

test("close() removes its own name and no other's (B07)", { skip }, async () => {
  const first = await sockets.listen(at("name"));
  first.close();
  assert.throws(() => files.lstat(at("name")), { code: "not_found" });
  const second = await sockets.listen(at("name"));
  files.remove(at("name"));
  const third = await sockets.listen(at("name"));
  second.close();
  (await sockets.connect(at("name"))).close();
  third.close();
});

test("close() ends the wait for connections", { skip }, async () => {
  const listener = await sockets.listen(at("ending"));
  const waiting = (async () => {
    for await (const channel of listener.connections) channel.close();
  })();
  await new Promise((resolve) => setTimeout(resolve, 10));
  listener.close();
  listener.close();
  await waiting;
});

test("setKeepAlive() can be switched", { skip }, async () => {
  const { listener, near, far } = await pair("alive");
  near.setKeepAlive(false);
  near.setKeepAlive(true);
  await far.write(text("x"));
  assert.equal((await take(near, 1)).length, 1);
  for (const open of [near, far, listener]) open.close();
});

/** A socket whose process was killed. */
async function deadSocket(path: string): Promise<void> {
  const program = `
    const server = require("node:net").createServer();
    server.listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"));`;
  const args = host.runtime === "deno" ? ["run", "-A", "--ext=cjs", "-"] : ["-"];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.end(program);
  await new Promise((resolve) => child.on("exit", resolve));
  assert.equal(files.lstat(path).kind, "other");
}
