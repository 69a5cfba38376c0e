import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { daemonPid, scratchDatabase } from "./accept/scratch.ts";
import { kbdb, kbdbCommand, kbdbJson, run, runtime } from "./support/command.ts";
import { projectRoot } from "./support/project.ts";
import { daemonPids, until } from "./support/processes.ts";
import { tempDir } from "./support/temp_dir.ts";

const GENEROUS_MS = 60_000;

interface Found {
  items: { docids: string[] }[];
}

/** The daemon's own program, as the client starts it. */
function workerCommand(database: string): string[] {
  const entry = runtime === "deno"
    ? ["run", "--no-prompt", "-A", join(projectRoot, "worker.ts")]
    : [join(projectRoot, "npm/worker.js")];
  return [process.execPath, ...entry, "kbdb-worker", database];
}

/** A database with one section about zebrafish. */
async function fishDatabase() {
  const database = await scratchDatabase();
  const options = { input: "# Zebrafish\n\nThe zebrafish lives in rivers." };
  await kbdbJson(["learn", "-", "--docid", "fish", "--db", database.path], options);
  return database;
}

async function stop(database: string): Promise<void> {
  await kbdbJson(["worker", "stop", "--db", database]);
  await until(() => daemonPids(database).length === 0, GENEROUS_MS);
}

test("20 daemons started at once leave one (B07)", async () => {
  await using database = await fishDatabase();
  await stop(database.path);
  const [program, ...args] = workerCommand(database.path);
  const exits: (number | null)[] = [];
  for (let i = 0; i < 20; i++) {
    const child = spawn(program, args, { stdio: "ignore" });
    child.on("exit", (code) => exits.push(code));
  }
  await until(() => exits.length === 19, GENEROUS_MS);
  assert.deepEqual(exits, Array(19).fill(0));
  const pid = await daemonPid(database.path);
  assert.deepEqual(daemonPids(database.path), [pid]);
  const { items } = await kbdbJson<Found>(["search", "zebrafish", "--db", database.path]);
  assert.equal(items.length, 1);
  await stop(database.path);
  await until(() => exits.length === 20, GENEROUS_MS);
});

test("12 commands started at once use one daemon (B07)", async () => {
  await using database = await fishDatabase();
  await stop(database.path);
  const search = () => kbdbJson<Found>(["search", "zebrafish", "--db", database.path]);
  const answers = await Promise.all(Array.from({ length: 12 }, search));
  for (const { items } of answers) assert.deepEqual(items[0].docids, ["fish"]);
  const pid = await daemonPid(database.path);
  await until(() => daemonPids(database.path).length === 1, GENEROUS_MS);
  assert.deepEqual(daemonPids(database.path), [pid]);
});

test("the daemon inherits nothing and works in / (D56)", async () => {
  await using database = await fishDatabase();
  await stop(database.path);
  using folder = tempDir();
  const command = [...kbdbCommand(), "search", "zebrafish", "--db", database.path];
  const script = `exec 7>"${folder.join("held")}"; exec "$@"`;
  const { code } = await run(["sh", "-c", script, "sh", ...command], { cwd: folder.path });
  assert.equal(code, 0);
  const pid = await daemonPid(database.path);
  assert.equal(readlinkSync(`/proc/${pid}/cwd`), "/");
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => linkTarget(`/proc/${pid}/fd/${fd}`));
  assert.deepEqual(targets.filter((target) => target.startsWith(folder.path)), []);
  for (const fd of [0, 1, 2]) assert.equal(linkTarget(`/proc/${pid}/fd/${fd}`), "/dev/null");
});

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

test("the daemon's command line names itself and its database (D56)", async () => {
  await using database = await fishDatabase();
  assert.deepEqual(daemonPids(database.path), [await daemonPid(database.path)]);
});

test("all spellings of one folder reach one daemon (B43)", async () => {
  await using database = await fishDatabase();
  using folder = tempDir();
  symlinkSync(database.path, folder.join("link"));
  symlinkSync(join(database.path, ".."), folder.join("parent"));
  const spellings = [
    `${database.path}/`,
    `${database.path}//`,
    join(database.path, ".."),
    `${database.path}/sections/..`,
    `${database.path}/../.kbdb/.`,
    folder.join("link"),
    folder.join("parent"),
    `${folder.join("parent")}/.kbdb`,
  ];
  const pids: number[] = [];
  for (const spelling of spellings) {
    pids.push((await kbdbJson<{ pid: number }>(["status", "--db", spelling])).pid);
  }
  assert.deepEqual(new Set(pids), new Set([await daemonPid(database.path)]));
  assert.equal(daemonPids(".kbdb").filter((pid) => pids.includes(pid)).length, 1);
});

test("KBDB_DIR and the working folder reach the same daemon (D5)", async () => {
  await using database = await fishDatabase();
  const pid = await daemonPid(database.path);
  const byVariable = await kbdbJson<{ pid: number }>(["status"], {
    env: { KBDB_DIR: database.path },
    cwd: "/",
  });
  const byFolder = await kbdbJson<{ pid: number }>(["status"], { cwd: join(database.path, "..") });
  assert.deepEqual([byVariable.pid, byFolder.pid], [pid, pid]);
});

test("two databases with one long beginning stay apart (B10)", async () => {
  using folder = tempDir();
  const start = folder.join("d".repeat(110));
  const paths = ["one", "two"].map((name) => `${start}-${name}`);
  try {
    for (const [i, path] of paths.entries()) {
      await kbdbJson(["db", "init", path]);
      const input = `# Word\n\n${["alpha", "beta"][i]} here`;
      await kbdbJson(["learn", "-", "--docid", `d${i}`, "--db", path], { input });
    }
    for (const [i, path] of paths.entries()) {
      const args = ["search", "alpha", "beta", "--db", path];
      const { items } = await kbdbJson<Found>(args);
      assert.deepEqual(items.map(({ docids }) => docids), [[`d${i}`]]);
    }
  } finally {
    for (const path of paths) await kbdb(["worker", "stop", "--db", path]);
  }
});

test("a folder name of many bytes works (B10)", async () => {
  using folder = tempDir();
  const path = folder.join("漢".repeat(60));
  await kbdbJson(["db", "init", path]);
  try {
    const { contextPath } = await kbdbJson<{ contextPath: string }>(["status", "--db", path]);
    assert.equal(contextPath, join(path, ".kbdb"));
  } finally {
    await kbdb(["worker", "stop", "--db", path]);
  }
});

test("a start that fails says why at once (D52)", async () => {
  await using database = await fishDatabase();
  await stop(database.path);
  writeFileSync(join(database.path, "worker.toml"), "[worker]\nidle_seconds = 0\n");
  const { code, stderr } = await kbdb(["status", "--db", database.path]);
  assert.equal(code, 2);
  assert.match(stderr, /worker\.toml, line 2: worker\.idle_seconds/);
});

test("a damaged kbdb.toml is named at once (B08)", async () => {
  await using database = await fishDatabase();
  await stop(database.path);
  writeFileSync(join(database.path, "kbdb.toml"), "format = = 1\n");
  const { code, stderr } = await kbdb(["status", "--db", database.path]);
  assert.equal(code, 4);
  assert.match(stderr, /kbdb\.toml is damaged/);
});
