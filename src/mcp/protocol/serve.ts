/**
 * MCP over standard input and output: from bytes to {@linkcode ProtocolHandlers} and back. The SDK
 * matches requests, answers and cancels; shape, life cycle and framing are looked after here.
 *
 * @module
 */

import { MAX_FRAME_BYTES } from "../../rpc/framing.ts";
import { INTERNAL_ERROR } from "../error_codes.ts";
import { Admission } from "./admission.ts";
import { ClientPeer } from "./client_peer.ts";
import { LifeCycle } from "./life_cycle.ts";
import { type Line, LineReader } from "./lines.ts";
import { isObject } from "./messages.ts";
import { Output, type Streams } from "./output.ts";
import type { Server } from "./sdk_server.ts";
import { StdioTransport } from "./transport.ts";
import {
  type Peer,
  type PeerFacts,
  ProtocolError,
  type ProtocolHandlers,
  type RequestContext,
  type RpcParams,
} from "./types.ts";

export type { Streams };

/** Limits of a connection. */
export interface ServeOptions {
  /**
   * The longest line of input, bytes (D57).
   * @default {33554432}
   */
  readonly maxLineBytes?: number;
  /**
   * Milliseconds after the end of input in which requests are still answered (D51).
   * @default {4000}
   */
  readonly lastAnswersMs?: number;
  /**
   * Milliseconds that {@linkcode ProtocolHandlers.closed} has.
   * @default {500}
   */
  readonly closedMs?: number;
  /**
   * Milliseconds that the client has to answer a request of ours.
   * @default {60000}
   */
  readonly requestMs?: number;
  /**
   * Requests that are worked on at a time; others wait.
   * @default {32}
   */
  readonly maxRunning?: number;
  /**
   * While more bytes than these wait for a client to read them, no further request is begun (B22).
   * @default {8388608}
   */
  readonly maxUnsentBytes?: number;
  /**
   * While open requests have more characters than these, no further input is read, and its end is
   * not seen.
   * @default {67108864}
   */
  readonly maxOpenSize?: number;
}

const DEFAULTS: Required<ServeOptions> = {
  maxLineBytes: MAX_FRAME_BYTES,
  lastAnswersMs: 4000,
  closedMs: 500,
  requestMs: 60_000,
  maxRunning: 32,
  maxUnsentBytes: 8 * 1024 * 1024,
  maxOpenSize: 2 * MAX_FRAME_BYTES,
};

/**
 * Serves one client. Resolves once the input has ended, or nobody reads the output any more, and
 * what was due is written.
 */
export async function serve(
  handlers: ProtocolHandlers,
  streams: Streams,
  options: ServeOptions = {},
): Promise<void> {
  await new Connection(handlers, streams, { ...DEFAULTS, ...options }).run();
}

/** One client from start to end. */
class Connection {
  readonly #handlers: ProtocolHandlers;
  readonly #streams: Streams;
  readonly #limits: Required<ServeOptions>;
  readonly #output: Output;
  readonly #transport: StdioTransport;
  readonly #admission: Admission;
  #server: Promise<Server> | null = null;
  readonly #peer: Peer;
  readonly #ended = new AbortController();

  constructor(handlers: ProtocolHandlers, streams: Streams, limits: Required<ServeOptions>) {
    const { maxLineBytes, maxRunning, maxUnsentBytes, requestMs } = limits;
    this.#handlers = handlers;
    this.#streams = streams;
    this.#limits = limits;
    const output = this.#output = new Output(streams);
    const lifeCycle = new LifeCycle();
    this.#transport = new StdioTransport({
      output,
      lifeCycle,
      maxLineBytes,
      welcome: (facts) => this.#welcome(facts),
      // Once the answer is written: loading takes longer than a host should wait for it.
      welcomed: () => void output.flushed().then(() => this.#sdkServer()),
    });
    this.#admission = new Admission(maxRunning, () => output.unsentBytes > maxUnsentBytes);
    output.onWritten = () => this.#admission.next();
    const ended = this.#ended.signal;
    const server = () => this.#sdkServer();
    this.#peer = new ClientPeer({ server, output, lifeCycle, ended, requestMs });
  }

  async run(): Promise<void> {
    this.#handlers.connected?.(this.#peer);
    await this.#readInput();
    // Whoever still waits for an answer of the client learns that there will be none.
    this.#ended.abort();
    await within(this.#limits.lastAnswersMs, this.#unlessClosed(this.#lastAnswers()));
    this.#output.end();
    await this.#transport.close();
    await within(this.#limits.closedMs, this.#tellClosed());
  }

  #welcome({ protocolVersion, capabilities }: PeerFacts): RpcParams {
    const { serverInfo, instructions } = this.#handlers;
    return {
      protocolVersion,
      capabilities: this.#handlers.capabilities(capabilities),
      serverInfo,
      ...(instructions === undefined ? {} : { instructions }),
    };
  }

  #sdkServer(): Promise<Server> {
    return this.#server ??= this.#loadServer();
  }

  async #loadServer(): Promise<Server> {
    const { connectSdkServer } = await import("./sdk_server.ts");
    return await connectSdkServer(this.#transport, {
      serverInfo: this.#handlers.serverInfo,
      answer: (inner, signal) => this.#handle(inner, signal),
    });
  }

  async #readInput(): Promise<void> {
    const input = this.#streams.chunks[Symbol.asyncIterator]();
    const reader = new LineReader(this.#limits.maxLineBytes);
    for (let chunk = await this.#next(input); chunk; chunk = await this.#next(input)) {
      await this.#receive(reader.push(chunk));
    }
    await this.#receive(reader.end());
  }

  /** `null` at the end of input, and as soon as nobody reads the output any more. */
  async #next(input: AsyncIterator<Uint8Array>): Promise<Uint8Array | null> {
    try {
      const next = await this.#unlessClosed(input.next());
      return !next || next.done ? null : next.value;
    } catch (error) {
      this.#streams.error(`Cannot read standard input: ${messageOf(error)}`);
      return null;
    }
  }

  async #receive(lines: readonly Line[]): Promise<void> {
    const { requests } = this.#transport;
    const { maxOpenSize } = this.#limits;
    const ready = () => requests.size <= maxOpenSize;
    for (const line of lines) {
      this.#transport.receive(line);
      // No wait without need: a cancel in the same chunk then comes before the answer.
      if (!ready()) await this.#unlessClosed(requests.until(ready));
    }
  }

  async #handle(inner: unknown, signal: AbortSignal): Promise<RpcParams> {
    const request = this.#transport.requests.get(inner);
    if (!request || !(await this.#admission.enter(signal))) return {};
    const { method, params } = request;
    try {
      const context = { peer: this.#peer, signal, ...progressToken(params) };
      return await this.#handlers.handle(method, params, context);
    } catch (error) {
      throw error instanceof ProtocolError
        ? error
        : new ProtocolError(INTERNAL_ERROR, messageOf(error));
    } finally {
      this.#admission.leave();
    }
  }

  async #lastAnswers(): Promise<void> {
    await this.#transport.requests.until(({ idle }) => idle);
    await this.#output.flushed();
  }

  /** Resolves like `promise`, or to `null` as soon as nobody reads the output any more. */
  #unlessClosed<T>(promise: Promise<T>): Promise<T | null> {
    if (!this.#output.open) return Promise.resolve(null);
    // No race, which would keep a trace of every wait as long as the connection lives.
    return new Promise((resolve, reject) => {
      this.#output.onClosed = () => resolve(null);
      promise.then(resolve, reject);
    });
  }

  async #tellClosed(): Promise<void> {
    try {
      await this.#handlers.closed?.();
    } catch (error) {
      this.#streams.error(`Cannot end in order: ${messageOf(error)}`);
    }
  }
}

function progressToken(params: RpcParams): Pick<RequestContext, "progressToken"> {
  const token = isObject(params._meta) ? params._meta.progressToken : undefined;
  return typeof token === "string" || typeof token === "number" ? { progressToken: token } : {};
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Waits for a promise, but no longer than this. */
async function within(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, milliseconds));
  try {
    await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
