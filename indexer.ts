/**
 * The thread of a daemon that makes and merges indexes. Started by the daemon, never by a person.
 *
 * @module
 */

import { serveIndexCalls } from "./src/knowledge/index/thread.ts";
import { platform } from "./src/platform/host.ts";

const port = platform.threads.parent();
if (port === null) {
  platform.terminal.writeError("Usage: a thread of the worker, which starts it.\n");
  platform.host.exit(2);
}
await serveIndexCalls(platform.files, port);
