import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { kbdb, kbdbCommand, runtime } from "../support/command.ts";
import { daemonPids, until } from "../support/processes.ts";
import { projectRoot } from "../support/project.ts";
import { Place, WireServer } from "./wire_server.ts";

test("--no-daemon serves in the server's own process, or says who holds the database [ruling-d53-2]", async () => {
  await using place = new Place();
  const path = place.path();
  const args = ["--db", path, "--no-daemon"];
  await using alone = new WireServer({ args });
  await alone.hello();
  const { kbid, notice } = await alone.tool("learn", { content: "Herons stand in reeds." });
  assert.match(notice, /There was no database yet: made /);
  assert.equal((await alone.tool("status")).pid, alone.child.pid);
  assert.deepEqual(daemonPids(path), []);
  assert.equal(await alone.end(), 0);
  await using shared = WireServer.on(path);
  await shared.hello();
  const { pid } = await shared.tool("status");
  await using second = new WireServer({ args });
  await second.hello();
  const said = await second.failure("search", { query: "herons" });
  assert.match(said, new RegExp(`process ${pid} holds it`));
  assert.equal((await shared.tool("search", { query: "herons" })).items[0].kbid, kbid);
});

test("a database that is not there is made by the first write [ruling-d61-1 ruling-d61-2 ruling-d61-3]", async () => {
  await using place = new Place();
  const path = place.path();
  await using server = WireServer.on(path);
  const { result: { instructions } } = await server.hello();
  assert.match(instructions, /There is no database yet/);
  for (const [name, args] of [["search", { query: "herons" }], ["status", {}], ["check", {}]]) {
    assert.match((await server.tool(name as string, args as object)).notice, /no database yet/);
  }
  assert.deepEqual((await server.request("prompts/list")).result, { prompts: [] });
  assert.deepEqual(readdirSync(place.folder.path), []);
  const { notice } = await server.tool("learn", { content: "Herons stand in reeds." });
  assert.match(notice, /There was no database yet: made /);
  assert.deepEqual(readdirSync(place.folder.path), [path.split("/").at(-1)]);
  assert.equal((await server.tool("search", { query: "herons" })).total, 1);
});

/** Rights without which there are neither sockets nor other processes. */
const CONFINED = ["--allow-read", "--allow-write", "--allow-env", "--allow-sys"];

test("without sockets the server opens the database itself, and says so once [ruling-d53-1 wire-03]", async (context) => {
  if (runtime !== "deno") return context.skip("Node has no permissions to refuse");
  await using place = new Place();
  const path = await place.database();
  const entry = join(projectRoot, "cli.ts");
  const flags = ["--no-prompt", "--node-modules-dir=manual", ...CONFINED];
  const command = [process.execPath, "run", ...flags, entry];
  await using server = WireServer.on(path, { command });
  await server.hello();
  const { kbid } = await server.tool("learn", { content: "Herons stand in reeds." });
  assert.equal((await server.tool("search", { query: "herons" })).items[0].kbid, kbid);
  assert.equal((await server.tool("status")).pid, server.child.pid);
  assert.deepEqual(daemonPids(path), []);
  assert.match(server.stderr, /^No daemon can be used here[^\n]*\n$/);
});

/** Runs a command so that rights of files bind it, also where the tests run as root. */
function boundByRights(): string[] | null {
  if (process.getuid?.() !== 0) return [];
  const drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"];
  return spawnSync(drop[0], [...drop.slice(1), "true"]).status === 0 ? drop : null;
}

function setRights(folder: string, mode: { folder: number; file: number }): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setRights(path, mode);
    else if (entry.isFile()) chmodSync(path, mode.file);
  }
  chmodSync(folder, mode.folder);
}

test("a read-only database is served, and writes are refused [ruling-d54-1]", async (context) => {
  const bound = boundByRights();
  if (!bound) return context.skip("root cannot be bound by rights here");
  await using place = new Place();
  const path = await place.database();
  await kbdb(["learn", "-", "--db", path], { input: "Herons stand in reeds." });
  await kbdb(["worker", "stop", "--db", path]);
  setRights(path, { folder: 0o500, file: 0o400 });
  try {
    const before = readdirSync(path, { recursive: true });
    await using server = WireServer.on(path, { command: [...bound, ...kbdbCommand()] });
    await server.hello();
    assert.equal((await server.tool("search", { query: "herons" })).total, 1);
    assert.equal((await server.tool("status")).read_only, true);
    const said = await server.failure("learn", { content: "Storks stand on roofs." });
    assert(said.includes(path) && /read-only/.test(said), said);
    assert.deepEqual(readdirSync(path, { recursive: true }), before);
  } finally {
    await kbdb(["worker", "stop", "--db", path]);
    setRights(path, { folder: 0o700, file: 0o600 });
  }
});

test("instructions come from kbdb.toml alone [ruling-d52-1]", async () => {
  await using place = new Place();
  const path = await place.database("notes.kbdb");
  const config = join(path, "kbdb.toml");
  writeFileSync(config, readFileSync(config, "utf8").replace(/^name = .*$/m, 'name = "herons"'));
  await using server = WireServer.on(path);
  const { result: { instructions } } = await server.hello();
  assert.match(instructions, /^Knowledge base "herons" \(kbdb\)/);
  assert.deepEqual(daemonPids(path), []);
  await server.end();
  const bare = place.path("bare.kbdb");
  mkdirSync(bare);
  writeFileSync(join(bare, "kbdb.toml"), 'name = "bare"\n');
  await using other = WireServer.on(bare);
  assert.match((await other.hello()).result.instructions, /^Knowledge base "bare"/);
});

test("status warns of a setting that there is not [ruling-d52-2]", async () => {
  await using place = new Place();
  const path = await place.database();
  writeFileSync(join(path, "worker.toml"), "[worker]\nidle_second = 60\n");
  await using server = WireServer.on(path);
  await server.hello();
  const { warnings } = await server.tool("status");
  assert.match(warnings.join("\n"), /worker\.idle_second.*worker\.idle_seconds/);
});

test("the log tells of each call, but neither content nor query [ruling-d37-1]", async () => {
  await using place = new Place();
  const path = await place.database("notes.kbdb");
  await using server = WireServer.on(path);
  await server.hello();
  await server.tool("learn", { content: "Herons stand in reeds.", docid: "birds" });
  await server.tool("search", { query: "reeds" });
  const log = () => {
    const file = join(path, "worker/log");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  await until(() => /method=search/.test(log()), 5000);
  for (const method of ["learn", "search"]) {
    const line = log().split("\n").find((one) => one.includes(`method=${method}`));
    const form =
      /^\d{4}-\d\d-\d\dT\S+Z method=\w+ db=notes items=1 bytes=\d+ ms=[\d.]+ outcome=ok args=[0-9a-f]{12}$/;
    assert.match(line ?? "", form);
  }
  assert.doesNotMatch(log(), /heron|reeds|birds/i);
});
