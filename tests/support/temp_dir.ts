/**
 * Folders that live as long as a test.
 *
 * @module
 */

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder; `using` removes it at the end of the block. */
export interface TempDir extends Disposable {
  /** Real path of the folder. */
  readonly path: string;
  /** Path of a name inside it. */
  join(...names: string[]): string;
  /** Removes the folder and all in it; fine to call twice. */
  remove(): void;
}

/**
 * Makes an empty temporary folder.
 *
 * @example A folder for one test
 * ```ts
 * import { tempDir } from "./temp_dir.ts";
 *
 * using folder = tempDir();
 * folder.join("notes.kbdb");
 * ```
 */
export function tempDir(prefix = "kbdb-test-"): TempDir {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  return { path, join: (...names) => join(path, ...names), remove, [Symbol.dispose]: remove };
}
