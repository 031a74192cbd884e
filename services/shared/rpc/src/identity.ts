import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { SignJWT, importJWK } from "jose";
import type { CryptoKey, JWK, JWTPayload } from "jose";
import { LRUCache } from "lru-cache";

import type { Forwarding } from "./access.ts";
import { ALGORITHM, LIFETIME_S, PROOF_TYPE, USER_ASSERTION_TYPE } from "./statement.ts";
import { assertionClaims } from "./user-claims.ts";

export { IdentityVerifier } from "./identity-verifier.ts";
export type { VerifiedProof, VerifierOptions } from "./identity-verifier.ts";

/** A statement is reused for half its life, so that a callee always has the other half to act. */
const REUSE_MS = (LIFETIME_S / 2) * 1_000;
const CACHED_STATEMENTS_MAX = 10_000;

export interface IssuerOptions {
  /** Name of the service that speaks. */
  service: string;
  /** Its private Ed25519 key; one without a `kid` goes by the name of the service. */
  privateKey: JWK;
  clock?: Clock;
}

/**
 * Signs what a service says of itself and of its users (JWS, RFC 8037). There are two types, each
 * refused as the other: a proof that the service calls, for one callee, and an assertion of a user,
 * for another service to pass on.
 */
export class IdentityIssuer {
  readonly #options: IssuerOptions;
  readonly #clock: Clock;
  readonly #cache = new LRUCache<string, { token: Promise<string>; renewAtMs: number }>({
    max: CACHED_STATEMENTS_MAX,
  });
  #key: Promise<CryptoKey | Uint8Array> | undefined;

  constructor(options: IssuerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Proves to the service `audience`, and to no other, who calls. Valid for another 30 s at least. */
  proof(audience: string): Promise<string> {
    return this.#reused(audience, { type: PROOF_TYPE, claims: { aud: audience } });
  }

  /** Asserts `user` to those whom `forwarding` names. Valid for another 30 s at least. */
  userAssertion(user: UserIdentity, forwarding: Forwarding): Promise<string> {
    const { accountId, credentialKind, credentialId, scopes } = user;
    const about = [forwarding.by, accountId, credentialKind, credentialId, ...scopes];
    const claims = assertionClaims(user, forwarding);
    return this.#reused(about.join(" "), { type: USER_ASSERTION_TYPE, claims });
  }

  #reused(about: string, statement: Statement): Promise<string> {
    const cacheKey = `${statement.type} ${about}`;
    const nowMs = this.#clock.now().getTime();
    const cached = this.#cache.get(cacheKey);
    if (cached && nowMs < cached.renewAtMs) return cached.token;
    const token = this.#sign(statement, Math.floor(nowMs / 1_000));
    this.#cache.set(cacheKey, { token, renewAtMs: nowMs + REUSE_MS });
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
