import { z } from "zod";

import type {
  ClientAddress,
  MailLink,
  ReturnCode,
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
    /** Whether a mail was sent to confirm the address, and no password has been set since. */
    readonly hasPasswordOfSignUp: boolean;
  };
}

/** Tokens, or Supabase's code for why there are none, such as `invalid_credentials`. */
export type TokenAnswer =
  | { readonly kind: "tokens"; readonly tokens: SupabaseTokens }
  | { readonly kind: "refused"; readonly code: string };

/** Error code for every answer with status 429, whatever its body. */
export const TOO_MANY = "over_request_rate_limit";

const TOKEN_MAX = 8_192;

/** A person's tokens and record in an answer. */
export const tokenAnswer = z
  .object({
    access_token: z.string().min(1).max(TOKEN_MAX),
    refresh_token: z.string().min(1).max(TOKEN_MAX),
    user: z.object({
      id: z.string().min(1).max(200),
      email: z.string().max(500).nullish(),
      email_confirmed_at: z.string().nullish(),
      confirmation_sent_at: z.string().nullish(),
    }),
  })
  .transform(({ access_token, refresh_token, user }): SupabaseTokens => ({
    accessToken: access_token,
    refreshToken: refresh_token,
    user: {
      id: user.id,
      email: user.email ?? "",
      isEmailConfirmed: Boolean(user.email_confirmed_at),
      hasPasswordOfSignUp: Boolean(user.confirmation_sent_at),
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

/** Exchanges the code of a return trip for a session. */
export function exchangeCode(
  api: SupabaseApi,
  { code, verifier }: ReturnCode,
  clientAddress: ClientAddress,
): Promise<TokenAnswer> {
  const body = { auth_code: code, code_verifier: verifier };
  return requestTokens(api, "pkce", { body, clientAddress });
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

/** Uses the token of a mail's link. */
export async function openMailLink(
  api: SupabaseApi,
  { type, tokenHash }: MailLink,
  clientAddress: ClientAddress,
): Promise<TokenAnswer> {
  const body = { type, token_hash: tokenHash };
  return tokenAnswerOf(await api.call("POST", "/verify", { body, clientAddress }));
}

/** The parameters of the trip's PKCE challenge. */
export function challengeOf({ codeChallenge }: Pick<ReturnTrip, "codeChallenge">) {
  return { code_challenge: codeChallenge, code_challenge_method: "s256" };
}

/** The tokens in an answer, or the reason why there are none. */
export function tokenAnswerOf({ status, body, errorCode }: SupabaseAnswer): TokenAnswer {
  if (status === 429) return { kind: "refused", code: TOO_MANY };
  if (errorCode !== "") return { kind: "refused", code: errorCode };
  const parsed = tokenAnswer.safeParse(body);
  if (!parsed.success) throw providerUnavailable(parsed.error);
  return { kind: "tokens", tokens: parsed.data };
}
