import type { JWTPayload } from "jose";

import type { ProviderTokens, TokenClaims } from "../token-claims.ts";
import { TokenRefusal } from "../token-refusal.ts";

const AUTHENTICATION_METHODS_MAX = 10;

/** Role of people who signed in; anonymous visitors have it as well. */
const PERSON_ROLE = "authenticated";

/** Tokens of Supabase Auth, hosted or self-hosted. */
export const supabaseTokens: ProviderTokens = {
  requiredClaims: ["session_id"],
  keySetUrl: (address) => `${address}/.well-known/jwks.json`,
  readClaims,
};

function readClaims(payload: JWTPayload): TokenClaims {
  const { iss, sub, iat, exp, session_id: sessionId, client_id: clientId } = payload;
  // Any other type could make a client's token look like a person's own.
  if (clientId !== undefined && !isFilled(clientId)) throw new TokenRefusal("invalid");
  if (!isFilled(iss) || !isFilled(sub) || !isFilled(sessionId)) throw new TokenRefusal("invalid");
  if (iat === undefined || exp === undefined) throw new TokenRefusal("invalid");
  // People can edit it, also its `email_verified`.
  const person = isRecord(payload["user_metadata"]) ? payload["user_metadata"] : {};
  return {
    issuer: iss,
    subject: sub,
    issuedAt: dateOf(iat),
    expiresAt: dateOf(exp),
    clientId,
    isOfPerson: payload["role"] === PERSON_ROLE && !isAnonymous(payload),
    email: textOf(payload["email"]),
    emailVerified: payload["email_verified"] === true,
    name: textOf(person["full_name"]) ?? textOf(person["name"]),
    avatarUrl: textOf(person["avatar_url"]) ?? textOf(person["picture"]),
    authenticationMethods: readAuthenticationMethods(payload),
  };
}

function isAnonymous({ is_anonymous: flag }: JWTPayload): boolean {
  return flag !== undefined && flag !== false;
}

/** The methods of the claim `amr` (RFC 8176), whose entries are objects here. */
export function readAuthenticationMethods({ amr }: JWTPayload): string[] {
  if (!Array.isArray(amr)) return [];
  return amr
    .slice(0, AUTHENTICATION_METHODS_MAX)
    .map((entry: unknown) => (isRecord(entry) ? entry["method"] : entry))
    .filter(isFilled);
}

/** Throws a `TokenRefusal` for a number that is not a date. */
function dateOf(seconds: number): Date {
  const date = new Date(Math.floor(seconds) * 1_000);
  if (Number.isNaN(date.getTime())) throw new TokenRefusal("invalid");
  return date;
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function textOf(value: unknown): string | undefined {
  return isFilled(value) ? value : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
