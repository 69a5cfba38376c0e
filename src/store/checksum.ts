/**
 * Checksums of what the store writes. Whoever opens a store hands the function over: the search core
 * has a fast one, and the store knows no core.
 *
 * @module
 */

/** 32 bits that tell damaged bytes. */
export type Checksum = (bytes: Uint8Array) => number;
