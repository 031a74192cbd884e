import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { jwtVerify } from "jose";
import type { JWTPayload } from "jose";
import { LRUCache } from "lru-cache";

import { mayAssertUsers } from "./access.ts";
import { ServiceKeys } from "./service-keys.ts";
import type { TrustedKey } from "./service-keys.ts";
import {
  ALGORITHM,
  CLOCK_TOLERANCE_S,
  LIFETIME_S,
  invalidToken,
  SERVICE_TOKEN_TYPE,
  TOKEN_LENGTH_MAX,
  USER_ASSERTION_TYPE,
} from "./token-format.ts";
import { assertedUser } from "./user-claims.ts";

const CACHED_STATEMENTS_MAX = 5_000;

/** A verified service token. */
export interface VerifiedServiceToken {
  /** Name of the calling service. */
  readonly service: string;
  /** Wall clock in milliseconds, including the tolerance for differing clocks. */
  readonly endsAtMs: number;
}

export interface VerifierOptions {
  /** Name of the called service. */
  service: string;
  /** Public Ed25519 keys of all callers; each may have several. */
  trustedKeys: { keys: readonly TrustedKey[] };
  clock?: Clock;
}

interface Verified {
  readonly claims: JWTPayload;
  readonly issuer: string;
  readonly endsAtMs: number;
}

/** Verifies the service tokens and user assertions of a service's callers. */
export class IdentityVerifier {
  /** Name of the called service. */
  readonly service: string;
  readonly #clock: Clock;
  readonly #keys: ServiceKeys;
  readonly #cache = new LRUCache<string, Promise<Verified>>({ max: CACHED_STATEMENTS_MAX });

  constructor(options: VerifierOptions) {
    this.service = options.service;
    this.#clock = options.clock ?? systemClock;
    this.#keys = new ServiceKeys(options.trustedKeys.keys);
  }

  /**
   * The calling service; fails with `unauthenticated` when the token is forged, expired or for
   * another service.
   */
  async verifyServiceToken(token: string): Promise<VerifiedServiceToken> {
    const { claims, issuer, endsAtMs } = await this.#verify(SERVICE_TOKEN_TYPE, token);
    if (claims.aud !== this.service) throw invalidToken("The token names several audiences.");
    return { service: issuer, endsAtMs };
  }

  /**
   * The user that `presenter` passes on; fails with `unauthenticated` when the assertion is forged,
   * expired, for another service or not for `presenter` to pass on.
   */
  async verifyUserAssertion(token: string, presenter: string): Promise<UserIdentity> {
    const { claims, issuer } = await this.#verify(USER_ASSERTION_TYPE, token);
    if (!mayAssertUsers(issuer)) throw invalidToken("Its issuer may not assert a user.");
    return assertedUser(claims, presenter);
  }

  /** Whether a verified token has expired. */
  hasEnded({ endsAtMs }: { readonly endsAtMs: number }): boolean {
    return this.remainingMs({ endsAtMs }) < 0;
  }

  /** Time for which a verified token stays valid. */
  remainingMs({ endsAtMs }: { readonly endsAtMs: number }): number {
    return endsAtMs - this.#clock.now().getTime();
  }

  async #verify(type: string, token: string): Promise<Verified> {
    const cacheKey = `${type} ${token}`;
    const cached = this.#cache.get(cacheKey);
    const pending = cached ?? this.#check(type, token);
    if (!cached) this.#cache.set(cacheKey, pending);
    try {
      const verified = await pending;
      if (this.hasEnded(verified)) throw invalidToken("It has expired.");
      return verified;
    } catch (error) {
      this.#cache.delete(cacheKey);
      throw error;
    }
  }

  async #check(type: string, token: string): Promise<Verified> {
    if (token.length > TOKEN_LENGTH_MAX) throw invalidToken("It is too long.");
    const { payload, protectedHeader } = await jwtVerify(
      token,
      (header) => this.#keys.find(header.kid).imported(),
      {
        typ: type,
        algorithms: [ALGORITHM],
        audience: this.service,
        maxTokenAge: LIFETIME_S,
        clockTolerance: CLOCK_TOLERANCE_S,
        currentDate: this.#clock.now(),
        requiredClaims: ["iss", "exp", "iat"],
      },
    ).catch((cause: unknown) => {
      throw invalidToken("It is not a valid token for this service.", cause);
    });
    const { iss, exp, iat } = payload as { iss: string; exp: number; iat: number };
    const { service } = this.#keys.find(protectedHeader.kid);
    if (iss !== service) throw invalidToken("Its issuer did not sign it.");
    if (exp - iat > LIFETIME_S) throw invalidToken("Its lifetime is too long.");
    return { claims: payload, issuer: iss, endsAtMs: (exp + CLOCK_TOLERANCE_S) * 1_000 };
  }
}
