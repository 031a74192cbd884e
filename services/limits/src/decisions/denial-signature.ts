import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

import type { Refused } from "../domain/decision.ts";

/** A denial as instances share it; times are of the database's clock, in microseconds. */
export interface SharedDenial {
  refused: Refused;
  decidedAtUs: number;
  /** Time until which the denial is certain to hold. */
  frozenUntilUs: number;
}

/** The question that a denial answers. */
export interface SignedQuestion {
  /** Version of the policies that decided. */
  version: string;
  question: string;
}

const MAC_LENGTH = 43;

/**
 * Signs denials that are stored where others can write. A denial is accepted only if an instance of
 * this service signed it, for the same question and the same policies.
 */
export class DenialSignature {
  readonly #key: Buffer;

  /** `secret` is shared by all instances of this service and known to nobody else. */
  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync("sha256", secret, "", "limits:shared-refusals:1", 32));
  }

  sign(about: SignedQuestion, refusal: SharedDenial): string {
    const text = JSON.stringify(refusal);
    return this.#macOf(about, text) + text;
  }

  /** Verifies and returns the denial; undefined if it is not authentic. */
  verify(about: SignedQuestion, sealed: string): SharedDenial | undefined {
    const text = sealed.slice(MAC_LENGTH);
    const claimed = Buffer.from(sealed.slice(0, MAC_LENGTH));
    const expected = Buffer.from(this.#macOf(about, text));
    if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected)) return undefined;
    return JSON.parse(text) as SharedDenial;
  }

  #macOf({ version, question }: SignedQuestion, text: string): string {
    const content = JSON.stringify([version, question, text]);
    return createHmac("sha256", this.#key).update(content).digest("base64url");
  }
}
