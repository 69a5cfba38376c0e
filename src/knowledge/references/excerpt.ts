/**
 * Text around a place: as a reader needs it to see what the place is about.
 *
 * @module
 */

const WIDTH = 150;
/** A construct that is longer is cut, too. */
const LONGEST_CONSTRUCT = 400;
/** Bytes that are looked at on either side; white space collapses, so more than the width. */
const REACH = 1200;
/** How far back a place is looked for that is no grapheme's inside. */
const SAFE_REACH = 8192;
const CUT = "…";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A stretch of bytes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * About 150 characters around a construct, white space collapsed, `…` where something was cut; cut at
 * words, and never inside a grapheme. The construct itself stays whole.
 */
export function excerpt(text: Uint8Array, { start, end }: Span): string {
  const construct = shortened(collapsed(text, { start, end }), LONGEST_CONSTRUCT);
  const from = safeStart(text, start - REACH);
  const to = characterStart(text, end + REACH);
  const before = collapsed(text, { start: from, end: start });
  const behind = collapsed(text, { start: end, end: to });
  const room = Math.max(0, WIDTH - construct.length);
  const roomBefore = Math.max(Math.floor(room / 2), room - behind.length);
  const shownBefore = lastPart(before, roomBefore);
  const shownBehind = firstPart(behind, room - shownBefore.length);
  const cutBefore = from > 0 || shownBefore.length < before.length;
  const cutBehind = to < text.length || shownBehind.length < behind.length;
  const shown = `${shownBefore}${construct}${shownBehind}`.trim();
  return `${cutBefore ? CUT : ""}${shown}${cutBehind ? CUT : ""}`;
}

/** The end of the last whole grapheme at or before `most` code units. */
export function graphemeEnd(text: string, most: number): number {
  if (most >= text.length) return text.length;
  const segments = graphemes.segment(text);
  return segments.containing(most)?.index ?? 0;
}

function collapsed(text: Uint8Array, { start, end }: Span): string {
  return decoder.decode(text.subarray(start, end)).replace(/\s+/g, " ");
}

function firstPart(text: string, most: number): string {
  if (text.length <= most) return text;
  const space = text.lastIndexOf(" ", most);
  return text.slice(0, space >= most / 2 ? space : graphemeEnd(text, most));
}

function lastPart(text: string, most: number): string {
  if (text.length <= most) return text;
  const least = text.length - most;
  const space = text.indexOf(" ", least);
  if (space >= 0 && space - least <= most / 2) return text.slice(space + 1);
  const start = graphemeEnd(text, least);
  if (start === least) return text.slice(start);
  return text.slice(start + (graphemes.segment(text).containing(start)?.segment.length ?? 0));
}

/** As {@linkcode characterStart}, but where a grapheme is sure to begin, if that is near: behind ASCII. */
function safeStart(text: Uint8Array, at: number): number {
  const start = characterStart(text, at);
  for (let safe = start; safe > 0 && safe > start - SAFE_REACH; safe--) {
    if (text[safe - 1] < 0x80 && text[safe] < 0x80) return safe;
  }
  return start;
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, graphemeEnd(text, most)) + CUT;
}

/** The first byte of a character at or behind `at`. */
function characterStart(text: Uint8Array, at: number): number {
  let start = Math.min(Math.max(0, at), text.length);
  while (start < text.length && (text[start] & 0xc0) === 0x80) start += 1;
  return start;
}
