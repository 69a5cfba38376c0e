/**
 * Documents: which sections, in which order, with which white space between them.
 *
 * @module
 */

import { parse, stringify } from "smol-toml";
import { FileError, type Files } from "../platform/types.ts";
import { type DatabasePaths, isKbid } from "./paths.ts";
import { type ReadOutcome, readOutcome } from "./read_outcome.ts";
import { flushIfThere, listIfThere } from "../platform/if_there.ts";
import { inParallel } from "./section_store.ts";
import { dirname, join } from "node:path";

/** A section's place in a document. */
export interface ManifestEntry {
  readonly kbid: string;
  /** White space between the section before and this one; empty for the first (D39). */
  readonly gap: string;
}

/** A document. */
export interface DocumentManifest {
  /** The user's own string (D7). */
  readonly docid: string;
  readonly title: string | null;
  readonly type: string;
  /** Where it was learned from, such as a file's real path, or `null`. */
  readonly source: string | null;
  /** RFC 3339, UTC, milliseconds (D17). */
  readonly created: string;
  readonly updated: string;
  /** Sequence number of the write that made this version. */
  readonly seq: number;
  readonly sections: readonly ManifestEntry[];
}

/** A file of the documents' folder. */
export interface StoredDocument {
  /** Relative to the folder. */
  readonly name: string;
  readonly outcome: ReadOutcome<DocumentManifest>;
}

/** The gap that is left out of the file. */
export const USUAL_GAP = "\n\n";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** A manifest as TOML, one line a section, so that diffs are small. */
export function encodeDocument(document: DocumentManifest): Uint8Array {
  const { docid, title, type, source, created, updated, seq } = document;
  const head = stringify({
    docid,
    ...(title === null ? {} : { title }),
    type,
    ...(source === null ? {} : { source }),
    created,
    updated,
    seq,
  }).trimEnd();
  const lines = document.sections.map((entry, i) => `  ${entryLine(entry, i === 0)},\n`);
  return encoder.encode(`${head}\nsections = [\n${lines.join("")}]\n`);
}

/**
 * Reads a manifest.
 *
 * @throws {SyntaxError} if it is not whole
 */
export function decodeDocument(bytes: Uint8Array): DocumentManifest {
  const table = parse(decoder.decode(bytes));
  const { docid, sections } = table;
  if (typeof docid !== "string" || !Array.isArray(sections)) {
    throw new SyntaxError("Cannot read the manifest: docid or sections is missing");
  }
  return {
    docid,
    title: typeof table.title === "string" ? table.title : null,
    type: typeof table.type === "string" ? table.type : "text/markdown",
    source: typeof table.source === "string" ? table.source : null,
    created: String(table.created ?? ""),
    updated: String(table.updated ?? ""),
    seq: typeof table.seq === "number" ? table.seq : 0,
    sections: sections.map((entry, i) => entryOf(entry as Record<string, unknown>, i === 0)),
  };
}

/** Documents by docid. Writes are not durable before {@linkcode DocumentStore.flush}. */
export class DocumentStore {
  constructor(private readonly files: Files, private readonly paths: DatabasePaths) {}

  /** The manifest; a file that names another docid is damaged. */
  read(docid: string): ReadOutcome<DocumentManifest> {
    return readOutcome(
      () => this.files.read(this.paths.document(docid)),
      (bytes) => ownDocument(decodeDocument(bytes), docid),
    );
  }

  /** Puts the manifest in the place of the one before, whole. */
  write(document: DocumentManifest): void {
    const path = this.paths.document(document.docid);
    const bytes = encodeDocument(document);
    try {
      this.files.replace(path, bytes);
    } catch (error) {
      if (!(error instanceof FileError) || error.code !== "not_found") throw error;
      this.files.makeDir(dirname(path));
      this.files.replace(path, bytes);
    }
  }

  /** Makes the given documents durable. */
  async flush(docids: Iterable<string>): Promise<void> {
    const folders = new Set<string>();
    await inParallel(docids, async (docid) => {
      const path = this.paths.document(docid);
      folders.add(dirname(path));
      await flushIfThere(this.files, path);
    });
    await inParallel(folders, (folder) => flushIfThere(this.files, folder));
    if (folders.size > 0) await this.files.flush(this.paths.documents);
  }

  /** Every manifest, read; one that lies where its docid would not look for it is damaged. */
  *all(): Generator<StoredDocument> {
    for (const folder of listIfThere(this.files, this.paths.documents)) {
      if (folder.kind !== "directory") continue;
      for (const entry of this.files.list(join(this.paths.documents, folder.name))) {
        if (entry.kind !== "file" || !entry.name.endsWith(".toml")) continue;
        const name = join(folder.name, entry.name);
        const path = join(this.paths.documents, name);
        const parse = (bytes: Uint8Array) => this.#inPlace(decodeDocument(bytes), path);
        yield { name, outcome: readOutcome(() => this.files.read(path), parse) };
      }
    }
  }

  #inPlace(document: DocumentManifest, path: string): DocumentManifest {
    if (this.paths.document(document.docid) === path) return document;
    throw new SyntaxError("Cannot use the manifest: the file of its docid has another name");
  }
}

function entryLine(entry: ManifestEntry, first: boolean): string {
  const kbid = `kbid = "${entry.kbid}"`;
  if (entry.gap === (first ? "" : USUAL_GAP)) return `{ ${kbid} }`;
  // White space holds nothing that JSON and TOML would escape differently.
  return `{ ${kbid}, gap = ${JSON.stringify(entry.gap)} }`;
}

function entryOf(entry: Record<string, unknown>, first: boolean): ManifestEntry {
  if (typeof entry?.kbid !== "string" || !isKbid(entry.kbid)) {
    throw new SyntaxError("Cannot read the manifest: a section has no valid kbid");
  }
  const gap = typeof entry.gap === "string" ? entry.gap : (first ? "" : USUAL_GAP);
  return { kbid: entry.kbid, gap };
}

function ownDocument(document: DocumentManifest, docid: string): DocumentManifest {
  if (document.docid === docid) return document;
  throw new SyntaxError("Cannot read the manifest: it names another docid");
}
