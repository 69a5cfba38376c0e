/**
 * Measures what a host of agents meets: from the start of `kbdb mcp` to the reply to `initialize`,
 * single calls, five hosts that start together while no daemon runs, and a learn of 9 MB; beside it
 * the reference server that keeps a graph in memory.
 *
 * `deno task bench:mcp [--sections 100000] [--trials 15] [--keep FOLDER]`
 *
 * @module
 */

import { join } from "node:path";
import { databaseOf, kbdbCommand, option, root, run } from "../command.ts";
import { print, spread } from "../figures.ts";
import { StdioServer } from "./stdio_server.ts";

/** The peer, installed into a temporary folder by this program alone. */
const PEER = "@modelcontextprotocol/server-memory@2026.8.31";
const HOSTS = 5;
const CALLS = 500;
const LARGE_BYTES = 9_000_000;

const QUERY = { query: "parcel left archive" };

/** Servers by name, each with the command that starts it. */
async function servers(db: string, folder: string): Promise<Record<string, string[]>> {
  await run(["npm", "i", "--silent", "--ignore-scripts", "--prefix", folder, PEER], folder);
  const memory = join(folder, "node_modules/@modelcontextprotocol/server-memory/dist/index.js");
  return {
    "kbdb mcp, Deno": kbdbCommand("mcp", "--db", db),
    "kbdb mcp, npm package on Node": ["node", join(root, "npm/cli.js"), "mcp", "--db", db],
    "server-memory on Node": ["node", memory],
    "an echo in Deno": ["deno", "run", join(root, "bench/start/echo.ts")],
    "an echo in Node": ["node", join(root, "bench/start/echo.ts").replace(/ts$/, "mjs")],
  };
}

async function startTimes(commands: Record<string, string[]>, trials: number): Promise<void> {
  const times: Record<string, number[]> = {};
  for (let trial = 0; trial < trials; trial++) {
    for (const [name, command] of Object.entries(commands)) {
      const server = new StdioServer(command);
      (times[name] ??= []).push(await server.initialize());
      await server.end();
    }
  }
  for (const [name, list] of Object.entries(times)) {
    print(`start to initialize: ${name}`, spread(list));
  }
}

async function callTimes(
  name: string,
  command: string[],
  call: { tool: string; args: unknown },
): Promise<void> {
  const server = new StdioServer(command);
  await server.initialize();
  const times: number[] = [];
  for (let i = 0; i < CALLS + 50; i++) {
    const ms = await server.call(call.tool, call.args);
    if (i >= 50) times.push(ms);
  }
  await server.end();
  print(`${name}: ${call.tool}`, spread(times));
}

async function together(command: string[], db: string): Promise<void> {
  await run(kbdbCommand("worker", "stop", "--db", db));
  const hosts = Array.from({ length: HOSTS }, () => new StdioServer(command));
  const begun = performance.now();
  const answered = await Promise.all(hosts.map(async (host) => {
    const hello = await host.initialize();
    await host.call("search", QUERY);
    return { hello, search: performance.now() - begun };
  }));
  print(
    `${HOSTS} hosts at once, no daemon: initialize`,
    spread(answered.map(({ hello }) => hello)),
  );
  print("  first search answered", spread(answered.map(({ search }) => search)));
  await Promise.all(hosts.map((host) => host.end()));
}

/** Whole processes, from start to exit. */
async function commandTimes(db: string, trials: number): Promise<void> {
  const version: number[] = [];
  const search: number[] = [];
  const pair: number[] = [];
  const client = join(root, "bench/start_pair/client.ts");
  for (let i = 0; i < trials; i++) {
    version.push(await timed(kbdbCommand("--version")));
    await run(kbdbCommand("worker", "stop", "--db", db));
    search.push(await timed(kbdbCommand("search", QUERY.query, "--db", db)));
    const address = join(db, "worker", `pair-${i}`);
    pair.push(await timed([Deno.execPath(), "run", "-A", "--no-check", client, address]));
    Deno.removeSync(address);
  }
  print("kbdb --version", spread(version));
  print("kbdb search, no daemon running", spread(search));
  print("  an empty client and daemon", spread(pair));
}

async function timed(command: readonly string[]): Promise<number> {
  const start = performance.now();
  await run(command);
  return performance.now() - start;
}

/** The same text for a tool that does not exist measures the way there and back alone. */
async function largeLearn(folder: string): Promise<void> {
  const server = new StdioServer(kbdbCommand("mcp", "--db", join(folder, "large.kbdb")));
  await server.initialize();
  await server.call("learn", { content: "Something first." });
  const content = "word ".repeat(LARGE_BYTES / 5);
  print(
    "9 MB to the server and nothing done",
    `${(await server.call("no-such-tool", { content })).toFixed(0)} ms`,
  );
  print("9 MB learned", `${(await server.call("learn", { content })).toFixed(0)} ms`);
  await server.end();
  await run(kbdbCommand("worker", "stop", "--db", join(folder, "large.kbdb")));
}

const keep = option("--keep", "");
const folder = keep || Deno.makeTempDirSync({ prefix: "kbdb-bench-" });
try {
  const sections = Number(option("--sections", "100000"));
  const db = await databaseOf(sections, folder);
  const commands = await servers(db, folder);
  print("database", `${sections} sections`);
  const trials = Number(option("--trials", "15"));
  await commandTimes(db, trials);
  await startTimes(commands, trials);
  await together(commands["kbdb mcp, Deno"], db);
  await callTimes("kbdb mcp, Deno", commands["kbdb mcp, Deno"], { tool: "status", args: {} });
  await callTimes("kbdb mcp, Deno", commands["kbdb mcp, Deno"], { tool: "search", args: QUERY });
  const memory = commands["server-memory on Node"];
  await callTimes("server-memory", memory, { tool: "read_graph", args: {} });
  await callTimes("server-memory", memory, { tool: "search_nodes", args: { query: "parcel" } });
  await largeLearn(folder);
  await run(kbdbCommand("worker", "stop", "--db", db));
} finally {
  if (!keep) Deno.removeSync(folder, { recursive: true });
}
