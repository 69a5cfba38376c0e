/**
 * The server of the protocol's SDK, reduced to what it does well: matching requests, answers and
 * cancels in both directions. Loading it takes longer than everything else at a start, so it comes
 * in once `initialize` is answered.
 *
 * @module
 */

import { Server } from "@modelcontextprotocol/sdk/server";
import type { McpServerInfo } from "../types.ts";
import type { StdioTransport } from "./transport.ts";
import type { RpcParams } from "./types.ts";

export type { Server };

/** Answers a request by its id towards the SDK. */
export type AnswerRequest = (inner: unknown, signal: AbortSignal) => Promise<RpcParams>;

/** A server that is connected; what came in before is answered now. */
export async function connectSdkServer(
  transport: StdioTransport,
  options: { serverInfo: McpServerInfo; answer: AnswerRequest },
): Promise<Server> {
  const server = new Server(options.serverInfo, {
    capabilities: {},
    // Asked for by elicitation only; the one of the SDK takes long to make its parts.
    jsonSchemaValidator: {
      getValidator: () => {
        throw new Error("Cannot check a schema: kbdb does not elicit");
      },
    },
  });
  // Not by method, since the SDK's schemas would refuse what is no fault, with the wrong code.
  server.fallbackRequestHandler = (request, { signal }) => options.answer(request.id, signal);
  await server.connect(transport);
  return server;
}
