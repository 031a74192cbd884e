/** Of 16.8 million. */
const PLACES = 2 ** 24;
/** Where the random bytes of a UUID, of version 4 or 7, are taken from as two places. */
const FIRST_AT = 10;
const SECOND_AT = 13;

/**
 * A set of key ids that may claim to contain others, in 2 MB however many there are (a Bloom filter with two
 * bits for an id, which is random enough to need no hash). With 100,000 ids, it claims so of one in 7,000
 * others; with a million, of one in 80.
 */
export class KeyIdSet {
  readonly #bits = new Uint8Array(PLACES / 8);

  /** Adds the UUID in the 16 bytes from `at`. */
  add(bytes: Buffer, at: number): void {
    this.#set(bytes.readUIntBE(at + FIRST_AT, 3));
    this.#set(bytes.readUIntBE(at + SECOND_AT, 3));
  }

  /** Whether the UUID in the 16 bytes may have been added; false only if it was not. */
  mayHave(bytes: Buffer): boolean {
    return this.#has(bytes.readUIntBE(FIRST_AT, 3)) && this.#has(bytes.readUIntBE(SECOND_AT, 3));
  }

  #set(place: number): void {
    this.#bits[place >>> 3]! |= 1 << (place & 7);
  }

  #has(place: number): boolean {
    return (this.#bits[place >>> 3]! & (1 << (place & 7))) !== 0;
  }
}
