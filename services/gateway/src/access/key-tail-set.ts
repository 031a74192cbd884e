/** Bytes at the end of a UUID, random in versions 4 and 7. */
export const KEY_TAIL_BYTES = 6;

/** One for each value of half a tail. */
const PLACES = 2 ** 24;

/**
 * A set of the last bytes of key ids that may claim to contain others, in 2 MB however many there are (a Bloom
 * filter with two bits for each, random enough to need no hash). With 100,000 keys, it claims so of one in
 * 7,000 others; with a million, of one in 80.
 */
export class KeyTailSet {
  readonly #bits = new Uint8Array(PLACES / 8);

  /** Adds the tail in the 6 bytes from `at`. */
  add(bytes: Buffer, at: number): void {
    this.#set(bytes.readUIntBE(at, 3));
    this.#set(bytes.readUIntBE(at + 3, 3));
  }

  /** Whether the tail in the 6 bytes from `at` may have been added; false only if it was not. */
  mayHave(bytes: Buffer, at: number): boolean {
    return this.#has(bytes.readUIntBE(at, 3)) && this.#has(bytes.readUIntBE(at + 3, 3));
  }

  #set(place: number): void {
    this.#bits[place >>> 3]! |= 1 << (place & 7);
  }

  #has(place: number): boolean {
    return (this.#bits[place >>> 3]! & (1 << (place & 7))) !== 0;
  }
}
