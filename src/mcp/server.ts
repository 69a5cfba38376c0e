/**
 * The MCP server over standard input and output.
 *
 * @module
 */

import type { Terminal } from "../platform/types.ts";
import { serve, type Streams } from "./protocol/serve.ts";
import { Session, type SessionParts } from "./session.ts";
import type { McpServerClient, McpWorkerClient } from "./worker_client.ts";

/** A server for one client. */
export class McpServer {
  /** Use {@linkcode createMcpServer}. */
  constructor(
    /** Answers the client. */
    readonly session: Session,
    private readonly streams: Streams | undefined,
  ) {}

  /** Serves until the input ends and every answer that was due is out. */
  async listen(): Promise<void> {
    await serve(this.session, this.streams ?? await standardStreams());
  }
}

/**
 * A server that answers from a database.
 *
 * @example A server that is asked whether it is there
 * ```ts
 * import { createMcpServer } from "./server.ts";
 * import assert from "node:assert/strict";
 *
 * const asked = '{"jsonrpc":"2.0","id":0,"method":"ping"}';
 * const answers: string[] = [];
 * const streams = {
 *   chunks: ReadableStream.from([new TextEncoder().encode(asked)]),
 *   write: (bytes: Uint8Array) => {
 *     answers.push(new TextDecoder().decode(bytes));
 *     return Promise.resolve(true);
 *   },
 *   error: () => {},
 * };
 * const client = { disconnect: () => Promise.resolve() } as never;
 * await createMcpServer(client, { streams }).listen();
 * assert.deepEqual(JSON.parse(answers.join("")), { jsonrpc: "2.0", id: 0, result: {} });
 * ```
 */
export function createMcpServer(
  client: McpWorkerClient & Partial<McpServerClient>,
  options: Omit<SessionParts, "client"> & { streams?: Streams } = {},
): McpServer {
  const { streams, ...parts } = options;
  return new McpServer(new Session({ client, ...parts }), streams);
}

/** The streams of a terminal as the protocol uses them. */
export function streamsOf(terminal: Terminal): Streams {
  return {
    chunks: terminal.inputChunks(),
    write: (bytes) => terminal.writeOut(bytes),
    error: (line) => terminal.writeError(`kbdb: ${line}\n`),
  };
}

async function standardStreams(): Promise<Streams> {
  const { platform } = await import("../platform/host.ts");
  return streamsOf(platform.terminal);
}
