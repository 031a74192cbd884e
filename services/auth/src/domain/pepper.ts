import type { KeyObject } from "node:crypto";
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from "node:crypto";

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
  readonly #peppers: ReadonlyMap<number, KeyObject>;
  readonly #current: KeyObject;
  readonly #currentVersion: number;
  readonly #decoy: PepperedHash;

  constructor(peppers: ReadonlyMap<number, Buffer>, currentVersion: number) {
    // Key objects are prepared once: an HMAC that creates its key from bytes costs four times as
    // much.
    this.#peppers = new Map(
      [...peppers].map(([version, bytes]) => [version, createSecretKey(bytes)]),
    );
    const current = this.#peppers.get(currentVersion);
    if (!current) throw new RangeError(`No pepper has version ${currentVersion}.`);
    this.#current = current;
    this.#currentVersion = currentVersion;
    this.#decoy = { hash: randomBytes(32), pepperVersion: currentVersion };
  }

  hashKey(keyText: string): PepperedHash {
    return { hash: hmac(this.#current, keyText), pepperVersion: this.#currentVersion };
  }

  /** Hashes a client's address: equal addresses are recognizable, and none can be recovered. */
  hashAddress(address: string): Buffer {
    return hmac(this.#current, `client-ip:${address}`);
  }

  /**
   * Whether `stored` was made from `keyText`. Without `stored`, or without its pepper, the answer
   * is false and takes the same time.
   */
  matches(keyText: string, stored: PepperedHash | undefined): boolean {
    const pepper = stored && this.#peppers.get(stored.pepperVersion);
    const { hash } = pepper ? stored : this.#decoy;
    const equal = timingSafeEqual(hmac(pepper ?? this.#current, keyText), hash);
    return equal && pepper !== undefined;
  }
}

function hmac(pepper: KeyObject, text: string): Buffer {
  return createHmac("sha256", pepper).update(text).digest();
}
