import assert from "node:assert/strict";
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { kbdb, kbdbJson } from "../support/command.ts";
import { daemonPids, until } from "../support/processes.ts";
import { Place, type WireMessage, WireServer } from "./wire_server.ts";

const GENEROUS_MS = 20_000;
/** Names that hosts give. */
const CLIENTS = ["claude-ai", "claude-code", "cursor-vscode", "Visual Studio Code", "gemini", ""];

/** Servers that have shaken hands. */
async function greeted(path: string, count: number): Promise<WireServer[]> {
  const servers = Array.from({ length: count }, () => WireServer.on(path));
  await Promise.all(servers.map((server) => server.hello()));
  return servers;
}

test("five hosts started at once share one daemon [server-run-3]", async () => {
  await using place = new Place();
  const path = await place.database();
  await kbdbJson(["learn", "-", "--db", path], { input: "Herons stand in reeds." });
  await kbdb(["worker", "stop", "--db", path]);
  assert.deepEqual(daemonPids(path), []);
  const servers = Array.from({ length: 5 }, () => WireServer.on(path));
  const totals = await Promise.all(servers.map(async (server) => {
    await server.hello();
    return (await server.tool("search", { query: "herons" })).total;
  }));
  assert.deepEqual(totals, [1, 1, 1, 1, 1]);
  const pids = await Promise.all(servers.map((server) => server.tool("status")));
  // Those that lost the race may take a moment to leave.
  await until(() => daemonPids(path).length === 1, GENEROUS_MS);
  assert.deepEqual(new Set(pids.map(({ pid }) => pid)), new Set(daemonPids(path)));
  for (const server of servers) assert.equal(await server.end(), 0);
  assert.equal(daemonPids(path).length, 1);
});

test("hosts that start while the database is being made lose nothing", async () => {
  await using place = new Place();
  const path = place.path();
  const servers = Array.from({ length: 3 }, () => WireServer.on(path));
  const making = kbdb(["db", "init", path]);
  const kbids = await Promise.all(servers.map(async (server, i) => {
    await server.hello();
    return (await server.tool("learn", { content: `Heron number ${i} is here.` })).kbid;
  }));
  await making;
  for (const server of servers) {
    const { items } = await server.tool("search", { query: "heron" });
    const found = items.map(({ kbid }: { kbid: string }) => kbid);
    assert.deepEqual(found.sort(), [...kbids].sort());
  }
  await until(() => daemonPids(path).length === 1, GENEROUS_MS);
  for (const server of servers) await server.end();
});

test("two servers on two databases keep apart [server-many-1 missed-start-2]", async () => {
  await using place = new Place();
  const paths = await Promise.all(["one", "two"].map((name) => place.database(`${name}.kbdb`)));
  const servers = paths.map((path) => WireServer.on(path));
  for (const [i, server] of servers.entries()) {
    await server.hello();
    await server.tool("learn", { content: `Heron of ${["one", "two"][i]}.` });
  }
  for (const [i, server] of servers.entries()) {
    const { items } = await server.tool("search", { query: "heron" });
    assert.deepEqual(items.map(({ snippet }: WireMessage) => snippet), [
      `Heron of ${["one", "two"][i]}.`,
    ]);
    assert.equal((await server.tool("status")).contextPath, paths[i]);
  }
  assert.deepEqual(paths.map((path) => daemonPids(path).length), [1, 1]);
  for (const server of servers) await server.end();
});

/** Connections to the socket that a process listens on: their entries have its path, too. */
function connectionsTo(pid: number): number {
  const own = openFiles(pid);
  const sockets = readFileSync("/proc/net/unix", "utf8").split("\n")
    .map((line) => line.split(/\s+/))
    .map(([, , , , , state, inode, ...path]) => ({ state, inode, path: path.join(" ") }))
    .filter(({ path, inode }) => path !== "" && own.includes(`socket:[${inode}]`));
  const LISTENING = "01";
  assert.equal(sockets.filter(({ state }) => state === LISTENING).length, 1);
  return sockets.length - 1;
}

/** What the open files of a process are. */
function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
}

test("one connection to the daemon serves a session [server-run-1 module-duty-2]", async () => {
  await using place = new Place();
  const path = await place.database();
  await using server = WireServer.on(path);
  await server.hello();
  const learned = Array.from(
    { length: 20 },
    (_, i) => server.tool("learn", { content: `Heron ${i}.` }),
  );
  const [{ kbid }] = await Promise.all(learned);
  const [pid] = daemonPids(path);
  assert.equal(connectionsTo(pid), 1);
  const uri = `kbdb://section/${kbid}`;
  await server.request("resources/read", { uri });
  await server.request("resources/subscribe", { uri });
  await server.request("prompts/list");
  await server.tool("check");
  assert.equal(connectionsTo(pid), 1);
  // Nor does it look into the database by itself.
  assert.deepEqual(openFiles(server.child.pid!).filter((file) => file.startsWith(path)), []);
  await server.end();
  await until(() => connectionsTo(pid) === 0, GENEROUS_MS);
});

test("the daemon holds none of the server's pipes and outlives it [client-stop-2 server-run-2 server-run-3 module-flow-13]", async () => {
  await using place = new Place();
  const path = place.path();
  await using server = WireServer.on(path);
  await server.hello();
  await server.tool("learn", { content: "Herons stand in reeds." });
  const { pid } = await server.tool("status");
  const own = openFiles(server.child.pid!).filter((file) => file.startsWith("pipe:"));
  assert(own.length > 0);
  const [stdin, stdout, stderr] = [0, 1, 2].map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  assert.deepEqual([stdin, stdout, stderr], ["/dev/null", "/dev/null", "/dev/null"]);
  assert.deepEqual(openFiles(pid).filter((file) => own.includes(file)), []);
  // Its streams are closed at once, which "close" of the process waits for.
  assert.equal(await server.end(), 0);
  assert.deepEqual(daemonPids(path), [pid]);
  await using next = WireServer.on(path);
  await next.hello();
  assert.equal((await next.tool("search", { query: "herons" })).total, 1);
  assert.equal((await next.tool("status")).pid, pid);
});

test("every client gets the same answers, whatever name it gives [server-goal-2]", async () => {
  await using place = new Place();
  const path = await place.database();
  const answers = await Promise.all(CLIENTS.map(async (name) => {
    const server = WireServer.on(path);
    const { result } = await server.hello({ clientInfo: { name, version: "9.9" } });
    const lists = [];
    for (const method of ["tools/list", "resources/templates/list", "prompts/list"]) {
      lists.push((await server.request(method)).result);
    }
    await server.end();
    return JSON.stringify([result, ...lists]);
  }));
  assert.equal(new Set(answers).size, 1);
});

test("a change by a command is seen by the server, and the other way round [server-cli-6 ruling-d23-4]", async () => {
  await using place = new Place();
  const path = await place.database();
  const [one, two] = await greeted(path, 2);
  const uri = "kbdb://document/birds";
  await one.request("resources/subscribe", { uri });
  await one.request("prompts/list");
  const input = "Herons stand in reeds.";
  await kbdbJson(["learn", "-", "--docid", "birds", "--db", path], { input });
  await one.heard(({ params }) => params?.uri === uri);
  assert.equal((await one.tool("search", { query: "herons" })).total, 1);
  await two.tool("learn", { content: "Storks stand on roofs.", docid: "birds" });
  await until(() => one.told("notifications/resources/updated").length >= 2, GENEROUS_MS);
  const skill = { name: "sort", description: "Sorts", body: "Sort." };
  await two.tool("skill-learn", skill);
  await one.heard(({ method }) => method === "notifications/prompts/list_changed");
  assert.equal((await kbdbJson<{ total: number }>(["search", "storks", "--db", path])).total, 1);
  for (const server of [one, two]) await server.end();
});

test("a subscription keeps the daemon, and survives it [ruling-d56-1 ruling-d56-2 notify-out-3]", async () => {
  await using place = new Place();
  const path = await place.database();
  writeFileSync(join(path, "worker.toml"), "[worker]\nidle_seconds = 0.3\n");
  await using server = WireServer.on(path);
  await server.hello();
  const uri = "kbdb://document/birds";
  const { pid } = await server.tool("status");
  await server.request("resources/subscribe", { uri });
  await new Promise((resolve) => setTimeout(resolve, 1200));
  assert.deepEqual(daemonPids(path), [pid]);
  process.kill(pid, "SIGKILL");
  await until(() => daemonPids(path).length === 0, GENEROUS_MS);
  const input = "Herons stand in reeds.";
  await kbdbJson(["learn", "-", "--docid", "birds", "--db", path], { input });
  await server.heard(({ params }) => params?.uri === uri);
  await server.request("resources/unsubscribe", { uri });
  await server.end();
  // Nobody waits any more.
  await until(() => daemonPids(path).length === 0, GENEROUS_MS);
});
