/**
 * One client's connection: a handshake, then calls and a subscription.
 *
 * @module
 */

import type { Channel } from "../platform/types.ts";
import type { SubscribeParams, SubscribeResult } from "../rpc/changes.ts";
import { Connection, type RequestContext } from "../rpc/connection.ts";
import { contextId, type Endpoint } from "../rpc/endpoint.ts";
import { KbdbError } from "../rpc/errors.ts";
import { refuseWrongKinds } from "../rpc/kinds.ts";
import { type HelloParams, type HelloResult, PROTOCOL_VERSION } from "../rpc/protocol.ts";
import { VERSION } from "../rpc/version.ts";
import type { ChangeFeed } from "./change_feed.ts";
import { isServiceMethod } from "./params.ts";
import type { Service } from "./service.ts";

/** What a session needs of the daemon. */
export interface SessionHost {
  readonly service: Service;
  readonly root: string;
  readonly endpoint: Endpoint;
  /** A call begins; throws if the daemon takes no more. */
  begin(): void;
  end(): void;
  /** Asks the daemon to leave. */
  stop(): void;
}

/** Whether and how far a client has introduced itself. */
type Greeting = "none" | "full" | "other_version";

/** Serves one connection until it ends. */
export class Session {
  readonly #connection: Connection;
  #greeting: Greeting = "none";
  #feed: ChangeFeed | null = null;

  constructor(channel: Channel, private readonly host: SessionHost) {
    this.#connection = new Connection(
      channel,
      (method, params, context) => this.#handle(method, { params, context }),
    );
  }

  /** Resolves when the connection has ended. */
  async run(): Promise<void> {
    await this.#connection.run();
    this.#unsubscribe();
  }

  /** Whether the client wants to be told of changes. */
  get subscribed(): boolean {
    return this.#feed !== null;
  }

  close(): void {
    this.#connection.close();
  }

  async #handle(
    method: string,
    call: { params: unknown; context: RequestContext },
  ): Promise<unknown> {
    const { params, context } = call;
    if (method === "hello") return this.#hello(params as HelloParams);
    if (this.#greeting === "none") {
      throw new KbdbError("permission", `Cannot call ${method}: say hello first`);
    }
    if (method === "stop") return this.#stop();
    if (this.#greeting === "other_version") throw versionMismatch(PROTOCOL_VERSION);
    this.host.begin();
    try {
      return await this.#serve(method, { params, context });
    } finally {
      this.host.end();
    }
  }

  #serve(method: string, call: { params: unknown; context: RequestContext }): unknown {
    const { params, context } = call;
    if (method === "subscribe") return this.#subscribe(params as SubscribeParams);
    if (method === "unsubscribe") return this.#unsubscribe();
    if (!isServiceMethod(method)) {
      throw new KbdbError("unsupported", `Cannot call ${method}: unknown method`);
    }
    const report = context.progress.bind(context);
    return this.host.service.call(method, params as never, report);
  }

  async #subscribe(params: SubscribeParams): Promise<SubscribeResult> {
    refuseWrongKinds("subscribe", { given: params, kinds: { since: "number?" } });
    const feed = await this.host.service.changes((change) =>
      this.#connection.notify("changed", change)
    );
    this.#unsubscribe();
    this.#feed = feed;
    return feed.start(params);
  }

  #unsubscribe(): Record<string, never> {
    this.#feed?.end();
    this.#feed = null;
    return {};
  }

  #hello(params: HelloParams): HelloResult {
    const { endpoint, root, service } = this.host;
    if (!sameSecret(String(params.token), endpoint.token)) {
      throw new KbdbError("permission", "Cannot connect: the token is not this daemon's");
    }
    if (params.context !== contextId(root)) {
      throw new KbdbError("bad_request", "Cannot connect: this daemon serves another database");
    }
    // A client of another protocol may still tell this daemon to leave.
    this.#greeting = params.protocol === PROTOCOL_VERSION ? "full" : "other_version";
    return {
      protocol: PROTOCOL_VERSION,
      version: VERSION,
      pid: endpoint.pid,
      settings: service.clientSettings,
    };
  }

  #stop(): { stopping: boolean; pid: number } {
    // After the answer is on its way.
    setTimeout(() => this.host.stop(), 0);
    return { stopping: true, pid: this.host.endpoint.pid };
  }
}

function versionMismatch(protocol: number): KbdbError {
  return new KbdbError(
    "version_mismatch",
    `Cannot serve: this daemon (kbdb ${VERSION}) speaks protocol ${protocol} and the client ` +
      "another. Run: kbdb worker stop",
  );
}

/** Takes the same time wherever the two differ, so that a token cannot be guessed piece by piece. */
function sameSecret(given: string, own: string): boolean {
  const a = new TextEncoder().encode(given);
  const b = new TextEncoder().encode(own);
  let difference = a.length ^ b.length;
  for (let i = 0; i < b.length; i++) difference |= (a[i] ?? 0) ^ b[i];
  return difference === 0;
}
