/**
 * Which files a section has. A text is one file, `<kbid>.md`. An image keeps its bytes as they are in
 * `<kbid>.png` or the like, and `<kbid>.toml` beside it says what is known of it: names of one
 * length, so that two looks tell whether an id is taken.
 *
 * @module
 */

import { join } from "node:path";
import { FileError, type Files } from "../platform/types.ts";
import { checkedKbid, isKbid } from "./paths.ts";
import { type ReadOutcome, readOutcome } from "./read_outcome.ts";
import {
  decodeMeta,
  decodeSection,
  encodeMeta,
  encodeSection,
  type SectionMeta,
  type StoredSection,
} from "./section_file.ts";

/** One file of a section. */
export interface SectionFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A section's place on the disk. */
export interface SectionPlace {
  readonly folder: string;
  readonly kbid: string;
}

const ENDINGS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
  "image/avif": "avif",
  "image/bmp": "bmp",
  "image/tiff": "tiff",
  "image/x-icon": "ico",
  "image/vnd.microsoft.icon": "ico",
};
const OTHER_IMAGE = "bin";
const IMAGE_ENDINGS: ReadonlySet<string> = new Set([...Object.values(ENDINGS), OTHER_IMAGE]);
const KBID_LENGTH = 26;

/** How the file of a type's content ends: `md` for every text. */
export function endingOf(type: string): string {
  const plain = type.split(";")[0].trim().toLowerCase();
  if (!plain.startsWith("image/")) return "md";
  return ENDINGS[plain] ?? OTHER_IMAGE;
}

/** The files of a section, in the order in which they are written: front matter last. */
export function encodeFiles(section: StoredSection): SectionFile[] {
  const { kbid, type } = section.meta;
  const ending = endingOf(type);
  if (ending === "md") return [{ name: textName(kbid), bytes: encodeSection(section) }];
  return [
    { name: `${kbid}.${ending}`, bytes: section.content },
    { name: sidecarName(kbid), bytes: encodeMeta(section.meta) },
  ];
}

/** Name of the file of a section that is text. */
export function textName(kbid: string): string {
  return `${checkedKbid(kbid)}.md`;
}

/** Name of the file with what is known of an image. */
export function sidecarName(kbid: string): string {
  return `${checkedKbid(kbid)}.toml`;
}

/** The section whose files `read` gives by name; one that names another kbid is damaged. */
export function readSectionFiles(
  kbid: string,
  read: (name: string) => Uint8Array,
): ReadOutcome<StoredSection> {
  const text = readOutcome(
    () => read(textName(kbid)),
    (bytes) => ownSection(decodeSection(bytes), kbid),
  );
  return text.state === "missing" ? readImage(kbid, read) : text;
}

/** The section at a place. */
export function readSectionAt(files: Files, place: SectionPlace): ReadOutcome<StoredSection> {
  const { folder, kbid } = place;
  return readSectionFiles(kbid, (name) => readPlainFile(files, join(folder, name)));
}

/**
 * Names of a section's files that are there, in the order in which they may be removed; with `halves`
 * also those of an image without a sidecar.
 */
export function sectionFilesAt(
  files: Files,
  place: SectionPlace,
  options: { halves?: boolean } = {},
): string[] {
  const { folder, kbid } = place;
  const isThere = (name: string) => isThereAt(files, join(folder, name));
  const text = [textName(kbid)].filter(isThere);
  const sidecar = [sidecarName(kbid)].filter(isThere);
  const isImage = sidecar.length > 0 || (options.halves && text.length === 0);
  const images = isImage ? [...IMAGE_ENDINGS].map((ending) => `${kbid}.${ending}`) : [];
  return [...text, ...images.filter(isThere), ...sidecar];
}

/** Whether anything stands under a path; links are not followed. */
export function isThereAt(files: Files, path: string): boolean {
  try {
    files.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof FileError && error.code === "not_found") return false;
    throw error;
  }
}

/** A link may lead to anything, such as a device that never ends; so may what somebody else made. */
export function readPlainFile(files: Files, path: string): Uint8Array {
  const { kind } = files.lstat(path);
  if (kind === "symlink" || kind === "other") {
    throw new FileError("other", "read", path, "it is a link, pipe, socket or device");
  }
  return files.read(path);
}

/** What the names in a section folder stand for. */
export interface SortedNames {
  /** By kbid: the names of its files. */
  readonly sections: Map<string, string[]>;
  readonly strays: string[];
}

/** Sorts names of files; with `folder`, those of other folders' ids are strays. */
export function sortNames(names: readonly string[], folder?: string): SortedNames {
  const all = new Set(names);
  const sections = new Map<string, string[]>();
  const strays: string[] = [];
  for (const name of names) {
    const kbid = name.slice(0, KBID_LENGTH);
    const misplaced = folder !== undefined && kbid.slice(0, 2) !== folder;
    if (misplaced || !belongs(name, all)) strays.push(name);
    else sections.set(kbid, [...sections.get(kbid) ?? [], name]);
  }
  return { sections, strays };
}

/** Front matter stands for its section alone, an image's bytes only beside it. */
function belongs(name: string, all: ReadonlySet<string>): boolean {
  const kbid = name.slice(0, KBID_LENGTH);
  const ending = name.slice(KBID_LENGTH + 1);
  if (!isKbid(kbid) || name[KBID_LENGTH] !== ".") return false;
  if (ending === "md") return true;
  if (all.has(`${kbid}.md`)) return false;
  return ending === "toml" || (IMAGE_ENDINGS.has(ending) && all.has(`${kbid}.toml`));
}

/** What is known of an image, from the file beside it. */
export function readSidecar(
  kbid: string,
  read: (name: string) => Uint8Array,
): ReadOutcome<SectionMeta> {
  return readOutcome(() => read(sidecarName(kbid)), decodeMeta);
}

function readImage(
  kbid: string,
  read: (name: string) => Uint8Array,
): ReadOutcome<StoredSection> {
  const known = readSidecar(kbid, read);
  if (known.state !== "found") return known;
  const meta = known.value;
  const name = `${kbid}.${endingOf(meta.type)}`;
  const data = readOutcome(
    () => read(name),
    (content) => ownSection({ meta, content }, kbid),
  );
  if (data.state !== "missing") return data;
  return { state: "damaged", reason: `Cannot read the section: ${name} is missing` };
}

function ownSection(section: StoredSection, kbid: string): StoredSection {
  if (section.meta.kbid === kbid) return section;
  throw new SyntaxError(
    `Cannot read the section file: it names kbid ${section.meta.kbid.slice(0, 64)}`,
  );
}
