import { createHash } from "node:crypto";

import type { Client, Session, User } from "../records/records.ts";

/** Audience of every access token, whatever resource was requested. */
export const ACCESS_AUDIENCE = "authenticated";

export interface ClaimsContext {
  issuer: string;
  issuedAtSeconds: number;
  lifetimeSeconds: number;
}

/** Claims of an access token. A client's token has two more. */
export function accessClaims(user: User, session: Session, context: ClaimsContext) {
  const timestamp = secondsOf(session.authenticatedAt);
  return {
    ...timesOf(context),
    sub: user.id,
    aud: ACCESS_AUDIENCE,
    email: user.email,
    phone: "",
    app_metadata: appMetadataOf(user),
    user_metadata: user.metadata,
    role: "authenticated",
    aal: "aal1",
    amr: [{ method: session.method, timestamp }],
    session_id: session.id,
    is_anonymous: false,
    ...(session.clientId === undefined
      ? {}
      : { client_id: session.clientId, scope: session.scopes.join(" ") }),
  };
}

/**
 * Applies the access token hook of `deploy/identity-provider` to a client's claims: they name a
 * nonexistent session, always the same one.
 */
export function withoutSession<Claims extends { session_id: string }>(claims: Claims): Claims {
  const digest = createHash("md5").update(claims.session_id).digest("hex");
  return {
    ...claims,
    session_id: digest.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5"),
  };
}

/** Claims of an ID token, whose audience is the client alone. */
export function idClaims(
  user: User,
  session: Session,
  { nonce, ...context }: ClaimsContext & { nonce: string },
) {
  return {
    ...timesOf(context),
    aud: session.clientId ?? "",
    auth_time: secondsOf(session.authenticatedAt),
    ...(nonce === "" ? {} : { nonce }),
    ...personalClaims(user, session.scopes),
  };
}

/** Claims about the person that the scopes permit. */
export function personalClaims(user: User, scopes: readonly string[]) {
  const { name } = user.metadata;
  return {
    sub: user.id,
    ...(scopes.includes("email")
      ? { email: user.email, ...(user.emailConfirmedAt ? { email_verified: true } : {}) }
      : {}),
    ...(scopes.includes("profile")
      ? {
          name: typeof name === "string" ? name : user.email,
          updated_at: secondsOf(user.updatedAt),
        }
      : {}),
  };
}

/** Claims about a user that only the provider can change. */
export function appMetadataOf({ providers }: User) {
  return { provider: providers[0] ?? "email", providers };
}

/** A client as shown on the consent page and in the list of grants. */
export function clientCard({ id, name, uri, logoUri }: Client) {
  return {
    id,
    ...(name === "" ? {} : { name }),
    ...(uri === "" ? {} : { uri }),
    ...(logoUri === "" ? {} : { logo_uri: logoUri }),
  };
}

function timesOf({ issuer, issuedAtSeconds, lifetimeSeconds }: ClaimsContext) {
  return { iss: issuer, iat: issuedAtSeconds, exp: issuedAtSeconds + lifetimeSeconds };
}

function secondsOf(time: string): number {
  return Math.floor(Date.parse(time) / 1_000);
}
