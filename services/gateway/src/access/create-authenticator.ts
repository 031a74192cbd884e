import type { Clock } from "@nutrition/core/clock";
import type { KeyVerifier } from "@nutrition/core/key-signing";
import type { Logger } from "@nutrition/core/logger";
import type { Secret } from "@nutrition/core/secret";
import { supabaseTokens } from "@nutrition/oauth/supabase/supabase-tokens";
import { TokenVerifier } from "@nutrition/oauth/token-verifier";

import type { AuthClient } from "../clients/auth-client.ts";
import type { BaseAddress } from "../domain/base-address.ts";
import type { AccessTokenVerifier } from "./access-tokens.ts";
import { ConnectorTokens, noIdentityProvider } from "./access-tokens.ts";
import { applyRevocations } from "./apply-revocations.ts";
import { Authenticator } from "./authenticator.ts";
import { Challenger } from "./challenge.ts";
import { CredentialCache } from "./credential-cache.ts";
import { createSignedKeys } from "./signed-keys.ts";

export interface AuthenticatorSettings {
  /** Issuer of access tokens; undefined without an identity provider. */
  authUrl: string | undefined;
  /** Where the issuer's keys are fetched, if not at `authUrl`. */
  authInternalUrl?: string | undefined;
  /** What accounts are bound to in place of the issuer. */
  identityRealm?: string | undefined;
  oauthAudience: string;
  /** Verifies signed keys; without it, `auth` looks all keys up. */
  keyVerifier?: KeyVerifier | undefined;
  /** Redis that announces revocations. */
  redisUrl: Secret | undefined;
}

export interface AuthenticatorDependencies {
  baseAddress: BaseAddress;
  auth: AuthClient;
  clock: Clock;
  logger: Logger;
  /** Collects what must be closed with the service. */
  resources: AsyncDisposableStack;
}

/** The authenticator with its caches, which follow revocations. */
export function createAuthenticator(
  settings: AuthenticatorSettings,
  dependencies: AuthenticatorDependencies,
): Authenticator {
  const { auth, clock, logger, resources } = dependencies;
  const cache = new CredentialCache(clock);
  const signedKeys = createSignedKeys(settings.keyVerifier, dependencies);
  resources.use(applyRevocations(settings.redisUrl, { cache, signedKeys }, logger));
  const accessTokens = accessTokensOf(settings, dependencies);
  const challenger = new Challenger(dependencies.baseAddress);
  return new Authenticator({ auth, accessTokens, challenger, cache, signedKeys, clock });
}

function accessTokensOf(
  {
    authUrl: issuer,
    authInternalUrl,
    identityRealm: realm,
    oauthAudience: audience,
  }: AuthenticatorSettings,
  { auth, clock, logger, resources }: AuthenticatorDependencies,
): AccessTokenVerifier {
  if (issuer === undefined) return noIdentityProvider;
  const provider = supabaseTokens;
  const addresses = { issuer, callUrl: authInternalUrl, realm };
  const tokens = new TokenVerifier({ provider, ...addresses, audience, clock, logger });
  resources.use(tokens.keepWarm());
  return new ConnectorTokens(tokens, auth);
}
