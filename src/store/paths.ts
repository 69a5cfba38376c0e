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

/** Whether a string has the form of a kbid (D6). */
export function isKbid(id: string): boolean {
  return KBID.test(id);
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

  /** Folder of a section's file. */
  sectionFolder(kbid: string): string {
    return join(this.sections, checked(kbid).slice(0, 2));
  }
  /** A section's file. */
  section(kbid: string): string {
    return join(this.sectionFolder(kbid), `${kbid}.md`);
  }
  /** A document's manifest (D41). */
  document(docid: string): string {
    const hash = docidHash(docid);
    return join(this.documents, hash.slice(0, 2), `${readablePart(docid)}~${hash}.toml`);
  }
}

function checked(kbid: string): string {
  if (!isKbid(kbid)) throw new RangeError(`Cannot make a path: not a kbid: ${kbid.slice(0, 64)}`);
  return kbid;
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
