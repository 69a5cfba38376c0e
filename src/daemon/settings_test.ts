import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryFiles } from "../platform/memory_files.ts";
import { KbdbError } from "../rpc/errors.ts";
import { DEFAULT_SETTINGS, type LoadedSettings, loadSettings, SETTINGS } from "./settings.ts";

/** The settings of a database whose `worker.toml` is this. */
function settingsOf(toml: string): Promise<LoadedSettings> {
  const files = new MemoryFiles();
  files.write("/worker.toml", new TextEncoder().encode(toml));
  return loadSettings(files, "/");
}

async function refusal(toml: string): Promise<string> {
  try {
    await settingsOf(toml);
  } catch (error) {
    assert.ok(error instanceof KbdbError && error.code === "bad_request", String(error));
    return error.message;
  }
  throw new Error(`Nothing refused in: ${toml}`);
}

test("loadSettings() has a default for a missing file (D52)", async () => {
  const loaded = await loadSettings(new MemoryFiles(), "/");
  assert.deepEqual(loaded, { settings: DEFAULT_SETTINGS, warnings: [] });
  assert.deepEqual(DEFAULT_SETTINGS, {
    "worker.idle_seconds": 600,
    "gc.grace_days": 0,
    "gc.trash_days": 30,
    "mcp.max_reply_bytes": 80_000,
    "log.enabled": true,
    "log.max_bytes": 1_048_576,
    "log.files": 3,
  });
});

test("loadSettings() reads tables and dotted names", async () => {
  const toml = "worker.idle_seconds = 1.5\n[gc]\ngrace_days = 7\n[log]\nenabled = false\n";
  const { settings } = await settingsOf(toml);
  assert.equal(settings["worker.idle_seconds"], 1.5);
  assert.equal(settings["gc.grace_days"], 7);
  assert.equal(settings["gc.trash_days"], 30);
  assert.equal(settings["log.enabled"], false);
});

test("loadSettings() takes the ends of every range", async () => {
  for (const [name, row] of Object.entries(SETTINGS)) {
    for (const value of [row.default, "least" in row ? row.least : row.default]) {
      const { settings } = await settingsOf(`${name} = ${value}\n`);
      assert.equal(settings[name as keyof typeof SETTINGS], value);
    }
    if (!("most" in row)) continue;
    assert.equal((await settingsOf(`${name} = ${row.most}\n`)).warnings.length, 0);
    assert.match(await refusal(`${name} = ${row.most * 2 + 1}\n`), /line 1:/);
    assert.match(await refusal(`${name} = -1\n`), /line 1:/);
  }
});

test("loadSettings() warns of an unknown key, naming the nearest (D52)", async () => {
  const { settings, warnings } = await settingsOf(
    "[worker]\nidle_secnds = 1\n[log]\nmax_byte = 1\n[colour]\nof = 'sky'\n",
  );
  assert.deepEqual(settings, DEFAULT_SETTINGS);
  assert.equal(warnings.length, 3);
  assert.match(warnings[0], /worker\.idle_secnds\. Did you mean worker\.idle_seconds\?/);
  assert.match(warnings[1], /log\.max_byte\. Did you mean log\.max_bytes\?/);
  assert.match(warnings[2], /colour\.of\. Known: worker\.idle_seconds, gc\.grace_days/);
});

for (const value of ['"soon"', "0", "-1", "true", "[1]", "nan", "2026-01-01"]) {
  test(`loadSettings() refuses idle_seconds = ${value} with its line (D52)`, async () => {
    const message = await refusal(`# idle_seconds\n\n[worker]\nidle_seconds = ${value}\n`);
    assert.match(message, /line 4: worker\.idle_seconds must be a number above 0, at most/);
  });
}

test("loadSettings() says what a value must be (D52)", async () => {
  const wrong: [string, string][] = [
    ["[log]\nfiles = 2.5", "line 2: log.files must be a whole number from 1 to 100, not 2.5"],
    ["[log]\nenabled = 1", "line 2: log.enabled must be true or false, not 1"],
    ["[gc]\ntrash_days = -1", "line 2: gc.trash_days must be a number from 0 to 36500, not -1"],
    ["gc.grace_days = nan", "line 1: gc.grace_days must be a number from 0 to 36500, not NaN"],
  ];
  for (const [toml, message] of wrong) {
    assert.equal(await refusal(toml), `Cannot use worker.toml, ${message}`);
  }
});

test("loadSettings() finds the line of every spelling (D52)", async () => {
  const spellings: [string, number][] = [
    ["\nworker.idle_seconds = 0\n", 2],
    ["\n\nworker = { idle_seconds = 0 }\n", 3],
    ["[other]\nidle_seconds = 5\n[worker]\n# idle_seconds = 1\nidle_seconds = 0\n", 5],
    ['["worker"]\n"idle_seconds" = 0\n', 2],
    ["[gc]\ngrace_days = 1\n[ worker ]\n\tidle_seconds=0\n", 4],
  ];
  for (const [toml, line] of spellings) {
    assert.match(await refusal(toml), new RegExp(`line ${line}:`), toml);
  }
});

test("loadSettings() names the line of broken TOML (D52)", async () => {
  assert.match(await refusal("[worker]\nidle_seconds = = 1\n"), /line 2:/);
});
