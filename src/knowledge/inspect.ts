/**
 * Looking at a folder before anything is written to it. Apart from the rest, so that whoever loses
 * the race for a database does not load the search core.
 *
 * @module
 */

import { readConfig, refuseOccupied } from "../store/database.ts";
import type { StoreOptions } from "../store/store.ts";

/**
 * Makes sure that a folder can be opened, or made into a database.
 *
 * @throws {DatabaseError} if it cannot
 */
export function inspectFolder(options: Pick<StoreOptions, "files" | "root" | "create">): void {
  const { files, root, create } = options;
  if (create) refuseOccupied(files, root);
  else readConfig(files, root);
}
