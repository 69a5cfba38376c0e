/**
 * Puts a server that speaks over standard input and output behind Streamable HTTP on this machine,
 * because the conformance suite speaks nothing else. One child process for each session. For tests
 * only.
 *
 * ```sh
 * deno run -A tests/mcp/conformance/bridge.ts deno run -A cli.ts mcp --db .kbdb
 * ```
 *
 * @module
 */

// @ts-types="@modelcontextprotocol/sdk/server/streamableHttp"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";

/** A server that listens. */
export interface Bridge {
  /** Where the suite finds it. */
  readonly url: string;
  /** What children did wrong, as sentences: a line that is no JSON, a late or a bad end. */
  readonly faults: readonly string[];
  /** Ends all children and stops listening. */
  close(): Promise<void>;
}

/** Milliseconds that a child has for its end, once its input has ended; what clients allow. */
const END_LIMIT_MS = 2000;

/** What the bridge reads in a message; the rest passes through. */
interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly progressToken?: unknown;
    readonly requestId?: string | number;
    readonly _meta?: { readonly progressToken?: unknown };
  };
}

type Outgoing = Parameters<StreamableHTTPServerTransport["send"]>[0];

/** One client and its child process. */
class Session {
  readonly ended: Promise<void>;
  /** HTTP exchanges under way. */
  exchanges = 0;
  /** Requests of the client without an answer so far, with their progress tokens. */
  readonly #pending = new Map<string | number, unknown>();
  readonly #child: ChildProcess;
  #ending = false;

  constructor(
    command: readonly string[],
    readonly transport: StreamableHTTPServerTransport,
    readonly complain: (fault: string) => void,
  ) {
    const [program, ...args] = command;
    this.#child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#child.stdin!.on("error", () => {});
    createInterface(this.#child.stdout!).on("line", (line) => this.#fromChild(line));
    this.ended = new Promise((resolve) => {
      this.#child.on("error", ({ message }) => resolve(this.#over(`failed: ${message}`)));
      this.#child.on("close", (code, signal) => resolve(this.#over(code ?? signal)));
    });
    transport.onmessage = (message) => this.#toChild(message as Message);
    transport.onclose = () => void this.end();
  }

  /** Ends the child as a client does: closes its input and waits. */
  async end(): Promise<void> {
    if (this.#ending) return this.ended;
    this.#ending = true;
    this.#child.stdin!.end();
    const timer = setTimeout(() => {
      this.complain(`A child is alive ${END_LIMIT_MS} ms after the end of its input`);
      this.#child.kill("SIGKILL");
    }, END_LIMIT_MS);
    await this.ended;
    clearTimeout(timer);
    await this.transport.close();
  }

  #over(result: number | string | null): void {
    if (!this.#ending) this.complain(`A child ended in the middle of its session with ${result}`);
    else if (result !== 0 && result !== "SIGKILL") this.complain(`A child ended with ${result}`);
    void this.end();
  }

  #toChild(message: Message): void {
    const { id, method, params } = message;
    if (id !== undefined && method) this.#pending.set(id, params?._meta?.progressToken);
    if (method === "notifications/cancelled") this.#pending.delete(params?.requestId ?? "");
    this.#child.stdin!.write(JSON.stringify(message) + "\n");
  }

  #fromChild(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      return this.complain(`A child wrote a line that is no JSON: ${line.slice(0, 200)}`);
    }
    const relatedRequestId = this.#related(message);
    if (message.method === undefined && message.id != null) this.#pending.delete(message.id);
    this.transport.send(message as Outgoing, { relatedRequestId })
      .catch((error) => this.complain(`Cannot pass on ${line.slice(0, 200)}: ${error.message}`));
  }

  /**
   * The request on whose stream a message of the child belongs. Standard output does not tell, so
   * that is the one with the token of a progress report, otherwise the last one without an answer.
   */
  #related({ params }: Message): string | number | undefined {
    const token = params?.progressToken;
    const pending = [...this.#pending].reverse();
    const owner = token === undefined ? pending[0] : pending.find(([, own]) => own === token);
    return owner?.[0];
  }
}

/** Names under which a browser can mean this machine only, so that no foreign page gets through. */
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Whether a request can have come from a page of another host that resolves to this machine. */
function isForeign({ headers }: IncomingMessage): boolean {
  const origin = headers.origin?.replace(/^https?:\/\//, "");
  return !LOCAL_HOST.test(headers.host ?? "") || (origin != null && !LOCAL_HOST.test(origin));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }));
}

/** The sessions of one bridge, and the way of a request to them. */
class Sessions {
  readonly faults: string[] = [];
  readonly #open = new Map<string, Session>();

  constructor(readonly command: readonly string[]) {}

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isForeign(request)) return refuse(response, 403, "Host or Origin is not this machine");
    const id = request.headers["mcp-session-id"];
    if (id === undefined) return await this.#first().handleRequest(request, response);
    const session = this.#open.get(String(id));
    if (!session) return refuse(response, 404, "Session not found");
    session.exchanges++;
    response.on("close", () => session.exchanges--);
    await session.transport.handleRequest(request, response);
  }

  async end(): Promise<void> {
    await Promise.all([...this.#open.values()].map((session) => session.end()));
  }

  /** What answers a request without a session: `initialize` starts one, all else is refused. */
  #first(): StreamableHTTPServerTransport {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#start(id, transport),
    });
    return transport;
  }

  /** The suite never says goodbye: sessions with no exchange under way go when another one comes. */
  #start(id: string, transport: StreamableHTTPServerTransport): void {
    const left = [...this.#open.values()].filter(({ exchanges }) => exchanges === 0);
    for (const session of left) void session.end();
    const session = new Session(this.command, transport, (fault) => this.faults.push(fault));
    this.#open.set(id, session);
    void session.ended.then(() => this.#open.delete(id));
  }
}

/** Listens on a free port of this machine, and starts `command` for each session. */
export async function startBridge(command: readonly string[]): Promise<Bridge> {
  const sessions = new Sessions(command);
  const server = createServer((request, response) => {
    sessions.answer(request, response).catch((error) => {
      sessions.faults.push(`Cannot answer ${request.method}: ${error.message}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    await sessions.end();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}/mcp`, faults: sessions.faults, close };
}

if (import.meta.main) {
  const { url } = await startBridge(process.argv.slice(2));
  console.log(url);
}
