/**
 * kbdb's platform on Deno. Uses no `node:` module that slows the start.
 *
 * @module
 */
import { denoFileCalls } from "./deno_files.ts";
import { denoHost } from "./deno_host.ts";
import { denoSockets } from "./deno_sockets.ts";
import { denoTerminal } from "./deno_terminal.ts";
import { denoThreads } from "./deno_threads.ts";
import { SystemFiles } from "./system_files.ts";
import type { Platform } from "./types.ts";

/** Everything kbdb needs of Deno. */
export const platform: Platform = {
  files: new SystemFiles(denoFileCalls),
  sockets: denoSockets,
  host: denoHost,
  terminal: denoTerminal,
  threads: denoThreads,
};
