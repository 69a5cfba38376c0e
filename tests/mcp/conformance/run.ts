/**
 * Runs the conformance suite of the Model Context Protocol: against its own fixtures, served by
 * kbdb's protocol layer, where all must pass; and against kbdb, where those must fail that
 * `expected_failures.yml` lists, and no other. Needs Node, npm and the network.
 *
 * ```sh
 * deno run -A tests/mcp/conformance/run.ts            # both
 * deno run -A tests/mcp/conformance/run.ts product    # one
 * ```
 *
 * @module
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { kbdbCommand, run } from "../../support/command.ts";
import { projectRoot } from "../../support/project.ts";
import { type TempDir, tempDir } from "../../support/temp_dir.ts";
import { startBridge } from "./bridge.ts";
import { installTool, type NpmTool, secondsSince } from "./npm_tool.ts";
import { sampleDatabase } from "./sample_database.ts";

const SUITE: NpmTool = {
  name: "@modelcontextprotocol/conformance",
  version: "0.1.13",
  main: "dist/index.js",
};

const HERE = join(projectRoot, "tests/mcp/conformance");

/** A server under test. */
interface Target {
  readonly server: readonly string[];
  /** Path of the list of scenarios that fail; whatever else fails or warns is a fault. */
  readonly expectedFailures: string;
  /** Scenarios to run. */
  readonly selection: readonly string[];
}

/** The suite, and a folder for what it writes. */
interface Place {
  readonly suite: readonly string[];
  readonly folder: TempDir;
}

/** A check as the suite saves it. */
interface SavedCheck {
  readonly name: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO";
  readonly errorMessage?: string;
}

/** The checks that the suite saved, by scenario. */
function savedChecks(folder: string): Map<string, SavedCheck[]> {
  const found = new Map<string, SavedCheck[]>();
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1];
    if (scenario === undefined) continue;
    found.set(scenario, JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")));
  }
  return found;
}

/** Prints a line for each scenario, and one for whatever does not pass in it. */
function printTable(scenarios: ReadonlyMap<string, SavedCheck[]>): void {
  for (const [scenario, checks] of scenarios) {
    const passed = checks.filter(({ status }) => status === "SUCCESS").length;
    const rest = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
    console.log(`${rest.length === 0 ? "pass" : "fail"} ${scenario} (${passed} checks passed)`);
    for (const { name, errorMessage } of rest) console.log(`     ${name}: ${errorMessage}`);
  }
}

/** The suite says nothing of a listed scenario that it does not know. */
function unknownEntries(file: string, scenarios: ReadonlyMap<string, unknown>): string[] {
  const entries = [...readFileSync(file, "utf8").matchAll(/^ *- *(\S+)/gm)].map(([, name]) => name);
  return entries
    .filter((name) => !scenarios.has(name))
    .map((name) => `${name} is expected to fail, and was not run`);
}

/** Runs the suite against a server, and tells what is wrong, in sentences. */
async function test(target: Target, { suite, folder }: Place): Promise<string[]> {
  const results = folder.join(`results-${target.selection.join("")}`);
  const bridge = await startBridge(target.server);
  const options = ["--url", bridge.url, "--output-dir", results];
  const expected = ["--expected-failures", target.expectedFailures];
  const command = [...suite, "server", ...target.selection, ...options, ...expected];
  const { code, stdout, stderr } = await run(command, { timeoutMs: 120_000 })
    .finally(() => bridge.close());
  const scenarios = savedChecks(results);
  printTable(scenarios);
  const faults = [...bridge.faults, ...unknownEntries(target.expectedFailures, scenarios)];
  if (scenarios.size === 0) faults.push(`The suite ran nothing: ${stdout}${stderr}`);
  if (code !== 0) faults.push(`The suite ended with ${code}:${verdict(stdout)}${stderr}`);
  return faults;
}

/** What the suite says after its own table. */
function verdict(output: string): string {
  return output.slice(Math.max(0, output.search(/^Total: |^Test Results:/m)));
}

/** Everything that the suite calls active, and the pending scenario that is not about HTTP. */
async function testFixtures(place: Place): Promise<string[]> {
  const expectedFailures = place.folder.join("none.yml");
  writeFileSync(expectedFailures, "server: []\n");
  const flags = ["--no-prompt", "--node-modules-dir=manual", "-A"];
  const server = [process.execPath, "run", ...flags, join(HERE, "fixture_server.ts")];
  const selections = [["--suite", "active"], ["--scenario", "json-schema-2020-12"]];
  const faults: string[] = [];
  for (const selection of selections) {
    faults.push(...await test({ server, expectedFailures, selection }, place));
  }
  return faults;
}

async function testProduct(place: Place): Promise<string[]> {
  await using database = await sampleDatabase();
  const server = [...kbdbCommand(), "mcp", "--db", database.path];
  const expectedFailures = join(HERE, "expected_failures.yml");
  const selection = ["--suite", "active"];
  return await test({ server, expectedFailures, selection }, place);
}

const PARTS: Readonly<Record<string, (place: Place) => Promise<string[]>>> = {
  fixtures: testFixtures,
  product: testProduct,
};

async function main(names: readonly string[]): Promise<number> {
  using folder = tempDir("kbdb-conformance-");
  const start = performance.now();
  const suite = await installTool(SUITE, folder.join("suite"));
  console.log(`${SUITE.name} ${SUITE.version} installed (${secondsSince(start)})`);
  let failed = 0;
  for (const name of names) {
    const begun = performance.now();
    console.log(`\n== ${name}`);
    const faults = await PARTS[name]({ suite, folder });
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) failed++;
    console.log(`== ${name}: ${faults.length > 0 ? "FAILED" : "ok"}, ${secondsSince(begun)}`);
  }
  return failed === 0 ? 0 : 1;
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS);
const unknown = wanted.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) {
  console.error(`Unknown part ${unknown}: there are ${Object.keys(PARTS).join(", ")}`);
  process.exit(2);
}
process.exit(await main(wanted));
