import { BASE_URL } from "./gateway-fixture.ts";

/** The whole response that refuses a credential. */
export interface RefusedRequest {
  readonly status: number;
  readonly body: { readonly error: string; readonly message: string };
  /** The field `WWW-Authenticate`. */
  readonly challenge: string | null;
}

const METADATA = `resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/mcp", scope="openid email profile"`;

function unauthorized(error: string, message: string, description?: string): RefusedRequest {
  const fault = description ? `error="invalid_token", error_description="${description}", ` : "";
  return { status: 401, body: { error, message }, challenge: `Bearer ${fault}${METADATA}` };
}

const invalidKey = (message: string) =>
  unauthorized("invalid_api_key", message, "The API key is not valid");
export const MISSING = unauthorized(
  "missing_credentials",
  "Send an API key or an access token in the header Authorization: Bearer <key or token>.",
);
export const MALFORMED = unauthorized(
  "invalid_token",
  "The Authorization header is malformed. Write it as: Bearer <key or token>.",
  "The access token is not valid",
);
export const CONFLICTING = invalidKey(
  "Authorization and X-Service-API-Key carry different credentials. Send one of them, or the same key in both.",
);
export const UNKNOWN_KEY = invalidKey(
  "Invalid API key. Check that it is complete, or create a new key under /settings/keys.",
);
export const REVOKED_KEY = invalidKey(
  "Invalid API key: it was revoked. Create a new key under /settings/keys.",
);
export const EXPIRED_KEY = invalidKey(
  "Invalid API key: it has expired. Create a new key under /settings/keys.",
);
export const INVALID = unauthorized(
  "invalid_token",
  "The credential is neither an API key (service_live_…) nor a valid access token. Check the key, or sign in again.",
  "The access token is not valid",
);
export const EXPIRED = unauthorized(
  "invalid_token",
  "The access token has expired. Refresh it or sign in again.",
  "The access token expired",
);
export const NOT_YET_VALID = unauthorized(
  "invalid_token",
  "The access token is not valid yet. Check the clock of whoever issued it.",
  "The access token is not valid yet",
);
export const REVOKED = unauthorized(
  "invalid_token",
  "The person revoked this connection. They can connect again to allow it.",
  "The access token was revoked",
);
export const NOT_GRANTED: RefusedRequest = {
  status: 403,
  body: {
    error: "connector_not_authorized",
    message:
      "The person has not allowed this connection. They can allow it by connecting it again.",
  },
  challenge: null,
};
export const NO_PREMIUM: RefusedRequest = {
  status: 403,
  body: {
    error: "premium_required",
    message: "Connections need a premium or beta account. Ask the person to upgrade it.",
  },
  challenge: null,
};
