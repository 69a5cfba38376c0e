import assert from "node:assert/strict";
import { test } from "node:test";
import { flagName, GLOBAL_FLAGS, parseLine } from "./args.ts";
import { type Command, loadCommand } from "./command.ts";
import { COMMANDS, GROUPS } from "./commands.ts";
import { commandHelp, groupHelp, overview } from "./help.ts";

/** Words of an example line, as a shell would cut it: after any pipe, before any redirection. */
function wordsOf(line: string): string[] {
  return line.split("|").at(-1)!.split(" >")[0].trim().split(/\s+/).slice(1);
}

/** A summary as it stands in a list of commands. */
function rowOf({ name, summary }: { name: string; summary: string }): RegExp {
  return new RegExp(`^  ${name} +${summary.replace(/[()?]/g, "\\$&")}$`, "m");
}

const all: Command[] = await Promise.all(COMMANDS.map(loadCommand));

test("overview() lists every command with its summary", () => {
  const text = overview(GROUPS, "1.2.3");
  assert.match(text, /^kbdb 1\.2\.3:/);
  for (const row of COMMANDS) assert.match(text, rowOf(row));
  for (const { title } of GROUPS) assert.match(text, new RegExp(`^${title}:$`, "m"));
});

test("groupHelp() lists the commands that begin with a word", () => {
  const text = groupHelp("trash", COMMANDS);
  const named = COMMANDS.filter(({ name }) => /^trash\b/.test(name));
  assert.equal(named.length, 2);
  for (const row of named) assert.match(text, rowOf(row));
  assert.doesNotMatch(text, /restore/);
});

test("no two commands have one name", () => {
  assert.equal(new Set(COMMANDS.map(({ name }) => name)).size, COMMANDS.length);
});

for (const command of all) {
  test(`help of ${command.name} lists all flags and examples (D62)`, () => {
    const text = commandHelp(command);
    for (const name of Object.keys({ ...command.flags, ...GLOBAL_FLAGS })) {
      assert.match(text, new RegExp(`^  ${flagName(name)}\\b`, "m"));
    }
    assert.ok(command.examples.length > 0);
    for (const [line, meaning] of command.examples) {
      assert.ok(text.includes(line) && text.includes(meaning));
    }
  });

  test(`examples of ${command.name} are lines that it takes`, async () => {
    for (const [line] of command.examples) {
      const parsed = await parseLine(wordsOf(line), COMMANDS);
      assert.equal(parsed.kind, "run");
      assert.equal((parsed as { command: Command }).command.run, command.run);
    }
  });

  test(`flags of ${command.name} hide none of every command`, () => {
    const hidden = Object.keys(command.flags).filter((name) => name in GLOBAL_FLAGS);
    assert.deepEqual(hidden, []);
  });
}

test("help fits a terminal of 100 columns", () => {
  const texts = [overview(GROUPS, "1.2.3"), ...all.map(commandHelp)];
  const wide = texts.flatMap((text) => text.split("\n")).filter((line) => line.length > 100);
  assert.deepEqual(wide, []);
});
