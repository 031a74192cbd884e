import type { Authentication } from "../clients/auth-client.ts";

/** Tells who an OAuth access token is from. */
export interface AccessTokenVerifier {
  /** Rejects with a `Failure` when it cannot tell. */
  verify(token: string): Promise<Authentication>;
}

/** For an installation with no identity provider: no token is valid. */
export const noIdentityProvider: AccessTokenVerifier = {
  verify: async () => ({ refusal: "invalid" }),
};
