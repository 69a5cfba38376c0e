/**
 * Where a connection stands: nothing but `initialize` and `ping` is answered before the client has
 * said `initialized`, and nothing of ours is sent before (D22).
 *
 * @module
 */

import { INVALID_PARAMS, INVALID_REQUEST } from "../error_codes.ts";
import { isObject } from "./messages.ts";
import { type PeerFacts, ProtocolError, type RpcParams } from "./types.ts";

/** Offered to a client that asks for a version unknown here. */
export const LATEST_VERSION = "2025-11-25";

/** Revisions of MCP that are answered as they were asked for. */
export const VERSIONS: readonly string[] = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  LATEST_VERSION,
];

/** One connection from its first message on. */
export class LifeCycle {
  #facts: PeerFacts | null = null;
  #ready = false;

  /** What the client said of itself, and the version agreed upon; `null` before `initialize`. */
  get facts(): PeerFacts | null {
    return this.#facts;
  }

  /** Whether the client has said `initialized`. */
  get ready(): boolean {
    return this.#ready;
  }

  /** @throws {ProtocolError} if a request comes too early, or `initialize` twice. */
  admit(method: string): void {
    if (method === "ping") return;
    if (method !== "initialize") {
      if (this.#ready) return;
      const next = this.#facts ? "notifications/initialized" : "initialize";
      throw new ProtocolError(
        INVALID_REQUEST,
        `Cannot answer ${method}: the session is not initialized. Send ${next} first.`,
      );
    }
    if (!this.#facts) return;
    const message = "Cannot initialize: the session is initialized already. Go on with it.";
    throw new ProtocolError(INVALID_REQUEST, message);
  }

  /**
   * Takes the parameters of `initialize`.
   *
   * @throws {ProtocolError} naming all that is missing or of the wrong type
   */
  initialize(params: RpcParams): PeerFacts {
    const { protocolVersion, capabilities, clientInfo } = params;
    const faults = [
      ...(typeof protocolVersion === "string" ? [] : ["protocolVersion must be text"]),
      ...(isObject(capabilities) ? [] : ["capabilities must be an object"]),
      ...(isObject(clientInfo) ? [] : ["clientInfo must be an object"]),
    ];
    if (faults.length > 0) {
      throw new ProtocolError(INVALID_PARAMS, `Cannot initialize: ${faults.join(", ")}`);
    }
    const asked = protocolVersion as string;
    return this.#facts = {
      protocolVersion: VERSIONS.includes(asked) ? asked : LATEST_VERSION,
      capabilities: capabilities as RpcParams,
    };
  }

  /** Takes `notifications/initialized`, which means nothing before `initialize`. */
  initialized(): void {
    this.#ready = this.#facts !== null;
  }
}
