import type { Clock } from "@nutrition/core/clock";
import type { UserIdentity } from "@nutrition/core/user-identity";
import type { RevokedCredential } from "@nutrition/redis/revoked-credential";
import { LRUCache } from "lru-cache";

import type { Backends } from "../clients/backends.ts";

/**
 * Maximum age of a cached positive answer, counted from the request; a session's end takes effect within this
 * time.
 */
const ANSWER_AGE_MAX_MS = 4_000;
const SESSIONS_MAX = 10_000;
const TIMEOUT_MS = 5_000;

/** State of a session according to the auth service. */
export interface SessionState {
  readonly isLive: boolean;
  /** Whether the person signed in within the last 10 minutes. */
  readonly isRecent: boolean;
}

interface Known {
  readonly accountId: string;
  readonly askedAtMs: number;
}

/**
 * Asks the auth service whether sessions are live, and caches positive answers for a short time.
 * Calls reject with the failure `unavailable` when the auth service is down.
 */
export class SessionChecks {
  readonly #auth: Backends["auth"];
  readonly #clock: Clock;
  /** Live sessions by id. */
  readonly #known = new LRUCache<string, Known>({ max: SESSIONS_MAX });
  /** Incremented by every session end: answers to earlier questions are not cached. */
  #ends = 0;

  constructor(auth: Backends["auth"], clock: Clock) {
    this.#auth = auth;
    this.#clock = clock;
  }

  /** Whether the session is live, or was within the last 4 s. */
  async isLive(user: UserIdentity): Promise<boolean> {
    const known = this.#known.get(user.credentialId);
    if (known && this.#clock.monotonicMs() - known.askedAtMs < ANSWER_AGE_MAX_MS) return true;
    return (await this.ask(user)).isLive;
  }

  /** The current state. */
  async ask(user: UserIdentity): Promise<SessionState> {
    const askedAtMs = this.#clock.monotonicMs();
    const ends = this.#ends;
    const { accountId, credentialId } = user;
    const state = await this.#auth.checkSession({}, { user, timeoutMs: TIMEOUT_MS });
    if (!state.isLive) this.#known.delete(credentialId);
    else if (ends === this.#ends) this.#known.set(credentialId, { accountId, askedAtMs });
    return state;
  }

  /** Removes an ended session, or all sessions of an account. */
  drop({ accountId, credentialId }: RevokedCredential): void {
    this.#ends += 1;
    if (credentialId !== undefined) return void this.#known.delete(credentialId);
    for (const [id, known] of this.#known.entries()) {
      if (known.accountId === accountId) this.#known.delete(id);
    }
  }

  /** Clears the cache, such as when events may have been missed. */
  clear(): void {
    this.#ends += 1;
    this.#known.clear();
  }
}
