/**
 * The way to the client.
 *
 * @module
 */

import { INTERNAL_ERROR } from "../error_codes.ts";
import type { LifeCycle } from "./life_cycle.ts";
import { isObject } from "./messages.ts";
import type { Output } from "./output.ts";
import type { Server } from "./sdk_server.ts";
import { type Peer, type PeerFacts, ProtocolError, type RpcParams } from "./types.ts";

/** What a {@linkcode ClientPeer} is made of. */
export interface ClientPeerParts {
  server(): Promise<Server>;
  readonly output: Output;
  readonly lifeCycle: LifeCycle;
  /** Fires when the client can answer no more. */
  readonly ended: AbortSignal;
  /** Milliseconds that the client has for an answer. */
  readonly requestMs: number;
}

/** The client, asked and told over the wire. */
export class ClientPeer implements Peer {
  readonly #parts: ClientPeerParts;

  constructor(parts: ClientPeerParts) {
    this.#parts = parts;
  }

  get facts(): PeerFacts | null {
    return this.#parts.lifeCycle.facts;
  }

  notify(method: string, params?: RpcParams): void {
    if (!this.#parts.lifeCycle.ready) return;
    this.#parts.output.send({ jsonrpc: "2.0", method, ...(params ? { params } : {}) });
  }

  async request(method: string, params: RpcParams, signal?: AbortSignal): Promise<RpcParams> {
    const { lifeCycle, ended } = this.#parts;
    if (!lifeCycle.ready) throw failure(method, "it has not sent notifications/initialized");
    if (ended.aborted) throw failure(method, "it has closed the connection");
    if (signal?.aborted) throw failure(method, "cancelled");
    const reply = await this.#exchange({ method, params }, signal);
    if (reply.error !== undefined) throw refused(method, reply.error);
    if (!isObject(reply.result)) throw failure(method, "its result is not an object");
    return reply.result;
  }

  async #exchange(
    request: { method: string; params: RpcParams },
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const { ended, requestMs } = this.#parts;
    // The SDK never stops listening, and would cancel again when a signal fires after the answer.
    const stop = new AbortController();
    const stopNow = () => stop.abort(ended.aborted ? "end of input" : "cancelled");
    for (const one of [signal, ended]) one?.addEventListener("abort", stopNow);
    try {
      // The transport wraps results and errors alike, so that no schema looks into them.
      const options = { signal: stop.signal, timeout: requestMs };
      const [server, { ResultSchema }] = await Promise.all([this.#parts.server(), loadTypes()]);
      return await server.request(request, ResultSchema, options);
    } catch (error) {
      throw failure(request.method, whyNot(error, { ended, signal, requestMs }), error);
    } finally {
      for (const one of [signal, ended]) one?.removeEventListener("abort", stopNow);
    }
  }
}

function loadTypes() {
  // @ts-types="@modelcontextprotocol/sdk/types"
  return import("@modelcontextprotocol/sdk/types.js");
}

function whyNot(
  error: unknown,
  facts: { ended: AbortSignal; signal?: AbortSignal; requestMs: number },
): string {
  if (facts.ended.aborted) return "it has closed the connection";
  if (facts.signal?.aborted) return "cancelled";
  const message = error instanceof Error ? error.message : String(error);
  return /timed out/.test(message) ? `no answer within ${facts.requestMs / 1000} s` : message;
}

function failure(method: string, reason: string, cause?: unknown): Error {
  const options = cause === undefined ? {} : { cause };
  return new Error(`Cannot ask the client for ${method}: ${reason}`, options);
}

function refused(method: string, error: unknown): Error {
  const { code, message, data } = isObject(error) ? error : {};
  const reason = typeof message === "string" && message !== "" ? message : "it refused";
  const number = Number.isSafeInteger(code) ? code as number : INTERNAL_ERROR;
  const cause = new ProtocolError(number, reason, isObject(data) ? data : undefined);
  return failure(method, reason, cause);
}
