/**
 * Measures many agents at once: N MCP sessions on one database, each searching and now and then
 * learning. Prints throughput, latencies and the memory of all processes; then the same searches
 * while the index is made again.
 *
 * `deno task bench:concurrent [--sessions 1,5,20] [--sections 10000] [--seconds 10] [--keep FOLDER]`
 *
 * @module
 */

import { join } from "node:path";
import { databaseOf, kbdbCommand, option, run } from "../command.ts";
import { megabytes, print, spread } from "../figures.ts";
import { Writer } from "../prose.ts";
import { StdioServer } from "../start/stdio_server.ts";

/** One call in so many learns; the others search. */
const LEARN_EVERY = 20;

interface Figures {
  readonly searches: number[];
  readonly learns: number[];
  readonly seconds: number;
}

/** Sessions that have shaken hands and made a first call. */
async function sessionsOn(db: string, count: number): Promise<StdioServer[]> {
  const servers = Array.from(
    { length: count },
    () => new StdioServer(kbdbCommand("mcp", "--db", db)),
  );
  await Promise.all(servers.map(async (server) => {
    await server.initialize();
    await server.call("search", { query: "warm up" });
  }));
  return servers;
}

/** All sessions call one after another for so long, each as fast as it is answered. */
async function load(servers: readonly StdioServer[], ms: number): Promise<Figures> {
  const searches: number[] = [];
  const learns: number[] = [];
  const start = performance.now();
  const end = start + ms;
  await Promise.all(servers.map(async (server, i) => {
    const writer = new Writer(100 + i);
    for (let n = 1; performance.now() < end; n++) {
      const isLearn = n % LEARN_EVERY === 0;
      const content = writer.words(isLearn ? 60 : 3).join(" ");
      const took = isLearn
        ? await server.call("learn", { content })
        : await server.call("search", { query: content });
      (isLearn ? learns : searches).push(took);
    }
  }));
  return { searches, learns, seconds: (performance.now() - start) / 1000 };
}

function show({ searches, learns, seconds }: Figures): void {
  const calls = searches.length + learns.length;
  print("calls", `${Math.round(calls / seconds)} a second`);
  print("search", spread(searches));
  print("learn, durable", spread(learns));
}

/** Searches of all sessions for as long as a rebuild takes. */
async function whileRebuilding(servers: readonly StdioServer[], db: string): Promise<void> {
  const rebuilding = run(kbdbCommand("rebuild", "--db", db, "--json"));
  let running = true;
  void rebuilding.finally(() => running = false);
  const searches: number[] = [];
  await Promise.all(servers.map(async (server, i) => {
    const writer = new Writer(200 + i);
    while (running) {
      searches.push(await server.call("search", { query: writer.words(3).join(" ") }));
    }
  }));
  const { elapsed_ms } = JSON.parse(await rebuilding);
  const longest = searches.reduce((most, one) => Math.max(most, one), 0);
  print(
    `search while a rebuild runs (${(elapsed_ms / 1000).toFixed(1)} s)`,
    `${spread(searches)}, longest ${longest.toFixed(0)} ms`,
  );
}

async function measure(db: string, options: { count: number; seconds: number }): Promise<void> {
  const { count, seconds } = options;
  console.log(`\n${count} sessions`);
  const servers = await sessionsOn(db, count);
  show(await load(servers, seconds * 1000));
  const own = servers.reduce((sum, server) => sum + server.residentBytes(), 0);
  const { daemon_rss_bytes } = JSON.parse(await run(kbdbCommand("status", "--db", db, "--json")));
  const total = own + daemon_rss_bytes;
  print(
    "resident memory of all processes",
    `${megabytes(total)} (daemon ${megabytes(daemon_rss_bytes)}, a session ${
      megabytes(own / count)
    })`,
  );
  await whileRebuilding(servers, db);
  await Promise.all(servers.map((server) => server.end()));
}

const keep = option("--keep", "");
const folder = keep || Deno.makeTempDirSync({ prefix: "kbdb-bench-" });
const sections = Number(option("--sections", "10000"));
const counts = option("--sessions", "1,5,20").split(",").map(Number);
const db = await databaseOf(sections, folder);
try {
  print("database", `${sections} sections`);
  for (const count of counts) {
    await measure(db, { count, seconds: Number(option("--seconds", "10")) });
  }
} finally {
  await run(kbdbCommand("worker", "stop", "--db", db));
  if (!keep) Deno.removeSync(join(folder), { recursive: true });
}
