/**
 * What the index holds of sections and documents.
 *
 * @module
 */

import type { IndexRecord } from "../core/search_index.ts";
import { kbid } from "../core/text.ts";
import type { DocumentManifest } from "../store/document_store.ts";
import type { SectionChange } from "../store/journal_record.ts";
import type { SectionMeta } from "../store/section_file.ts";

/** Set in {@linkcode IndexRecord} flags for sections learned without a document. */
const STANDALONE = 1;

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();

/** What an index offers to those who fill it. */
export interface IndexWriter {
  add(record: IndexRecord, body: Uint8Array): number;
  remove(kbid: string): boolean;
}

/** The index's record of a section. */
export function sectionRecord(
  meta: SectionMeta,
  facts: { docids: readonly string[]; bytes: number },
): IndexRecord {
  return {
    kbid: meta.kbid,
    kind: "section",
    heading: meta.title,
    description: meta.description,
    type: meta.type,
    tags: [...meta.tags],
    // In one order, so that an index grown by writes equals one made again from files.
    docids: [...facts.docids].sort(),
    flags: meta.standalone ? STANDALONE : 0,
    bytes: facts.bytes,
  };
}

/** Whether the section was learned without a document. */
export function isStandalone(record: IndexRecord): boolean {
  return (record.flags & STANDALONE) !== 0;
}

/** The index's record of a document: not searched, but counted and listed. */
export function documentRecord(document: DocumentManifest): IndexRecord {
  return {
    kbid: documentKey(document.docid),
    kind: "document",
    heading: document.title,
    description: null,
    type: document.type,
    tags: [],
    docids: [document.docid],
    flags: document.sections.length,
    bytes: 0,
  };
}

/** Puts a section as it now is into the index, or takes it out; returns the terms added. */
export function indexSection(
  index: IndexWriter,
  change: SectionChange & { content: Uint8Array },
): number {
  const { meta, docids, content } = change;
  if (meta.retired !== null) {
    index.remove(meta.kbid);
    return 0;
  }
  return index.add(sectionRecord(meta, { docids, bytes: content.length }), content);
}

/** Puts a document into the index. */
export function indexDocument(index: IndexWriter, document: DocumentManifest): void {
  index.add(documentRecord(document), NOTHING);
}

/** A document's key in the index: of a kbid's form, made from the docid. */
function documentKey(docid: string): string {
  return kbid(encoder.encode(`document\0${docid}`));
}
