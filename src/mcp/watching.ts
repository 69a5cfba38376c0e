/**
 * Telling the client of changes, whoever makes them: resources that it subscribed to, and prompts
 * once it has listed them.
 *
 * @module
 */

import type { ChangedIds, ChangeEvent } from "../rpc/changes.ts";
import type { Peer } from "./protocol/types.ts";
import { parseUri, type ResourceName } from "./uris.ts";
import { AbsentDatabase, type McpServerClient } from "./worker_client.ts";

/** What the client wants to be told of. */
export class Watching {
  readonly #uris = new Map<string, ResourceName | null>();
  #prompts = false;
  #stop: Promise<() => void> | null = null;

  constructor(
    private readonly client: Partial<McpServerClient>,
    private readonly peer: Peer,
  ) {}

  /** Tells when the resource changes; an address that names nothing never does. */
  async subscribe(uri: string): Promise<void> {
    this.#uris.set(uri, parseUri(uri));
    await this.begin();
  }

  /** Tells of it no more. */
  unsubscribe(uri: string): void {
    this.#uris.delete(uri);
    // A daemon that somebody watches never goes idle (D56).
    if (!this.#wanted) void this.end();
  }

  /** Tells when prompts change. */
  async watchPrompts(): Promise<void> {
    this.#prompts = true;
    await this.begin();
  }

  /** Begins to watch where somebody wants it; while there is no database nothing changes. */
  async begin(): Promise<void> {
    if (!this.#wanted || !this.client.subscribe) return;
    const stop = this.#stop ??= this.client.subscribe((change) => this.#tell(change));
    try {
      await stop;
    } catch (error) {
      if (this.#stop === stop) this.#stop = null;
      if (!(error instanceof AbsentDatabase)) throw error;
    }
  }

  /** Watches no more, until somebody wants it again. */
  async end(): Promise<void> {
    const stopping = this.#stop;
    this.#stop = null;
    const stop = await stopping?.catch(() => null);
    stop?.();
  }

  get #wanted(): boolean {
    return this.#prompts || this.#uris.size > 0;
  }

  #tell(change: ChangeEvent): void {
    for (const [uri, name] of this.#uris) {
      if (name !== null && touches(change, name)) {
        this.peer.notify("notifications/resources/updated", { uri });
      }
    }
    if (this.#prompts && change.prompts) this.peer.notify("notifications/prompts/list_changed");
  }
}

function touches(change: ChangeEvent, name: ResourceName): boolean {
  if (change.incomplete) return true;
  return name.kind === "section"
    ? isAmong(change.sections, name.kbid)
    : isAmong(change.documents, name.docid);
}

function isAmong({ added, updated, removed }: ChangedIds, id: string): boolean {
  return added.includes(id) || updated.includes(id) || removed.includes(id);
}
