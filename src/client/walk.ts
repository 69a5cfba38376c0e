/**
 * Finding what to learn in a folder. The walk stays inside: links are not followed, so it ends and
 * nothing from outside comes in. Hidden names, what `.gitignore` files name, folders of installed
 * packages and databases are passed over and counted (B41).
 *
 * @module
 */

import ignore, { type Ignore } from "ignore";
import { join } from "node:path";
import { type DirEntry, FileError, type Files } from "../platform/types.ts";
import { holdsDatabase } from "./locate.ts";
import { typeInFolder } from "./source_types.ts";

/** Why something was passed over. */
export type SkipReason =
  | "hidden"
  | "ignored"
  | "dependencies"
  | "database"
  | "symlink"
  | "special"
  | "type"
  | "empty";

/** A file to learn, or why something is not one. */
export type Found =
  | {
    readonly kind: "file";
    readonly path: string;
    readonly relative: string;
    readonly type: string;
  }
  | { readonly kind: "skipped"; readonly relative: string; readonly reason: SkipReason }
  | { readonly kind: "unreadable"; readonly relative: string; readonly reason: string };

interface Folder {
  readonly path: string;
  /** With `/`, empty for the root. */
  readonly relative: string;
  /** Ignore rules of this folder and those above, each with the folder that it stands in. */
  readonly rules: readonly { base: string; rules: Ignore }[];
}

/** Everything below a folder, in code-unit order. */
export function* walk(files: Files, root: string): Generator<Found> {
  yield* walkFolder(files, { path: root, relative: "", rules: [] });
}

function* walkFolder(files: Files, folder: Folder): Generator<Found> {
  let entries: DirEntry[];
  try {
    entries = files.list(folder.path);
  } catch (error) {
    yield { kind: "unreadable", relative: folder.relative, reason: (error as Error).message };
    return;
  }
  const inner = withRules(files, { folder, entries });
  for (const entry of entries) yield* visit(files, { folder: inner, entry });
}

function* visit(files: Files, at: { folder: Folder; entry: DirEntry }): Generator<Found> {
  const { folder, entry } = at;
  const relative = folder.relative + entry.name;
  const path = join(folder.path, entry.name);
  const reason = skipReason(files, { folder, entry, path, relative });
  if (reason !== null) {
    yield { kind: "skipped", relative, reason };
  } else if (entry.kind === "directory") {
    yield* walkFolder(files, { path, relative: `${relative}/`, rules: folder.rules });
  } else {
    yield { kind: "file", path, relative, type: typeInFolder(entry.name)! };
  }
}

function skipReason(
  files: Files,
  at: { folder: Folder; entry: DirEntry; path: string; relative: string },
): SkipReason | null {
  const { entry, folder, relative } = at;
  if (entry.kind === "symlink") return "symlink";
  if (entry.kind === "other") return "special";
  const isFolder = entry.kind === "directory";
  if (isFolder && holdsDatabase(files, at.path)) return "database";
  if (entry.name.startsWith(".")) return "hidden";
  if (isIgnored(folder, isFolder ? `${relative}/` : relative)) return "ignored";
  if (isFolder) return entry.name === "node_modules" ? "dependencies" : null;
  return typeInFolder(entry.name) === null ? "type" : null;
}

/** The deepest rule that speaks of a path decides, as git has it. */
function isIgnored(folder: Folder, relative: string): boolean {
  for (const { base, rules } of folder.rules) {
    const verdict = rules.test(relative.slice(base.length));
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

function withRules(files: Files, at: { folder: Folder; entries: DirEntry[] }): Folder {
  const { folder, entries } = at;
  if (!entries.some((entry) => entry.name === ".gitignore" && entry.kind === "file")) return folder;
  try {
    const text = new TextDecoder().decode(files.read(join(folder.path, ".gitignore")));
    const own = { base: folder.relative, rules: ignore({ ignorecase: false }).add(text) };
    return { ...folder, rules: [own, ...folder.rules] };
  } catch (error) {
    if (error instanceof FileError) return folder;
    throw error;
  }
}
