/**
 * A database opened in this process, under the same lock as the daemon would take (D53).
 *
 * @module
 */

import type { Platform } from "../platform/types.ts";
import type { Params, Progress, Result, ServiceMethod } from "../rpc/protocol.ts";
import { holdDatabase } from "./hold.ts";
import { Service } from "./service.ts";
import { loadSettings } from "./settings.ts";

/** Calls to a database, however it is reached. */
export interface DirectConnection {
  call<M extends ServiceMethod>(
    method: M,
    params: Params<M>,
    options?: { onProgress?: (progress: Progress) => void },
  ): Promise<Result<M>>;
  close(): Promise<void>;
}

/**
 * Opens a database here.
 *
 * @throws {KbdbError} `locked` if a daemon or another process holds it, naming its process id
 */
export async function openInProcess(
  platform: Platform,
  options: { path: string; create?: { name?: string } },
): Promise<DirectConnection> {
  const { create } = options;
  const held = await holdDatabase(platform, options);
  try {
    const { warnings } = loadSettings(platform.files, held.root);
    const service = new Service(platform, { held, ...(create ? { create } : {}), warnings });
    await service.opened();
    return {
      call: (method, params, options) =>
        service.call(method, params, options?.onProgress ?? ignore),
      async close() {
        try {
          await service.close();
        } finally {
          held.lock.release();
        }
      },
    };
  } catch (error) {
    held.lock.release();
    throw error;
  }
}

function ignore(): void {}
