/**
 * Noticing cheaply that names were added to folders or taken out: by the times of the folders.
 *
 * @module
 */

import type { ScanKind } from "../../store/scan.ts";
import type { Store } from "../../store/store.ts";
import { Slices } from "../slices.ts";

/** Names of folders, by what they hold. */
export type Folders = Readonly<Record<ScanKind, readonly string[]>>;

/** A folder that changed just now may change again within the same tick of the disk's clock. */
const SAME_TICK_MS = 2000;

/** The times of folders when they were last looked at. */
export class FolderTimes {
  readonly #seen: Record<ScanKind, ReadonlyMap<string, number>> = {
    documents: new Map(),
    sections: new Map(),
  };

  constructor(private readonly store: Pick<Store, "scanFolders" | "folderTime">) {}

  /** Folders that changed, came or went since the last look, which is now. */
  async look(nowMs: number): Promise<Folders> {
    return {
      documents: await this.#changed("documents", nowMs),
      sections: await this.#changed("sections", nowMs),
    };
  }

  async #changed(kind: ScanKind, nowMs: number): Promise<string[]> {
    const before = this.#seen[kind];
    const now = await this.#times(kind);
    this.#seen[kind] = new Map(
      Array.from(now, ([name, ms]) => [name, ms > nowMs - SAME_TICK_MS ? NaN : ms]),
    );
    const names = new Set([...before.keys(), ...now.keys()]);
    return [...names].filter((name) => now.get(name) !== before.get(name));
  }

  async #times(kind: ScanKind): Promise<Map<string, number>> {
    const slices = new Slices();
    const times = new Map<string, number>();
    for (const name of this.store.scanFolders(kind)) {
      await slices.breathe();
      const ms = this.store.folderTime(kind, name);
      if (ms !== null) times.set(name, ms);
    }
    return times;
  }
}
