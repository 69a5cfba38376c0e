import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { kbdb, kbdbCommand, run } from "../support/command.ts";
import { daemonPids } from "../support/processes.ts";
import { Place, plainEnvironment, WireServer } from "./wire_server.ts";

/** A reply that says why there is none has to come this fast, on a machine with other work too. */
const AT_ONCE_MS = 2000;

/** The folder that the server says it serves. */
async function rootOf(server: WireServer): Promise<string> {
  const { result } = await server.request("roots/list");
  return decodeURIComponent(result.roots[0].uri.replace("file://", ""));
}

test("without a name no database is served, not even the one around [start-db-4 start-db-5 missed-start-1 server-cli-5 ruling-d35-1 wire-03]", async () => {
  await using place = new Place();
  const path = await place.database("project/.kbdb");
  const cwd = dirname(path);
  for (const env of [{}, { KBDB_DIR: "" }]) {
    const { code, stdout, stderr } = await run([...kbdbCommand(), "mcp"], { cwd, env });
    assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
    assert.match(stderr, /^kbdb: Cannot serve: no database is named\. .*--db.*KBDB_DIR.*\n$/);
  }
  const command = await kbdb(["status", "--json"], { cwd });
  assert.equal(JSON.parse(command.stdout).contextPath, path);
});

test("--db names the database, else KBDB_DIR does [start-db-1 start-db-2 start-db-3 start-db-5 install-05 server-cli-5 module-flow-01]", async () => {
  await using place = new Place();
  const [given, variable, around] = await Promise.all(
    ["given.kbdb", "variable.kbdb", "around/.kbdb"].map((name) => place.database(name)),
  );
  const env = { ...plainEnvironment(), KBDB_DIR: variable };
  const starts = [
    { args: ["--db", given], env: plainEnvironment(), expected: given },
    { args: [`--db=${given}`], env, expected: given },
    { args: [], env, expected: variable },
  ];
  for (const { args, env, expected } of starts) {
    await using server = new WireServer({ args, env, cwd: dirname(around) });
    await server.hello();
    assert.equal(await rootOf(server), expected);
    assert.equal((await server.tool("status")).contextPath, expected);
  }
});

/** Starts that fail; `make` gives the arguments, from a folder that may be filled. */
const FAILING: {
  name: string;
  cites?: string[];
  make: (folder: string) => string[];
  code: number;
  stderr: RegExp;
}[] = [
  {
    name: "an unknown flag with a value",
    cites: ["ruling-d35-1", "ruling-d62-1", "server-cli-2"],
    make: () => ["--auto-capture=x"],
    code: 2,
    stderr: /--auto-capture: unknown flag/,
  },
  {
    name: "a flag that is nearly right",
    cites: ["ruling-d35-1", "ruling-d62-1"],
    make: (folder) => ["--db", folder, "--no-demon"],
    code: 2,
    stderr: /Did you mean --no-daemon\?/,
  },
  {
    name: "a word too many",
    cites: ["ruling-d35-1"],
    make: (folder) => [folder],
    code: 2,
    stderr: /name the database with --db/,
  },
  {
    name: "--db without a value",
    cites: ["ruling-d35-1"],
    make: () => ["--db="],
    code: 2,
    stderr: /--db: it needs a value/,
  },
  {
    name: "a folder of something else",
    cites: ["ruling-d61-4"],
    make: (folder) => {
      mkdirSync(join(folder, "photos"));
      writeFileSync(join(folder, "photos/one.txt"), "mine");
      return ["--db", join(folder, "photos")];
    },
    code: 2,
    stderr: /photos: it is no kbdb database\. /,
  },
  {
    name: "an empty folder",
    cites: ["ruling-d61-4"],
    make: (folder) => {
      mkdirSync(join(folder, "empty"));
      return ["--db", join(folder, "empty")];
    },
    code: 2,
    stderr: /empty: it is no kbdb database\. /,
  },
  {
    name: "a file",
    cites: ["ruling-d61-4"],
    make: (folder) => {
      writeFileSync(join(folder, "notes.kbdb"), "mine");
      return ["--db", join(folder, "notes.kbdb")];
    },
    code: 2,
    stderr: /notes\.kbdb: it is no kbdb database\. /,
  },
  {
    name: "a folder above that is not there",
    make: (folder) => ["--db", join(folder, "none/notes.kbdb")],
    code: 3,
    stderr: /neither it nor the folder above is there\. Make the folder/,
  },
  {
    name: "a file in the place of the folder above",
    make: (folder) => {
      writeFileSync(join(folder, "file"), "mine");
      return ["--db", join(folder, "file/notes.kbdb")];
    },
    code: 3,
    stderr: /neither it nor the folder above is there\. Make the folder/,
  },
];

test("a start that fails says so on standard error, and touches nothing", async (t) => {
  for (const { name, make, code, stderr } of FAILING) {
    await t.test(name, async () => {
      await using place = new Place();
      const args = make(place.folder.path);
      const before = readdirSync(place.folder.path, { recursive: true });
      const ended = await run([...kbdbCommand(), "mcp", ...args], { cwd: "/" });
      assert.deepEqual([ended.code, ended.stdout], [code, ""]);
      assert.match(ended.stderr, /^kbdb: Cannot [^\n]+\n$/);
      assert.match(ended.stderr, stderr);
      assert.deepEqual(readdirSync(place.folder.path, { recursive: true }), before);
    });
  }
});

test("kbdb mcp --help explains the command [ruling-d62-1 server-cli-2]", async () => {
  const { code, stdout, stderr } = await kbdb(["mcp", "--help"]);
  assert.deepEqual([code, stderr], [0, ""]);
  for (const said of ["Model Context Protocol", "--db PATH", "KBDB_DIR", "claude mcp add"]) {
    assert(stdout.includes(said), said);
  }
  // Beside those of every command it takes none.
  assert(!/^Flags:/m.test(stdout), stdout);
});

test("PATH alone is environment enough, from the root folder [client-start-5]", async () => {
  await using place = new Place();
  const path = place.path();
  const { PATH } = plainEnvironment();
  await using server = WireServer.on(path, { env: { PATH } });
  await server.hello();
  const { kbid } = await server.tool("learn", { content: "Herons stand in reeds." });
  assert.equal((await server.tool("search", { query: "herons" })).items[0].kbid, kbid);
  assert.equal(await server.end(), 0);
});

test("variables of the session change nothing in which daemon is reached [client-start-6]", async () => {
  await using place = new Place();
  const path = await place.database();
  const elsewhere = place.folder.join("elsewhere");
  mkdirSync(elsewhere);
  const pids: number[] = [];
  const other = { XDG_RUNTIME_DIR: elsewhere, TMPDIR: elsewhere, HOME: elsewhere };
  for (const env of [plainEnvironment(), { ...plainEnvironment(), ...other }]) {
    await using server = WireServer.on(path, { env });
    await server.hello();
    pids.push((await server.tool("status")).pid);
  }
  assert.deepEqual(daemonPids(path), [pids[0]]);
  assert.deepEqual(pids, [pids[0], pids[0]]);
});

test("all spellings of a folder lead to one daemon [ruling-d5-1 ruling-d5-2]", async () => {
  await using place = new Place();
  const path = await place.database("notes/.kbdb");
  const above = dirname(path);
  symlinkSync(above, place.folder.join("link"));
  const spellings: [db: string, cwd?: string][] = [
    [path],
    [above],
    [`${path}/`],
    [`${above}/../notes/./.kbdb//`],
    [`${place.folder.join("link")}/.kbdb`],
    [place.folder.join("link")],
    ["notes", place.folder.path],
    [".", path],
  ];
  const pids = new Set<number>();
  for (const [db, cwd = "/"] of spellings) {
    await using server = WireServer.on(db, { cwd });
    await server.hello();
    assert.equal(await rootOf(server), path, db);
    pids.add((await server.tool("status")).pid);
  }
  assert.deepEqual([...pids], daemonPids(path));
});

test("initialize and the lists need no daemon; the first call starts it [ruling-d22-1 ruling-d22-2 client-start-1 client-start-9]", async () => {
  await using place = new Place();
  const path = await place.database();
  const start = performance.now();
  await using server = WireServer.on(path);
  await server.hello();
  assert(performance.now() - start < AT_ONCE_MS);
  for (const method of ["tools/list", "resources/list", "resources/templates/list"]) {
    assert.equal((await server.request(method)).error, undefined, method);
  }
  assert.deepEqual(daemonPids(path), []);
  const { pid } = await server.tool("status");
  assert.deepEqual(daemonPids(path), [pid]);
  assert.deepEqual((await server.request("prompts/list")).result, { prompts: [] });
});

/** What keeps a daemon from coming up, and what the first call then says. */
const BROKEN: { name: string; harm: (path: string) => void; says: RegExp; cites?: string[] }[] = [
  {
    name: "kbdb.toml is damaged",
    harm: (path) => writeFileSync(join(path, "kbdb.toml"), "format = = 1\n"),
    says: /Cannot start the daemon: .*kbdb\.toml is damaged/,
  },
  {
    name: "a file stands in the place of its folder",
    harm: (path) => {
      rmSync(join(path, "worker"), { recursive: true });
      writeFileSync(join(path, "worker"), "");
    },
    says: /worker\/endpoint: a part of the path is not a folder/,
  },
  {
    name: "a setting has a wrong value",
    cites: ["ruling-d52-3"],
    harm: (path) => writeFileSync(join(path, "worker.toml"), "[worker]\nidle_seconds = 0\n"),
    says: /worker\.toml, line 2: worker\.idle_seconds/,
  },
];

test("a daemon that cannot start is told by the call that needs it [client-start-1 ruling-d22-1]", async () => {
  await using place = new Place();
  await Promise.all(BROKEN.map(async ({ name, harm, says }) => {
    const path = await place.database(`${name}.kbdb`);
    harm(path);
    await using server = WireServer.on(path);
    const { result } = await server.hello();
    assert.equal(result.serverInfo.name, "kbdb");
    assert.equal((await server.request("tools/list")).result.tools.length, 20);
    const said = await server.failure("search", { query: "herons" });
    assert.match(said, says);
    assert.doesNotMatch(said, /\n\s+at /);
  }));
});

test("a daemon that could not start is started once it can [error-04]", async () => {
  await using place = new Place();
  const path = await place.database();
  writeFileSync(join(path, "worker.toml"), "[worker]\nidle_seconds = 0\n");
  await using server = WireServer.on(path);
  await server.hello();
  const { error } = await server.request("prompts/list");
  assert.equal(error.code, -32603);
  assert.match(error.message, /worker\.toml, line 2/);
  rmSync(join(path, "worker.toml"));
  assert.equal((await server.tool("status")).initialized, true);
});

test("the process that is started is the server, and lives on from call to call [server-goal-1 server-cli-1]", async () => {
  await using place = new Place();
  await using server = WireServer.on(await place.database());
  await server.hello();
  for (let i = 0; i < 20; i++) await server.tool("search", { query: `fact ${i}` });
  assert(!server.ended);
  process.kill(server.child.pid!, 0);
  assert.equal(await server.end(), 0);
});
