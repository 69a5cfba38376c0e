/**
 * Calls the server with the command line of the MCP inspector, a client that others wrote. Needs
 * Node, npm and the network; tests the built package too, where `npm/` is there.
 *
 * ```sh
 * deno run -A tests/mcp/inspector.ts         # Deno, and Node where npm/ is built
 * deno run -A tests/mcp/inspector.ts node    # one of them
 * ```
 *
 * @module
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { kbdbCommand, run } from "../support/command.ts";
import { projectRoot } from "../support/project.ts";
import { tempDir } from "../support/temp_dir.ts";
import { installTool, type NpmTool, secondsSince } from "./conformance/npm_tool.ts";
import { SAMPLE_DOCID, SAMPLE_SKILL, sampleDatabase } from "./conformance/sample_database.ts";

const INSPECTOR: NpmTool = {
  name: "@modelcontextprotocol/inspector",
  version: "2.12.0",
  main: "clients/launcher/build/index.js",
};

/** How kbdb is started by each runtime. */
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  deno: kbdbCommand(),
  node: ["node", join(projectRoot, "npm/cli.js")],
};

/** One call of the inspector. */
interface Check {
  readonly name: string;
  readonly args: readonly string[];
  /** The server that is called: of the others, one is told no database, and one never answers. */
  readonly server: "kbdb" | "nameless" | "silent";
  /** Exit code of the inspector: 1 failed start, 4 no answer, 5 tool error. */
  readonly code: number;
  /** What it prints, somewhere. */
  readonly shows: string;
  /**
   * Whether the inspector reports what it finds odd, which fails the check.
   * @default {false}
   */
  readonly strict?: boolean;
}

function method(name: string, args: readonly string[], shows: string): Check {
  return { name, server: "kbdb", args: ["--method", name, ...args], code: 0, shows };
}

function call(tool: string, given: Record<string, unknown>, shows: string): Check {
  const args = ["--tool-name", tool, "--tool-args-json", JSON.stringify(given)];
  return { ...method("tools/call", args, shows), name: `tools/call ${tool}` };
}

const DOCUMENT_URI = `kbdb://document/${SAMPLE_DOCID}`;
const PROMPT = ["--prompt-name", SAMPLE_SKILL, "--prompt-args", "topic=herons"];

/** Independent of each other, so that they can run side by side. */
const CHECKS: readonly Check[] = [
  { ...method("tools/list", ["--strict"], '"skill-learn"'), strict: true },
  call("learn", { content: "An otter floats on its back.", title: "Otter" }, '"kbid"'),
  call("search", { query: "heron" }, "shallow water"),
  call("status", {}, '"sections"'),
  { ...call("no-such-tool", {}, "tool_not_found"), code: 5 },
  { ...call("retrieve", { docid: "no-such-document" }, '"isError":true'), code: 5 },
  method("prompts/list", [], `"${SAMPLE_SKILL}"`),
  method("prompts/get", PROMPT, "Explain herons in a sentence."),
  // Sections and documents are found by search and read by address; none are listed.
  method("resources/list", [], '"resources":[]'),
  method("resources/templates/list", [], "kbdb://document/{docid}"),
  method("resources/read", ["--uri", DOCUMENT_URI], "shallow water"),
  method("logging/setLevel", ["--log-level", "warning"], '"result":{}'),
  {
    ...method("initialize", [], "Connection closed"),
    name: "a server that does not start",
    server: "nameless",
    code: 1,
  },
  {
    ...method("initialize", ["--connect-timeout", "300"], "unreachable"),
    name: "a server that does not answer",
    server: "silent",
    code: 4,
  },
];

/** Commands of the servers that are checked. */
type Servers = Readonly<Record<Check["server"], readonly string[]>>;

function serversFor(kbdb: readonly string[], database: string): Servers {
  return {
    kbdb: [...kbdb, "mcp", "--db", database],
    nameless: [...kbdb, "mcp"],
    silent: ["node", "--eval=process.stdin.on('end', process.exit).resume()"],
  };
}

/** What the inspector needs in front of a check: its own command and that of the server. */
type CommandFor = (check: Check) => readonly string[];

/** Runs one check; empty where all is as it should be, otherwise what is not. */
async function verify(commandFor: CommandFor, check: Check): Promise<string> {
  const options = ["--format", "json", ...(check.strict ? [] : ["--quiet"])];
  const { code, stdout, stderr } = await run([...commandFor(check), ...options, ...check.args]);
  const printed = stdout + stderr;
  if (code !== check.code) return `exit code ${code} instead of ${check.code}\n${printed}`;
  if (check.strict && stderr !== "") return `complaints\n${stderr}`;
  return printed.includes(check.shows) ? "" : `does not show ${check.shows}\n${printed}`;
}

/** Runs all checks, two at a time, and prints a line for each; how many fail. */
async function verifyAll(commandFor: CommandFor): Promise<number> {
  const waiting = [...CHECKS];
  let failed = 0;
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const start = performance.now();
      const fault = await verify(commandFor, check);
      if (fault !== "") failed++;
      console.log(`${fault === "" ? "ok    " : "FAILED"} ${check.name} (${secondsSince(start)})`);
      if (fault !== "") console.log(fault);
    }
  };
  await Promise.all([work(), work()]);
  return failed;
}

async function main(runtimes: readonly string[]): Promise<number> {
  using folder = tempDir("kbdb-inspector-");
  const start = performance.now();
  const inspector = await installTool(INSPECTOR, folder.path);
  console.log(`${INSPECTOR.name} ${INSPECTOR.version} installed (${secondsSince(start)})`);
  let failed = 0;
  for (const runtime of runtimes) {
    const begun = performance.now();
    console.log(`\n== kbdb mcp under ${runtime}`);
    await using database = await sampleDatabase();
    const servers = serversFor(RUNTIMES[runtime], database.path);
    failed += await verifyAll(({ server }) => [...inspector, "--cli", ...servers[server]]);
    console.log(`== ${runtime}: ${secondsSince(begun)}`);
  }
  console.log(`\n${failed === 0 ? "All checks passed" : `${failed} checks failed`}`);
  return failed === 0 ? 0 : 1;
}

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(RUNTIMES, name));
if (unknown !== undefined) {
  console.error(`Unknown runtime ${unknown}: there are ${Object.keys(RUNTIMES).join(", ")}`);
  process.exit(2);
}
const built = existsSync(RUNTIMES.node[1]) ? ["deno", "node"] : ["deno"];
process.exit(await main(wanted.length > 0 ? wanted : built));
