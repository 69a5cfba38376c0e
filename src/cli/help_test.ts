import assert from "node:assert/strict";
import { test } from "node:test";
import { flagName, GLOBAL_FLAGS, parseLine } from "./args.ts";
import { commandHelp, overview } from "./help.ts";
import { COMMANDS } from "./main.ts";

/** Words of an example line, as a shell would cut it, after any pipe. */
function wordsOf(line: string): string[] {
  return line.split("|").at(-1)!.trim().split(/\s+/).slice(1);
}

test("overview() lists every command with its summary", () => {
  const text = overview(COMMANDS, "1.2.3");
  assert.match(text, /^kbdb 1\.2\.3:/);
  for (const { name, summary } of COMMANDS) {
    assert.match(text, new RegExp(`^  ${name} +${summary.replace(/[()]/g, "\\$&")}$`, "m"));
  }
});

for (const command of COMMANDS) {
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
      assert.equal((parsed as { command: unknown }).command, command);
    }
  });
}

test("help fits a terminal of 100 columns", () => {
  const texts = [overview(COMMANDS, "1.2.3"), ...COMMANDS.map(commandHelp)];
  const wide = texts.flatMap((text) => text.split("\n")).filter((line) => line.length > 100);
  assert.deepEqual(wide, []);
});
