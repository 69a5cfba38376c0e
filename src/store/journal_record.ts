/**
 * The form of a journal record. A record is one transaction: all of it counts, or nothing.
 *
 * ```text
 * magic "KBR1" | u32 payload bytes | u32 checksum of the payload | payload
 * payload: u32 JSON bytes | JSON | contents one after another
 * ```
 *
 * Numbers are little endian. Contents stand outside the JSON, so that they are neither escaped nor
 * copied.
 *
 * @module
 */

import type { Checksum } from "./checksum.ts";
import type { DocumentManifest } from "./document_store.ts";
import type { Removal } from "./removal.ts";
import type { SectionMeta } from "./section_file.ts";

/** A section that a transaction stores or changes. */
export interface SectionChange {
  readonly meta: SectionMeta;
  /** Documents that hold the section afterwards. */
  readonly docids: readonly string[];
  /**
   * The whole content, also where only what is known of the section changed: its file is replaced
   * before it is flushed, so the journal has to hold all of it. `null` where only `docids` changed.
   */
  readonly content: Uint8Array | null;
}

/** A remembered answer, so that a repeated request is not applied twice (D46). */
export interface RequestMemory {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly answer: unknown;
}

/** One transaction. */
export interface JournalRecord {
  /** Grows by one a record. */
  readonly seq: number;
  readonly sections: readonly SectionChange[];
  readonly documents: readonly DocumentManifest[];
  readonly requests: readonly RequestMemory[];
  /**
   * What goes to the trash, after the changes above were made.
   * @default {null}
   */
  readonly removal?: Removal | null;
}

/** A stretch of a journal part that is no record. */
export interface DamagedStretch {
  readonly start: number;
  readonly end: number;
}

/** What a part holds. */
export interface ParsedPart {
  readonly records: JournalRecord[];
  /** Stretches that are followed by whole records: damage, not a torn tail. */
  readonly damaged: DamagedStretch[];
  /** Where the last whole record ends; what follows is a torn tail. */
  readonly end: number;
}

const MAGIC = new TextEncoder().encode("KBR1");
const HEADER_BYTES = 12;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

type SectionJson = Omit<SectionChange, "content"> & { bytes: number | null };

/** A record as the bytes of the journal. */
export function encodeRecord(record: JournalRecord, checksum: Checksum): Uint8Array {
  const contents = record.sections.map((change) => change.content);
  const sections: SectionJson[] = record.sections.map(({ content, ...rest }) => ({
    ...rest,
    bytes: content?.length ?? null,
  }));
  const json = encoder.encode(JSON.stringify({ ...record, sections }));
  const contentBytes = contents.reduce((sum, content) => sum + (content?.length ?? 0), 0);
  const payloadBytes = 4 + json.length + contentBytes;
  const bytes = new Uint8Array(HEADER_BYTES + payloadBytes);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(4, payloadBytes, true);
  view.setUint32(HEADER_BYTES, json.length, true);
  bytes.set(json, HEADER_BYTES + 4);
  let offset = HEADER_BYTES + 4 + json.length;
  for (const content of contents) {
    if (content === null) continue;
    bytes.set(content, offset);
    offset += content.length;
  }
  view.setUint32(8, checksum(bytes.subarray(HEADER_BYTES)), true);
  return bytes;
}

/**
 * Reads a part. After bytes that are no whole record it looks for the next one: records that were
 * acknowledged are found behind a damaged stretch, and a torn tail is what nothing follows.
 */
export function parsePart(bytes: Uint8Array, checksum: Checksum): ParsedPart {
  const records: JournalRecord[] = [];
  const damaged: DamagedStretch[] = [];
  let end = 0;
  let at = 0;
  while (at >= 0 && at < bytes.length) {
    const found = recordAt(bytes, { at, checksum });
    if (!found) {
      at = nextMagic(bytes, at + 1);
      continue;
    }
    if (at > end) damaged.push({ start: end, end: at });
    records.push(found.record);
    at = end = found.end;
  }
  return { records, damaged, end };
}

function recordAt(
  bytes: Uint8Array,
  where: { at: number; checksum: Checksum },
): { record: JournalRecord; end: number } | null {
  const { at, checksum } = where;
  if (bytes.length - at < HEADER_BYTES + 4) return null;
  if (!MAGIC.every((byte, i) => bytes[at + i] === byte)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  const payloadBytes = view.getUint32(4, true);
  // Zeros behind the magic, as a power cut may leave them, are no empty record.
  if (payloadBytes <= 4) return null;
  const end = at + HEADER_BYTES + payloadBytes;
  if (end > bytes.length) return null;
  const payload = bytes.subarray(at + HEADER_BYTES, end);
  if (checksum(payload) !== view.getUint32(8, true)) return null;
  const record = decodePayload(payload);
  return record && { record, end };
}

function decodePayload(payload: Uint8Array): JournalRecord | null {
  const view = new DataView(payload.buffer, payload.byteOffset);
  const jsonEnd = 4 + view.getUint32(0, true);
  const json = parsedJson(payload.subarray(4, jsonEnd));
  if (json === null) return null;
  let offset = jsonEnd;
  const sections = json.sections.map(({ bytes, ...rest }) => {
    const content = bytes === null ? null : payload.slice(offset, offset + bytes);
    offset += bytes ?? 0;
    return { ...rest, meta: { ...NEWER_META, ...rest.meta }, content };
  });
  const documents = json.documents.map((document) => ({ ...NEWER_DOCUMENT, ...document }));
  return { ...json, sections, documents, removal: json.removal ?? null };
}

/** What records of an older program do not have. */
const NEWER_META = { supersedes: [], superseded_by: null };
const NEWER_DOCUMENT = { agent: null };

type RecordJson = Omit<JournalRecord, "sections"> & { sections: SectionJson[] };

function parsedJson(bytes: Uint8Array): RecordJson | null {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return null;
  }
}

function nextMagic(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(MAGIC[0], from); at >= 0; at = bytes.indexOf(MAGIC[0], at + 1)) {
    if (MAGIC.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}
