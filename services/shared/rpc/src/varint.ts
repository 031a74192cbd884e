// Protobuf's encoding of unsigned 32-bit numbers.

const BITS = 7;
const CONTINUES = 0x80;

/** Bytes that the number takes. */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value >>> BITS; rest > 0; rest >>>= BITS) size += 1;
  return size;
}

/** Writes the number at `start`; returns the place behind it. */
export function writeVarint(buffer: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value >>> 0;
  while (rest >= CONTINUES) {
    buffer[at] = (rest & (CONTINUES - 1)) | CONTINUES;
    at += 1;
    rest >>>= BITS;
  }
  buffer[at] = rest;
  return at + 1;
}
