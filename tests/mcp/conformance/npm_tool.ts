/**
 * Programs from the npm registry that test a server. They are installed when they run, into a
 * folder that goes afterwards, so that they are no dependencies of the project.
 *
 * @module
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../support/command.ts";

/** A package with its exact version, and the file in it that Node runs. */
export interface NpmTool {
  readonly name: string;
  readonly version: string;
  readonly main: string;
}

/**
 * Installs a tool below `folder`, running none of its scripts, and gives the command that starts it.
 *
 * @throws if npm fails
 */
export async function installTool(tool: NpmTool, folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}\n");
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const wanted = `${tool.name}@${tool.version}`;
  const command = ["npm", "install", ...flags, wanted];
  const { code, stderr } = await run(command, { cwd: folder, timeoutMs: 300_000 });
  if (code !== 0) throw new Error(`Cannot install ${wanted}: npm ended with ${code}\n${stderr}`);
  return ["node", join(folder, "node_modules", tool.name, tool.main)];
}

/** Time since `start` of `performance.now()`, to be read. */
export function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
