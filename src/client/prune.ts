/**
 * Taking out the documents of a learned folder whose files are gone (D42).
 *
 * @module
 */

import { sep } from "node:path";
import { FileError, type Files, type Platform } from "../platform/types.ts";
import type { Client } from "./client.ts";

/** A learned folder. */
export interface PrunedFolder {
  /** Its real path. */
  readonly path: string;
  /** What the docids of its files begin with. */
  readonly docidStart: string;
}

/** Takes out the documents whose files are gone; how many there were. They go to the trash. */
export async function prune(
  parts: { platform: Platform; client: Client },
  folder: PrunedFolder,
): Promise<number> {
  const { platform: { files }, client } = parts;
  const gone: string[] = [];
  for await (const { docid, source } of documentsOf(client, folder.docidStart)) {
    const isHere = source !== null && source.startsWith(folder.path + sep);
    if (isHere && isGone(files, source)) gone.push(docid);
  }
  // A folder that went away meanwhile took its files along, and will be back.
  if (gone.length === 0 || isGone(files, folder.path)) return 0;
  let removed = 0;
  for (const docid of gone) if ((await client.unlearn({ docid })).removed) removed += 1;
  return removed;
}

async function* documentsOf(client: Client, docidStart: string) {
  let cursor: string | undefined;
  do {
    const page = await client.listDocuments({
      limit: 1000,
      ...(docidStart === "" ? {} : { prefix: docidStart }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** What cannot be looked at may be there. */
function isGone(files: Files, path: string): boolean {
  try {
    files.lstat(path);
    return false;
  } catch (error) {
    return error instanceof FileError &&
      (error.code === "not_found" || error.code === "not_directory");
  }
}
