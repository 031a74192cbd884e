import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { SignJWT, importJWK } from "jose";
import type { CryptoKey, JWK, JWTPayload } from "jose";
import { LRUCache } from "lru-cache";

import type { Forwarding } from "./access.ts";
import { ALGORITHM, LIFETIME_S, SERVICE_TOKEN_TYPE, USER_ASSERTION_TYPE } from "./token-format.ts";
import { assertionClaims } from "./user-claims.ts";

export { IdentityVerifier } from "./identity-verifier.ts";
export type { VerifiedServiceToken, VerifierOptions } from "./identity-verifier.ts";

/**
 * A token is reused for half its lifetime, so that a callee always has the other half to finish.
 */
const REUSE_MS = (LIFETIME_S / 2) * 1_000;
const CACHED_STATEMENTS_MAX = 10_000;

export interface IssuerOptions {
  /** Name of the signing service. */
  service: string;
  /** Its private Ed25519 key; a missing `kid` defaults to the name of the service. */
  privateKey: JWK;
  clock?: Clock;
}

/**
 * Signs service tokens and user assertions (JWS, RFC 8037). The two types are never accepted for
 * each other: a service token proves to one callee which service calls, and a user assertion names
 * a user for another service to pass on.
 */
export class IdentityIssuer {
  readonly #options: IssuerOptions;
  readonly #clock: Clock;
  readonly #cache = new LRUCache<string, { token: Promise<string>; issuedAtMs: number }>({
    max: CACHED_STATEMENTS_MAX,
  });
  #key: Promise<CryptoKey | Uint8Array> | undefined;

  constructor(options: IssuerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * A token that proves to the service `audience`, and to no other, which service calls. Valid for
   * at least another 30 s.
   */
  serviceToken(audience: string): Promise<string> {
    return this.#reused(audience, { type: SERVICE_TOKEN_TYPE, claims: { aud: audience } });
  }

  /** Makes the next `serviceToken` for `audience` a new one, after the callee refused the current one. */
  dropServiceToken(audience: string): void {
    this.#cache.delete(cacheKeyOf(SERVICE_TOKEN_TYPE, audience));
  }

  /** Asserts `user` to the services named by `forwarding`. Valid for at least another 30 s. */
  userAssertion(user: UserIdentity, forwarding: Forwarding): Promise<string> {
    const { accountId, credentialKind, credentialId, scopes } = user;
    const about = [forwarding.by, accountId, credentialKind, credentialId, ...scopes];
    const claims = assertionClaims(user, forwarding);
    return this.#reused(about.join(" "), { type: USER_ASSERTION_TYPE, claims });
  }

  #reused(about: string, statement: Statement): Promise<string> {
    const cacheKey = cacheKeyOf(statement.type, about);
    const nowMs = this.#clock.now().getTime();
    const cached = this.#cache.get(cacheKey);
    const ageMs = nowMs - (cached?.issuedAtMs ?? Number.NEGATIVE_INFINITY);
    // A token from the future was issued before the clock was set back; callees would refuse it.
    if (cached && ageMs >= 0 && ageMs < REUSE_MS) return cached.token;
    const token = this.#sign(statement, Math.floor(nowMs / 1_000));
    this.#cache.set(cacheKey, { token, issuedAtMs: nowMs });
    return token;
  }

  async #sign({ type, claims }: Statement, issuedAtS: number): Promise<string> {
    const { service, privateKey } = this.#options;
    this.#key ??= importJWK(privateKey, ALGORITHM);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: type, kid: privateKey.kid ?? service })
      .setIssuer(service)
      .setIssuedAt(issuedAtS)
      .setExpirationTime(issuedAtS + LIFETIME_S)
      .sign(await this.#key);
  }
}

interface Statement {
  type: string;
  claims: JWTPayload;
}

function cacheKeyOf(type: string, about: string): string {
  return `${type} ${about}`;
}
