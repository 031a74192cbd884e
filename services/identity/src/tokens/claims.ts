import type { Client, Session, User } from "../records/records.ts";

/** Audience of every access token, whatever resource it was asked for. */
export const ACCESS_AUDIENCE = "authenticated";

export interface ClaimsContext {
  issuer: string;
  issuedAtSeconds: number;
  lifetimeSeconds: number;
}

/** Claims of an access token. Those of a client's token are the same, and two more. */
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

/** Claims of an ID token, which is for the client alone. */
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

/** What the scopes tell about the person. */
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

/** What only the provider may change about a user. */
export function appMetadataOf({ providers }: User) {
  return { provider: providers[0] ?? "email", providers };
}

/** A client as consent and the list of grants show it. */
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
