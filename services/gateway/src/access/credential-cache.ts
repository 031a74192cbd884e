import { hash } from "node:crypto";

import type { Clock } from "@nutrition/core/clock";
import type { RevokedCredential } from "@nutrition/redis/revoked-credential";
import { LRUCache } from "lru-cache";

import type { Authentication } from "../clients/auth-client.ts";
import type { Principal } from "./principal.ts";

/** Time from asking about a credential until it is asked about again; a revocation is seen by then. */
const ANSWER_AGE_MAX_MS = 4_000;
const CREDENTIALS_MAX = 10_000;

interface Known {
  readonly principal: Principal;
  readonly askedAtMs: number;
}

/**
 * Remembers good keys and tokens for a short while, and asks only once when many requests bring the
 * same. Refusals are not remembered. Credentials are kept as SHA-256, never as text.
 */
export class CredentialCache {
  readonly #clock: Clock;
  readonly #known = new LRUCache<string, Known>({ max: CREDENTIALS_MAX });
  readonly #asking = new Map<string, Promise<Authentication>>();
  /** Grows with every revocation: an answer that was asked for before is not kept. */
  #revocations = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What `ask` answers or answered about the credential within the last 4 s. */
  async find(credential: string, ask: () => Promise<Authentication>): Promise<Authentication> {
    const digest = hash("sha256", credential, "base64");
    const known = this.#known.get(digest);
    if (known && this.#clock.monotonicMs() - known.askedAtMs < ANSWER_AGE_MAX_MS) return known;
    const asking = this.#asking.get(digest);
    if (asking) return asking;
    const answer = this.#remember(digest, ask).finally(() => {
      if (this.#asking.get(digest) === answer) this.#asking.delete(digest);
    });
    this.#asking.set(digest, answer);
    return answer;
  }

  /** What `ask` answers now. */
  async refresh(credential: string, ask: () => Promise<Authentication>): Promise<Authentication> {
    return this.#remember(hash("sha256", credential, "base64"), ask);
  }

  /** Forgets what is known of a credential by its text, and what is being asked. */
  forget(credential: string): void {
    this.#forgetQuestions();
    this.#known.delete(hash("sha256", credential, "base64"));
  }

  /** Forgets what is known of a credential by its id, and what is being asked. */
  drop({ accountId, credentialId }: RevokedCredential): void {
    this.#forgetQuestions();
    for (const [digest, { principal }] of this.#known.entries()) {
      const { user } = principal;
      if (user.accountId !== accountId) continue;
      if (credentialId === undefined || user.credentialId === credentialId) {
        this.#known.delete(digest);
      }
    }
  }

  /** Forgets everything, as after a time in which revocations may have been missed. */
  clear(): void {
    this.#forgetQuestions();
    this.#known.clear();
  }

  /** Whose answer will tell is not known, so every question that is open counts as too old. */
  #forgetQuestions(): void {
    this.#revocations += 1;
    this.#asking.clear();
  }

  async #remember(digest: string, ask: () => Promise<Authentication>): Promise<Authentication> {
    const askedAtMs = this.#clock.monotonicMs();
    const revocations = this.#revocations;
    const answer = await ask();
    if ("refusal" in answer) this.#known.delete(digest);
    else if (revocations === this.#revocations) {
      this.#known.set(digest, { principal: answer.principal, askedAtMs });
    }
    return answer;
  }
}
