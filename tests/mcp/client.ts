/**
 * The official client of the protocol's SDK, connected over standard streams to the command as a
 * host starts it: with HOME and PATH alone, in the root folder.
 *
 * @module
 */

import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { mkdirSync } from "node:fs";
import process from "node:process";
import { kbdb, kbdbCommand } from "../support/command.ts";
import { tempDir } from "../support/temp_dir.ts";

/** How a host starts the server. */
export interface HostOptions {
  /** The command and its arguments before `mcp`. @default {the command of this runtime} */
  readonly command?: readonly string[];
  /** Arguments after `mcp`. @default {--db and the path} */
  readonly args?: readonly string[];
  /** Folder that the server starts in. @default {"/"} */
  readonly cwd?: string;
  /** Variables beside HOME and PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the client declares, such as `{ sampling: {} }`. @default {nothing} */
  readonly capabilities?: Readonly<Record<string, object>>;
}

/** What a tool answered. */
export interface ToolReply {
  readonly content: { type: string; text?: string; data?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

/** A folder of a database whose name is not easy, and the hosts that use it. */
export class Hosts implements AsyncDisposable {
  readonly #folder = tempDir();
  readonly #clients: Client[] = [];
  /** The database, which is not there yet. */
  readonly path: string;

  constructor() {
    const above = this.#folder.join("Zoë's notes");
    mkdirSync(above);
    this.path = `${above}/日本 base.kbdb`;
  }

  /** Starts a server and shakes hands with it. */
  async connect(options: HostOptions = {}): Promise<Client> {
    const { capabilities = {} } = options;
    const client = new Client({ name: "kbdb-test", version: "1.0.0" }, { capabilities });
    this.#clients.push(client);
    await client.connect(serverTransport(this.path, options));
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client.close();
    await kbdb(["worker", "stop", "--db", this.path]);
    this.#folder.remove();
  }
}

/** Starts `kbdb mcp` with an environment of HOME and PATH, from `/`. */
export function serverTransport(path: string, options: HostOptions = {}): StdioClientTransport {
  const { command = kbdbCommand(), args = ["--db", path], env = {}, cwd = "/" } = options;
  const { HOME = "/root", PATH = "" } = process.env;
  const variables = Object.entries({ HOME, PATH, ...env }).map(([name, value]) =>
    `${name}=${value}`
  );
  // The SDK adds variables of its own, which a host need not have.
  return new StdioClientTransport({
    command: "/usr/bin/env",
    args: ["-i", ...variables, ...command, "mcp", ...args],
    cwd,
    stderr: "inherit",
  });
}

/** Calls a tool. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolReply> {
  return await client.callTool({ name, arguments: args }) as unknown as ToolReply;
}

/** The JSON of a tool that succeeds. */
// deno-lint-ignore no-explicit-any
export async function toolJson(client: Client, name: string, args = {}): Promise<any> {
  const reply = await callTool(client, name, args);
  const text = reply.content[0].text ?? "";
  if (reply.isError) throw new Error(`${name} failed: ${text}`);
  return JSON.parse(text);
}
