/** Reading the corpus, and snippets for engines that have none. */

import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

const CHUNK_BYTES = 1 << 20;
/** Characters of a snippet. */
const SNIPPET = 150;
/** How many of them stand before the match. */
const BEFORE = 50;

/** The sections of a file of JSON lines, one at a time, so that the file is never held whole. */
export function* readSections(file) {
  for (const line of readLines(file)) if (line !== "") yield JSON.parse(line);
}

function* readLines(file) {
  const descriptor = openSync(file, "r");
  const chunk = new Uint8Array(CHUNK_BYTES);
  const decoder = new StringDecoder("utf8");
  let rest = "";
  try {
    for (let size; (size = readSync(descriptor, chunk)) > 0;) {
      const lines = (rest + decoder.write(chunk.slice(0, size))).split("\n");
      rest = lines.pop();
      yield* lines;
    }
    yield rest;
  } finally {
    closeSync(descriptor);
  }
}

/** The least that can be called a snippet: the text around the first word of the query in it. */
export function cut(text, query) {
  const lower = text.toLowerCase();
  const places = query.toLowerCase().split(" ").map((word) => lower.indexOf(word));
  const found = places.filter((at) => at >= 0);
  const from = found.length === 0 ? 0 : Math.max(0, Math.min(...found) - BEFORE);
  const start = from === 0 ? 0 : text.indexOf(" ", from) + 1;
  const end = start + SNIPPET >= text.length ? text.length : text.lastIndexOf(" ", start + SNIPPET);
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

/** The words of a text, for engines that leave splitting to others. */
export function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
