/**
 * Checksums of what the store writes. Whoever opens a store hands the function over: the search core
 * has a fast one, and the store knows no core.
 *
 * @module
 */

/** 32 bits that tell damaged bytes. */
export type Checksum = (bytes: Uint8Array) => number;

/**
 * A checksum that differs from database to database. The journal is searched for records behind
 * damaged bytes, and a content may hold what looks like one: without knowing `secret` nobody can
 * write a content that passes for a record.
 */
export function saltedChecksum(checksum: Checksum, secret: string): Checksum {
  const salt = checksum(new TextEncoder().encode(secret));
  return (bytes) => (checksum(bytes) ^ salt) >>> 0;
}
