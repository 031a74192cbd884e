import { z } from "zod";

import type { ProviderAnswer, ProviderApi, ProviderRequest } from "./provider-api.ts";
import { providerAway } from "./provider-api.ts";

/** Tokens from a sign-in at the provider. They have not been verified yet. */
export interface ProviderTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: {
    readonly id: string;
    readonly email: string;
    /** Whether the provider has verified that the address is the person's. */
    readonly isEmailConfirmed: boolean;
  };
}

/** Tokens, or the provider's code for why there are none, such as `invalid_credentials`. */
export type SignInAnswer =
  | { readonly kind: "tokens"; readonly tokens: ProviderTokens }
  | { readonly kind: "refused"; readonly code: string };

/** Where the browser returns to, and the PKCE challenge that binds the return to this browser. */
export interface ReturnTrip {
  readonly redirectTo: string;
  readonly codeChallenge: string;
}

/** A return trip that begins with a mail, with the visitor's address. */
export interface MailTrip extends ReturnTrip {
  /** IP address of the visitor; undefined when unknown. */
  readonly clientAddress: string | undefined;
}

const TOKEN_MAX = 8_192;

const tokenAnswer = z
  .object({
    access_token: z.string().min(1).max(TOKEN_MAX),
    refresh_token: z.string().min(1).max(TOKEN_MAX),
    user: z.object({
      id: z.string().min(1).max(200),
      email: z.string().max(500).nullish(),
      email_confirmed_at: z.string().nullish(),
    }),
  })
  .transform(({ access_token, refresh_token, user }): ProviderTokens => ({
    accessToken: access_token,
    refreshToken: refresh_token,
    user: {
      id: user.id,
      email: user.email ?? "",
      isEmailConfirmed: Boolean(user.email_confirmed_at),
    },
  }));

/** Signs in with an e-mail address and a password. */
export async function signInWithPassword(
  api: ProviderApi,
  credentials: { email: string; password: string },
  clientAddress: string | undefined,
): Promise<SignInAnswer> {
  return requestTokens(api, "password", { body: credentials, clientAddress });
}

/** Exchanges the code from a third-party sign-in or a mail's link for tokens. */
export async function exchangeCode(
  api: ProviderApi,
  { code, verifier }: { code: string; verifier: string },
  clientAddress: string | undefined,
): Promise<SignInAnswer> {
  const body = { auth_code: code, code_verifier: verifier };
  return requestTokens(api, "pkce", { body, clientAddress });
}

/** Renews a session; each refresh token works once. */
export async function refreshSession(
  api: ProviderApi,
  refreshToken: string,
  clientAddress: string | undefined,
): Promise<SignInAnswer> {
  const body = { refresh_token: refreshToken };
  return requestTokens(api, "refresh_token", { body, clientAddress });
}

/** Where a browser signs in with a third party. */
export function thirdPartyUrl(
  api: ProviderApi,
  thirdParty: string,
  { redirectTo, codeChallenge }: ReturnTrip,
): string {
  return api.urlOf("/authorize", {
    provider: thirdParty,
    redirect_to: redirectTo,
    code_challenge: codeChallenge,
    code_challenge_method: "s256",
  });
}

/**
 * Requests a mail with a link to set a new password. The provider's response is not reported,
 * because it would reveal who has an account.
 */
export async function requestRecovery(
  api: ProviderApi,
  email: string,
  trip: MailTrip,
): Promise<void> {
  const { clientAddress } = trip;
  const body = { email, ...challengeOf(trip) };
  await api.call("POST", mailPath("/recover", trip), { body, clientAddress });
}

/** Creates a user, who is signed in at once or must confirm the address by mail (`confirm`). */
export async function signUp(
  api: ProviderApi,
  person: { email: string; password: string },
  trip: MailTrip,
): Promise<SignInAnswer | { readonly kind: "confirm" }> {
  const { clientAddress } = trip;
  const body = { ...person, ...challengeOf(trip) };
  const answer = await api.call("POST", mailPath("/signup", trip), { body, clientAddress });
  const isSignedIn = tokenAnswer.safeParse(answer.body).success;
  if (answer.errorCode === "" && !isSignedIn) return { kind: "confirm" };
  return signInAnswerOf(answer);
}

/**
 * Sets a new password. Returns the provider's error code if it refuses, such as `weak_password`.
 */
export async function setPassword(
  api: ProviderApi,
  token: string,
  { password, clientAddress }: { password: string; clientAddress: string | undefined },
): Promise<string | undefined> {
  const request = { token, body: { password }, clientAddress };
  const { errorCode } = await api.call("PUT", "/user", request);
  return errorCode === "" ? undefined : errorCode;
}

/** Ends this session at the provider; a session that has already ended is not an error. */
export async function endSession(api: ProviderApi, token: string): Promise<void> {
  await api.call("POST", "/logout?scope=local", { token });
}

async function requestTokens(
  api: ProviderApi,
  grantType: string,
  request: ProviderRequest,
): Promise<SignInAnswer> {
  return signInAnswerOf(await api.call("POST", `/token?grant_type=${grantType}`, request));
}

function mailPath(path: string, { redirectTo }: ReturnTrip): string {
  return `${path}?${new URLSearchParams({ redirect_to: redirectTo }).toString()}`;
}

function challengeOf({ codeChallenge }: ReturnTrip) {
  return { code_challenge: codeChallenge, code_challenge_method: "s256" };
}

function signInAnswerOf({ status, body, errorCode }: ProviderAnswer): SignInAnswer {
  if (status === 429) return { kind: "refused", code: "over_request_rate_limit" };
  if (errorCode !== "") return { kind: "refused", code: errorCode };
  const parsed = tokenAnswer.safeParse(body);
  if (!parsed.success) throw providerAway(parsed.error);
  return { kind: "tokens", tokens: parsed.data };
}
