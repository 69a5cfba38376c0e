/**
 * Section files that were edited from outside (D47).
 *
 * @module
 */

import type { StoredSection } from "../../store/section_file.ts";
import { isKbid } from "../../store/paths.ts";
import { isSame, type Pass, removalOf } from "./pass.ts";
import { isStandalone, sectionRecord } from "../index/records.ts";

/** Kinds of the index's entries that are sections. */
export const SECTION_KINDS = ["section", "skill", "retired"];
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const KBID_LENGTH = 26;
/** Folders hold few sections each; what a page has beyond them is read for nothing. */
const PAGE = 64;

/** Names of all folders that sections can lie in. */
export function sectionFolders(): string[] {
  return [...DIGITS.slice(0, 8)].flatMap((first) => [...DIGITS].map((second) => first + second));
}

/** Looks through a folder of sections. */
export async function lookAtSections(pass: Pass, folder: string): Promise<void> {
  if (!isKbid(lowestId(folder))) return;
  const files = pass.files("sections", folder);
  if (files === null) return;
  const known = await knownIn(pass, folder);
  const ids = files.filter((file) => !known.delete(file.id) || pass.isSuspicious(file));
  // What is left is known and was not seen: it may be gone.
  const doubtful = [...ids.map(({ id }) => id), ...known];
  await pass.examineAll(doubtful, (kbid) => examineSection(pass, kbid));
}

/** Looks at a section's file; `false` if that has to wait for a write. */
export function examineSection(pass: Pass, kbid: string): boolean {
  const { reader, writer } = pass.parts;
  if (writer.isSectionPending(kbid)) return false;
  const outcome = reader.read(kbid);
  if (outcome.state === "found") takeSection(pass, outcome.value);
  else if (outcome.state === "damaged") pass.lose(kbid, outcome.reason);
  else if (outcome.state === "missing") forgetSection(pass, kbid);
  // What cannot be read may be whole.
  return true;
}

function takeSection(pass: Pass, { meta, content }: StoredSection): void {
  const { keeper, losses } = pass.parts;
  const { kbid } = meta;
  losses.forget(kbid);
  const known = keeper.index.get(kbid);
  const docids = known?.docids ?? pass.holders.of(kbid);
  const section = { meta, docids, content };
  const isKnown = known !== null && isSame(known, sectionRecord(section));
  // A number is kept with what is found: later writes have to be told from earlier ones.
  if (!pass.raise(meta.seq) && isKnown) return;
  pass.take({ sections: [section] });
  const isHeld = docids.length > 0 || meta.standalone || meta.retired !== null;
  if (!isHeld) pass.holders.searched.add(kbid);
}

function forgetSection(pass: Pass, kbid: string): void {
  const known = pass.parts.keeper.index.get(kbid);
  if (known === null) return;
  const isNeeded = isStandalone(known) || pass.holders.of(kbid).length > 0;
  if (known.kind !== "retired" && isNeeded) return pass.lose(kbid, "its file is missing");
  pass.take({ removal: removalOf(pass, { kbids: [kbid] }) });
}

async function knownIn(pass: Pass, folder: string): Promise<Set<string>> {
  const known = new Set<string>();
  for (const kind of SECTION_KINDS) {
    for await (const { kbid } of pass.known(kind, { after: lowestId(folder), page: PAGE })) {
      if (!kbid.startsWith(folder)) break;
      known.add(kbid);
    }
  }
  return known;
}

function lowestId(folder: string): string {
  return folder.padEnd(KBID_LENGTH, "0");
}
