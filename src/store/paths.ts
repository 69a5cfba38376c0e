/**
 * Every path inside a database, in one place. Ids reach a path only through the functions here,
 * which take nothing but well-formed kbids and hashes of docids: an id is data, never a path (B44).
 *
 * @module
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { join } from "node:path";

/** Base32 digits of Crockford, lower case, as kbids use them (D6). */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const KBID = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;
const READABLE_BYTES = 60;
const HASH_DIGITS = 16;

/** Folders of the trash are named by the number of the transaction. */
const REMOVAL_NAME = /^\d{12}$/;

/** Whether a string has the form of a kbid (D6). */
export function isKbid(id: string): boolean {
  return KBID.test(id);
}

/** Whether a string has the form of a name of a folder in the trash. */
export function isRemovalName(name: string): boolean {
  return REMOVAL_NAME.test(name);
}

/**
 * A kbid, for use in a path.
 *
 * @throws {RangeError} if it is none
 */
export function checkedKbid(kbid: string): string {
  if (!isKbid(kbid)) throw new RangeError(`Cannot make a path: not a kbid: ${kbid.slice(0, 64)}`);
  return kbid;
}

/** Paths of one database. */
export class DatabasePaths {
  constructor(readonly root: string) {}

  /** Format version, id, name. */
  get config(): string {
    return join(this.root, "kbdb.toml");
  }
  get gitignore(): string {
    return join(this.root, ".gitignore");
  }
  get sections(): string {
    return join(this.root, "sections");
  }
  get documents(): string {
    return join(this.root, "documents");
  }
  get journal(): string {
    return join(this.root, "journal");
  }
  /** What was removed, a folder a removal. */
  get trash(): string {
    return join(this.root, "trash");
  }
  get indexes(): string {
    return join(this.root, "indexes");
  }
  /** Names the generation in use and what of its files counts. */
  get current(): string {
    return join(this.indexes, "CURRENT");
  }
  generation(name: string): string {
    return join(this.indexes, name);
  }

  /** Folder of a section's files. */
  sectionFolder(kbid: string): string {
    return join(this.sections, checkedKbid(kbid).slice(0, 2));
  }
  /** File of a section that is text; the other names are in `section_files.ts`. */
  section(kbid: string): string {
    return join(this.sectionFolder(kbid), `${kbid}.md`);
  }
  /** A document's manifest (D41). */
  document(docid: string): string {
    return join(this.documents, this.documentName(docid));
  }
  /** A document's manifest, relative to the documents' folder. */
  documentName(docid: string): string {
    const { folder, name } = manifestName(docid);
    return join(folder, name);
  }

  /** Folder of a removal, with its sections' files. */
  trashEntry(name: string): string {
    if (!isRemovalName(name)) {
      throw new RangeError(`Cannot make a path: not a removal: ${name.slice(0, 64)}`);
    }
    return join(this.trash, name);
  }
  /** Says what a removal took out. */
  trashListing(name: string): string {
    return join(this.trashEntry(name), "removal.toml");
  }
  /** Folder of a removal's manifests. */
  trashDocuments(name: string): string {
    return join(this.trashEntry(name), "documents");
  }
  /** A manifest that a removal took out. */
  trashDocument(name: string, docid: string): string {
    return join(this.trashDocuments(name), manifestName(docid).name);
  }
}

function manifestName(docid: string): { folder: string; name: string } {
  const hash = docidHash(docid);
  return { folder: hash.slice(0, 2), name: `${readablePart(docid)}~${hash}.toml` };
}

function docidHash(docid: string): string {
  const bytes = sha256(new TextEncoder().encode(docid));
  let bits = 0n;
  for (const byte of bytes.subarray(0, (HASH_DIGITS * 5) / 8)) bits = (bits << 8n) | BigInt(byte);
  let digits = "";
  for (let i = 0; i < HASH_DIGITS; i++) {
    digits = DIGITS[Number(bits & 31n)] + digits;
    bits >>= 5n;
  }
  return digits;
}

/** What a person recognises of a docid, in letters that every file system keeps as they are. */
function readablePart(docid: string): string {
  const safe = docid.toLowerCase().replace(/[^a-z0-9._-]+/g, "-").replace(/^[.-]+|[.-]+$/g, "");
  return safe.slice(-READABLE_BYTES).replace(/^[.-]+/, "") || "document";
}
