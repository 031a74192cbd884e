import { Failure } from "@nutrition/core/failure";

import { displayableName } from "./account.ts";
import type { Scope } from "./scopes.ts";

/** What a person allowed a connector. */
export interface Grant {
  clientId: string;
  /** What the client calls itself: shown, never trusted. */
  clientName: string;
  redirectHost: string;
  scopes: Scope[];
  /** Tokens issued before it are refused. */
  grantedAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

const CLIENT_ID_LENGTH_MAX = 200;
const REDIRECT_HOST_LENGTH_MAX = 255;

/** The client id itself; `invalid_argument` when it cannot be one. */
export function parseClientId(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text) && text.length <= CLIENT_ID_LENGTH_MAX) return text;
  throw new Failure(
    "invalid_argument",
    "INVALID_CLIENT_ID",
    `A client id has 1 to ${CLIENT_ID_LENGTH_MAX} visible ASCII characters.`,
  );
}

/** The client as it is stored; its name is what can be shown of what it calls itself. */
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
      `The redirect host is ASCII (Punycode), at most ${REDIRECT_HOST_LENGTH_MAX} characters.`,
    );
  }
  return {
    clientId: parseClientId(client.clientId),
    clientName: displayableName(client.clientName) ?? "",
    redirectHost,
  };
}

/**
 * Whether a token issued at `issuedAt` was issued under the grant of `grantedAt`. Tokens know
 * whole seconds only (RFC 7519 `iat`), so whole seconds are compared.
 */
export function coversToken(grantedAt: Date, issuedAt: Date): boolean {
  return wholeSeconds(issuedAt) >= wholeSeconds(grantedAt);
}

function wholeSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000);
}
