/**
 * Node hands out `Buffer`, whose `slice` shares memory where that of `Uint8Array` copies.
 *
 * @module
 */

/** The same memory as a plain `Uint8Array`. */
export function plainBytes(buffer: Uint8Array): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}
