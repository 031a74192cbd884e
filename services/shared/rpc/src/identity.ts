import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { Failure } from "@nutrition/core/failure";
import { SignJWT, importJWK, jwtVerify } from "jose";
import type { CryptoKey, JWK, JWTPayload } from "jose";
import { LRUCache } from "lru-cache";

import { mayAssertUsers } from "./access.ts";
import type { UserCredentialKind, UserIdentity } from "./context.ts";

const ALGORITHM = "EdDSA";
const LIFETIME_S = 30;
/** A statement is reused for half its life, so that a callee always has the other half to act. */
const REUSE_MS = (LIFETIME_S / 2) * 1_000;
const CLOCK_TOLERANCE_S = 5;
const CACHED_STATEMENTS_MAX = 10_000;

export interface IssuerOptions {
  /** Name of the service that speaks. */
  service: string;
  /** Its private Ed25519 key. */
  privateKey: JWK;
  /** Names of the services it speaks to. */
  audiences: readonly string[];
  clock?: Clock;
}

/**
 * Signs short statements of who calls and for whom (JWS, RFC 8037), so that no service has to
 * trust a bare user id.
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

  /** A statement that is valid for at least another 15 s. */
  statement(user?: UserIdentity): Promise<string> {
    const cacheKey = user ? userKey(user) : "";
    const nowMs = this.#clock.now().getTime();
    const cached = this.#cache.get(cacheKey);
    if (cached && nowMs < cached.renewAtMs) return cached.token;
    const token = this.#sign(user, Math.floor(nowMs / 1_000));
    this.#cache.set(cacheKey, { token, renewAtMs: nowMs + REUSE_MS });
    return token;
  }

  async #sign(user: UserIdentity | undefined, issuedAtS: number): Promise<string> {
    const { service, audiences, privateKey } = this.#options;
    this.#key ??= importJWK(privateKey, ALGORITHM);
    return new SignJWT(user ? userClaims(user) : {})
      .setProtectedHeader({ alg: ALGORITHM, kid: service })
      .setIssuer(service)
      .setAudience([...audiences])
      .setIssuedAt(issuedAtS)
      .setExpirationTime(issuedAtS + LIFETIME_S)
      .sign(await this.#key);
  }
}

/** What a verified statement says. */
export interface VerifiedStatement {
  readonly service: string;
  readonly user: UserIdentity | undefined;
  /** Wall clock, in milliseconds. */
  readonly expiresAtMs: number;
}

export interface VerifierOptions {
  /** Name of the service that listens. */
  service: string;
  /** Public Ed25519 keys; `kid` is the name of the service that signs with it. */
  trustedKeys: { keys: readonly JWK[] };
  clock?: Clock;
}

/** Checks statements that are addressed to one service. */
export class IdentityVerifier {
  readonly #service: string;
  readonly #clock: Clock;
  readonly #keys: Map<string, JWK>;
  readonly #imported = new Map<string, Promise<CryptoKey | Uint8Array>>();
  readonly #cache = new LRUCache<string, Promise<VerifiedStatement>>({
    max: CACHED_STATEMENTS_MAX,
  });

  constructor(options: VerifierOptions) {
    this.#service = options.service;
    this.#clock = options.clock ?? systemClock;
    this.#keys = new Map(options.trustedKeys.keys.map((key) => [key.kid ?? "", key]));
  }

  /** What `token` says; the failure `unauthenticated` when it is forged, expired or not for us. */
  async verify(token: string): Promise<VerifiedStatement> {
    const cached = this.#cache.get(token);
    const pending = cached ?? this.#check(token);
    if (!cached) this.#cache.set(token, pending);
    try {
      const statement = await pending;
      this.assertCurrent(statement);
      return statement;
    } catch (error) {
      this.#cache.delete(token);
      throw error;
    }
  }

  /** Throws `unauthenticated` once the statement has expired. */
  assertCurrent(statement: VerifiedStatement): void {
    const toleratedMs = statement.expiresAtMs + CLOCK_TOLERANCE_S * 1_000;
    if (this.#clock.now().getTime() > toleratedMs) throw unauthenticated("It has expired.");
  }

  async #check(token: string): Promise<VerifiedStatement> {
    const { payload, protectedHeader } = await jwtVerify(token, (header) => this.#key(header.kid), {
      algorithms: [ALGORITHM],
      audience: this.#service,
      maxTokenAge: LIFETIME_S,
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: this.#clock.now(),
      requiredClaims: ["iss", "exp", "iat"],
    }).catch((cause: unknown) => {
      throw unauthenticated("It is not a valid statement.", cause);
    });
    const { iss, exp, iat } = payload as { iss: string; exp: number; iat: number };
    if (iss !== protectedHeader.kid) throw unauthenticated("Its issuer did not sign it.");
    if (exp - iat > LIFETIME_S) throw unauthenticated("It lives too long.");
    const user = userOf(payload);
    if (user && !mayAssertUsers(iss)) throw unauthenticated("Its issuer may not assert a user.");
    return { service: iss, user, expiresAtMs: exp * 1_000 };
  }

  #key(kid: string | undefined): Promise<CryptoKey | Uint8Array> {
    const jwk = this.#keys.get(kid ?? "");
    if (!kid || !jwk) throw unauthenticated("Its signer is not known.");
    const imported = this.#imported.get(kid) ?? importJWK(jwk, ALGORITHM);
    this.#imported.set(kid, imported);
    return imported;
  }
}

function userKey(user: UserIdentity): string {
  return [user.accountId, user.credentialKind, user.credentialId, ...user.scopes].join(" ");
}

function userClaims(user: UserIdentity): JWTPayload {
  return {
    sub: user.accountId,
    credential_kind: user.credentialKind,
    credential_id: user.credentialId,
    scope: user.scopes.join(" "),
  };
}

const CREDENTIAL_KINDS: ReadonlySet<unknown> = new Set<UserCredentialKind>([
  "api_key",
  "connector",
  "session",
]);

function userOf(payload: JWTPayload): UserIdentity | undefined {
  if (payload.sub === undefined) return undefined;
  const { credential_kind: kind, credential_id: id, scope } = payload;
  if (!CREDENTIAL_KINDS.has(kind) || typeof id !== "string" || typeof scope !== "string") {
    throw unauthenticated("What it says of the user is incomplete.");
  }
  return {
    accountId: payload.sub,
    credentialKind: kind as UserCredentialKind,
    credentialId: id,
    scopes: scope === "" ? [] : scope.split(" "),
  };
}

function unauthenticated(why: string, cause?: unknown): Failure {
  const message = `The identity statement was refused. ${why}`;
  return new Failure("unauthenticated", "INVALID_STATEMENT", message, { cause });
}
