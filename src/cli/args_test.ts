import assert from "node:assert/strict";
import { test } from "node:test";
import { exitCodeOf, KbdbError } from "../rpc/errors.ts";
import { asksForMcp, flagName, type ParsedLine, parseLine } from "./args.ts";
import { COMMANDS } from "./commands.ts";

type Run = ParsedLine & { kind: "run" };

function parse(...words: string[]): Promise<ParsedLine> {
  return parseLine(words, COMMANDS);
}

/** Arguments and flags of a line that runs a command; lists that were not given are left out. */
async function run(...words: string[]): Promise<Run> {
  const line = await parse(...words) as Run;
  assert.equal(line.kind, "run");
  const given = Object.entries(line.flags)
    .filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return { ...line, flags: Object.fromEntries(given) };
}

/** What a refused line says; fails unless it is a mistake of usage. */
async function refusal(...words: string[]): Promise<string> {
  try {
    await parse(...words);
  } catch (error) {
    assert.ok(error instanceof KbdbError && exitCodeOf(error.code) === 2, String(error));
    return error.message;
  }
  throw new Error(`Nothing refused in: ${words.join(" ")}`);
}

test("parseLine() finds commands of one and two words", async () => {
  assert.equal((await run("search", "x")).command.name, "search");
  assert.equal((await run("db", "init", "x")).command.name, "db init");
  assert.equal((await run("trash")).command.name, "trash");
  assert.equal((await run("trash", "empty", "--yes")).command.name, "trash empty");
});

test("parseLine() takes flags before, between and after", async () => {
  const lines = [
    ["--db", "p", "--json", "search", "a", "b"],
    ["search", "a", "--json", "b", "--db", "p"],
    ["--json", "search", "--db=p", "a", "b"],
  ];
  for (const words of lines) {
    const { args, flags } = await run(...words);
    assert.deepEqual([args, flags], [["a", "b"], { db: "p", json: true }]);
  }
});

test("parseLine() ends flags at -- (B26)", async () => {
  const { args, flags } = await run("search", "--limit", "3", "--", "-x", "--json", "--", "y");
  assert.deepEqual([args, flags], [["-x", "--json", "--", "y"], { limit: 3 }]);
});

test("parseLine() takes - as an argument", async () => {
  assert.deepEqual((await run("learn", "-")).args, ["-"]);
});

test("parseLine() keeps ordinary text of queries (B26)", async () => {
  const words = ["a/b", "don't", '"open', "(", "NEAR(", "col:x", "*", "^", "\\", "{{x}}", "🐘", ""];
  assert.deepEqual((await run("search", ...words)).args, words);
});

for (
  const [words, command] of [
    [["--help"], null],
    [["-h"], null],
    [["help"], null],
    [[], null],
    [["help", "help"], null],
    [["help", "worker"], null],
    [["help", "search"], "search"],
    [["search", "-h"], "search"],
    [["search", "--help", "me"], "search"],
    [["--help", "search"], "search"],
    [["help", "worker", "stop"], "worker stop"],
    [["worker", "status", "x", "--help"], "worker status"],
  ] as const
) {
  test(`parseLine() shows help for: ${words.join(" ") || "nothing"} (D62)`, async () => {
    const line = await parse(...words);
    assert.equal(line.kind, "help");
    assert.equal((line as { command: { name: string } | null }).command?.name ?? null, command);
  });
}

test("parseLine() shows the version (D62)", async () => {
  for (const words of [["--version"], ["search", "--version"]]) {
    assert.equal((await parse(...words)).kind, "version");
  }
});

test("parseLine() names the nearest command (D62)", async () => {
  assert.match(await refusal("serach", "x"), /Did you mean kbdb search\?/);
  assert.match(await refusal("wroker", "stop"), /Did you mean kbdb worker\?/);
  assert.match(await refusal("help", "lern"), /Did you mean kbdb learn\?/);
  assert.doesNotMatch(await refusal("quux"), /Did you mean/);
});

test("parseLine() names what a group takes", async () => {
  assert.match(await refusal("worker"), /a word is missing.*kbdb worker status, kbdb worker stop/);
  assert.match(await refusal("worker", "go"), /kbdb worker go: unknown command. Choose: /);
  assert.match(await refusal("worker", "--json"), /a word is missing/);
});

test("parseLine() names the nearest second word (D62)", async () => {
  assert.match(await refusal("skill", "lern"), /kbdb skill lern.*Did you mean kbdb skill learn\?/);
  assert.match(await refusal("trash", "emty"), /Did you mean kbdb trash empty\?/);
  assert.match(await refusal("trash", "out"), /unknown command. Choose: kbdb trash empty/);
});

test("parseLine() shows the commands of a group", async () => {
  for (const words of [["help", "skill"], ["skill", "--help"], ["skill", "-h"]]) {
    const line = await parse(...words);
    assert.deepEqual(line, { kind: "help", command: null, group: "skill" });
  }
});

test("asksForMcp() looks at the flags only", () => {
  assert.ok(asksForMcp(["search", "x", "--format", "mcp"]));
  assert.ok(asksForMcp(["--format=mcp", "serach"]));
  assert.ok(!asksForMcp(["search", "--format", "json", "mcp"]));
  assert.ok(!asksForMcp(["search", "--", "--format", "mcp"]));
});

test("parseLine() names the nearest flag (D62)", async () => {
  assert.match(await refusal("search", "x", "--limt", "3"), /--limt.*Did you mean --limit\?/);
  assert.match(await refusal("search", "x", "--no-colour"), /Did you mean --no-color\?/);
  assert.match(await refusal("--dbb", "p", "status"), /Did you mean --db\?/);
  assert.match(await refusal("search", "-x"), /Cannot use -x.*after --/);
  assert.match(await refusal("-v"), /Cannot use -v/);
});

test("parseLine() refuses a flag of another command", async () => {
  assert.match(await refusal("learn", "x", "--limit", "3"), /--limit: unknown flag/);
});

for (const value of ["x", "", "1.5", "-5", "1e3", "99999999999999999999", " 5"]) {
  test(`parseLine() refuses --limit=${JSON.stringify(value)} (B20)`, async () => {
    assert.match(await refusal("search", "x", `--limit=${value}`), /--limit.*whole number/);
  });
}

test("parseLine() refuses a flag without its value", async () => {
  assert.match(await refusal("status", "--db"), /--db: it needs a value/);
  assert.match(await refusal("status", "--db="), /--db: it needs a value/);
  assert.match(await refusal("search", "x", "--limit"), /--limit/);
  assert.match(await refusal("search", "x", "--tag", ""), /--tag: it needs a value/);
});

test("parseLine() collects a repeated list and takes the last of others", async () => {
  const { flags } = await run("search", "x", "--tag", "a", "--tag=b", "--limit", "5", "--limit=2");
  assert.deepEqual(flags, { tag: ["a", "b"], limit: 2 });
});

test("parseLine() refuses arguments that a command has no use for", async () => {
  for (const name of ["status", "check", "rebuild", "worker stop", "list tags"]) {
    assert.match(await refusal(...name.split(" "), "now"), /it takes no arguments/);
  }
});

test("flagName() is how a person writes a flag", () => {
  assert.equal(flagName("noDaemon"), "--no-daemon");
});
