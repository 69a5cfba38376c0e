/**
 * One client's connection: a handshake, then calls.
 *
 * @module
 */

import type { Channel } from "../platform/types.ts";
import { Connection, type RequestContext } from "../rpc/connection.ts";
import { contextId, type Endpoint } from "../rpc/endpoint.ts";
import { KbdbError } from "../rpc/errors.ts";
import { type HelloParams, type HelloResult, PROTOCOL_VERSION } from "../rpc/protocol.ts";
import { VERSION } from "../rpc/version.ts";
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

  constructor(channel: Channel, private readonly host: SessionHost) {
    this.#connection = new Connection(
      channel,
      (method, params, context) => this.#handle(method, { params, context }),
    );
  }

  /** Resolves when the connection has ended. */
  run(): Promise<void> {
    return this.#connection.run();
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
    const { service } = this.host;
    if (!service.serves(method)) {
      throw new KbdbError("unsupported", `Cannot call ${method}: unknown method`);
    }
    this.host.begin();
    try {
      return await service.call(method, params as never, (progress) => context.progress(progress));
    } finally {
      this.host.end();
    }
  }

  #hello(params: HelloParams): HelloResult {
    const { endpoint, root } = this.host;
    if (!sameSecret(String(params.token), endpoint.token)) {
      throw new KbdbError("permission", "Cannot connect: the token is not this daemon's");
    }
    if (params.context !== contextId(root)) {
      throw new KbdbError("bad_request", "Cannot connect: this daemon serves another database");
    }
    // A client of another protocol may still tell this daemon to leave.
    this.#greeting = params.protocol === PROTOCOL_VERSION ? "full" : "other_version";
    return { protocol: PROTOCOL_VERSION, version: VERSION, pid: endpoint.pid };
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
