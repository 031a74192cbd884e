import { z } from "zod";

import type { ProviderAnswer, ProviderApi } from "./provider-api.ts";
import { providerAway } from "./provider-api.ts";

/** What the provider gives for a sign-in. Nothing of the token has been verified yet. */
export interface ProviderTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: {
    readonly id: string;
    readonly email: string;
    /** Whether the provider knows that the address is the person's. */
    readonly isEmailConfirmed: boolean;
  };
}

/** Tokens, or the provider's code for why there are none, such as `invalid_credentials`. */
export type SignInAnswer =
  | { readonly kind: "tokens"; readonly tokens: ProviderTokens }
  | { readonly kind: "refused"; readonly code: string };

/** Where a mail's link leads back to, and the challenge that only this browser can meet. */
export interface ReturnTrip {
  readonly redirectTo: string;
  readonly codeChallenge: string;
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
): Promise<SignInAnswer> {
  return signInAnswerOf(
    await api.call("POST", "/token?grant_type=password", { body: credentials }),
  );
}

/** Trades the code that a sign-in elsewhere, or a mail's link, came back with. */
export async function exchangeCode(
  api: ProviderApi,
  { code, verifier }: { code: string; verifier: string },
): Promise<SignInAnswer> {
  const body = { auth_code: code, code_verifier: verifier };
  return signInAnswerOf(await api.call("POST", "/token?grant_type=pkce", { body }));
}

/** Renews a session; the refresh token is good for one renewal. */
export async function refreshSession(
  api: ProviderApi,
  refreshToken: string,
): Promise<SignInAnswer> {
  const body = { refresh_token: refreshToken };
  return signInAnswerOf(await api.call("POST", "/token?grant_type=refresh_token", { body }));
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
 * Asks for a mail with a link that leads to a new password. What the provider thinks of the address
 * stays unsaid: it would tell strangers who has an account.
 */
export async function requestRecovery(
  api: ProviderApi,
  email: string,
  trip: ReturnTrip,
): Promise<void> {
  await api.call("POST", mailPath("/recover", trip), { body: { email, ...challengeOf(trip) } });
}

/** Makes a user: signed in at once, or asked by mail to confirm the address (`confirm`). */
export async function signUp(
  api: ProviderApi,
  person: { email: string; password: string },
  trip: ReturnTrip,
): Promise<SignInAnswer | { readonly kind: "confirm" }> {
  const body = { ...person, ...challengeOf(trip) };
  const answer = await api.call("POST", mailPath("/signup", trip), { body });
  const isSignedIn = tokenAnswer.safeParse(answer.body).success;
  if (answer.errorCode === "" && !isSignedIn) return { kind: "confirm" };
  return signInAnswerOf(answer);
}

/** Sets a new password; the provider's code when it refuses it, such as `weak_password`. */
export async function setPassword(
  api: ProviderApi,
  token: string,
  password: string,
): Promise<string | undefined> {
  const { errorCode } = await api.call("PUT", "/user", { token, body: { password } });
  return errorCode === "" ? undefined : errorCode;
}

/** Ends this session at the provider; one that has ended already is no failure. */
export async function endSession(api: ProviderApi, token: string): Promise<void> {
  await api.call("POST", "/logout?scope=local", { token });
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
