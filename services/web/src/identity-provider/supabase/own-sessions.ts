import { Failure } from "@nutrition/core/failure";
import type { TokenClaims } from "@nutrition/oauth/token-claims";
import { readAuthenticationMethods } from "@nutrition/oauth/supabase/supabase-tokens";
import { TokenRefusal } from "@nutrition/oauth/token-refusal";
import type { TokenVerifier } from "@nutrition/oauth/token-verifier";
import { decodeJwt } from "jose";

import type { SignedIn } from "../identity-provider.ts";
import { providerUnavailable } from "../provider-unavailable.ts";
import type { SupabaseTokens } from "./sign-in-calls.ts";

/**
 * Verifies that tokens are a person's own. Rejects with the failure `permission_denied` for an
 * assistant's token. It differs only by its `client_id`, and must not become a session.
 */
export async function verifyOwn(
  verifier: TokenVerifier,
  { accessToken, refreshToken, user }: SupabaseTokens,
): Promise<SignedIn> {
  const claims = await claimsOf(verifier, accessToken);
  const { clientId, isOfPerson, issuer, subject, expiresAt } = claims;
  const isOwn = clientId === undefined && isOfPerson;
  if (!isOwn || subject !== user.id) {
    throw new Failure(
      "permission_denied",
      "NOT_A_PERSONS_TOKEN",
      "This sign-in cannot be used here. Sign in yourself, with your own account.",
    );
  }
  const accessExpiresAt = Math.floor(expiresAt.getTime() / 1_000);
  return {
    kind: "signed_in",
    session: { subject, accessToken, refreshToken, accessExpiresAt },
    identity: {
      issuer,
      subject,
      // Both from Supabase's record of the person, because tokens do not say whether it is confirmed.
      email: user.email,
      isEmailConfirmed: user.isEmailConfirmed,
      name: claims.name ?? "",
      avatarUrl: claims.avatarUrl ?? "",
      authenticationMethods: claims.authenticationMethods,
      isPasswordUnproven: user.isEmailConfirmed && user.hasPasswordOfSignUp,
    },
  };
}

/** See `IdentityProvider.authenticationMethodsOf`. */
export function authenticationMethodsOf(accessToken: string): string[] {
  try {
    return readAuthenticationMethods(decodeJwt(accessToken));
  } catch {
    return [];
  }
}

async function claimsOf(verifier: TokenVerifier, accessToken: string): Promise<TokenClaims> {
  try {
    return await verifier.verify(accessToken);
  } catch (error) {
    // Supabase has just issued the token, so a refusal is its failure.
    throw error instanceof TokenRefusal ? providerUnavailable(error) : error;
  }
}
