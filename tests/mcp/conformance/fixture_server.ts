/**
 * Serves the fixtures of the conformance suite over standard input and output, through the protocol
 * layer that serves a database.
 *
 * @module
 */

import { serve } from "../../../src/mcp/protocol/serve.ts";
import { platform } from "../../../src/platform/host.ts";
import { fixtures } from "./fixtures.ts";

const { host, terminal } = platform;
await serve(fixtures, {
  chunks: terminal.inputChunks(),
  write: (bytes) => terminal.writeOut(bytes),
  error: (line) => terminal.writeError(`${line}\n`),
});
host.exit(0);
