/**
 * Writes `docs/reference/tools.md`: every tool of the MCP server as it declares itself, with a call and
 * its real result. With `--check` tells whether the page is what the code gives.
 *
 * ```sh
 * deno task reference
 * ```
 *
 * @module
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { Client } from "../src/client/client.ts";
import { openInProcess } from "../src/daemon/in_process.ts";
import { DatabaseClient } from "../src/mcp/database_client.ts";
import { handleToolCall } from "../src/mcp/handle_tool_call.ts";
import { createToolDefinitions } from "../src/mcp/tools/table.ts";
import type { McpToolResult } from "../src/mcp/types.ts";
import { platform } from "../src/platform/host.ts";
import { BEFORE, type ExampleCall, EXAMPLES } from "./reference_examples.ts";
import { type ShownCall, toolsPage } from "./reference_page.ts";
import { projectRoot, readProjectFile } from "./support/project.ts";
import { tempDir } from "./support/temp_dir.ts";

/** The page, below the root of the project. */
export const TOOLS_PAGE = "docs/reference/tools.md";

/** The page as the code gives it. */
export async function toolsReference(): Promise<string> {
  return toolsPage(createToolDefinitions(), await exampleCalls());
}

/** All examples, run in a database of their own in this process. */
async function exampleCalls(): Promise<ReadonlyMap<string, ShownCall>> {
  using folder = tempDir("kbdb-reference-");
  const path = folder.join("notes/.kbdb");
  mkdirSync(dirname(path));
  const client = clientOf(path);
  try {
    return await callsThrough(client);
  } finally {
    await client.disconnect();
  }
}

async function callsThrough(client: DatabaseClient): Promise<Map<string, ShownCall>> {
  const ids: Record<string, string> = {};
  const shown = new Map<string, ShownCall>();
  for (const call of [...BEFORE, ...EXAMPLES]) {
    const { tool, as } = call;
    const args = call.args(ids);
    const result = jsonOf(call, await handleToolCall(client, tool, args));
    if (as !== undefined) ids[as] = (result as { kbid: string }).kbid;
    if (EXAMPLES.includes(call)) shown.set(tool, { args, result: steady(result) });
  }
  return shown;
}

function jsonOf({ tool }: ExampleCall, { content, isError }: McpToolResult): unknown {
  const [block] = content;
  if (isError || block.type !== "text") {
    throw new Error(`Cannot show ${tool}: its example fails with ${JSON.stringify(content)}`);
  }
  return JSON.parse(block.text);
}

function clientOf(path: string): DatabaseClient {
  const indexerEntry = new URL("../indexer.ts", import.meta.url).href;
  const open = (options: { path: string; create?: { name: string } }) =>
    openInProcess(platform, { ...options, indexerEntry });
  let isThere = false;
  return new DatabaseClient({
    exists: () => isThere,
    async create() {
      await (await open({ path, create: { name: "notes" } })).close();
      isThere = true;
    },
    connect: () =>
      new Client(platform, { path, workerEntry: "", openInProcess: open, daemon: "never" }),
    onCreated: () => "There was no database yet",
  });
}

/** What differs from run to run, and what stands for it. */
const STEADY: Readonly<Record<string, unknown>> = {
  elapsed_ms: 1.5,
  contextPath: "/home/ada/notes/.kbdb",
  version: "0.1.0",
  pid: 4711,
  uptime_ms: 60_000,
  contentCount: 2,
  journal_bytes: 6360,
  scan: { state: "done", done: 6, total: 6, found: 0 },
  wasm_memory_bytes: 1_507_328,
  daemon_rss_bytes: 95_223_808,
};
const DATE = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const STEADY_DATE = "2026-11-30T12:00:00.000Z";

function steady(result: unknown): unknown {
  return JSON.parse(JSON.stringify(result), (key, value) => {
    if (Object.hasOwn(STEADY, key)) return STEADY[key];
    return typeof value === "string" && DATE.test(value) ? STEADY_DATE : value;
  });
}

async function main(): Promise<void> {
  const page = await toolsReference();
  if (process.argv.includes("--check")) {
    if (page === readProjectFile(TOOLS_PAGE)) return;
    console.error(`${TOOLS_PAGE} is not what the code gives: run deno task reference`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(join(projectRoot, dirname(TOOLS_PAGE)), { recursive: true });
  writeFileSync(join(projectRoot, TOOLS_PAGE), page);
}

if (import.meta.main) await main();
