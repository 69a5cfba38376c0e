/**
 * Where the project is and which of its files are source. Tests run with the root of the project
 * as their working folder, under every runtime.
 *
 * @module
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** Root of the project: the working folder, which must hold `deno.json`. */
export const projectRoot: string = findRoot();

function findRoot(): string {
  const folder = process.cwd();
  if (existsSync(join(folder, "deno.json"))) return folder;
  throw new Error(`Cannot find the project: ${folder} has no deno.json, run the tests at the root`);
}

/** The text of a file, by its path below the root. */
export function readProjectFile(path: string): string {
  return readFileSync(join(projectRoot, path), "utf8");
}

/** Folders that hold generated or foreign files. */
const FOREIGN = new Set(["node_modules", "target", "pkg", "npm", "build", "corpus"]);

/**
 * Paths below the root, with `/` and in order, of the files in `folder` whose names end in `ending`.
 * A folder that is not there has none.
 */
export function projectFiles(folder: string, ending: string): string[] {
  if (!existsSync(join(projectRoot, folder))) return [];
  const found: string[] = [];
  for (const entry of readdirSync(join(projectRoot, folder), { withFileTypes: true })) {
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !FOREIGN.has(entry.name) && !entry.name.startsWith(".")) {
      found.push(...projectFiles(path, ending));
    } else if (entry.isFile() && entry.name.endsWith(ending)) found.push(path);
  }
  return found.sort();
}
