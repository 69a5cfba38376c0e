/**
 * The form of `removal.toml`: what, when and why, and of each item enough to list it without looking
 * into another file.
 *
 * @module
 */

import { parse, stringify } from "smol-toml";
import { FileError, type Files } from "../platform/types.ts";
import { isKbid } from "./paths.ts";
import type { RemovalReason, RemovedPlace } from "./removal.ts";

/** A section in the trash. */
export interface TrashedSection {
  readonly kbid: string;
  readonly title: string | null;
  /** MIME type; `null` where the file was damaged. */
  readonly type: string | null;
  /** Of its files. */
  readonly bytes: number;
  readonly places: readonly RemovedPlace[];
}

/** A document in the trash: its manifest. */
export interface TrashedDocument {
  readonly docid: string;
  readonly title: string | null;
  /** `null` where the file was damaged. */
  readonly type: string | null;
  readonly bytes: number;
}

/** What one removal put into the trash and is still there. */
export interface TrashEntry {
  /** Its folder: the removal's sequence number as 12 digits. */
  readonly name: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly reason: RemovalReason;
  readonly sections: readonly TrashedSection[];
  readonly documents: readonly TrashedDocument[];
}

type Table = Record<string, unknown>;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** An entry as TOML. */
export function encodeEntry(entry: TrashEntry): Uint8Array {
  const { name, at, reason, sections, documents } = entry;
  const table = {
    name,
    at,
    reason,
    documents: documents.map(withoutNull),
    sections: sections.map(withoutNull),
  };
  return encoder.encode(stringify(table).trimEnd() + "\n");
}

/**
 * Reads an entry.
 *
 * @throws {SyntaxError} if it is not whole, or of another name
 */
export function decodeEntry(name: string, bytes: Uint8Array): TrashEntry {
  const table = parse(decoder.decode(bytes));
  const { at, reason, sections, documents } = table;
  if (table.name !== name || typeof at !== "string" || typeof reason !== "string") {
    throw new SyntaxError("Cannot read the removal: its name, time or reason is missing");
  }
  return {
    name,
    at,
    reason: reason as RemovalReason,
    sections: tables(sections).map(sectionOf),
    documents: tables(documents).map(documentOf),
  };
}

/**
 * The entry in a file, or `null` where there is no file.
 *
 * @throws {Error} if it cannot be read
 */
export function readEntry(
  files: Files,
  place: { path: string; name: string },
): TrashEntry | null {
  try {
    return decodeEntry(place.name, files.read(place.path));
  } catch (error) {
    if (error instanceof FileError && error.code === "not_found") return null;
    throw error;
  }
}

function sectionOf(table: Table): TrashedSection {
  const { kbid } = table;
  if (typeof kbid !== "string" || !isKbid(kbid)) {
    throw new SyntaxError("Cannot read the removal: a section has no valid kbid");
  }
  return { kbid, ...factsOf(table), places: tables(table.places).map(placeOf) };
}

function documentOf(table: Table): TrashedDocument {
  const { docid } = table;
  if (typeof docid !== "string") {
    throw new SyntaxError("Cannot read the removal: a document has no docid");
  }
  return { docid, ...factsOf(table) };
}

function placeOf(table: Table): RemovedPlace {
  const { docid, index, gap } = table;
  if (typeof docid !== "string" || !Number.isSafeInteger(index) || typeof gap !== "string") {
    throw new SyntaxError("Cannot read the removal: a place lacks docid, index or gap");
  }
  return { docid, index: index as number, gap };
}

function factsOf({ title, type, bytes }: Table) {
  return {
    title: typeof title === "string" ? title : null,
    type: typeof type === "string" ? type : null,
    bytes: typeof bytes === "number" ? bytes : 0,
  };
}

function tables(value: unknown): Table[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "object" && item !== null)) {
    throw new SyntaxError("Cannot read the removal: a list is missing");
  }
  return value;
}

/** TOML has no null: what is not known is left out. */
function withoutNull(item: object): Table {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}
