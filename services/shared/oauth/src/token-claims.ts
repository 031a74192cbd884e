import type { JWTPayload } from "jose";

/** Content of a token with a valid signature and valid times, in this service's own terms. */
export interface TokenClaims {
  /** Who vouches for the subject: the issuer, or the realm that stands for it. */
  readonly issuer: string;
  readonly subject: string;
  /** Whole seconds, as in tokens. */
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** The OAuth client; undefined for a person's own session, which alone may manage the account. */
  readonly clientId: string | undefined;
  /** Whether it is a token of a person who signed in, not of an anonymous visitor or a service. */
  readonly isOfPerson: boolean;
  readonly email: string | undefined;
  /** Only what the provider itself asserts counts. */
  readonly emailVerified: boolean;
  /** For display; chosen by the person. */
  readonly name: string | undefined;
  readonly avatarUrl: string | undefined;
  /** How the session began, by the provider's names; latest first. */
  readonly authenticationMethods: readonly string[];
}

/** How one identity provider writes its tokens and publishes its keys; each has a folder of its own. */
export interface ProviderTokens {
  /** Claims without which a token is refused, besides `sub`, `exp` and `iat`. */
  readonly requiredClaims: readonly string[];
  /** Address of the key set (RFC 7517) of a provider that is called at `address`. */
  keySetUrl(address: string): string;
  /**
   * Reads a token whose signature and times are valid. Throws a `TokenRefusal` when a claim is missing or
   * malformed.
   */
  readClaims(payload: JWTPayload): TokenClaims;
}
