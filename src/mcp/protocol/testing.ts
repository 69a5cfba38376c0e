/**
 * A client made up for tests of the protocol: what it sends and what it is sent, without a process.
 *
 * @module
 */

import { METHOD_NOT_FOUND } from "../error_codes.ts";
import { serve, type ServeOptions } from "./serve.ts";
import { ProtocolError, type ProtocolHandlers } from "./types.ts";

/** A message as it came over the wire. */
// deno-lint-ignore no-explicit-any -- tests look into messages without asking what they are
export type WireMessage = any;

/** Answers nothing but `tools/list`. */
export const emptyHandlers: ProtocolHandlers = {
  serverInfo: { name: "test", title: "Test", version: "1.2.3" },
  capabilities: () => ({ tools: {} }),
  handle(method) {
    if (method === "tools/list") return Promise.resolve({ tools: [] });
    throw new ProtocolError(METHOD_NOT_FOUND, `Cannot answer ${method}: no such method`);
  },
};

/** The parameters of an `initialize` as most clients send it. */
export const HELLO = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "client", version: "1" },
};

/** A request. */
export function request(id: unknown, method: string, params?: unknown): WireMessage {
  return { jsonrpc: "2.0", id, method, params };
}

/** A notification. */
export function notification(method: string, params?: unknown): WireMessage {
  return { jsonrpc: "2.0", method, params };
}

/** A client connected to {@linkcode serve}. */
export class TestClient {
  readonly #input: (Uint8Array | null)[] = [];
  readonly #unread: WireMessage[] = [];
  #wakeInput = () => {};
  #wakeReader = () => {};
  #stall: Promise<void> | null = null;
  #goOn = () => {};
  #writesLeft = Infinity;
  /** Resolves when `serve` does. */
  readonly done: Promise<void>;
  /** What was logged. */
  readonly errors: string[] = [];
  /** Lines as they were written. */
  readonly lines: string[] = [];
  /** Whether nobody asks for input any more. */
  inputDropped = false;

  constructor(handlers: Partial<ProtocolHandlers> = {}, options: ServeOptions = {}) {
    const streams = {
      chunks: this.#chunks(),
      write: (bytes: Uint8Array) => this.#write(bytes),
      error: (line: string) => void this.errors.push(line),
    };
    this.done = serve({ ...emptyHandlers, ...handlers }, streams, options);
  }

  /** A client that has done with `initialize`. */
  static async initialized(
    handlers: Partial<ProtocolHandlers> = {},
    options: ServeOptions & { capabilities?: Record<string, unknown> } = {},
  ): Promise<TestClient> {
    const { capabilities = {}, ...limits } = options;
    const client = new TestClient(handlers, limits);
    client.send(request("hello", "initialize", { ...HELLO, capabilities }));
    await client.next();
    client.send(notification("notifications/initialized"));
    return client;
  }

  /** Sends messages, or text and bytes as they are. */
  send(...items: (WireMessage | string | Uint8Array)[]): void {
    for (const item of items) {
      if (item instanceof Uint8Array) this.#input.push(item);
      else if (typeof item === "string") this.#input.push(new TextEncoder().encode(item));
      else this.#input.push(new TextEncoder().encode(JSON.stringify(item) + "\n"));
    }
    this.#wakeInput();
  }

  /** Ends the input; resolves when `serve` does. */
  end(): Promise<void> {
    this.#input.push(null);
    this.#wakeInput();
    return this.done;
  }

  /** The next message of the server. */
  async next(): Promise<WireMessage> {
    while (this.#unread.length === 0) {
      await new Promise<void>((resolve) => this.#wakeReader = resolve);
    }
    return this.#unread.shift();
  }

  /** Messages that were not yet taken. */
  unread(): WireMessage[] {
    return this.#unread.splice(0);
  }

  /** Reads no more after so many messages: writing fails. */
  closeOutput(after = 0): void {
    this.#writesLeft = after;
  }

  /** Leaves unread what is written, until the returned function is called. */
  stall(): () => void {
    this.#stall = new Promise((resolve) => this.#goOn = resolve);
    return () => {
      this.#stall = null;
      this.#goOn();
    };
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    try {
      while (true) {
        const chunk = this.#input.shift();
        if (chunk === null) return;
        if (chunk) yield chunk;
        else await new Promise<void>((resolve) => this.#wakeInput = resolve);
      }
    } finally {
      this.inputDropped = true;
    }
  }

  async #write(bytes: Uint8Array): Promise<boolean> {
    await this.#stall;
    if (this.#writesLeft-- <= 0) return false;
    const line = new TextDecoder().decode(bytes);
    this.lines.push(line);
    this.#unread.push(JSON.parse(line));
    this.#wakeReader();
    return true;
  }
}
