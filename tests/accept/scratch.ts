/**
 * Databases that live as long as a part of the acceptance.
 *
 * @module
 */

import { kbdb, kbdbJson } from "../support/command.ts";
import { tempDir } from "../support/temp_dir.ts";

/** A new database, its daemon stopped and its folder removed at the end of the block. */
export interface ScratchDatabase extends AsyncDisposable {
  /** Path of the `.kbdb` folder. */
  readonly path: string;
}

/** Makes an empty database in a temporary folder with the command `kbdb db init`. */
export async function scratchDatabase(): Promise<ScratchDatabase> {
  const folder = tempDir("kbdb-accept-");
  await kbdbJson(["db", "init", folder.path]);
  const path = folder.join(".kbdb");
  return {
    path,
    async [Symbol.asyncDispose]() {
      await kbdb(["worker", "stop", "--db", path]);
      folder.remove();
    },
  };
}

/** Process id of the daemon that serves a database. */
export async function daemonPid(database: string): Promise<number> {
  const { pid } = await kbdbJson<{ pid?: number }>(["worker", "status", "--db", database]);
  if (typeof pid === "number") return pid;
  throw new Error("Cannot find the daemon: `kbdb worker status --json` tells no pid");
}

/** Fails unless `kbdb check` finds nothing wrong; prints the number of errors. */
export async function expectCleanCheck(database: string): Promise<void> {
  const { code, stdout, stderr } = await kbdb(["check", "--json", "--db", database], {
    timeoutMs: 120_000,
  });
  const { errors } = JSON.parse(stdout || '{"errors":[]}') as { errors: unknown[] };
  console.log(`check: exit code ${code}, ${errors.length} errors`);
  if (code !== 0 || errors.length > 0) {
    throw new Error(`The check is not clean: ${stderr} ${JSON.stringify(errors.slice(0, 5))}`);
  }
}
