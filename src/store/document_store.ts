/**
 * Documents: which sections, in which order, with which white space between them.
 *
 * @module
 */

import { parse, stringify } from "smol-toml";
import { FileError, type Files } from "../platform/types.ts";
import { type DatabasePaths, isKbid } from "./paths.ts";
import { type ReadOutcome, readOutcome } from "./read_outcome.ts";
import { isThereAt, readPlainFile } from "./section_files.ts";
import { flushIfThere, listIfThere } from "../platform/if_there.ts";
import { inParallel } from "./parallel.ts";
import { dirname, join } from "node:path";

/** A section's place in a document. */
export interface ManifestEntry {
  readonly kbid: string;
  /** White space between the section before and this one; empty for the first (D39). */
  readonly gap: string;
}

/** What makes a document an agent (D58). */
export interface AgentFacts {
  readonly name: string;
  readonly description: string;
  /** Any number of lines. */
  readonly persona: string;
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
  /** Of a document of type `agent`; `null` for every other. */
  readonly agent: AgentFacts | null;
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
  const agent = document.agent === null ? "" : `\n[agent]\n${agentLines(document.agent)}`;
  return encoder.encode(`${head}\nsections = [\n${lines.join("")}]\n${agent}`);
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
    agent: table.agent === undefined ? null : agentOf(table.agent as Record<string, unknown>),
  };
}

/** A manifest from a file's bytes that has to be of a docid; of another it is damaged. */
export function decodeDocumentOf(docid: string, bytes: Uint8Array): DocumentManifest {
  const document = decodeDocument(bytes);
  if (document.docid === docid) return document;
  throw new SyntaxError("Cannot read the manifest: it names another docid");
}

/** Documents by docid. Writes are not durable before {@linkcode DocumentStore.flush}. */
export class DocumentStore {
  constructor(private readonly files: Files, private readonly paths: DatabasePaths) {}

  /** The manifest; a file that names another docid is damaged. */
  read(docid: string): ReadOutcome<DocumentManifest> {
    return readOutcome(
      () => readPlainFile(this.files, this.paths.document(docid)),
      (bytes) => decodeDocumentOf(docid, bytes),
    );
  }

  /** Whether something lies under the docid, whole or not. */
  has(docid: string): boolean {
    return isThereAt(this.files, this.paths.document(docid));
  }

  /** The manifest in a file, named as {@linkcode StoredDocument} does. */
  readFile(name: string): ReadOutcome<DocumentManifest> {
    const path = join(this.paths.documents, name);
    const read = () => {
      if (name.split(/[/\\]/).includes("..")) throw new RangeError(`Not a manifest: ${name}`);
      return readPlainFile(this.files, path);
    };
    return readOutcome(read, (bytes) => this.#inPlace(decodeDocument(bytes), path));
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
        yield { name, outcome: this.readFile(name) };
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

function agentLines({ name, description, persona }: AgentFacts): string {
  const head = stringify({ name, description }).trimEnd();
  return `${head}\npersona = ${textLines(persona)}\n`;
}

/** A text of several lines as a person would write it in TOML. */
function textLines(text: string): string {
  if (!text.includes("\n")) return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
  const escaped = text
    .replaceAll("\\", "\\\\")
    // Three quotes in a row would end it, and so would one at the end.
    .replace(/"(?="|$)/g, '\\"')
    .replace(
      /(?![\n\t])\p{Cc}/gu,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  return `"""\n${escaped}"""`;
}

function agentOf(table: Record<string, unknown>): AgentFacts {
  const { name, description, persona } = table;
  if (typeof name !== "string") {
    throw new SyntaxError("Cannot read the manifest: its agent has no name");
  }
  const text = (value: unknown) => typeof value === "string" ? value : "";
  return { name, description: text(description), persona: text(persona) };
}
