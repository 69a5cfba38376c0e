/**
 * A second opinion on what lies in a database: reads manifests and section files with code of its
 * own, and preprocesses sources apart from the core (D8).
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";

/** A document as its manifest tells it. */
export interface StoredDocument {
  docid: string;
  /** Path of the file that it was learned from. */
  source: string;
  sections: { kbid: string; gap: string }[];
}

// Unicode's white space, which is not quite that of `\s`.
const WHITE = "[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const BLANK_LINES = new RegExp(`^(?:(?!\\n)${WHITE})*\\n`);
const LAST = new RegExp(`${WHITE}$`);

/** The text that kbdb keeps of a text file. */
export function preprocess(bytes: Uint8Array): string {
  let text = decode(bytes).replace(/\r\n?/g, "\n").normalize("NFC");
  while (BLANK_LINES.test(text)) text = text.replace(BLANK_LINES, "");
  let end = text.length;
  while (LAST.test(text.slice(Math.max(0, end - 1), end))) end--;
  return text.slice(0, end);
}

function decode(bytes: Uint8Array): string {
  const mark = bytes[0] << 8 | bytes[1];
  const encoding = mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8";
  // The decoder drops the byte order mark by itself.
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

/** All manifests of a database. */
export function* storedDocuments(database: string): Iterable<StoredDocument> {
  for (const path of filesBelow(join(database, "documents"))) {
    if (path.endsWith(".toml")) yield readManifest(path);
  }
}

function* filesBelow(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

function readManifest(path: string): StoredDocument {
  const table = parse(readFileSync(path, "utf8"));
  const entries = table.sections as { kbid: string; gap?: string }[];
  const sections = entries.map(({ kbid, gap }, index) => ({
    kbid,
    gap: gap ?? (index === 0 ? "" : "\n\n"),
  }));
  return { docid: String(table.docid), source: String(table.source), sections };
}

/** The content of a section's file: all after the second line of `+++`. */
export function storedContent(database: string, kbid: string): Uint8Array {
  const bytes = readFileSync(join(database, "sections", kbid.slice(0, 2), `${kbid}.md`));
  const end = bytes.indexOf("\n+++\n");
  if (bytes.subarray(0, 4).toString() !== "+++\n" || end < 0) {
    throw new Error(`Cannot read section ${kbid}: its front matter is not whole`);
  }
  return bytes.subarray(end + "\n+++\n".length);
}

/** A document's sections and gaps, put together again (D9). */
export function joinedSections(database: string, document: StoredDocument): Buffer {
  const parts = document.sections.flatMap(({ kbid, gap }) => [
    Buffer.from(gap),
    storedContent(database, kbid),
  ]);
  return Buffer.concat(parts);
}
