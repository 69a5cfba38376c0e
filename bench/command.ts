/**
 * The command under measurement, and databases for it.
 *
 * @module
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeCorpus } from "./generate-corpus.ts";

/** Folder of the project. */
export const root = new URL("../", import.meta.url).pathname;

/** `kbdb` as users of Deno run it: the binary, not the wrapper that npm installs. */
export function kbdbCommand(...args: string[]): string[] {
  return [Deno.execPath(), "run", "-A", "--no-check", join(root, "cli.ts"), ...args];
}

/** The value that follows a flag of this program. */
export function option(name: string, otherwise: string): string {
  const at = Deno.args.indexOf(name);
  return at < 0 ? otherwise : Deno.args[at + 1];
}

/**
 * Standard output of a command.
 *
 * @throws {Error} with its standard error where it fails
 */
export async function run(command: readonly string[], cwd = root): Promise<string> {
  const [program, ...args] = command;
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd }).output();
  if (success) return new TextDecoder().decode(stdout);
  throw new Error(`${command.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

/** A database of so many generated sections; made in `folder` where it is not there yet. */
export async function databaseOf(sections: number, folder: string): Promise<string> {
  const path = join(folder, `base-${sections}/.kbdb`);
  if (existsSync(join(path, "kbdb.toml"))) return path;
  const corpus = join(folder, `corpus-${sections}`);
  if (!existsSync(corpus)) writeCorpus(corpus, { count: sections, format: "files" });
  await run(kbdbCommand("db", "init", path));
  await run(kbdbCommand("learn", corpus, "--db", path, "--quiet"));
  return path;
}
