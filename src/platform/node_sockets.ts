/**
 * Local sockets of Node: Unix sockets, and named pipes on Windows.
 *
 * @module
 */
import * as fs from "node:fs";
import * as net from "node:net";
import { dirname } from "node:path";
import { platform as osName } from "node:process";
import { connectPatiently } from "./busy_listener.ts";
import { systemCode } from "./file_errors.ts";
import { plainBytes } from "./node_bytes.ts";
import { socketError, toSocketError } from "./socket_errors.ts";
import {
  checkSocketPath,
  draftSocketName,
  explain,
  type NamingCalls,
  type NodeIdentity,
  publishSocket,
  retireSocket,
} from "./socket_names.ts";
import type { Channel, Listener, Sockets } from "./types.ts";

const WINDOWS = osName === "win32";
const OS = WINDOWS ? "windows" : osName === "darwin" ? "darwin" : "linux";

const naming: NamingCalls = {
  identify,
  chmod: (path, mode) => fs.chmodSync(path, mode),
  link: (from, to) => fs.linkSync(from, to),
  rename: (from, to) => fs.renameSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
};

/** Local sockets through `node:net`. On Windows the address is that of a pipe, `\\.\pipe\...`. */
export const nodeSockets: Sockets = {
  async connect(address: string): Promise<Channel> {
    const attempt = { action: "connect to", address };
    if (!WINDOWS) checkSocketPath(attempt, OS);
    try {
      return new NodeChannel(await connectPatiently(() => openSocket(address)), address);
    } catch (error) {
      throw WINDOWS ? toSocketError(error, attempt) : explain(naming, error, attempt);
    }
  },

  async listen(address: string): Promise<Listener> {
    const attempt = { action: "listen on", address };
    if (!WINDOWS) checkSocketPath(attempt, OS);
    const bound = WINDOWS ? address : draftSocketName(address);
    const server = net.createServer({ allowHalfOpen: true });
    const listener = new NodeListener(server, address);
    try {
      await listenOn(server, bound);
      if (!WINDOWS) listener.own = publishSocket(naming, { draft: bound, address });
    } catch (error) {
      server.close();
      throw toSocketError(folderIsMissing(error, bound) ? missingError : error, attempt);
    }
    return listener;
  },
};

const missingError = { code: "ENOENT" };
const closedError = { code: "EPIPE" };

class NodeChannel implements Channel {
  readonly #socket: net.Socket;
  readonly #address: string;
  #closed = false;

  constructor(socket: net.Socket, address: string) {
    this.#socket = socket;
    this.#address = address;
    // Without a listener an error ends the process; reads and writes report it themselves.
    socket.on("error", () => {});
  }

  get chunks(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  write(data: Uint8Array): Promise<void> {
    const attempt = { action: "write to", address: this.#address };
    if (this.#closed) return Promise.reject(socketError("closed", attempt));
    if (data.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#socket.write(data, (error) => {
        // Node reports a write that closing cut off as done.
        if (error || this.#closed) reject(toSocketError(error ?? closedError, attempt));
        else resolve();
      });
    });
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  setKeepAlive(on: boolean): void {
    if (on) this.#socket.ref();
    else this.#socket.unref();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#socket.iterator({ destroyOnReturn: false })) {
        yield plainBytes(chunk);
      }
    } catch (error) {
      if (this.#closed) return;
      throw toSocketError(error, { action: "read from", address: this.#address });
    }
  }
}

class NodeListener implements Listener {
  readonly #server: net.Server;
  readonly #address: string;
  readonly #waiting: NodeChannel[] = [];
  #wake: () => void = () => {};
  #closed = false;
  /** What was bound, so that closing removes nothing else. */
  own: NodeIdentity | undefined;

  constructor(server: net.Server, address: string) {
    this.#server = server;
    this.#address = address;
    server.on("connection", (socket) => {
      this.#waiting.push(new NodeChannel(socket, address));
      this.#wake();
    });
  }

  get connections(): AsyncIterable<Channel> {
    return this.#accept();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.own) retireSocket(naming, this.#address, this.own);
    this.#server.close();
    for (const channel of this.#waiting.splice(0)) channel.close();
    this.#wake();
  }

  async *#accept(): AsyncGenerator<Channel> {
    while (!this.#closed) {
      const channel = this.#waiting.shift();
      if (channel) yield channel;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}

function openSocket(address: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.createConnection({ path: address, allowHalfOpen: true });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

function listenOn(server: net.Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path: address }, () => {
      server.off("error", reject);
      // A connection that cannot be accepted is the client's to try again.
      server.on("error", () => {});
      resolve();
    });
  });
}

/** Node says of a missing folder that permission was denied. */
function folderIsMissing(error: unknown, address: string): boolean {
  return systemCode(error) === "EACCES" && !WINDOWS && !fs.existsSync(dirname(address));
}

function identify(path: string): NodeIdentity | undefined {
  try {
    const info = fs.lstatSync(path);
    return { isSocket: info.isSocket(), identity: `${info.dev}:${info.ino}` };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
