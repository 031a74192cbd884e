/** Bytes at the end of a UUID, random in versions 4 and 7. */
export const KEY_TAIL_BYTES = 6;

/** Size in bits: one for each value that half a tail can have. */
const PLACES = 2 ** 24;

/**
 * A Bloom filter of the last bytes of key ids. It takes 2 MB however many keys it holds, and sets two bits for
 * each; the bytes are random, so they need no hashing. False positives: 1 in 7,000 with 100,000 keys, 1 in 80
 * with a million.
 */
export class KeyTailSet {
  readonly #bits = new Uint8Array(PLACES / 8);

  /** Adds the tail in the 6 bytes from `at`. */
  add(bytes: Buffer, at: number): void {
    this.#set(bytes.readUIntBE(at, 3));
    this.#set(bytes.readUIntBE(at + 3, 3));
  }

  /** Adds the tail of a UUID. */
  addOf(id: string): void {
    for (const half of HALVES_OF_ID) this.#set(placeIn(id, half));
  }

  /** Whether the tail of a UUID may have been added; false only if it was not. */
  mayHave(id: string): boolean {
    return HALVES_OF_ID.every((half) => this.#has(placeIn(id, half)));
  }

  #set(place: number): void {
    this.#bits[place >>> 3]! |= 1 << (place & 7);
  }

  #has(place: number): boolean {
    return (this.#bits[place >>> 3]! & (1 << (place & 7))) !== 0;
  }
}

/** Where the halves of the tail begin in the text of a UUID, each of 6 hexadecimal digits. */
const HALVES_OF_ID = [24, 30] as const;

function placeIn(id: string, half: number): number {
  return Number.parseInt(id.slice(half, half + 6), 16);
}
