import { Failure } from "@nutrition/core/failure";
import { TokenRefusal } from "@nutrition/oauth/token-refusal";
import type { TokenVerifier } from "@nutrition/oauth/token-verifier";

import type { AuthClient, Authentication } from "../clients/auth-client.ts";

/** Identifies the owner of an OAuth access token. */
export interface AccessTokenVerifier {
  /** Rejects with a `Failure` if the owner cannot be determined. */
  verify(token: string): Promise<Authentication>;
}

/** For installations without an identity provider: no token is valid. */
export const noIdentityProvider: AccessTokenVerifier = {
  verify: async () => ({ refusal: "invalid", isFinal: true }),
};

/** Accepts tokens that the identity provider issued to a connector with a grant from the person. */
export class ConnectorTokens implements AccessTokenVerifier {
  readonly #tokens: TokenVerifier;
  readonly #auth: Pick<AuthClient, "authorizeConnector">;

  constructor(tokens: TokenVerifier, auth: Pick<AuthClient, "authorizeConnector">) {
    this.#tokens = tokens;
    this.#auth = auth;
  }

  async verify(token: string): Promise<Authentication> {
    const claims = await this.#tokens.verify(token).catch(refusalOf);
    if ("refusal" in claims) return claims;
    const { clientId, isOfPerson } = claims;
    if (clientId === undefined || !isOfPerson) return INVALID;
    return this.#auth.authorizeConnector(claims, clientId).catch(refusalOf);
  }
}

const INVALID = { refusal: "invalid", isFinal: true } as const;

/** The auth service rejects claims that no account can have. */
function refusalOf(error: unknown): Extract<Authentication, { refusal: unknown }> {
  if (error instanceof TokenRefusal) return { refusal: error.fault, isFinal: error.isFinal };
  if (error instanceof Failure && error.kind === "invalid_argument") return INVALID;
  throw error;
}
