/**
 * The daemon of one database. Started by the client as `worker.ts kbdb-worker PATH`: the first word
 * names the process in listings.
 *
 * @module
 */

import { runDaemon } from "./src/daemon/daemon.ts";
import { platform } from "./src/platform/host.ts";

const [name, path] = platform.host.args;
if (name !== "kbdb-worker" || path === undefined) {
  platform.terminal.writeError("Usage: worker kbdb-worker DATABASE. The kbdb command starts it.\n");
  platform.host.exit(2);
}
const indexerEntry = new URL("./indexer.ts", import.meta.url).href;
platform.host.exit(await runDaemon(platform, { path, indexerEntry }));
