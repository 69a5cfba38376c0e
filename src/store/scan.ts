/**
 * Looking through folders without reading files, to notice what was edited from outside (D47).
 *
 * @module
 */

import { join } from "node:path";
import { listIfThere } from "../platform/if_there.ts";
import { type DirEntry, FileError, type FileInfo, type Files } from "../platform/types.ts";
import type { DatabasePaths } from "./paths.ts";
import { sortNames } from "./section_files.ts";

/** What a folder holds. */
export type ScanKind = "sections" | "documents";

/** A section or a manifest, as its files are. */
export interface ScannedFile {
  /** A kbid, or the name of a manifest as {@linkcode StoredDocument} has it. */
  readonly id: string;
  /** Bytes, of an image both files. */
  readonly size: number;
  /** Whole milliseconds since 1970, of an image the later time. */
  readonly modifiedMs: number;
  /** When the content, rights or name last changed; no program can set it back. */
  readonly changedMs: number;
}

/** Names of the folders of a kind. */
export function scanFolders(
  files: Files,
  where: { kind: ScanKind; paths: DatabasePaths },
): string[] {
  return listIfThere(files, where.paths[where.kind])
    .filter(({ kind }) => kind === "directory")
    .map(({ name }) => name);
}

/**
 * When names were last added to a folder or taken out, in milliseconds since 1970, or `null` where the
 * folder cannot be looked at: less work than a look into it.
 */
export function folderTime(
  files: Files,
  where: { kind: ScanKind; paths: DatabasePaths; name: string },
): number | null {
  const { kind, paths, name } = where;
  const [info] = infoOf(files, join(paths[kind], name));
  return info ? Math.max(info.modifiedMs, info.changedMs) : null;
}

/** Facts about the files of a folder, without strays and what cannot be looked at; and all names. */
export function scanFolder(
  files: Files,
  where: { kind: ScanKind; paths: DatabasePaths; name: string },
): { scanned: ScannedFile[]; names: string[] } {
  const { kind, paths, name } = where;
  // A name, not a path: it comes from whoever asks.
  if (!/^[0-9a-z]+$/.test(name)) return { scanned: [], names: [] };
  const folder = join(paths[kind], name);
  const names = fileNames(listIfThere(files, folder));
  const groups: Iterable<[string, string[]]> = kind === "sections"
    ? sortNames(names, name).sections
    : names.filter((file) => file.endsWith(".toml")).map((file) => [join(name, file), [file]]);
  const scanned: ScannedFile[] = [];
  for (const [id, group] of groups) {
    const infos = group.flatMap((file) => infoOf(files, join(folder, file)));
    if (infos.length === group.length) scanned.push(merged(id, infos));
  }
  return { scanned, names };
}

function fileNames(entries: readonly DirEntry[]): string[] {
  return entries.filter(({ kind }) => kind === "file").map(({ name }) => name);
}

function infoOf(files: Files, path: string): FileInfo[] {
  try {
    return [files.lstat(path)];
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}

/** Runtimes tell fractions of a millisecond or do not. */
function merged(id: string, infos: readonly FileInfo[]): ScannedFile {
  return {
    id,
    size: infos.reduce((sum, { size }) => sum + size, 0),
    modifiedMs: Math.floor(Math.max(...infos.map(({ modifiedMs }) => modifiedMs))),
    changedMs: Math.floor(Math.max(...infos.map(({ changedMs }) => changedMs))),
  };
}
