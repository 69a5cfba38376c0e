/**
 * A session with the server's logic in this process: requests in, results and notifications out,
 * over a database of its own in a temporary folder. The protocol on standard streams is tested
 * apart.
 *
 * @module
 */

import { existsSync, mkdirSync } from "node:fs";
import { Client } from "../../src/client/client.ts";
import { namedDatabase } from "../../src/client/named_database.ts";
import { openInProcess } from "../../src/daemon/in_process.ts";
import { DatabaseClient } from "../../src/mcp/database_client.ts";
import type { Peer, RpcParams } from "../../src/mcp/protocol/types.ts";
import { Session } from "../../src/mcp/session.ts";
import type { McpToolResult } from "../../src/mcp/types.ts";
import { platform } from "../../src/platform/host.ts";
import { tempDir } from "../support/temp_dir.ts";

/** A notification that the client got. */
export interface Told {
  readonly method: string;
  readonly params: RpcParams;
}

/** How a session begins. */
export interface TestSessionOptions {
  /** Whether the database is there. @default {true} */
  readonly database?: boolean;
  /** What the client declares. */
  readonly capabilities?: RpcParams;
  /** Answers requests of the server, such as `sampling/createMessage`. */
  readonly answer?: (method: string, params: RpcParams) => RpcParams | Promise<RpcParams>;
  /** The most bytes of text in a reply. */
  readonly room?: number;
}

/** A client's view of the server. */
export class TestSession {
  readonly folder = tempDir();
  /** Folder of the database. */
  readonly path = this.folder.join("a b/ä.kbdb");
  readonly told: Told[] = [];
  readonly session: Session;
  readonly client: DatabaseClient;

  constructor(private readonly options: TestSessionOptions = {}) {
    mkdirSync(this.folder.join("a b"));
    const database = namedDatabase(platform, this.path);
    this.client = new DatabaseClient({
      exists: () => database.exists(),
      create: () => this.#create(),
      connect: () => this.connect(),
      onCreated: () => {
        void this.session.databaseCreated("There was no database yet: made it");
        return "There was no database yet: made it";
      },
    });
    const { room } = options;
    if (room !== undefined) this.client.maxReplyBytes = () => Promise.resolve(room);
    this.session = new Session({ client: this.client, databasePath: this.path });
    this.session.connected(this.#peer());
  }

  /** Makes the database where that is wanted. */
  async begin(): Promise<this> {
    if (this.options.database !== false && !existsSync(this.path)) await this.#create();
    return this;
  }

  /** A request. */
  async call(
    method: string,
    params: RpcParams = {},
    context: { progressToken?: string | number; signal?: AbortSignal } = {},
  ): Promise<RpcParams> {
    const { signal = new AbortController().signal, ...rest } = context;
    return await this.session.handle(method, params, { peer: this.#peer(), signal, ...rest });
  }

  /** A tool's result as it is. */
  async result(name: string, args: RpcParams = {}): Promise<McpToolResult> {
    return await this.call("tools/call", { name, arguments: args }) as unknown as McpToolResult;
  }

  /** The JSON of a tool that succeeds. */
  // deno-lint-ignore no-explicit-any
  async tool(name: string, args: RpcParams = {}): Promise<any> {
    const { content: [block], isError } = await this.result(name, args);
    const text = block.type === "text" ? block.text : "";
    if (isError) throw new Error(`${name} failed: ${text}`);
    return JSON.parse(text);
  }

  /** What a tool that fails says. */
  async failure(name: string, args: RpcParams = {}): Promise<string> {
    const { content: [block], isError } = await this.result(name, args);
    if (!isError || block.type !== "text") throw new Error(`${name} did not fail`);
    return block.text;
  }

  /** Notifications of a method, so far. */
  heard(method: string): RpcParams[] {
    return this.told.filter((one) => one.method === method).map(({ params }) => params);
  }

  /** Resolves to what was heard of a method once that is so much, or after a while. */
  async hears(method: string, count = 1): Promise<RpcParams[]> {
    for (let i = 0; i < 100 && this.heard(method).length < count; i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return this.heard(method);
  }

  /** A client in this process; only one can hold the database at a time. */
  connect(): Client {
    return new Client(platform, {
      path: this.path,
      workerEntry: "",
      openInProcess: (place) => openInProcess(platform, place),
      daemon: "never",
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.closed();
    this.folder.remove();
  }

  async #create(): Promise<void> {
    await (await openInProcess(platform, { path: this.path, create: {} })).close();
  }

  #peer(): Peer {
    const { capabilities = {}, answer } = this.options;
    return {
      facts: { protocolVersion: "2025-11-25", capabilities },
      notify: (method, params = {}) => void this.told.push({ method, params }),
      request: async (method, params) => {
        if (!answer) throw new Error(`Nobody answers ${method}`);
        return await answer(method, params);
      },
    };
  }
}

/** A session that has begun. */
export function openSession(options: TestSessionOptions = {}): Promise<TestSession> {
  return new TestSession(options).begin();
}
