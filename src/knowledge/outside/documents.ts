/**
 * Manifests that were edited from outside (D47): the document's entry, and which sections it holds.
 *
 * @module
 */

import type { IndexRecord } from "../../core/search_index.ts";
import type { DocumentManifest } from "../../store/document_store.ts";
import type { SectionChange } from "../../store/journal_record.ts";
import { isSame, type Pass, removalOf } from "./pass.ts";
import { SECTION_KINDS } from "./sections.ts";
import { documentKey, documentRecord } from "../index/records.ts";

/** Kinds of the index's entries that are documents. */
export const DOCUMENT_KINDS = ["document", "agent"];
const MOST_SECTIONS = 1_000_000;

/** Looks through folders of documents; those whose files are gone are looked for in them, too. */
export async function lookAtDocuments(pass: Pass, folders: readonly string[]): Promise<void> {
  const { present, suspicious, readable } = await lookThrough(pass, folders);
  const missing = await compareWithIndex(pass, { present, readable });
  // What is still present is not in the index.
  const names = new Set([...suspicious, ...present]);
  await pass.examineAll(names, (name) => examineFile(pass, name));
  await pass.examineAll(missing, (docid) => examineMissing(pass, docid));
}

/** Sections that came without anybody known to hold them: all manifests are asked. */
export async function findHolders(pass: Pass): Promise<void> {
  const { holders, parts } = pass;
  const { searched } = holders;
  if (searched.size === 0) return;
  for (const { outcome } of parts.store.allDocuments()) {
    await pass.breathe();
    if (outcome.state !== "found") continue;
    const { docid, sections } = outcome.value;
    const listed = sections.map(({ kbid }) => kbid).filter((kbid) => searched.has(kbid));
    holders.await(docid, listed);
  }
  await pass.examineAll(searched, (kbid) => {
    if (parts.writer.isSectionPending(kbid)) return false;
    const docids = holders.of(kbid);
    if (docids.length > 0) pass.take({ sections: moved(pass, { kbid, docids }) });
    return true;
  });
}

async function lookThrough(
  pass: Pass,
  folders: readonly string[],
): Promise<{ present: Set<string>; suspicious: string[]; readable: ReadonlySet<string> }> {
  const present = new Set<string>();
  const suspicious: string[] = [];
  const readable = new Set<string>();
  for (const folder of folders) {
    const files = pass.files("documents", folder);
    await pass.breathe();
    if (files === null) continue;
    readable.add(folder);
    for (const file of files) {
      present.add(file.id);
      if (pass.isSuspicious(file)) suspicious.push(file.id);
    }
  }
  return { present, suspicious, readable };
}

/** Takes what the index has out of `present`; returns the docids whose files were not seen. */
async function compareWithIndex(
  pass: Pass,
  files: { present: Set<string>; readable: ReadonlySet<string> },
): Promise<string[]> {
  const missing: string[] = [];
  for (const kind of DOCUMENT_KINDS) {
    for await (const { docids: [docid] } of pass.known(kind)) {
      const name = pass.parts.store.paths.documentName(docid);
      const isSeen = files.present.delete(name);
      if (!isSeen && files.readable.has(name.slice(0, 2))) missing.push(docid);
    }
  }
  return missing;
}

function examineFile(pass: Pass, name: string): boolean {
  const { store, writer, losses } = pass.parts;
  const outcome = store.readDocumentFile(name);
  if (outcome.state === "damaged") losses.doubtManifest(name, outcome.reason);
  if (outcome.state !== "found") return true;
  losses.forget(name);
  if (writer.isDocumentPending(outcome.value.docid)) return false;
  return takeDocument(pass, outcome.value);
}

function examineMissing(pass: Pass, docid: string): boolean {
  const { store, writer, keeper } = pass.parts;
  if (writer.isDocumentPending(docid)) return false;
  // What cannot be read may be there.
  if (store.readDocument(docid).state !== "missing") return true;
  if (keeper.index.get(documentKey(docid)) === null) return true;
  const left = sectionsOf(pass, docid);
  if (left.some(({ kbid }) => writer.isSectionPending(kbid))) return false;
  const sections = left.flatMap((section) => withoutDocument(pass, { section, docid }));
  pass.take({ sections, removal: removalOf(pass, { documents: [docid] }) });
  return true;
}

function takeDocument(pass: Pass, document: DocumentManifest): boolean {
  const { keeper, writer } = pass.parts;
  const { docid } = document;
  const listed = new Set(document.sections.map(({ kbid }) => kbid));
  const before = sectionsOf(pass, docid);
  const left = before.filter(({ kbid }) => !listed.has(kbid));
  for (const { kbid } of before) listed.delete(kbid);
  if ([...listed, ...left.map(({ kbid }) => kbid)].some((kbid) => writer.isSectionPending(kbid))) {
    return false;
  }
  const sections = [
    ...left.flatMap((section) => withoutDocument(pass, { section, docid })),
    ...[...listed].flatMap((kbid) => withDocument(pass, { kbid, docid })),
  ];
  const known = keeper.index.get(documentKey(docid));
  const isKnown = known !== null && isSame(known, documentRecord(document));
  if (!pass.raise(document.seq) && isKnown && sections.length === 0) return true;
  pass.holders.forgetList(docid);
  pass.take({ sections, documents: [document] });
  return true;
}

/** What the index has of a document's sections. */
function sectionsOf(pass: Pass, docid: string): IndexRecord[] {
  const { index } = pass.parts.keeper;
  return SECTION_KINDS.flatMap((kind) => index.list(kind, { docid, limit: MOST_SECTIONS }));
}

function withoutDocument(
  pass: Pass,
  from: { section: IndexRecord; docid: string },
): SectionChange[] {
  const { section: { kbid, docids }, docid } = from;
  return moved(pass, { kbid, docids: docids.filter((other) => other !== docid) });
}

function withDocument(pass: Pass, to: { kbid: string; docid: string }): SectionChange[] {
  const { kbid, docid } = to;
  const known = pass.parts.keeper.index.get(kbid);
  if (known !== null) return moved(pass, { kbid, docids: [...known.docids, docid] });
  pass.holders.await(docid, [kbid]);
  return [];
}

/** A section whose documents changed, as it is to be indexed again. */
function moved(pass: Pass, to: { kbid: string; docids: readonly string[] }): SectionChange[] {
  const { kbid, docids } = to;
  const outcome = pass.parts.reader.read(kbid);
  if (outcome.state === "found") return [{ ...outcome.value, docids }];
  // Its own file tells what became of it, when its folder is looked through.
  return [];
}
