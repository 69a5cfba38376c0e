/**
 * Whether bytes are those of an image.
 *
 * @module
 */

import { Buffer } from "node:buffer";

/** What is wrong with the bytes of an image. */
export interface ImageFault {
  /** A sentence's end, such as `the content is text, not image/png`. */
  readonly reason: string;
  /** They are no image at all. */
  readonly refuse: boolean;
}

interface Signature {
  readonly type: string;
  /** Bytes as Latin-1. */
  readonly bytes: string;
  readonly at: number;
}

/** How the files of well-known formats begin. */
const SIGNATURES: readonly Signature[] = [
  { type: "image/png", bytes: "\x89PNG\r\n\x1a\n", at: 0 },
  { type: "image/jpeg", bytes: "\xff\xd8\xff", at: 0 },
  { type: "image/gif", bytes: "GIF8", at: 0 },
  { type: "image/webp", bytes: "WEBP", at: 8 },
  { type: "image/bmp", bytes: "BM", at: 0 },
  { type: "image/tiff", bytes: "II*\0", at: 0 },
  { type: "image/tiff", bytes: "MM\0*", at: 0 },
  { type: "image/avif", bytes: "ftypavif", at: 4 },
];

/** Other names of the types above. */
const SAME: Record<string, string> = { "image/jpg": "image/jpeg", "image/x-ms-bmp": "image/bmp" };

/** Looked at to tell text from an image. */
const HEAD_BYTES = 4096;
/** No text holds them. */
// deno-lint-ignore no-control-regex
const CONTROLS = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

/**
 * What is wrong with the bytes of an image of this type, or `null`. Text is refused, unless it is an
 * SVG drawing; bytes of another format are named, because browsers show them all the same.
 */
export function imageFault(type: string, bytes: Uint8Array): ImageFault | null {
  const wanted = SAME[type] ?? type;
  if (wanted === "image/svg+xml") {
    if (Buffer.from(bytes).includes("<svg")) return null;
    return { reason: "the content is no SVG drawing", refuse: true };
  }
  if (isText(bytes)) return { reason: `the content is text, not ${type}`, refuse: true };
  const found = formatOf(bytes);
  const isKnown = SIGNATURES.some((signature) => signature.type === wanted);
  if (found === wanted || !isKnown) return null;
  const really = found === null ? "" : ` but of ${found}`;
  return { reason: `The bytes are not those of ${type}${really}`, refuse: false };
}

function formatOf(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 32)).toString("latin1");
  const found = SIGNATURES.find((signature) => head.startsWith(signature.bytes, signature.at));
  return found?.type ?? null;
}

/** Whether the beginning is text. */
function isText(bytes: Uint8Array): boolean {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    return !CONTROLS.test(decoder.decode(bytes.subarray(0, HEAD_BYTES), { stream: true }));
  } catch {
    return false;
  }
}
