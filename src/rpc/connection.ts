/**
 * A JSON-RPC 2.0 peer over a byte channel: the same class serves both ends. It knows nothing of
 * sockets; whoever opens the channel hands it over.
 *
 * @module
 */

import type { Channel } from "../platform/types.ts";
import { isErrorCode, KbdbError, rpcNumber, toKbdbError } from "./errors.ts";
import { encodeFrame, FrameSplitter } from "./framing.ts";
import type { Method, Notifications, Params, Progress, Result } from "./protocol.ts";

/** What a request's handler gets beside the parameters. */
export interface RequestContext {
  /** Tells the caller how far the work has come. */
  progress(progress: Progress): void;
}

/** Answers the other side's requests. */
export type RequestHandler = (
  method: string,
  params: unknown,
  context: RequestContext,
) => Promise<unknown>;

/** Hears a notification; what it does not know it lets pass. */
export type NotificationHandler = (method: string, params: object) => void;

/** How a call is made. */
export interface CallOptions {
  onProgress?: (progress: Progress) => void;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
  onProgress?: (progress: Progress) => void;
}

/** The connection ended before an answer came; the other side may have seen the request. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

interface Message {
  jsonrpc?: unknown;
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/**
 * One end of a connection. Reads begin with {@linkcode Connection.run}.
 *
 * @example A call and its answer over a channel pair
 * ```ts
 * import { Connection } from "./connection.ts";
 * import { channelPair } from "./channel_pair.ts";
 * import assert from "node:assert/strict";
 *
 * const [near, far] = channelPair();
 * const server = new Connection(far, () => Promise.resolve({ pid: 7 }));
 * const client = new Connection(near);
 * void server.run();
 * void client.run();
 * assert.deepEqual(await client.call("stop", {}), { pid: 7 });
 * client.close();
 * ```
 */
export class Connection {
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #closed: string | null = null;
  #attentive = false;
  /** Hears what the other side tells without being asked. */
  onNotification: NotificationHandler | null = null;

  constructor(
    private readonly channel: Channel,
    private readonly handler?: RequestHandler,
  ) {}

  /** Reads until the channel ends; never rejects. Then every waiting call fails with the reason. */
  async run(): Promise<void> {
    const splitter = new FrameSplitter();
    try {
      for await (const chunk of this.channel.chunks) {
        for (const frame of splitter.push(chunk)) this.#receive(frame);
      }
      this.#end(splitter.inFrame ? "the connection ended within a message" : "connection closed");
    } catch (error) {
      const failure = toKbdbError(error);
      await this.#send({ jsonrpc: "2.0", error: errorBody(failure) }).catch(() => {});
      this.#end(failure.message);
    }
  }

  /**
   * Calls the other side.
   *
   * @throws {KbdbError} what the other side answered
   * @throws {ConnectionLost} where no answer came
   */
  async call<M extends Method>(
    method: M,
    params: Params<M>,
    options: CallOptions = {},
  ): Promise<Result<M>> {
    if (this.#closed !== null) throw new ConnectionLost(this.#closed);
    const id = this.#nextId++;
    const frame = encodeFrame({ jsonrpc: "2.0", id, method, params });
    return await new Promise<Result<M>>((resolve, reject) => {
      const pending: Pending = {
        resolve: resolve as (value: unknown) => void,
        reject,
        onProgress: options.onProgress,
      };
      this.#pending.set(id, pending);
      this.#keepAlive();
      this.channel.write(frame).catch((cause) => {
        if (!this.#pending.delete(id)) return;
        this.#keepAlive();
        reject(new ConnectionLost("the connection broke while sending", { cause }));
      });
    });
  }

  /** Tells the other side something; resolves once the system took it. */
  async notify<N extends keyof Notifications>(name: N, params: Notifications[N]): Promise<void> {
    await this.#send({ jsonrpc: "2.0", method: name, params });
  }

  /** Keeps the process alive while it is on, also with no call that waits. */
  attend(on: boolean): void {
    this.#attentive = on;
    this.#keepAlive();
  }

  /** Closes the channel; waiting calls fail. */
  close(): void {
    this.#end("connection closed");
  }

  #receive(frame: string): void {
    let message: Message | null;
    try {
      message = JSON.parse(frame);
    } catch {
      this.#refuse(-32700, "Parse error");
      return;
    }
    if (message === null || typeof message !== "object" || Array.isArray(message)) {
      this.#refuse(-32600, "Invalid request");
    } else if (typeof message.method === "string") {
      this.#receiveRequest(message.method, message);
    } else if (message.result !== undefined || message.error !== undefined) {
      this.#receiveAnswer(message);
    } else {
      this.#refuse(-32600, "Invalid request");
    }
  }

  #receiveRequest(method: string, message: Message): void {
    const { id, params } = message;
    if (id === undefined) this.#receiveNotification(method, params);
    else if (typeof id !== "number" && typeof id !== "string") {
      this.#refuse(-32600, "Invalid request: its id is neither number nor text");
    } else void this.#answer(id, method, params ?? {});
  }

  /** None is ever answered, whatever it holds. */
  #receiveNotification(method: string, params: unknown): void {
    if (typeof params !== "object" || params === null) return;
    if (method !== "progress") {
      this.onNotification?.(method, params);
      return;
    }
    const { id, ...progress } = params as Progress & { id: number };
    this.#pending.get(id)?.onProgress?.(progress);
  }

  /** Answers what is no request, and so has no id to answer to. */
  #refuse(code: number, message: string): void {
    this.#reply({ jsonrpc: "2.0", error: { code, message } });
  }

  async #answer(id: number | string, method: string, params: unknown): Promise<void> {
    const progress = (progress: Progress) =>
      this.#reply({ jsonrpc: "2.0", method: "progress", params: { id, ...progress } });
    try {
      if (!this.handler) throw new KbdbError("unsupported", `Cannot call ${method}: not served`);
      const result = await this.handler(method, params, { progress });
      await this.#send({ jsonrpc: "2.0", id, result });
    } catch (error) {
      this.#reply({ jsonrpc: "2.0", id, error: errorBody(toKbdbError(error)) });
    }
  }

  #receiveAnswer(message: Message): void {
    const pending = this.#pending.get(message.id as number);
    if (!pending) return;
    this.#pending.delete(message.id as number);
    this.#keepAlive();
    if (message.error !== undefined) pending.reject(errorFrom(message.error));
    else pending.resolve(message.result);
  }

  /** A client that waits for nothing does not keep its process alive. */
  #keepAlive(): void {
    if (!this.handler) this.channel.setKeepAlive(this.#attentive || this.#pending.size > 0);
  }

  #reply(message: unknown): void {
    this.#send(message).catch(() => this.#end("the connection broke while answering"));
  }

  async #send(message: unknown): Promise<void> {
    await this.channel.write(encodeFrame(message));
  }

  #end(reason: string): void {
    if (this.#closed !== null) return;
    this.#closed = reason;
    this.channel.close();
    for (const pending of this.#pending.values()) {
      pending.reject(new ConnectionLost(reason));
    }
    this.#pending.clear();
  }
}

function errorBody(error: KbdbError): unknown {
  return { code: rpcNumber(error.code), message: error.message, data: { code: error.code } };
}

function errorFrom(body: unknown): KbdbError {
  const error = body as { message?: unknown; data?: { code?: unknown } };
  const code = error?.data?.code;
  return new KbdbError(isErrorCode(code) ? code : "internal", String(error?.message ?? body));
}
