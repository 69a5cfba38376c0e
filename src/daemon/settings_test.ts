import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryFiles } from "../platform/memory_files.ts";
import { KbdbError } from "../rpc/errors.ts";
import { type LoadedSettings, loadSettings } from "./settings.ts";

/** The settings of a database whose `worker.toml` is this. */
function settingsOf(toml: string): LoadedSettings {
  const files = new MemoryFiles();
  files.write("/worker.toml", new TextEncoder().encode(toml));
  return loadSettings(files, "/");
}

function refusal(toml: string): string {
  try {
    settingsOf(toml);
  } catch (error) {
    assert.ok(error instanceof KbdbError && error.code === "bad_request", String(error));
    return error.message;
  }
  throw new Error(`Nothing refused in: ${toml}`);
}

test("loadSettings() has a default for a missing file", () => {
  const loaded = loadSettings(new MemoryFiles(), "/");
  assert.deepEqual(loaded, { settings: { idleSeconds: 600 }, warnings: [] });
});

test("loadSettings() reads idle_seconds", () => {
  assert.equal(settingsOf("[worker]\nidle_seconds = 1.5\n").settings.idleSeconds, 1.5);
  assert.equal(settingsOf("worker.idle_seconds = 9\n").settings.idleSeconds, 9);
});

test("loadSettings() warns of an unknown key, naming the known (D52)", () => {
  const { settings, warnings } = settingsOf("[worker]\nidle_secnds = 1\n[mcp]\nx = 1\n");
  assert.equal(settings.idleSeconds, 600);
  assert.equal(warnings.length, 2);
  assert.match(warnings[0], /worker\.idle_secnds.*worker\.idle_seconds/);
  assert.match(warnings[1], /mcp\.x/);
});

for (const value of ['"soon"', "0", "-1", "true", "[1]", "nan", "2026-01-01"]) {
  test(`loadSettings() refuses idle_seconds = ${value} with its line (D52)`, () => {
    assert.match(refusal(`# idle_seconds\n\n[worker]\nidle_seconds = ${value}\n`), /line 4:/);
  });
}

test("loadSettings() finds the line of every spelling (D52)", () => {
  assert.match(refusal("\nworker.idle_seconds = 0\n"), /line 2:/);
  assert.match(refusal("\n\nworker = { idle_seconds = 0 }\n"), /line 3:/);
});

test("loadSettings() names the line of broken TOML (D52)", () => {
  assert.match(refusal("[worker]\nidle_seconds = = 1\n"), /line 2:/);
});
