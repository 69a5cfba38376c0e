/**
 * Threads as Deno's workers.
 *
 * @module
 */
import { flagReason } from "./file_errors.ts";
import { ThreadInbox } from "./thread_inbox.ts";
import { type Thread, ThreadError, type ThreadPort, type Threads } from "./types.ts";

/**
 * A worker's first message. What is sent to it before it listens is lost, and it does not listen
 * before its modules are loaded.
 */
const LISTENING = "kbdb-thread-listening";

/** Threads under Deno. */
export const denoThreads: Threads = { start: (entry) => new DenoThread(entry), parent };

class DenoThread implements Thread {
  readonly #worker: Worker;
  readonly #inbox = new ThreadInbox();
  /** Sent before the thread listens. */
  #early: [message: unknown, transfer: ArrayBuffer[]][] | null = [];

  constructor(entry: string) {
    refuseWithoutRight(entry);
    this.#worker = new Worker(entry, { type: "module", name: "kbdb" });
    this.#worker.onmessage = ({ data }) => this.#received(data);
    this.#worker.onmessageerror = () => this.#failed("a message could not be read");
    this.#worker.onerror = (event) => {
      // Otherwise the error would end this program too.
      event.preventDefault();
      this.#failed(event.message);
    };
  }

  post(message: unknown, transfer: readonly ArrayBuffer[] = []): void {
    if (this.#early) this.#early.push([message, [...transfer]]);
    else this.#worker.postMessage(message, [...transfer]);
  }

  receive(): Promise<unknown> {
    return this.#inbox.take();
  }

  end(): void {
    this.#inbox.close(new ThreadError("ended", "it was ended"));
    this.#worker.terminate();
  }

  #received(message: unknown): void {
    if (message !== LISTENING) return this.#inbox.put(message);
    const early = this.#early ?? [];
    this.#early = null;
    for (const [message, transfer] of early) this.#worker.postMessage(message, transfer);
  }

  #failed(reason: string): void {
    this.#inbox.close(new ThreadError("failed", reason));
  }
}

/** Deno would ask for the right at a terminal, or tell of its lack in another way. */
function refuseWithoutRight(entry: string): void {
  const { protocol, host } = new URL(entry);
  if (protocol === "file:") {
    refuseUnlessGranted({ name: "read", path: new URL(entry) }, "--allow-read");
  } else if (protocol === "https:") {
    const port = host.includes(":") ? host : `${host}:443`;
    refuseUnlessGranted({ name: "import", host: port }, "--allow-import");
  }
}

function refuseUnlessGranted(right: Deno.PermissionDescriptor, flag: string): void {
  if (Deno.permissions.querySync(right).state === "granted") return;
  throw new ThreadError("unsupported", flagReason(flag));
}

/** What a worker's own scope offers beside that of a program. */
interface WorkerScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
}

let port: ThreadPort | null = null;

function parent(): ThreadPort | null {
  if (!("WorkerGlobalScope" in globalThis)) return null;
  return port ??= listen(globalThis as unknown as WorkerScope);
}

function listen(scope: WorkerScope): ThreadPort {
  const inbox = new ThreadInbox();
  scope.onmessage = ({ data }) => inbox.put(data);
  scope.postMessage(LISTENING);
  return {
    post: (message, transfer = []) => scope.postMessage(message, [...transfer]),
    receive: () => inbox.take(),
  };
}
