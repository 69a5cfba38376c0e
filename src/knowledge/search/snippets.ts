/**
 * Snippets that do not repeat the heading, which stands beside them anyway.
 *
 * @module
 */

import type { IndexRecord } from "../../core/search_index.ts";

const HASH = 35;
const NEWLINE = 10;
const SPACE = 32;
/** What the line below a heading may begin with: space, `-`, `=`. */
const UNDERLINE_STARTS = new Set([32, 45, 61]);
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*\n?$/;
const LONGEST_UNDERLINE = 1000;
/** A heading has no more lines. */
const MOST_LINES = 4;
/** Behind that many letters the forms of a word differ. */
const SHARED_LETTERS = 4;
const decoder = new TextDecoder();

/** A section that was found. */
export interface Matched {
  readonly record: Pick<IndexRecord, "heading" | "type">;
  readonly matched_terms: readonly string[];
  readonly body: Uint8Array;
}

/**
 * The snippet of a section: of the text below its heading if a word was found there, else of the
 * whole. `cut` makes a snippet of a text.
 */
export function snippetOf(matched: Matched, cut: (text: Uint8Array) => string): string {
  const { record, matched_terms, body } = matched;
  if (record.type !== "text/markdown" || record.heading === null) return cut(body);
  const below = body.subarray(headingEnd(body));
  if (below.length === 0 || below.length === body.length) return cut(body);
  const snippet = cut(below);
  if (!mayHold(record.heading, matched_terms) || mayHold(snippet, matched_terms)) return snippet;
  return cut(body);
}

/** Where the heading that a section begins with ends; 0 where it begins with none. */
export function headingEnd(body: Uint8Array): number {
  let at = 0;
  while (body[at] === SPACE && at < 3) at += 1;
  if (body[at] === HASH) return lineEnd(body, at);
  let line = lineEnd(body, at);
  for (let lines = 0; lines < MOST_LINES && line < body.length; lines++) {
    const end = lineEnd(body, line);
    if (isUnderline(body.subarray(line, end))) return end;
    if (body[line] === NEWLINE) return 0;
    line = end;
  }
  return 0;
}

function isUnderline(line: Uint8Array): boolean {
  if (line.length > LONGEST_UNDERLINE || !UNDERLINE_STARTS.has(line[0])) return false;
  return UNDERLINE.test(decoder.decode(line));
}

/** Behind the end of the line. */
function lineEnd(body: Uint8Array, at: number): number {
  const end = body.indexOf(NEWLINE, at);
  return end < 0 ? body.length : end + 1;
}

/**
 * Whether a text may hold one of the words in some form. Near enough: a wrong answer shows one good
 * snippet instead of another.
 */
function mayHold(text: string, terms: readonly string[]): boolean {
  const folded = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return terms.some((term) => {
    const plain = term.normalize("NFKD").replace(/\p{M}/gu, "");
    return folded.includes(plain.slice(0, Math.min(plain.length, SHARED_LETTERS)));
  });
}
