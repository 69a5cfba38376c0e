/**
 * The command line of the daemon under Deno, with no more rights than it needs.
 *
 * @module
 */
import { dirname } from "node:path";
import type { WorkerCommand } from "./types.ts";

/**
 * Arguments of `deno` that start the daemon. No right to run programs, to load native libraries or
 * to reach all of the disk. Sockets need `--allow-net`, which Deno can narrow only to names known
 * beforehand, and embedding services are reached by it too.
 */
export function denoWorkerArgs(command: WorkerCommand): string[] {
  const { entry, args, paths } = command;
  if (entry === null) return [...args];
  const isLocal = entry.startsWith("file:");
  // The npm package keeps the search core in a file beside the program.
  const program = isLocal ? [dirname(localPath(entry))] : [];
  return [
    "run",
    "--no-prompt",
    "--quiet",
    ...(isLocal ? [] : ["--no-config"]),
    `--allow-read=${list([...paths, ...program])}`,
    `--allow-write=${list(paths)}`,
    "--allow-net",
    "--allow-env",
    "--allow-sys=uid,hostname,getPriority",
    entry,
    ...args,
  ];
}

/** Path of a `file:` address; `node:url` knows how too, and costs a start 8 ms. */
function localPath(address: string): string {
  return decodeURIComponent(new URL(address).pathname).replace(/^\/(?=[A-Za-z]:)/, "");
}

function list(paths: readonly string[]): string {
  return [...new Set(paths.map(grantable))].join(",");
}

/**
 * Deno splits the list at commas, and version 2.9 has no way to write one of a name: then the folder
 * above that name is granted, since a daemon without rights would serve nobody.
 */
function grantable(path: string): string {
  const comma = path.indexOf(",");
  return comma < 0 ? path : dirname(path.slice(0, comma));
}
