import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

import type { Refused } from "../domain/decision.ts";

/** A refusal as instances tell it each other; moments are the database's, in microseconds. */
export interface SharedRefusal {
  refused: Refused;
  decidedAtUs: number;
  /** Until then the refusal stays right. */
  frozenUntilUs: number;
}

/** What a refusal answers. */
export interface SealedQuestion {
  /** Of the policies that decided. */
  version: string;
  question: string;
}

const MAC_LENGTH = 43;

/**
 * Seals refusals for a place where others may write too: only what an instance of this service
 * sealed, for that very question and those policies, can be opened.
 */
export class RefusalSeal {
  readonly #key: Buffer;

  /** `secret` is what all instances of this service share, and nobody else has. */
  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync("sha256", secret, "", "limits:shared-refusals:1", 32));
  }

  seal(about: SealedQuestion, refusal: SharedRefusal): string {
    const text = JSON.stringify(refusal);
    return this.#macOf(about, text) + text;
  }

  /** The refusal that was sealed; undefined for anything else. */
  open(about: SealedQuestion, sealed: string): SharedRefusal | undefined {
    const text = sealed.slice(MAC_LENGTH);
    const claimed = Buffer.from(sealed.slice(0, MAC_LENGTH));
    const expected = Buffer.from(this.#macOf(about, text));
    if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected)) return undefined;
    return JSON.parse(text) as SharedRefusal;
  }

  #macOf({ version, question }: SealedQuestion, text: string): string {
    const content = JSON.stringify([version, question, text]);
    return createHmac("sha256", this.#key).update(content).digest("base64url");
  }
}
