// Protobuf's encoding for messages that are written often. Each message is measured and then written into
// one buffer of its size; the general encoder makes a buffer of every text and joins them. Field numbers are
// at most 15, so a tag takes one byte.

const BITS = 7;
const CONTINUES = 0x80;
const TAG_SIZE = 1;

/** Bytes of an unsigned 32-bit number. */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value >>> BITS; rest > 0; rest >>>= BITS) size += 1;
  return size;
}

/** Bytes of a field with a number. */
export function uintSize(value: number): number {
  return TAG_SIZE + varintSize(value);
}

/** Bytes of a field with so many bytes, such as a message. */
export function fieldSize(length: number): number {
  return TAG_SIZE + varintSize(length) + length;
}

/** Bytes of a field with text. */
export function textSize(text: string): number {
  return fieldSize(Buffer.byteLength(text));
}

/** Writes a message of known size. */
export class WireWriter {
  readonly buffer: Buffer;
  #at = 0;

  constructor(size: number) {
    this.buffer = Buffer.allocUnsafe(size);
  }

  varint(value: number): this {
    let rest = value >>> 0;
    for (; rest >= CONTINUES; rest >>>= BITS) this.#byte((rest & (CONTINUES - 1)) | CONTINUES);
    this.#byte(rest);
    return this;
  }

  uint(tag: number, value: number): this {
    return this.varint(tag).varint(value);
  }

  bytes(tag: number, value: Uint8Array): this {
    this.uint(tag, value.length);
    this.buffer.set(value, this.#at);
    this.#at += value.length;
    return this;
  }

  text(tag: number, value: string): this {
    this.uint(tag, Buffer.byteLength(value));
    this.#at += this.buffer.write(value, this.#at);
    return this;
  }

  #byte(value: number): void {
    this.buffer[this.#at] = value;
    this.#at += 1;
  }
}
