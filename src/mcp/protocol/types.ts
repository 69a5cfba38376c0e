/**
 * What lies between the MCP protocol on standard input and output and what a server answers: plain
 * objects, no type of an SDK (D30). Everything below this line knows methods and parameters only.
 *
 * @module
 */

/** Parameters of a request or notification: always an object by the time a handler sees it. */
export type RpcParams = Readonly<Record<string, unknown>>;

/** The client at the other end, as it introduced itself. */
export interface PeerFacts {
  /** As negotiated, such as `2025-11-25`. */
  readonly protocolVersion: string;
  /** What the client declared, such as `{ sampling: {} }`. */
  readonly capabilities: RpcParams;
}

/** The way to the client, from `initialize` until the end of input. */
export interface Peer {
  /** `null` before `initialize`. */
  readonly facts: PeerFacts | null;
  /**
   * Sends a notification, in order with everything else that is sent. Dropped before the client said
   * `initialized` and after the end.
   */
  notify(method: string, params?: RpcParams): void;
  /**
   * Asks the client for something, such as `sampling/createMessage`.
   *
   * @throws {Error} if the client refuses, does not answer in time (60 s), or `signal` fires
   */
  request(method: string, params: RpcParams, signal?: AbortSignal): Promise<RpcParams>;
}

/** One request of the client on its way to an answer. */
export interface RequestContext {
  readonly peer: Peer;
  /** Fires when the client cancels the request; what is answered then is dropped. */
  readonly signal: AbortSignal;
  /** The token under which the client wants to be told of progress; 0 and "" count. */
  readonly progressToken?: string | number;
}

/** What a server answers. */
export interface ProtocolHandlers {
  readonly serverInfo: { readonly name: string; readonly title?: string; readonly version: string };
  /** For the model, as `initialize` carries it. */
  readonly instructions?: string;
  /** What `initialize` declares to a client with these capabilities. */
  capabilities(client: RpcParams): RpcParams;
  /** Called once, before anything else. */
  connected?(peer: Peer): void;
  /**
   * Answers any request but `initialize` and `ping`. A thrown {@linkcode ProtocolError} becomes the
   * error response; any other thrown value becomes -32603 with its message.
   */
  handle(method: string, params: RpcParams, context: RequestContext): Promise<RpcParams>;
  /** Input has ended and every answer that was due is out. */
  closed?(): Promise<void>;
}

/** An error response of JSON-RPC. */
export class ProtocolError extends Error {
  /** Always `ProtocolError`. */
  override readonly name = "ProtocolError";

  /** An error with a number of JSON-RPC or MCP. */
  constructor(readonly code: number, message: string, readonly data?: RpcParams) {
    super(message);
  }
}
