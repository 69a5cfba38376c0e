/**
 * What the index holds of sections and documents, and how a transaction changes it.
 *
 * An entry's kind says what it is: `section` for what search finds, `skill`, `retired` for sections
 * out of use, which are kept so that gc finds them without reading all files; `document` and `agent`.
 *
 * @module
 */

import type { IndexRecord } from "../../core/search_index.ts";
import { kbid } from "../../core/text.ts";
import type { DocumentManifest } from "../../store/document_store.ts";
import type { JournalRecord, SectionChange } from "../../store/journal_record.ts";
import type { SectionMeta } from "../../store/section_file.ts";
import { referenceKeys } from "../references/references.ts";

/** Set in {@linkcode IndexRecord} flags for sections learned without a document. */
const STANDALONE = 1;

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();

/** What an index offers to those who fill it. */
export interface IndexWriter {
  add(record: IndexRecord, body: Uint8Array): number;
  remove(kbid: string): boolean;
}

/** The index key under which a section is found by those that it supersedes. */
export function revisionKey(older: string): string {
  return `r:${older}`;
}

/** A section as the index takes it in. */
export type IndexedSection = Pick<SectionChange, "meta" | "docids"> & { content: Uint8Array };

/** The index's record of a section. */
export function sectionRecord(section: IndexedSection): IndexRecord {
  const { meta, docids, content } = section;
  return {
    kbid: meta.kbid,
    kind: kindOf(meta),
    heading: meta.title,
    description: meta.description,
    type: meta.type,
    tags: [...meta.tags],
    // In one order, so that an index grown by writes equals one made again from files.
    docids: [...docids].sort(),
    flags: meta.standalone ? STANDALONE : 0,
    bytes: content.length,
    refs: refsOf(section),
  };
}

/** Whether the section was learned without a document. */
export function isStandalone(record: IndexRecord): boolean {
  return (record.flags & STANDALONE) !== 0;
}

/** Whether a MIME type is an image's. */
export function isImage(type: string): boolean {
  return type.startsWith("image/");
}

/** The index's record of a document: not searched, but counted and listed. */
export function documentRecord(document: DocumentManifest): IndexRecord {
  return {
    kbid: documentKey(document.docid),
    kind: document.type === "agent" ? "agent" : "document",
    heading: document.title,
    description: null,
    type: document.type,
    tags: [],
    docids: [document.docid],
    flags: document.sections.length,
    bytes: 0,
    refs: [],
  };
}

/** Puts a section as it now is into the index; returns the terms added. */
export function indexSection(index: IndexWriter, section: IndexedSection): number {
  const { meta, content } = section;
  // An image is found by title and description.
  const terms = index.add(sectionRecord(section), isImage(meta.type) ? NOTHING : content);
  return meta.retired === null && !isImage(meta.type) ? terms : 0;
}

/** Puts a document into the index. */
export function indexDocument(index: IndexWriter, document: DocumentManifest): void {
  index.add(documentRecord(document), NOTHING);
}

/**
 * Puts a transaction into the index; returns the terms added per section.
 *
 * @param contentOf The stored content, for sections of which only the documents changed
 */
export function indexTransaction(
  index: IndexWriter,
  record: JournalRecord,
  contentOf: (kbid: string) => Uint8Array | null,
): Map<string, number> {
  const terms = new Map<string, number>();
  for (const change of record.sections) {
    const content = change.content ?? contentOf(change.meta.kbid);
    if (content) terms.set(change.meta.kbid, indexSection(index, { ...change, content }));
  }
  for (const document of record.documents) indexDocument(index, document);
  for (const { kbid } of record.removal?.sections ?? []) index.remove(kbid);
  for (const docid of record.removal?.documents ?? []) index.remove(documentKey(docid));
  return terms;
}

/** A document's key in the index: of a kbid's form, made from the docid. */
export function documentKey(docid: string): string {
  return kbid(encoder.encode(`document\0${docid}`));
}

/** What the section refers to, while it is in use, and the revisions before it. */
function refsOf({ meta, docids, content }: IndexedSection): string[] {
  const { type, retired, supersedes } = meta;
  const references = retired === null ? referenceKeys({ content, type, docids }) : [];
  return [...references, ...supersedes.map(revisionKey)].sort();
}

function kindOf(meta: SectionMeta): string {
  if (meta.retired !== null) return "retired";
  return meta.type === "skill" ? "skill" : "section";
}
