import { hash } from "node:crypto";

import type { Clock } from "@nutrition/core/clock";
import { Failure } from "@nutrition/core/failure";
import type { RevokedCredential } from "@nutrition/redis/revoked-credential";
import { LRUCache } from "lru-cache";

import type { Authentication, CredentialRefusal } from "../clients/auth-client.ts";
import type { Principal } from "../domain/principal.ts";

/**
 * Maximum age of a positive answer, counted from the request for it; revocations take effect within this
 * time.
 */
const ANSWER_AGE_MAX_MS = 4_000;
const CREDENTIALS_MAX = 10_000;
/** Time for which a final refusal is cached. */
const REFUSAL_AGE_MAX_MS = 10_000;
const REFUSALS_MAX = 10_000;

interface Known {
  readonly principal: Principal;
  readonly askedAtMs: number;
}

interface RefusedCredential {
  readonly refusal: CredentialRefusal;
  readonly untilMs: number;
}

/** Looks up a credential; `wasGood` says whether the last answer was positive. */
export type LookUpCredential = (wasGood: boolean) => Promise<Authentication>;

/**
 * Caches verified keys and tokens, and final refusals, for seconds, and coalesces concurrent
 * lookups of the same credential. Credentials are stored as SHA-256, never as text.
 */
export class CredentialCache {
  readonly #clock: Clock;
  readonly #known = new LRUCache<string, Known>({ max: CREDENTIALS_MAX });
  readonly #refused = new LRUCache<string, RefusedCredential>({ max: REFUSALS_MAX });
  readonly #asking = new Map<string, Promise<Authentication>>();
  /** Incremented by every revocation: answers to earlier questions are not cached. */
  #revocations = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the answer of `ask`, or a cached one: positive for up to 4 s, a final refusal for up to
   * 10 s.
   */
  async find(credential: string, ask: LookUpCredential): Promise<Authentication> {
    const digest = hash("sha256", credential, "base64");
    const remembered = this.#remembered(digest);
    if (remembered) return remembered;
    for (;;) {
      const asking = this.#asking.get(digest);
      if (!asking) return this.#ask(digest, ask);
      const answer = await asking.catch(noneIfGivenUp);
      if (answer) return answer;
    }
  }

  /** Returns the current answer of `ask`. */
  async refresh(credential: string, ask: LookUpCredential): Promise<Authentication> {
    return this.#remember(hash("sha256", credential, "base64"), ask);
  }

  /** Removes a credential by its text, and discards its pending lookup. */
  forget(credential: string): void {
    this.#forgetQuestions();
    this.#known.delete(hash("sha256", credential, "base64"));
  }

  /** Removes a credential by its id, and discards its pending lookup. */
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

  /** Clears the cache, such as when revocations may have been missed. */
  clear(): void {
    this.#forgetQuestions();
    this.#known.clear();
  }

  /** The owners of pending lookups are unknown, so all of them count as outdated. */
  #forgetQuestions(): void {
    this.#revocations += 1;
    this.#asking.clear();
  }

  #remembered(digest: string): Authentication | undefined {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#known.get(digest);
    if (known && nowMs - known.askedAtMs < ANSWER_AGE_MAX_MS) return known;
    const refused = this.#refused.get(digest);
    return refused && nowMs < refused.untilMs ? refused : undefined;
  }

  #ask(digest: string, ask: LookUpCredential): Promise<Authentication> {
    const answer = this.#remember(digest, ask).finally(() => {
      if (this.#asking.get(digest) === answer) this.#asking.delete(digest);
    });
    this.#asking.set(digest, answer);
    return answer;
  }

  async #remember(digest: string, ask: LookUpCredential): Promise<Authentication> {
    const askedAtMs = this.#clock.monotonicMs();
    const revocations = this.#revocations;
    const answer = await ask(this.#known.has(digest));
    if ("refusal" in answer) {
      this.#known.delete(digest);
      const { refusal, isFinal } = answer;
      const untilMs = this.#clock.monotonicMs() + REFUSAL_AGE_MAX_MS;
      if (isFinal) this.#refused.set(digest, { refusal, untilMs });
    } else if (revocations === this.#revocations) {
      this.#known.set(digest, { principal: answer.principal, askedAtMs });
    }
    return answer;
  }
}

/** If the first caller cancels, the shared lookup has no answer for the others. */
function noneIfGivenUp(error: unknown): undefined {
  if (error instanceof Failure && error.kind === "cancelled") return undefined;
  throw error;
}
