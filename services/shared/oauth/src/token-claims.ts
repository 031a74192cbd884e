import type { JWTPayload } from "jose";

import { TokenRefusal } from "./token-refusal.ts";

/** Content of a token with a valid signature and valid times. */
export interface TokenClaims {
  /** Who vouches for the subject: the issuer, or the realm that stands for it. */
  readonly issuer: string;
  readonly subject: string;
  /** Whole seconds, as in tokens. */
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly sessionId: string;
  /** The OAuth client; undefined for a person's own session, which alone may manage the account. */
  readonly clientId: string | undefined;
  readonly role: string | undefined;
  readonly isAnonymous: boolean;
  readonly email: string | undefined;
  /** Only the provider's own claims count: people can edit `user_metadata`. */
  readonly emailVerified: boolean;
  /** For display; chosen by the person. */
  readonly name: string | undefined;
  readonly avatarUrl: string | undefined;
  /** How the session began, such as `password` and `oauth` (RFC 8176); latest first. */
  readonly authenticationMethods: readonly string[];
}

const AUTHENTICATION_METHODS_MAX = 10;

/** Reads the claims of a verified token. Throws a `TokenRefusal` when one is missing or malformed. */
export function readClaims(payload: JWTPayload): TokenClaims {
  const { iss, sub, iat, exp, session_id: sessionId, client_id: clientId } = payload;
  // Any other type could make a client's token look like a person's own.
  if (clientId !== undefined && !isFilled(clientId)) throw new TokenRefusal("invalid");
  if (!isFilled(iss) || !isFilled(sub) || !isFilled(sessionId)) throw new TokenRefusal("invalid");
  if (iat === undefined || exp === undefined) throw new TokenRefusal("invalid");
  const person = isRecord(payload["user_metadata"]) ? payload["user_metadata"] : {};
  return {
    issuer: iss,
    subject: sub,
    issuedAt: dateOf(iat),
    expiresAt: dateOf(exp),
    sessionId,
    clientId,
    role: textOf(payload["role"]),
    isAnonymous: payload["is_anonymous"] !== undefined && payload["is_anonymous"] !== false,
    email: textOf(payload["email"]),
    emailVerified: payload["email_verified"] === true,
    name: textOf(person["full_name"]) ?? textOf(person["name"]),
    avatarUrl: textOf(person["avatar_url"]) ?? textOf(person["picture"]),
    authenticationMethods: readAuthenticationMethods(payload),
  };
}

/** The methods of the claim `amr`, whose entries are names or, at Supabase Auth, objects. */
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
