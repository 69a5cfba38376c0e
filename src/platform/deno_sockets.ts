/**
 * Local sockets of Deno.
 *
 * @module
 */
import { systemCode } from "./file_errors.ts";
import {
  checkSocketPath,
  draftSocketName,
  explain,
  type NamingCalls,
  type NodeIdentity,
  publishSocket,
  retireSocket,
} from "./socket_names.ts";
import { type SocketAttempt, socketError, toSocketError } from "./socket_errors.ts";
import { connectPatiently } from "./busy_listener.ts";
import type { Channel, Host, Listener, Sockets } from "./types.ts";

const READ_SIZE = 64 * 1024;
const OS: Host["os"] = Deno.build.os === "darwin" || Deno.build.os === "windows"
  ? Deno.build.os
  : "linux";

const naming: NamingCalls = {
  identify,
  chmod: (path, mode) => Deno.chmodSync(path, mode),
  link: (from, to) => Deno.linkSync(from, to),
  rename: (from, to) => Deno.renameSync(from, to),
  unlink: (path) => Deno.removeSync(path),
};

/** Unix sockets through Deno's own API; needs `--allow-net`, `--allow-read` and `--allow-write`. */
export const denoSockets: Sockets = {
  async connect(address: string): Promise<Channel> {
    const attempt = { action: "connect to", address };
    if (OS === "windows") return (await nodeSockets()).connect(address);
    checkSocketPath(attempt, OS);
    try {
      const conn = await connectPatiently(() => Deno.connect({ transport: "unix", path: address }));
      return new DenoChannel(conn, address);
    } catch (error) {
      throw explain(naming, error, attempt);
    }
  },

  async listen(address: string): Promise<Listener> {
    if (OS === "windows") return (await nodeSockets()).listen(address);
    const attempt = { action: "listen on", address };
    checkSocketPath(attempt, OS);
    const draft = draftSocketName(address);
    let listener: Deno.UnixListener;
    try {
      listener = Deno.listen({ transport: "unix", path: draft });
    } catch (error) {
      throw toSocketError(error, attempt);
    }
    try {
      const own = publishSocket(naming, { draft, address });
      return new DenoListener(listener, address, own);
    } catch (error) {
      listener.close();
      throw error;
    }
  },
};

class DenoChannel implements Channel {
  readonly #conn: Deno.UnixConn;
  readonly #address: string;
  #lastWrite: Promise<void> = Promise.resolve();
  #abandonWrite: (reason: Error) => void = () => {};
  #closed = false;

  constructor(conn: Deno.UnixConn, address: string) {
    this.#conn = conn;
    this.#address = address;
  }

  get chunks(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  write(data: Uint8Array): Promise<void> {
    const written = this.#lastWrite.then(() => this.#writeAll(data));
    this.#lastWrite = written.catch(() => {});
    return written;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#conn.close();
    this.#abandonWrite(socketError("closed", this.#attempt("write to")));
  }

  setKeepAlive(on: boolean): void {
    if (on) this.#conn.ref();
    else this.#conn.unref();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    let space = new Uint8Array(0);
    while (!this.#closed) {
      // What was handed out stays the reader's; only the rest of the buffer is read into again.
      if (space.length < READ_SIZE / 4) space = new Uint8Array(READ_SIZE);
      const count = await this.#readInto(space);
      if (count === 0) return;
      yield space.subarray(0, count);
      space = space.subarray(count);
    }
  }

  async #readInto(buffer: Uint8Array): Promise<number> {
    try {
      return await this.#conn.read(buffer) ?? 0;
    } catch (error) {
      if (this.#closed) return 0;
      throw toSocketError(error, this.#attempt("read from"));
    }
  }

  async #writeAll(data: Uint8Array): Promise<void> {
    const attempt = this.#attempt("write to");
    for (let rest = data; rest.length > 0;) {
      if (this.#closed) throw socketError("closed", attempt);
      try {
        rest = rest.subarray(await this.#writeSome(rest));
      } catch (error) {
        throw toSocketError(error, attempt);
      }
    }
  }

  /** Older versions of Deno leave a write waiting for ever when the connection is closed here. */
  #writeSome(data: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#abandonWrite = reject;
      this.#conn.write(data).then(resolve, reject);
    });
  }

  #attempt(action: string): SocketAttempt {
    return { action, address: this.#address };
  }
}

class DenoListener implements Listener {
  readonly #listener: Deno.UnixListener;
  readonly #address: string;
  readonly #own: NodeIdentity;
  #closed = false;

  constructor(listener: Deno.UnixListener, address: string, own: NodeIdentity) {
    this.#listener = listener;
    this.#address = address;
    this.#own = own;
  }

  get connections(): AsyncIterable<Channel> {
    return this.#accept();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    retireSocket(naming, this.#address, this.#own);
    this.#listener.close();
  }

  async *#accept(): AsyncGenerator<Channel> {
    while (!this.#closed) {
      try {
        const conn = await this.#listener.accept();
        yield new DenoChannel(conn, this.#address);
      } catch (error) {
        if (this.#closed) return;
        await pauseOrThrow(error, this.#address);
      }
    }
  }
}

/** One connection that fails to be accepted, for whatever passing reason, must not end the rest. */
async function pauseOrThrow(error: unknown, address: string): Promise<void> {
  if (!systemCode(error)) throw toSocketError(error, { action: "accept on", address });
  await new Promise((resolve) => setTimeout(resolve, 50));
}

function identify(path: string): NodeIdentity | undefined {
  try {
    const info = Deno.lstatSync(path);
    return { isSocket: info.isSocket === true, identity: `${info.dev}:${info.ino}` };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Named pipes: Deno has them behind Node's API only. */
async function nodeSockets(): Promise<Sockets> {
  return (await import("./node_sockets.ts")).nodeSockets;
}
