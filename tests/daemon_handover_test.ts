import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { openDatabase } from "../mod.ts";
import { VERSION } from "../src/rpc/version.ts";
import { daemonPid, expectCleanCheck, scratchDatabase } from "./accept/scratch.ts";
import { kbdbJson, run } from "./support/command.ts";
import { OLDER_VERSION, type OlderProgram, olderProgram } from "./support/older_program.ts";
import { daemonPids, until } from "./support/processes.ts";
import { type TempDir, tempDir } from "./support/temp_dir.ts";

const GENEROUS_MS = 60_000;
const WRITES = 200;

interface Status {
  version: string;
  pid: number;
}

/** The state of a database as an older program finds it. */
async function olderStatus(older: OlderProgram, database: string): Promise<Status> {
  const { code, stdout, stderr } = await run(older.kbdb("status", "--json", "--db", database));
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/** An older client that learns one content after another; what it was told of each. */
function olderWriter(older: OlderProgram, place: { folder: TempDir; database: string }) {
  const script = place.folder.join("writer.mjs");
  writeFileSync(
    script,
    `import { openDatabase } from ${JSON.stringify(pathToFileURL(older.door).href)};
const db = await openDatabase(${JSON.stringify(place.database)});
let next = 0;
async function write() {
  while (next < ${WRITES}) {
    const content = \`zebrafish \${next++}\`;
    const { kbid, existing = false } = await db.learn({ content, docid: "fish" });
    console.log(JSON.stringify({ kbid, existing }));
  }
}
await Promise.all([write(), write(), write()]);
await db.close();
`,
  );
  const [program, ...args] = older.script(script);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk) => text += chunk);
  return {
    told: () =>
      text.split("\n").slice(0, -1).map((line): { kbid: string; existing: boolean } =>
        JSON.parse(line)
      ),
    ended: once(child, "close").then(([code]) => code as number),
  };
}

test("a newer client takes over from an older daemon, and nothing is lost (B14)", async () => {
  await using database = await scratchDatabase();
  using folder = tempDir();
  const older = olderProgram(folder.path);
  const before = await olderStatus(older, database.path);
  assert.equal(before.version, OLDER_VERSION);
  const writer = olderWriter(older, { folder, database: database.path });
  await until(() => writer.told().length >= 10, GENEROUS_MS);
  const after = await kbdbJson<Status>(["status", "--db", database.path]);
  const meanwhile = writer.told().length;
  assert.equal(after.version, VERSION);
  assert.notEqual(after.pid, before.pid);
  assert.ok(meanwhile < WRITES, "the writer was done before the hand-over");
  assert.equal(await writer.ended, 0);
  const told = writer.told();
  assert.deepEqual(told.filter(({ existing }) => existing), []);
  await using db = await openDatabase(database.path);
  const { items } = await db.recall(told.map(({ kbid }) => kbid));
  assert.deepEqual(items.filter((item) => "error" in item), []);
  assert.equal((await db.search("zebrafish")).total, WRITES);
  assert.deepEqual(daemonPids(database.path), [after.pid]);
  await expectCleanCheck(database.path);
});

test("two versions that take turns use the newer daemon, without end (B14)", async () => {
  await using database = await scratchDatabase();
  using folder = tempDir();
  const older = olderProgram(folder.path);
  assert.equal((await olderStatus(older, database.path)).version, OLDER_VERSION);
  await kbdbJson(["status", "--db", database.path]);
  const pid = await daemonPid(database.path);
  for (let turn = 0; turn < 4; turn++) {
    const seen = [
      await olderStatus(older, database.path),
      await kbdbJson<Status>(["status", "--db", database.path]),
    ];
    for (const status of seen) assert.deepEqual([status.pid, status.version], [pid, VERSION]);
  }
  const { code, stdout } = await run(
    older.kbdb("learn", "README.md", "--json", "--db", database.path),
  );
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).docid, "README.md");
});
