import type { IncomingHttpHeaders } from "node:http";

import type { ApiKey } from "@nutrition/core/api-key";
import { parseApiKey } from "@nutrition/core/api-key";

/** The credential that a request presents. Nothing about it has been verified. */
export interface Credential {
  readonly kind: "api_key" | "access_token";
  readonly text: string;
}

/** Why a request has no credential that can be looked up. */
export interface CredentialFault {
  readonly code: "missing_credentials" | "invalid_api_key" | "invalid_token";
  readonly message: string;
}

const KEY_PREFIX = "service_live_";

/** RFC 6750 §2.1; the server joins repeated headers with a comma, which no token contains. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Reads the credential of a request from `Authorization: Bearer …` or `X-Service-API-Key: …`; both
 * may be present only if they are equal.
 */
export function readCredential(headers: IncomingHttpHeaders): Credential | CredentialFault {
  const { authorization } = headers;
  // Some clients send an empty header if they have no key.
  const keyHeader = headers["x-service-api-key"] || undefined;
  if (authorization === undefined && keyHeader === undefined) return MISSING;
  if (authorization === undefined) return { kind: "api_key", text: String(keyHeader) };
  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer === undefined) return MALFORMED;
  if (keyHeader !== undefined && keyHeader !== bearer) return CONFLICTING;
  const kind = bearer.startsWith(KEY_PREFIX) ? "api_key" : "access_token";
  return { kind, text: bearer };
}

/** The compact form of a signed token (RFC 7515 §3.1). */
const SIGNED_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** A credential with a valid form: a key with its checksum, or a signed token. */
export interface WellFormedCredential extends Credential {
  /** The parsed key; undefined for a token. */
  readonly key: ApiKey | undefined;
}

/** Parses the text of a credential; undefined if its form is wrong. */
export function parseCredential(credential: Credential): WellFormedCredential | undefined {
  const { kind, text } = credential;
  const key = kind === "api_key" ? parseApiKey(text) : undefined;
  if (!key && !(kind === "access_token" && SIGNED_TOKEN.test(text))) return undefined;
  return { ...credential, key };
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
