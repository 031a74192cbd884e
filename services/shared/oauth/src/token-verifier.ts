import { hash } from "node:crypto";

import type { Clock } from "@nutrition/core/clock";
import { CLOCK_TOLERANCE_S } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { errors, jwtVerify } from "jose";
import type { CryptoKey, JWTHeaderParameters } from "jose";

import { KeySet } from "./key-set.ts";
import type { ProviderTokens, TokenClaims } from "./token-claims.ts";
import { TokenRefusal } from "./token-refusal.ts";
import { VERIFICATION_ALGORITHMS } from "./verification-key.ts";

export interface TokenVerifierOptions {
  /** The kind of provider. */
  provider: ProviderTokens;
  /** Compared with `iss` exactly. */
  issuer: string;
  /** Reported as the claims' issuer in place of `iss`, which changes with the provider's address. */
  realm?: string | undefined;
  /** Required value of `aud`. */
  audience: string;
  /** Address at which the provider is called; the issuer by default. */
  callUrl?: string | undefined;
  clock: Clock;
  logger: Logger;
  fetch?: typeof globalThis.fetch;
}

const TOKEN_MAX_BYTES = 8_192;
const VERIFIED_MAX = 10_000;
/** Time for which a verified token is not verified again, unless it expires earlier. */
const VERIFIED_AGE_MAX_MS = 30_000;

interface Verified {
  readonly claims: TokenClaims;
  readonly untilMs: number;
}

/**
 * Verifies tokens of one identity provider (RFC 8725, RFC 9068 §4): access tokens of OAuth clients
 * and people's own session tokens, distinguished by `clientId`.
 */
export class TokenVerifier {
  readonly #options: TokenVerifierOptions;
  readonly #keySet: KeySet;
  /** By SHA-256 of the token, oldest first. */
  readonly #verified = new Map<string, Verified>();

  constructor(options: TokenVerifierOptions) {
    this.#options = options;
    const { provider, issuer, callUrl = issuer } = options;
    this.#keySet = new KeySet({ ...options, url: provider.keySetUrl(callUrl) });
  }

  /**
   * Fetches the provider's keys before the first token, and while they are unavailable; until
   * disposed.
   */
  keepWarm(): Disposable {
    return this.#keySet.keepWarm();
  }

  /**
   * Returns the token's content. Rejects with a `TokenRefusal`, or with the failure `unavailable`
   * when the provider's keys are unavailable and the token's is unknown.
   */
  async verify(token: string): Promise<TokenClaims> {
    if (token.length > TOKEN_MAX_BYTES) throw new TokenRefusal("invalid");
    const digest = hash("sha256", token, "base64");
    const verified = this.#verified.get(digest);
    if (verified && this.#options.clock.monotonicMs() < verified.untilMs) return verified.claims;
    const claims = await this.#verify(token);
    this.#remember(digest, claims);
    return claims;
  }

  async #verify(token: string): Promise<TokenClaims> {
    const { provider, issuer, realm = issuer, audience, clock } = this.#options;
    const now = clock.now();
    const { payload } = await jwtVerify(token, (header) => this.#keyFor(header), {
      algorithms: [...VERIFICATION_ALGORITHMS],
      issuer,
      audience,
      currentDate: now,
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ["sub", "exp", "iat", ...provider.requiredClaims],
    }).catch((error: unknown) => {
      throw toRefusal(error);
    });
    const claims = { ...provider.readClaims(payload), issuer: realm };
    const latestMs = now.getTime() + CLOCK_TOLERANCE_S * 1_000;
    if (claims.issuedAt.getTime() > latestMs) throw new TokenRefusal("not_yet_valid");
    return claims;
  }

  /** Only the id of one of the provider's keys is used, never a key in the token. */
  async #keyFor({ kid, alg }: JWTHeaderParameters): Promise<CryptoKey> {
    const found = typeof kid === "string" ? await this.#keySet.find(kid) : undefined;
    // The provider may have begun to sign with a key that is not fetched yet.
    if (!found) throw new TokenRefusal("invalid", { isFinal: false });
    if (found.algorithm !== alg) throw new TokenRefusal("invalid");
    return found.key;
  }

  #remember(digest: string, claims: TokenClaims): void {
    const leftMs = claims.expiresAt.getTime() - this.#options.clock.now().getTime();
    const nowMs = this.#options.clock.monotonicMs();
    this.#verified.delete(digest);
    this.#verified.set(digest, { claims, untilMs: nowMs + Math.min(VERIFIED_AGE_MAX_MS, leftMs) });
    const [oldest] = this.#verified.keys();
    if (this.#verified.size > VERIFIED_MAX && oldest) this.#verified.delete(oldest);
  }
}

/** The fault of a token. jose's own errors are dropped, because they contain the claims. */
function toRefusal(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return new TokenRefusal("expired");
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === "nbf") {
    return new TokenRefusal(error.reason === "check_failed" ? "not_yet_valid" : "invalid");
  }
  if (error instanceof errors.JOSEError) return new TokenRefusal("invalid");
  return error;
}
