import type { CredentialRefusal } from "../clients/auth-client.ts";
import type { BaseAddress } from "../domain/base-address.ts";
import { HttpRefusal } from "../http/refusal.ts";
import type { Credential, CredentialFault } from "./credential.ts";

/** Scopes that an OAuth client requests from the identity provider, which does not know ours. */
export const OAUTH_SCOPES: readonly string[] = ["openid", "email", "profile"];

/**
 * Builds 401 and 403 responses. A 401 contains the link with which OAuth clients start discovery (RFC 9728
 * §5.1).
 */
export class Challenger {
  readonly #address: BaseAddress;

  constructor(address: BaseAddress) {
    this.#address = address;
  }

  /** The response to a request to `host` without a usable credential. */
  unusable(fault: CredentialFault, host: string | undefined): HttpRefusal {
    return this.#unauthorized(fault, host, DESCRIPTION[fault.code]);
  }

  /** The response to a request to `host` whose credential was looked up and refused. */
  refused(
    kind: Credential["kind"],
    refusal: CredentialRefusal,
    host: string | undefined,
  ): HttpRefusal {
    // No challenge on 403: asking the person to sign in again would change nothing.
    if (refusal === "not_granted") return NOT_GRANTED;
    if (refusal === "premium_required") return PREMIUM_REQUIRED;
    if (kind === "api_key") {
      const message = refusal === "not_yet_valid" ? INVALID_KEY.invalid : INVALID_KEY[refusal];
      const code = "invalid_api_key";
      return this.#unauthorized({ code, message }, host, DESCRIPTION.invalid_api_key);
    }
    const { message, description } = INVALID_TOKEN[refusal];
    return this.#unauthorized({ code: "invalid_token", message }, host, description);
  }

  /** RFC 6750 §3.1: no error code, and therefore no description, if no credential was sent. */
  #unauthorized(
    { code, message }: CredentialFault,
    host: string | undefined,
    description?: string,
  ): HttpRefusal {
    const metadata = `${this.#address.asTyped(host)}/.well-known/oauth-protected-resource/mcp`;
    const parameters = `resource_metadata="${metadata}", scope="${OAUTH_SCOPES.join(" ")}"`;
    const error =
      description === undefined
        ? ""
        : `error="invalid_token", error_description="${description}", `;
    return new HttpRefusal(code, message, {
      headers: { "WWW-Authenticate": `Bearer ${error}${parameters}` },
    });
  }
}

const DESCRIPTION = {
  missing_credentials: undefined,
  invalid_api_key: "The API key is not valid",
  invalid_token: "The access token is not valid",
} as const;

const INVALID_KEY = {
  invalid: "Invalid API key. Check that it is complete, or create a new key under /settings/keys.",
  revoked: "Invalid API key: it was revoked. Create a new key under /settings/keys.",
  expired: "Invalid API key: it has expired. Create a new key under /settings/keys.",
} as const;

/** Message of the body, and description in the challenge. */
const INVALID_TOKEN = {
  invalid: {
    message:
      "The credential is neither an API key (service_live_…) nor a valid access token. Check the key, or sign in again.",
    description: DESCRIPTION.invalid_token,
  },
  not_yet_valid: {
    message: "The access token is not valid yet. Check the clock of whoever issued it.",
    description: "The access token is not valid yet",
  },
  revoked: {
    message: "The person revoked this connection. They can connect again to allow it.",
    description: "The access token was revoked",
  },
  expired: {
    message: "The access token has expired. Refresh it or sign in again.",
    description: "The access token expired",
  },
} as const;

const NOT_GRANTED = new HttpRefusal(
  "connector_not_authorized",
  "The person has not allowed this connection. They can allow it by connecting it again.",
);

const PREMIUM_REQUIRED = new HttpRefusal(
  "premium_required",
  "Connections need a premium or beta account. Ask the person to upgrade it.",
);
