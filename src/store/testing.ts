/**
 * What the tests of the store share: sample data, folders, and a disk that fails on demand.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { join } from "node:path/posix";
import { after } from "node:test";
import { platform } from "../platform/host.ts";
import { fileError } from "../platform/file_errors.ts";
import { MemoryFiles } from "../platform/memory_files.ts";
import { randomName } from "../platform/random_name.ts";
import type { Files } from "../platform/types.ts";
import type { DocumentManifest } from "./document_store.ts";
import { type Removal, removalName } from "./removal.ts";
import type { SectionMeta, StoredSection } from "./section_file.ts";
import { Store, type StoreOptions } from "./store.ts";

/** The root of databases in memory. */
export const ROOT = "/home/notes/.kbdb";
/** A fixed time. */
export const NOON = new Date("2026-03-04T12:00:00.000Z");

/** Bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Something of a kbid's form; the store does not compute ids. */
export function idOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex").slice(0, 26);
  return "0" + hex.slice(1);
}

/** A section with `text` as its content. */
export function sectionOf(text: string, facts: Partial<SectionMeta> = {}): StoredSection {
  const meta: SectionMeta = {
    kbid: idOf(text),
    type: "text/markdown",
    title: null,
    description: null,
    tags: [],
    standalone: true,
    created: NOON.toISOString(),
    seq: 1,
    retired: null,
    supersedes: [],
    superseded_by: null,
    ...facts,
  };
  return { meta, content: bytesOf(text) };
}

/** A manifest that lists sections of these texts. */
export function documentOf(
  docid: string,
  facts: Partial<DocumentManifest> & { texts?: readonly string[] } = {},
): DocumentManifest {
  const { texts = [], ...rest } = facts;
  return {
    docid,
    title: null,
    type: "text/markdown",
    source: null,
    created: NOON.toISOString(),
    updated: NOON.toISOString(),
    seq: 1,
    sections: texts.map((text, i) => ({ kbid: idOf(text), gap: i === 0 ? "" : "\n\n" })),
    agent: null,
    ...rest,
  };
}

/** What the transaction `seq` takes out. */
export function removalOf(
  seq: number,
  items: { texts?: readonly string[]; docids?: readonly string[] },
): Removal {
  return {
    name: removalName(seq),
    at: NOON.toISOString(),
    reason: "unlearn",
    sections: (items.texts ?? []).map((text) => ({ kbid: idOf(text), places: [] })),
    documents: items.docids ?? [],
  };
}

/** A new folder on the real disk, removed after the tests. */
export function temporaryFolder(): string {
  const path = `/tmp/kbdb-test-${randomName(12)}`;
  platform.files.makeDir(path);
  after(() => platform.files.removeTree(path));
  return path;
}

/** A disk in memory with the folder that {@linkcode ROOT} is to be made in, flushed. */
export async function newDisk(): Promise<MemoryFiles> {
  const files = new MemoryFiles();
  files.makeDir("/home/notes");
  for (const folder of ["/", "/home"]) await files.flush(folder);
  return files;
}

/** Opens the store at {@linkcode ROOT}, making it if asked. */
export async function openStore(
  files: Files,
  options: Partial<StoreOptions> = {},
): Promise<Store> {
  const { store } = await Store.open({
    files,
    checksum: crc32,
    root: ROOT,
    writable: true,
    now: () => NOON,
    ...options,
  });
  return store;
}

/** Lets the next `calls` changing calls through; the one after them fails, with `all` every later one. */
export function failAfter(files: MemoryFiles, calls: number, options: { all: boolean }): void {
  let left = calls;
  files.beforeChange = (change) => {
    if (left-- > 0 || (!options.all && left < -1)) return;
    throw fileError("no_space", change);
  };
}

/**
 * A power cut after the system wrote all names back by itself, as it may: what was removed is gone,
 * and files whose contents were not flushed are empty.
 */
export async function crashWithNames(files: MemoryFiles): Promise<void> {
  await flushFolders(files, "/");
  files.crash();
}

async function flushFolders(files: MemoryFiles, path: string): Promise<void> {
  await files.flush(path);
  const folders = files.list(path).filter(({ kind }) => kind === "directory");
  await Promise.all(folders.map(({ name }) => flushFolders(files, join(path, name))));
}

/** Number of changing calls that `work` makes. */
export async function countChanges(
  files: MemoryFiles,
  work: () => Promise<unknown>,
): Promise<number> {
  let count = 0;
  files.beforeChange = () => void count++;
  await work();
  files.beforeChange = undefined;
  return count;
}

/** A process that uses files until it is killed; afterwards it reaches nothing any more. */
export function processOn(files: Files): { files: Files; kill(): void } {
  let killed = false;
  const guarded = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, key) {
        const value = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (killed) throw fileError("permission", { action: String(key), path: `${args[0]}` });
          const result = value.apply(target, args);
          return key === "openAppend" ? guarded(result) : result;
        };
      },
    });
  return { files: guarded(files), kill: () => void (killed = true) };
}
