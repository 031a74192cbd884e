import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** A keyed hash and the version of the pepper it was made with. */
export interface PepperedHash {
  hash: Buffer;
  pepperVersion: number;
}

/**
 * Hashes keys and addresses with secrets that the database does not hold. New hashes take the
 * current version; hashes of earlier versions keep verifying as long as their pepper is configured.
 */
export class Peppers {
  readonly #peppers: ReadonlyMap<number, Buffer>;
  readonly #current: Buffer;
  readonly #currentVersion: number;
  readonly #decoy: PepperedHash;

  constructor(peppers: ReadonlyMap<number, Buffer>, currentVersion: number) {
    const current = peppers.get(currentVersion);
    if (!current) throw new RangeError(`There is no pepper of version ${currentVersion}.`);
    this.#peppers = peppers;
    this.#current = current;
    this.#currentVersion = currentVersion;
    this.#decoy = { hash: randomBytes(32), pepperVersion: currentVersion };
  }

  hashKey(keyText: string): PepperedHash {
    return { hash: hmac(this.#current, keyText), pepperVersion: this.#currentVersion };
  }

  /** A client's address, so that equal addresses can be recognised and none be read back. */
  hashAddress(address: string): Buffer {
    return hmac(this.#current, `client-ip:${address}`);
  }

  /**
   * Whether `keyText` is the key that `stored` was made from. Without `stored`, or when its pepper
   * is gone, it is not, and finding out takes as long.
   */
  matches(keyText: string, stored: PepperedHash | undefined): boolean {
    const pepper = stored && this.#peppers.get(stored.pepperVersion);
    const { hash } = pepper ? stored : this.#decoy;
    const equal = timingSafeEqual(hmac(pepper ?? this.#current, keyText), hash);
    return equal && pepper !== undefined;
  }
}

function hmac(pepper: Buffer, text: string): Buffer {
  return createHmac("sha256", pepper).update(text).digest();
}
