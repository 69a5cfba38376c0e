/**
 * Measures what a host of agents meets: from the start of `kbdb mcp` to the reply to `initialize`,
 * single calls, five hosts that start together while no daemon runs, and a learn of 9 MB; beside it
 * the reference server that keeps a graph in memory.
 *
 * `deno task bench:mcp [--sections 100000] [--trials 15] [--keep FOLDER]`
 *
 * @module
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { print, spread } from "../figures.ts";
import { writeCorpus } from "../generate-corpus.ts";
import { StdioServer } from "./stdio_server.ts";

/** The peer, installed into a temporary folder by this program alone. */
const PEER = "@modelcontextprotocol/server-memory@2026.8.31";
const HOSTS = 5;
const CALLS = 500;
const LARGE_BYTES = 9_000_000;

const root = new URL("../../", import.meta.url).pathname;
const QUERY = { query: "parcel left archive" };

function option(name: string, otherwise: string): string {
  const at = Deno.args.indexOf(name);
  return at < 0 ? otherwise : Deno.args[at + 1];
}

async function run(command: readonly string[], cwd = root): Promise<string> {
  const [program, ...args] = command;
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd }).output();
  if (success) return new TextDecoder().decode(stdout);
  throw new Error(`${command.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

const kbdb = (...args: string[]) => ["deno", "run", "-A", "--no-check", `${root}cli.ts`, ...args];

/** A database with so many sections; made where it is not there yet. */
async function databaseOf(sections: number, folder: string): Promise<string> {
  const path = join(folder, `base-${sections}/.kbdb`);
  if (existsSync(join(path, "kbdb.toml"))) return path;
  const corpus = join(folder, `corpus-${sections}`);
  if (!existsSync(corpus)) writeCorpus(corpus, { count: sections, format: "files" });
  await run(kbdb("db", "init", path));
  await run(kbdb("learn", corpus, "--db", path, "--quiet"));
  return path;
}

/** Servers by name, each with the command that starts it. */
async function servers(db: string, folder: string): Promise<Record<string, string[]>> {
  await run(["npm", "i", "--silent", "--ignore-scripts", "--prefix", folder, PEER], folder);
  const memory = join(folder, "node_modules/@modelcontextprotocol/server-memory/dist/index.js");
  return {
    "kbdb mcp, Deno": kbdb("mcp", "--db", db),
    "kbdb mcp, npm package on Node": ["node", `${root}npm/cli.js`, "mcp", "--db", db],
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
  await run(kbdb("worker", "stop", "--db", db));
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

/** The same text for a tool that does not exist measures the way there and back alone. */
async function largeLearn(folder: string): Promise<void> {
  const server = new StdioServer(kbdb("mcp", "--db", join(folder, "large.kbdb")));
  await server.initialize();
  await server.call("learn", { content: "Something first." });
  const content = "word ".repeat(LARGE_BYTES / 5);
  print(
    "9 MB to the server and nothing done",
    `${(await server.call("no-such-tool", { content })).toFixed(0)} ms`,
  );
  print("9 MB learned", `${(await server.call("learn", { content })).toFixed(0)} ms`);
  await server.end();
  await run(kbdb("worker", "stop", "--db", join(folder, "large.kbdb")));
}

const keep = option("--keep", "");
const folder = keep || Deno.makeTempDirSync({ prefix: "kbdb-bench-" });
try {
  const sections = Number(option("--sections", "100000"));
  const db = await databaseOf(sections, folder);
  const commands = await servers(db, folder);
  print("database", `${sections} sections`);
  await startTimes(commands, Number(option("--trials", "15")));
  await together(commands["kbdb mcp, Deno"], db);
  await callTimes("kbdb mcp, Deno", commands["kbdb mcp, Deno"], { tool: "status", args: {} });
  await callTimes("kbdb mcp, Deno", commands["kbdb mcp, Deno"], { tool: "search", args: QUERY });
  const memory = commands["server-memory on Node"];
  await callTimes("server-memory", memory, { tool: "read_graph", args: {} });
  await callTimes("server-memory", memory, { tool: "search_nodes", args: { query: "parcel" } });
  await largeLearn(folder);
  await run(kbdb("worker", "stop", "--db", db));
} finally {
  if (!keep) Deno.removeSync(folder, { recursive: true });
}
