/**
 * kbdb's platform on Node.
 *
 * @module
 */
import { nodeFileCalls } from "./node_files.ts";
import { nodeHost } from "./node_host.ts";
import { nodeSockets } from "./node_sockets.ts";
import { nodeTerminal } from "./node_terminal.ts";
import { nodeThreads } from "./node_threads.ts";
import { SystemFiles } from "./system_files.ts";
import type { Platform } from "./types.ts";

/** Everything kbdb needs of Node. */
export const platform: Platform = {
  files: new SystemFiles(nodeFileCalls),
  sockets: nodeSockets,
  host: nodeHost,
  terminal: nodeTerminal,
  threads: nodeThreads,
};
