import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { scratchDatabase } from "./accept/scratch.ts";
import { kbdb, kbdbCommand, kbdbJson, run } from "./support/command.ts";

const ESCAPE = "\x1b";

/** Runs a command on a terminal of its own and gives what that shows. */
async function onTerminal(args: string[], env: Record<string, string> = {}): Promise<string> {
  const line = [...kbdbCommand(), ...args].map((word) => `'${word}'`).join(" ");
  const { stdout } = await run(["script", "-qec", line, "/dev/null"], {
    env: { TERM: "xterm", ...env },
  });
  return stdout;
}

const hasScript = spawnSync("script", ["--version"]).status === 0;
const needsTerminal = { skip: hasScript ? false : "there is no `script` to make a terminal" };

async function storing(content: string) {
  const database = await scratchDatabase();
  await kbdbJson(["learn", "-", "--docid", "x", "--db", database.path], { input: content });
  return database;
}

test("text for a pipe has no colour and no progress (D36)", async () => {
  await using database = await storing("# Parcels\n\nBlue parcels go left.");
  for (const args of [["search", "parcels"], ["check"], ["learn", "docs"], ["rebuild"]]) {
    const env = { FORCE_COLOR: "1", TERM: "xterm" };
    const { code, stdout, stderr } = await kbdb([...args, "--db", database.path], { env });
    assert.deepEqual([code, stderr], [0, ""]);
    assert.ok(!stdout.includes(ESCAPE), args.join(" "));
  }
});

test("search in text shows rank, title, docid, id and total (D62)", async () => {
  await using database = await storing("# Parcels\n\nBlue parcels go left.");
  const { stdout } = await kbdb(["search", "blue", "--db", database.path]);
  const [head, ...rest] = stdout.trimEnd().split("\n");
  assert.equal(head, "1. Parcels  x");
  assert.match(rest.join("\n"), /Blue parcels go left/);
  assert.match(rest.join("\n"), /^ {3}[0-9a-z]{26}$/m);
  assert.match(rest.at(-1)!, /^1 found \([\d.]+ ms\)$/);
});

test("a terminal gets marked words in colour (D62)", needsTerminal, async () => {
  await using database = await storing("# Title\n\nBlue parcels go left.");
  const args = ["search", "parcels", "--db", database.path];
  assert.ok((await onTerminal(args)).includes(`${ESCAPE}[1mparcels${ESCAPE}[0m`));
  const plain = [
    await onTerminal(args, { NO_COLOR: "1" }),
    await onTerminal([...args, "--no-color"]),
    await onTerminal([...args, "--json"]),
  ];
  for (const text of plain) assert.ok(!text.includes(ESCAPE), JSON.stringify(text));
});

test("stored control characters do not act on a reader (B46)", async () => {
  const evil = "# Evil\n\nparcels \x1b[2J\x1b]0;title\x07 \u202ereversed";
  await using database = await storing(evil);
  const search = ["search", "parcels", "--content", "--db", database.path];
  const { items: [{ kbid, content }] } = await kbdbJson<
    { items: { kbid: string; content: string }[] }
  >(search);
  assert.equal(content, evil);
  for (const args of [search, ["recall", kbid, "--db", database.path]]) {
    const { stdout } = await kbdb(args);
    assert.match(stdout, /␛\[2J␛\]0;title␇ <U\+202E>reversed/);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(stdout, /[\x00-\x08\x0b-\x1f\x7f\u202e]/);
  }
});

test("control characters of arguments do not act on a terminal", async () => {
  await using database = await storing("parcels");
  for (const args of [["learn", `/none${ESCAPE}[2J`], ["recall", `x${ESCAPE}[2J`]]) {
    const { stderr } = await kbdb([...args, "--db", database.path]);
    assert.ok(!stderr.includes(ESCAPE), JSON.stringify(stderr));
  }
});

test("a closed pipe ends a command quietly (D62)", async () => {
  const sections = Array.from({ length: 60 }, (_, i) => `# S${i}\n\nparcels ${"x ".repeat(4000)}`);
  await using database = await storing(sections.join("\n\n"));
  for (const format of ["text", "json"]) {
    const args = ["search", "parcels", "--content", "--limit", "100", "--format", format];
    const script = '{ "$@"; echo "code $?" >&2; } | head -n 1';
    const command = [...kbdbCommand(), ...args, "--db", database.path];
    const { stdout, stderr } = await run(["sh", "-c", script, "sh", ...command]);
    assert.equal(stderr, "code 0\n");
    assert.equal(stdout.trimEnd().split("\n").length, 1);
  }
});

test("--quiet leaves results and errors", async () => {
  await using database = await storing("parcels");
  const args = ["search", "parcels", "--limit", "1000", "--db", database.path];
  assert.match((await kbdb(args)).stderr, /lowered to 100/);
  const { stdout, stderr } = await kbdb([...args, "--quiet"]);
  assert.equal(stderr, "");
  assert.match(stdout, /1 found/);
});

test("every help is printed without a database (D62)", async () => {
  for (const args of [[], ["--help"], ["help", "search"], ["worker", "stop", "-h"]]) {
    const { code, stdout, stderr } = await kbdb(args, { cwd: "/" });
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /Usage: kbdb/);
  }
  const { stdout } = await kbdb(["--version"], { cwd: "/" });
  assert.match(stdout, /^kbdb \d+\.\d+\.\d+\n$/);
});
