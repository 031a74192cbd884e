import { Failure } from "@nutrition/core/failure";

import { displayableName } from "./account.ts";
import type { Scope } from "./scopes.ts";

/** The permissions that a person gave a connector. */
export interface Grant {
  clientId: string;
  /** The client's self-declared name: shown, never trusted. */
  clientName: string;
  redirectHost: string;
  scopes: Scope[];
  /** Tokens issued earlier are refused. */
  grantedAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/**
 * Effect of a consent: the client had no live grant before, had one, or has one from the same authorization
 * request, in which case nothing was changed.
 */
export type GrantOutcome = "new" | "replaced" | "repeated";

/** Maximum number of live connections of an account. */
export const LIVE_GRANTS_MAX = 50;

/** Number of revoked grants kept for each account, newest first. */
export const REVOKED_GRANTS_KEPT = 100;

const CLIENT_ID_LENGTH_MAX = 200;
const REDIRECT_HOST_LENGTH_MAX = 255;
const AUTHORIZATION_ID_LENGTH_MAX = 128;

/** Returns the client id; `invalid_argument` when it cannot be one. */
export function parseClientId(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text) && text.length <= CLIENT_ID_LENGTH_MAX) return text;
  throw new Failure(
    "invalid_argument",
    "INVALID_CLIENT_ID",
    `client_id must be 1 to ${CLIENT_ID_LENGTH_MAX} visible ASCII characters.`,
  );
}

/** Returns the id of an authorization request, null for none; `invalid_argument` when it cannot be one. */
export function parseAuthorizationId(text: string): string | null {
  if (text === "") return null;
  if (/^[\x21-\x7e]+$/.test(text) && text.length <= AUTHORIZATION_ID_LENGTH_MAX) return text;
  throw new Failure(
    "invalid_argument",
    "INVALID_AUTHORIZATION_ID",
    `authorization_id must be at most ${AUTHORIZATION_ID_LENGTH_MAX} visible ASCII characters.`,
  );
}

/** Normalizes a client for storage; its name is reduced to what can be shown. */
export function parseClient(client: {
  clientId: string;
  clientName: string;
  redirectHost: string;
}): { clientId: string; clientName: string; redirectHost: string } {
  const { redirectHost } = client;
  if (redirectHost.length > REDIRECT_HOST_LENGTH_MAX || !/^[\x21-\x7e]*$/.test(redirectHost)) {
    throw new Failure(
      "invalid_argument",
      "INVALID_REDIRECT_HOST",
      `The redirect host must be ASCII (Punycode) and at most ${REDIRECT_HOST_LENGTH_MAX} characters long.`,
    );
  }
  return {
    clientId: parseClientId(client.clientId),
    clientName: displayableName(client.clientName) ?? "",
    redirectHost,
  };
}

/** The failure for an account with the maximum number of connections. */
export function tooManyGrants(): Failure {
  return new Failure(
    "failed_precondition",
    "CONNECTION_LIMIT_REACHED",
    `At most ${LIVE_GRANTS_MAX} assistants can be connected. Disconnect one that you do not use, then connect this one again.`,
  );
}

/** The failure for an account with too many pending deletions at the identity provider. */
export function tooManyDeletions(): Failure {
  return new Failure(
    "failed_precondition",
    "CONNECTIONS_BEING_DELETED",
    "Too many disconnected assistants are still being removed. Sign in again in a few minutes, then connect this one again.",
  );
}

/**
 * Whether a token issued at `issuedAt` was issued under the grant of `grantedAt`. The comparison
 * uses whole seconds, the precision of `iat` (RFC 7519).
 */
export function coversToken(grantedAt: Date, issuedAt: Date): boolean {
  return wholeSeconds(issuedAt) >= wholeSeconds(grantedAt);
}

function wholeSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000);
}
