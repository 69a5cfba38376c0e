/**
 * A database opened in this process, under the same lock as the daemon would take (D53).
 *
 * @module
 */

import type { Platform } from "../platform/types.ts";
import type { ChangeEvent } from "../rpc/changes.ts";
import type { ClientSettings, Params, Progress, Result, ServiceMethod } from "../rpc/protocol.ts";
import { type HeldDatabase, holdDatabase } from "./hold.ts";
import { Service } from "./service.ts";
import { loadSettings } from "./settings.ts";

/** Calls to a database, however it is reached. */
export interface DirectConnection {
  call<M extends ServiceMethod>(
    method: M,
    params: Params<M>,
    options?: { onProgress?: (progress: Progress) => void },
  ): Promise<Result<M>>;
  /** Tells of changes until the returned function is called. */
  subscribe(onChange: (change: ChangeEvent) => void): Promise<() => void>;
  settings(): Promise<ClientSettings>;
  close(): Promise<void>;
}

/**
 * Opens a database here.
 *
 * @throws {KbdbError} `locked` if a daemon or another process holds it, naming its process id
 */
export async function openInProcess(
  platform: Platform,
  options: { path: string; create?: { name?: string }; indexerEntry?: string },
): Promise<DirectConnection> {
  const { path: _, ...rest } = options;
  const held = await holdDatabase(platform, options);
  try {
    const loaded = await loadSettings(platform.files, held.root);
    const service = new Service(platform, { held, ...loaded, ...rest });
    await service.opened();
    return directConnection(service, held);
  } catch (error) {
    held.lock.release();
    throw error;
  }
}

function directConnection(service: Service, held: HeldDatabase): DirectConnection {
  return {
    call: (method, params, options) => service.call(method, params, options?.onProgress ?? ignore),
    async subscribe(onChange) {
      const feed = await service.changes(onChange);
      feed.start({});
      return () => feed.end();
    },
    settings: () => Promise.resolve(service.clientSettings),
    async close() {
      try {
        await service.close();
      } finally {
        held.lock.release();
      }
    },
  };
}

function ignore(): void {}
