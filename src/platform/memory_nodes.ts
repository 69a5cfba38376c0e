/**
 * The tree under {@linkcode MemoryFiles}: each node knows what it holds now and what of that a power
 * cut leaves.
 *
 * @module
 */
import { fileError } from "./file_errors.ts";

/** A file. Bytes below the length of `flushed` are never changed in place. */
export interface MemoryFile {
  readonly kind: "file";
  data: Uint8Array;
  /** What a power cut leaves of `data`. */
  flushed: Uint8Array;
  mode: number;
  modifiedMs: number;
}

/** A folder. */
export interface MemoryFolder {
  readonly kind: "directory";
  entries: Map<string, MemoryNode>;
  /** What a power cut leaves of `entries`. */
  flushed: Map<string, MemoryNode>;
  mode: number;
  modifiedMs: number;
}

/** What stands under a name. */
export type MemoryNode = MemoryFile | MemoryFolder;

/** An empty folder. */
export function newFolder(): MemoryFolder {
  return {
    kind: "directory",
    entries: new Map(),
    flushed: new Map(),
    mode: 0o700,
    modifiedMs: Date.now(),
  };
}

/** Puts a new empty file into `folder`, in place of what had the name. */
export function addFile(folder: MemoryFolder, name: string): MemoryFile {
  const file: MemoryFile = {
    kind: "file",
    data: new Uint8Array(0),
    flushed: new Uint8Array(0),
    mode: 0o600,
    modifiedMs: Date.now(),
  };
  setEntry(folder, name, file);
  return file;
}

/** Puts a node into `folder`, in place of what had the name. */
export function setEntry(folder: MemoryFolder, name: string, node: MemoryNode): void {
  folder.entries.set(name, node);
  folder.modifiedMs = Date.now();
}

/** Takes a name out of `folder`. */
export function removeEntry(folder: MemoryFolder, name: string): void {
  folder.entries.delete(name);
  folder.modifiedMs = Date.now();
}

/** Gives `file` a copy of `data` as its content. */
export function setData(file: MemoryFile, data: Uint8Array): void {
  file.data = data.slice();
  file.modifiedMs = Date.now();
}

/** Adds `tail` at the end of `file`, mostly without copying what is there. */
export function appendData(file: MemoryFile, tail: Uint8Array): void {
  const size = file.data.length;
  let space = new Uint8Array(file.data.buffer);
  if (space.length < size + tail.length) {
    space = new Uint8Array(2 * (size + tail.length));
    space.set(file.data);
  }
  space.set(tail, size);
  file.data = space.subarray(0, size + tail.length);
  file.modifiedMs = Date.now();
}

/** Makes the content of `node` as it is now survive a power cut. */
export function flushNode(node: MemoryNode): void {
  if (node.kind === "file") node.flushed = node.data;
  else node.flushed = new Map(node.entries);
}

/** Throws what the system throws where `node` cannot take the place of `there`. */
export function checkReplaces(
  nodes: { node: MemoryNode; there: MemoryNode | undefined },
  attempt: { action: string; path: string },
): void {
  const { node, there } = nodes;
  if (!there) return;
  if (there.kind === "file" && node.kind === "file") return;
  if (there.kind === "file") throw fileError("not_directory", attempt);
  if (node.kind === "file") throw fileError("is_directory", attempt);
  if (there.entries.size > 0) throw fileError("not_empty", attempt);
}

/** Leaves of `folder` what was flushed, and up to `tornBytes` of what was being appended. */
export function powerCut(folder: MemoryFolder, tornBytes: number): void {
  folder.entries = new Map(folder.flushed);
  for (const node of folder.entries.values()) {
    if (node.kind === "directory") powerCut(node, tornBytes);
    else node.data = node.flushed = survivingData(node, tornBytes);
  }
}

function survivingData(file: MemoryFile, tornBytes: number): Uint8Array {
  const { data, flushed } = file;
  const grew = data.length > flushed.length &&
    flushed.every((byte, index) => byte === data[index]);
  return (grew ? data.subarray(0, flushed.length + tornBytes) : flushed).slice();
}
