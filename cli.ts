/**
 * The `kbdb` command.
 *
 * @module
 */

import "./src/platform/console_to_stderr.ts";
import { runCommandLine } from "./src/cli/main.ts";
import { platform } from "./src/platform/host.ts";

const code = await runCommandLine(platform, {
  workerEntry: new URL("./worker.ts", import.meta.url).href,
  openInProcess: async (options) => {
    // Computed, since Deno loads what a plain name leads to at every start, which takes 10 ms.
    const { openInProcess }: typeof import("./src/daemon/in_process.ts") = await import(
      new URL("./src/daemon/in_process.ts", import.meta.url).href
    );
    const indexerEntry = new URL("./indexer.ts", import.meta.url).href;
    return await openInProcess(platform, { ...options, indexerEntry });
  },
  loadMcp: async (parts) => {
    const { instructionsFor, startMcpServer }: typeof import("./src/mcp/start.ts") = await import(
      new URL("./src/mcp/start.ts", import.meta.url).href
    );
    return {
      serve: (path) => startMcpServer(platform, { path, ...parts }),
      instructions: (path) => instructionsFor(platform, path),
    };
  },
});
platform.host.exit(code);
