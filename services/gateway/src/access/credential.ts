import type { IncomingHttpHeaders } from "node:http";

/** What a request presents to say who it is from. Nothing about it has been verified. */
export interface Credential {
  readonly kind: "api_key" | "access_token";
  readonly text: string;
}

/** A request whose credential cannot even be looked up. */
export interface CredentialFault {
  readonly code: "missing_credentials" | "invalid_api_key" | "invalid_token";
  readonly message: string;
}

const KEY_PREFIX = "service_live_";

/** RFC 6750 §2.1; the server joins repeated headers with a comma, which no token contains. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The one credential of a request: `Authorization: Bearer …` or `X-Service-API-Key: …`; both only if
 * they are the same.
 */
export function readCredential(headers: IncomingHttpHeaders): Credential | CredentialFault {
  const { authorization } = headers;
  const keyHeader = headers["x-service-api-key"];
  if (authorization === undefined && keyHeader === undefined) return MISSING;
  if (authorization === undefined) return { kind: "api_key", text: String(keyHeader) };
  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer === undefined) return MALFORMED;
  if (keyHeader !== undefined && keyHeader !== bearer) return CONFLICTING;
  const kind = bearer.startsWith(KEY_PREFIX) ? "api_key" : "access_token";
  return { kind, text: bearer };
}

const MISSING: CredentialFault = {
  code: "missing_credentials",
  message: "Send an API key or an access token in the header Authorization: Bearer <key or token>.",
};

const MALFORMED: CredentialFault = {
  code: "invalid_token",
  message: "The Authorization header is malformed. Write it as: Bearer <key or token>.",
};

const CONFLICTING: CredentialFault = {
  code: "invalid_api_key",
  message:
    "Authorization and X-Service-API-Key carry different credentials. Send one of them, or the same key in both.",
};
