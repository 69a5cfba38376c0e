/**
 * Addresses of resources.
 *
 * @module
 */

/** What an address names. */
export type ResourceName =
  | { readonly kind: "section"; readonly kbid: string }
  | { readonly kind: "document"; readonly docid: string };

const SECTION = "kbdb://section/";
const DOCUMENT = "kbdb://document/";
/** Paths that begin with a drive, or with the name of another machine. */
const WINDOWS = /^(?:([A-Za-z]:)[\\/]|(\\\\))/;

/**
 * What an address names, or `null` where it is none of ours. Ids are data: whatever they hold, they
 * are never a path.
 *
 * @example
 * ```ts
 * import { documentUri, parseUri } from "./uris.ts";
 * import assert from "node:assert/strict";
 *
 * const uri = documentUri("notes/a 50% plan?.md");
 * assert.equal(uri, "kbdb://document/notes%2Fa%2050%25%20plan%3F.md");
 * assert.deepEqual(parseUri(uri), { kind: "document", docid: "notes/a 50% plan?.md" });
 * ```
 */
export function parseUri(uri: string): ResourceName | null {
  const kbid = idBehind(SECTION, uri);
  if (kbid !== null) return { kind: "section", kbid };
  const docid = idBehind(DOCUMENT, uri);
  return docid === null ? null : { kind: "document", docid };
}

/** Address of a section. */
export function sectionUri(kbid: string): string {
  return SECTION + encodeURIComponent(kbid);
}

/** Address of a document. */
export function documentUri(docid: string): string {
  return DOCUMENT + encodeURIComponent(docid);
}

function idBehind(prefix: string, uri: string): string | null {
  if (!uri.startsWith(prefix) || uri.length === prefix.length) return null;
  const rest = uri.slice(prefix.length);
  try {
    return decodeURIComponent(rest);
  } catch {
    // A lone "%" stands for itself.
    return rest;
  }
}

/**
 * Address of a folder, by its absolute path.
 *
 * @example
 * ```ts
 * import { fileUri } from "./uris.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(fileUri("/my notes/.kbdb"), "file:///my%20notes/.kbdb");
 * assert.equal(fileUri("C:\\notes\\.kbdb"), "file:///C:/notes/.kbdb");
 * ```
 */
export function fileUri(path: string): string {
  const [, drive, share] = WINDOWS.exec(path) ?? [];
  // Elsewhere a backslash is a letter like any other.
  const slashed = drive || share ? path.replaceAll("\\", "/") : path;
  const encoded = slashed.split("/").map(encodeURIComponent).join("/");
  if (share) return `file:${encoded}`;
  return `file://${drive ? encoded.replace(/^(.)%3A/, "/$1:") : encoded}`;
}
