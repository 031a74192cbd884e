import { Failure } from "@nutrition/core/failure";
import type { TokenClaims } from "@nutrition/oauth/token-claims";
import { TokenRefusal } from "@nutrition/oauth/token-refusal";
import type { TokenVerifier } from "@nutrition/oauth/token-verifier";

import type { ProviderApi } from "../identity-provider/provider-api.ts";
import { providerAway } from "../identity-provider/provider-api.ts";
import { refreshSession } from "../identity-provider/sign-in-calls.ts";
import type { ProviderTokens } from "../identity-provider/sign-in-calls.ts";

/** A person's session at the identity provider. */
export interface ProviderSession {
  readonly subject: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Unix time in seconds. */
  readonly accessExpiresAt: number;
}

export interface VerifiedSession {
  readonly session: ProviderSession;
  readonly claims: TokenClaims;
}

export interface ProviderSessionsOptions {
  api: ProviderApi;
  verifier: TokenVerifier;
}

/** Creates sessions from a person's own tokens only. */
export class ProviderSessions {
  readonly #options: ProviderSessionsOptions;

  constructor(options: ProviderSessionsOptions) {
    this.#options = options;
  }

  /**
   * Rejects with the failure `permission_denied` for an assistant's token. It differs only by its
   * `client_id`, and must not become a session.
   */
  async verify({ accessToken, refreshToken, user }: ProviderTokens): Promise<VerifiedSession> {
    const claims = await this.#claimsOf(accessToken);
    const { clientId, isAnonymous, role, subject, expiresAt } = claims;
    const isOwn = clientId === undefined && !isAnonymous && role === "authenticated";
    if (!isOwn || subject !== user.id) {
      throw new Failure(
        "permission_denied",
        "NOT_A_PERSONS_TOKEN",
        "This sign-in cannot be used here. Sign in yourself, with your own account.",
      );
    }
    const accessExpiresAt = Math.floor(expiresAt.getTime() / 1_000);
    return { session: { subject, accessToken, refreshToken, accessExpiresAt }, claims };
  }

  /** Undefined when the provider has ended the session. The address is the visitor's. */
  async renew(
    { refreshToken, subject }: ProviderSession,
    clientAddress: string | undefined,
  ): Promise<ProviderSession | undefined> {
    const answer = await refreshSession(this.#options.api, refreshToken, clientAddress);
    if (answer.kind === "refused") {
      if (answer.code === "over_request_rate_limit") throw providerAway(answer.code);
      return undefined;
    }
    const { session } = await this.verify(answer.tokens);
    return session.subject === subject ? session : undefined;
  }

  async #claimsOf(accessToken: string): Promise<TokenClaims> {
    try {
      return await this.#options.verifier.verify(accessToken);
    } catch (error) {
      // The provider has just issued the token, so a refusal is the provider's failure.
      throw error instanceof TokenRefusal ? providerAway(error) : error;
    }
  }
}
