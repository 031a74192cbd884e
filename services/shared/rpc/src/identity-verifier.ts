import type { Clock } from "@nutrition/core/clock";
import { CLOCK_TOLERANCE_S, systemClock } from "@nutrition/core/clock";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { errors, jwtVerify } from "jose";
import type { JWTPayload } from "jose";
import { LRUCache } from "lru-cache";

import { mayAssertUsers } from "./access.ts";
import { ServiceKeys } from "./service-keys.ts";
import type { TrustedKey } from "./service-keys.ts";
import {
  ALGORITHM,
  LIFETIME_S,
  invalidToken,
  SERVICE_TOKEN_TYPE,
  tokenExpired,
  TOKEN_LENGTH_MAX,
  USER_ASSERTION_TYPE,
} from "./token-format.ts";
import { assertedUser } from "./user-claims.ts";

const CACHED_STATEMENTS_MAX = 5_000;

/** A verified service token. */
export interface VerifiedServiceToken {
  /** Name of the calling service. */
  readonly service: string;
  /**
   * Monotonic time until which it is valid, in milliseconds. Once verified, a token is judged by
   * monotonic time, as its holder does: a step of the clock ends nothing.
   */
  readonly untilMs: number;
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
  /** Wall clock in milliseconds, including the tolerance for differing clocks. */
  readonly startsAtMs: number;
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
   * The calling service; fails with `unauthenticated` when the token is forged or for another
   * service, and with `TOKEN_EXPIRED` when it is not valid at this time.
   */
  async verifyServiceToken(token: string): Promise<VerifiedServiceToken> {
    const { claims, issuer, endsAtMs } = await this.#verify(SERVICE_TOKEN_TYPE, token);
    if (claims.aud !== this.service) throw invalidToken("The token names several audiences.");
    const leftMs = endsAtMs - this.#clock.now().getTime();
    return { service: issuer, untilMs: this.#clock.monotonicMs() + leftMs };
  }

  /**
   * The user that `presenter` passes on; fails with `unauthenticated` when the assertion is forged,
   * for another service or not for `presenter` to pass on, and with `TOKEN_EXPIRED` when it is not
   * valid at this time.
   */
  async verifyUserAssertion(token: string, presenter: string): Promise<UserIdentity> {
    const { claims, issuer } = await this.#verify(USER_ASSERTION_TYPE, token);
    if (!mayAssertUsers(issuer)) throw invalidToken("Its issuer may not assert a user.");
    return assertedUser(claims, presenter);
  }

  /** Whether a verified token has expired. */
  hasEnded(token: VerifiedServiceToken): boolean {
    return this.remainingMs(token) < 0;
  }

  /** Time for which a verified token stays valid. */
  remainingMs({ untilMs }: VerifiedServiceToken): number {
    return untilMs - this.#clock.monotonicMs();
  }

  async #verify(type: string, token: string): Promise<Verified> {
    const cacheKey = `${type} ${token}`;
    const cached = this.#cache.get(cacheKey);
    const pending = cached ?? this.#check(type, token);
    if (!cached) this.#cache.set(cacheKey, pending);
    try {
      const verified = await pending;
      const nowMs = this.#clock.now().getTime();
      if (nowMs < verified.startsAtMs || nowMs > verified.endsAtMs) throw tokenExpired();
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
      if (isAboutTime(cause)) throw tokenExpired();
      throw invalidToken("It is not a valid token for this service.", cause);
    });
    const { iss, exp, iat } = payload as { iss: string; exp: number; iat: number };
    const { service } = this.#keys.find(protectedHeader.kid);
    if (iss !== service) throw invalidToken("Its issuer did not sign it.");
    if (exp - iat > LIFETIME_S) throw invalidToken("Its lifetime is too long.");
    const startsAtMs = (iat - CLOCK_TOLERANCE_S) * 1_000;
    const endsAtMs = (exp + CLOCK_TOLERANCE_S) * 1_000;
    return { claims: payload, issuer: iss, startsAtMs, endsAtMs };
  }
}

/** Whether a genuine token has expired or was issued in the future. */
function isAboutTime(error: unknown): boolean {
  if (error instanceof errors.JWTExpired) return true;
  return (
    error instanceof errors.JWTClaimValidationFailed &&
    error.claim === "iat" &&
    error.reason === "check_failed"
  );
}
