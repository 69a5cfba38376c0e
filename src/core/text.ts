/** What a text becomes before it is stored: its id, its stored form, its sections. */

import { translated } from "./core_error.ts";
import { wasm } from "./load.ts";

/**
 * How bytes without a byte order mark are read: `utf-8` refuses anything else, `latin1` reads what is
 * not valid UTF-8 as ISO 8859-1.
 */
export type TextEncodingName = "utf-8" | "latin1";

/** One section of a document. */
export interface MarkdownSection {
  /** First byte in the preprocessed document. */
  start: number;
  /** Byte behind the last one; up to the next section there is white space only. */
  end: number;
  /** Plain text of the heading; `null` before the first heading or where it is empty. */
  heading: string | null;
  /** 1 to 6, or 0 where no heading starts the section. */
  level: number;
}

/** A document in sections. */
export interface MarkdownSplit {
  /** `title` of the front matter, else the first heading with text. */
  title: string | null;
  /** Sentences about what was not understood. */
  warnings: string[];
  /** The sections in order. */
  sections: MarkdownSection[];
}

/**
 * How a text is read for references: in `markdown`, code, HTML comments and front matter refer to nothing,
 * and Markdown and wiki links are references too; in `plain`, `$(...)` markers count wherever they stand.
 */
export type TextForm = "markdown" | "plain";

/** Something that a text refers to. */
export interface Reference {
  /** How it is written: `$(link:ID)` and its like, a relative Markdown link, or `[[Name]]`. */
  marker: "link" | "include" | "image" | "code" | "mdlink" | "wikilink";
  /** As written, without its label; the URL of a Markdown link without query and percent escapes. */
  target: string;
  /** What stands behind `|`, the text of a link, or the name of a definition that no link uses. */
  label: string | null;
  /** First byte of the whole construct in the text as UTF-8. */
  start: number;
  /** Byte behind the last one. */
  end: number;
}

/**
 * The id of a content: 128 bits of SHA-256 as 26 characters of lower-case Crockford base32.
 *
 * @example
 * ```ts
 * import { kbid } from "./text.ts";
 * const id = kbid(new TextEncoder().encode("hello"));
 * if (id !== "1cy96vmqxgmc72dt1v5b2vkrmy") throw new Error(id);
 * ```
 */
export function kbid(bytes: Uint8Array): string {
  return wasm.kbid(bytes);
}

/**
 * A checksum of 32 bits, the lower half of the 64-bit XXH3: it tells damaged bytes.
 *
 * @example
 * ```ts
 * import { checksum } from "./text.ts";
 * if (checksum(new Uint8Array()) !== 0x38d394c2) throw new Error("unexpected checksum");
 * ```
 */
export function checksum(bytes: Uint8Array): number {
  return wasm.checksum(bytes) >>> 0;
}

/**
 * The stored form of a text as UTF-8: without byte order mark, `\n` line ends, NFC, without blank lines
 * at its start and white space at its end. UTF-16 with a byte order mark is recognised.
 *
 * @param encoding How other bytes are read. @default "utf-8"
 * @throws {CoreError} `bad_encoding`, naming the offset of the first byte that is no text.
 *
 * @example
 * ```ts
 * import { preprocess } from "./text.ts";
 * const stored = preprocess(new TextEncoder().encode("\r\none\r\ntwo \r\n"));
 * if (new TextDecoder().decode(stored) !== "one\ntwo") throw new Error("unexpected text");
 * ```
 */
export function preprocess(bytes: Uint8Array, encoding: TextEncodingName = "utf-8"): Uint8Array {
  return translated(() => wasm.preprocess(bytes, encoding));
}

/**
 * Cuts a preprocessed Markdown document at its top-level headings. Front matter and what stands before
 * the first heading are one section without heading.
 *
 * @throws {CoreError} `bad_encoding` where the bytes are no UTF-8.
 *
 * @example
 * ```ts
 * import { splitMarkdown } from "./text.ts";
 * const split = splitMarkdown(new TextEncoder().encode("intro\n\n# One\n\ntext"));
 * if (split.title !== "One" || split.sections[1].start !== 7) throw new Error("unexpected split");
 * ```
 */
export function splitMarkdown(text: Uint8Array): MarkdownSplit {
  return JSON.parse(translated(() => wasm.splitMarkdown(text)));
}

/**
 * What a text refers to, in order of `start`: `$(link:ID|label)`, `$(include:ID)`, `$(image:ID)` and
 * `$(code:ID)`, and in Markdown also `[[Name#heading|label]]`, links and images with a relative URL, and
 * definitions of such links that no link uses. A backslash before a marker takes its meaning away. Bytes
 * that are no UTF-8 refer to nothing.
 *
 * @example
 * ```ts
 * import { references } from "./text.ts";
 * const text = new TextEncoder().encode("See $(link:plan.md|the plan), not `$(link:x)`.");
 * const [{ marker, target, label, start }] = references(text, "markdown");
 * if (`${marker} ${target} ${label} ${start}` !== "link plan.md the plan 4") throw new Error(target);
 * ```
 */
export function references(text: Uint8Array, form: TextForm): Reference[] {
  return JSON.parse(translated(() => wasm.references(text, form)));
}

/**
 * Bytes of linear memory that the core has taken; it never shrinks.
 *
 * @example
 * ```ts
 * import { wasmMemoryBytes } from "./text.ts";
 * if (wasmMemoryBytes() % 65_536 !== 0) throw new Error("memory comes in pages");
 * ```
 */
export function wasmMemoryBytes(): number {
  return wasm.memoryBytes();
}
