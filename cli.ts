/**
 * The `kbdb` command.
 *
 * @module
 */

import { runCommandLine } from "./src/cli/main.ts";
import { platform } from "./src/platform/host.ts";

const code = await runCommandLine(platform, {
  workerEntry: new URL("./worker.ts", import.meta.url).href,
  openInProcess: async (options) => {
    const { openInProcess } = await import("./src/daemon/in_process.ts");
    return await openInProcess(platform, options);
  },
});
platform.host.exit(code);
