import { createHmac, hkdfSync } from "node:crypto";

const KEY_BYTES = 32;

/** A line with what was said about it. */
export interface SaidLines {
  readonly lines: readonly string[];
  readonly details: string | null;
  readonly correction: string | null;
}

/**
 * Hashes lines under a key, so that a copy of the database does not tell what somebody ate. All instances have the
 * same key, which is derived from `secret`.
 */
export class LineHashes {
  readonly #key: Buffer;

  constructor(secret: Buffer) {
    this.#key = Buffer.from(hkdfSync("sha256", secret, "", "hashes of costly lines", KEY_BYTES));
  }

  /** A hash of each line of an account with its details and correction, in order. */
  of(accountId: string, { lines, details, correction }: SaidLines): Buffer[] {
    const said = [details ?? "", correction ?? ""];
    return lines.map((line) => this.#hash(JSON.stringify([accountId, line, ...said])));
  }

  #hash(text: string): Buffer {
    return createHmac("sha256", this.#key).update(text).digest();
  }
}
