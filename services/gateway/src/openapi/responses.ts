import type { ErrorCode } from "../http/refusal.ts";
import { ERROR_STATUS } from "../http/refusal.ts";
import { ErrorResponse } from "../schemas/error.ts";
import { componentName } from "../schemas/json-schema.ts";

/** Example message of each error code. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_query_parameter: 'The query parameter "limit" must be an integer from 1 to 90.',
  invalid_request: "Send the body with Content-Type: application/json.",
  missing_credentials:
    "Send an API key or an access token in the header Authorization: Bearer <key or token>.",
  invalid_api_key:
    "Invalid API key. Check that it is complete, or create a new key under /settings/keys.",
  invalid_token:
    "The credential is neither an API key (service_live_…) nor a valid access token. Check the key, or sign in again.",
  insufficient_scope:
    "This credential does not have the permission service.read. Use a key that has it.",
  premium_required: "Connections need a premium or beta account. Ask the person to upgrade it.",
  connector_not_authorized:
    "The person has not allowed this connection. They can allow it by connecting it again.",
  forbidden_origin: "Web pages from this origin are not allowed to call the tool endpoint.",
  not_found: "There is nothing at /api/v2/me. See /docs for the available paths.",
  method_not_allowed: "/api/v1/me supports GET and HEAD, not POST.",
  payload_too_large: "The body must be at most 256 KiB.",
  rate_limit_exceeded:
    "This API key has used its limit of 120 requests per hour (key-hour). Try again in 412 seconds.",
  internal_error:
    "Something went wrong on our side. Try again later; if it persists, report the X-Request-Id.",
  service_unavailable: "Part of the service is temporarily unavailable. Try again in 2 seconds.",
};

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: "The request is malformed; the message names what is wrong and what is allowed.",
  401: "The credential is missing, malformed, revoked or expired.",
  403: "The credential is good but may not do this, or the origin is forbidden.",
  404: "What is no request to an operation: 404 for a path that does not exist, 408 for a request that arrives too slowly, 417 for an expectation, 431 for too long an address or headers.",
  405: "The path does not support this method.",
  413: "The body is too large.",
  429: "The request limit of the credential is used up, or too many of its requests are open.",
  500: "Something went wrong on our side.",
  503: "Part of the service is temporarily unavailable.",
};

const HEADERS_BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  200: ["RateLimit-Policy", "RateLimit", "X-Request-Id"],
  202: ["RateLimit-Policy", "RateLimit", "X-Request-Id"],
  400: ["RateLimit-Policy", "RateLimit", "X-Request-Id"],
  401: ["WWW-Authenticate", "X-Request-Id"],
  403: ["RateLimit-Policy", "RateLimit", "X-Request-Id"],
  405: ["Allow", "X-Request-Id"],
  429: ["RateLimit-Policy", "RateLimit", "Retry-After", "X-Request-Id"],
  503: ["Retry-After", "X-Request-Id"],
};

const text = { type: "string" };

/** Headers of responses. */
export const headers = {
  "RateLimit-Policy": {
    description: "The request limit: q requests in any w seconds.",
    schema: text,
    example: '"key-hour";q=120;w=3600',
  },
  RateLimit: {
    description: "What is left of it: r requests; t seconds until it grows.",
    schema: text,
    example: '"key-hour";r=37;t=412',
  },
  "Retry-After": {
    description: "Seconds after which the same request may succeed.",
    schema: { type: "integer" },
    example: 412,
  },
  "WWW-Authenticate": {
    description: "Where OAuth clients start discovery (RFC 9728).",
    schema: text,
  },
  Allow: { description: "The methods that the path supports.", schema: text, example: "GET, HEAD" },
  "X-Request-Id": {
    description:
      "Identifies the request in the service's logs: what the client sent in the same header, or else a UUID.",
    schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}$" },
  },
};

/** Status of paths without an operation; no operation itself returns it. */
const NOT_FOUND = 404;

/** One response for each error status, with an example for each of its codes. */
export function errorResponses(): Record<string, object> {
  const statuses = [...new Set(Object.values(ERROR_STATUS))];
  const responses = statuses.map((status) => {
    const name = status === NOT_FOUND ? "OtherError" : `Error${status}`;
    return [name, errorResponse(status)];
  });
  return Object.fromEntries(responses);
}

/** The response to input that is not a valid request to any operation. */
export const OTHER_RESPONSE = { default: { $ref: "#/components/responses/OtherError" } };

function errorResponse(status: number): object {
  const codes = Object.entries(ERROR_STATUS).filter(([, itsStatus]) => itsStatus === status);
  const examples = codes.map(([error]) => {
    const value = { error, message: ERROR_MEANINGS[error as ErrorCode] };
    return [error, { value }];
  });
  return {
    description: DESCRIPTIONS[status],
    headers: headersOf(status),
    content: {
      "application/json": {
        schema: { $ref: `#/components/schemas/${componentName(ErrorResponse)}` },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** References to the headers of responses with `status`. */
export function headersOf(status: number): Record<string, object> {
  const names = HEADERS_BY_STATUS[status] ?? ["X-Request-Id"];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** References to the error responses of these statuses. */
export function errorReferences(statuses: readonly number[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}
