import { z } from "zod";

import type {
  ClientAddress,
  MailLink,
  MailTrip,
  ReturnTrip,
  ThirdPartyFailure,
} from "../identity-provider.ts";
import { providerUnavailable } from "../provider-unavailable.ts";
import type { SupabaseAnswer, SupabaseApi } from "./supabase-api.ts";

/** Tokens from a sign-in. They have not been verified yet. */
export interface SupabaseTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: {
    readonly id: string;
    readonly email: string;
    /** Whether Supabase has confirmed that the address is the person's. */
    readonly isEmailConfirmed: boolean;
  };
}

/** Tokens, or Supabase's code for why there are none, such as `invalid_credentials`. */
export type TokenAnswer =
  | { readonly kind: "tokens"; readonly tokens: SupabaseTokens }
  | { readonly kind: "refused"; readonly code: string };

/** Error code for every answer with status 429, whatever its body. */
export const TOO_MANY = "over_request_rate_limit";

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
  .transform(({ access_token, refresh_token, user }): SupabaseTokens => ({
    accessToken: access_token,
    refreshToken: refresh_token,
    user: {
      id: user.id,
      email: user.email ?? "",
      isEmailConfirmed: Boolean(user.email_confirmed_at),
    },
  }));

/** Signs in or renews a session. `body` contains the parameters of the grant type. */
export async function requestTokens(
  api: SupabaseApi,
  grantType: "password" | "pkce" | "refresh_token",
  request: { body: Readonly<Record<string, string>>; clientAddress: ClientAddress },
): Promise<TokenAnswer> {
  return tokenAnswerOf(await api.call("POST", `/token?grant_type=${grantType}`, request));
}

const THIRD_PARTY_FAILURES = new Map<string, ThirdPartyFailure>([
  ["provider_email_needs_verification", "address_unconfirmed"],
  ["signup_disabled", "sign_up_closed"],
  ["user_banned", "blocked"],
]);

/**
 * See `IdentityProvider.readThirdPartyFailure`. GoTrue's own refusals have an `error_code`; a third party's
 * `error` (RFC 6749 §4.1.2.1) comes without one.
 */
export function readThirdPartyFailure(parameter: (name: string) => string): ThirdPartyFailure {
  const code = parameter("error_code");
  const known = THIRD_PARTY_FAILURES.get(code);
  if (known) return known;
  return code === "" && parameter("error") === "access_denied" ? "declined" : "failed";
}

/** See `IdentityProvider.thirdPartyUrl`. */
export function thirdPartyUrl(api: SupabaseApi, thirdParty: string, trip: ReturnTrip): string {
  return api.urlOf("/authorize", {
    provider: thirdParty,
    redirect_to: trip.redirectTo,
    ...challengeOf(trip),
  });
}

/**
 * See `IdentityProvider.requestRecovery`. Ignores Supabase's answer, which would reveal who has an account.
 */
export async function requestRecovery(
  api: SupabaseApi,
  email: string,
  trip: MailTrip,
): Promise<void> {
  const { clientAddress } = trip;
  const body = { email, ...challengeOf(trip) };
  await api.call("POST", mailPath("/recover", trip), { body, clientAddress });
}

/** See `IdentityProvider.resendConfirmation`. Supabase accepts no PKCE challenge here. */
export async function resendConfirmation(
  api: SupabaseApi,
  email: string,
  trip: MailTrip,
): Promise<void> {
  const { clientAddress } = trip;
  await api.call("POST", mailPath("/resend", trip), {
    body: { type: "signup", email },
    clientAddress,
  });
}

/** Uses the token of a mail's link. */
export async function openMailLink(
  api: SupabaseApi,
  { type, tokenHash }: MailLink,
  clientAddress: ClientAddress,
): Promise<TokenAnswer> {
  const body = { type, token_hash: tokenHash };
  return tokenAnswerOf(await api.call("POST", "/verify", { body, clientAddress }));
}

/** Creates a user, who is signed in at once or must confirm the address by mail (`confirm`). */
export async function signUp(
  api: SupabaseApi,
  person: { readonly email: string; readonly password: string },
  trip: MailTrip,
): Promise<TokenAnswer | { readonly kind: "confirm" }> {
  const { clientAddress } = trip;
  const body = { ...person, ...challengeOf(trip) };
  const answer = await api.call("POST", mailPath("/signup", trip), { body, clientAddress });
  const isSignedIn = tokenAnswer.safeParse(answer.body).success;
  if (answer.errorCode === "" && !isSignedIn) return { kind: "confirm" };
  return tokenAnswerOf(answer);
}

function mailPath(path: string, { redirectTo }: ReturnTrip): string {
  return `${path}?${new URLSearchParams({ redirect_to: redirectTo }).toString()}`;
}

function challengeOf({ codeChallenge }: ReturnTrip) {
  return { code_challenge: codeChallenge, code_challenge_method: "s256" };
}

function tokenAnswerOf({ status, body, errorCode }: SupabaseAnswer): TokenAnswer {
  if (status === 429) return { kind: "refused", code: TOO_MANY };
  if (errorCode !== "") return { kind: "refused", code: errorCode };
  const parsed = tokenAnswer.safeParse(body);
  if (!parsed.success) throw providerUnavailable(parsed.error);
  return { kind: "tokens", tokens: parsed.data };
}
