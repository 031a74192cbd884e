import { countOf } from "@nutrition/core/count-of";
import { Failure } from "@nutrition/core/failure";
import type { FailureKind } from "@nutrition/core/failure";
import { StacklessError } from "@nutrition/core/stackless-error";
import { KEY_SET_UNAVAILABLE } from "@nutrition/oauth/key-set";
import { UNVERIFIABLE_TOKEN } from "@nutrition/telemetry/metrics/standard";

/** Every error code of HTTP responses, with its status. The list is closed and documented. */
export const ERROR_STATUS = {
  invalid_query_parameter: 400,
  invalid_request: 400,
  missing_credentials: 401,
  invalid_api_key: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  premium_required: 403,
  connector_not_authorized: 403,
  forbidden_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  rate_limit_exceeded: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Retry delay for clients if an unavailable backend does not state one. */
const RETRY_AFTER_SECONDS = 2;

export interface RefusalOptions {
  headers?: Readonly<Record<string, string>>;
  /** The cause on our side; logged only. */
  cause?: unknown;
  /** Label in logs and metrics, with few distinct values; the code by default. */
  reason?: string;
  /** Status of a response that is not part of the API, by default that of the code. */
  status?: number;
}

/** A request that is answered with an error body. */
export class HttpRefusal extends StacklessError {
  override readonly name = "HttpRefusal";
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string;
  readonly status: number;

  /** `message` is shown to the caller and says what to do next. */
  constructor(code: ErrorCode, message: string, options: RefusalOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.headers = options.headers ?? {};
    this.reason = options.reason ?? code;
    this.status = options.status ?? ERROR_STATUS[code];
  }
}

/** Converts an error to the refusal to send; a bug becomes `internal_error`. */
export function toRefusal(error: unknown): HttpRefusal {
  if (error instanceof HttpRefusal) return error;
  if (error instanceof Failure && error.kind === "resource_exhausted") return tooMany(error);
  if (isTemporary(error)) return unavailable(error);
  // The router's error for an undecodable path. Its message repeats the path, so it is dropped.
  if (error instanceof URIError) return UNREADABLE_ADDRESS;
  return new HttpRefusal(
    "internal_error",
    "Something went wrong on our side. Try again later; if it persists, report the X-Request-Id.",
    { cause: error },
  );
}

const UNREADABLE_ADDRESS = new HttpRefusal(
  "invalid_request",
  "The URL is malformed: a percent sign must be followed by two hexadecimal digits, and the bytes must be UTF-8.",
);

const TEMPORARY: readonly FailureKind[] = [
  "unavailable",
  "deadline_exceeded",
  "cancelled",
  "resource_exhausted",
];

/** Whether the request failed because of an error on our side, rather than its own error or a limit. */
export function isOurFault(error: unknown): boolean {
  return toRefusal(error).status >= ERROR_STATUS.internal_error;
}

/** Whether the error is a backend's failure after which the same call may succeed later. */
export function isTemporary(error: unknown): error is Failure {
  return error instanceof Failure && TEMPORARY.includes(error.kind);
}

/** Whole seconds to wait before retrying after `failure`. */
export function retryAfterSecondsOf(failure: Failure): number {
  return failure.retryAfterMs === undefined
    ? RETRY_AFTER_SECONDS
    : Math.max(1, Math.ceil(failure.retryAfterMs / 1_000));
}

/** A backend's own concurrency limit for one caller. */
function tooMany(failure: Failure): HttpRefusal {
  const seconds = retryAfterSecondsOf(failure);
  return new HttpRefusal(
    "rate_limit_exceeded",
    `Too many requests are open. Wait for responses, then try again in ${countOf(seconds, "second")}.`,
    { headers: { "Retry-After": String(seconds) } },
  );
}

function unavailable(failure: Failure): HttpRefusal {
  const seconds = retryAfterSecondsOf(failure);
  return new HttpRefusal(
    "service_unavailable",
    `Part of the service is temporarily unavailable. Try again in ${countOf(seconds, "second")}.`,
    { headers: { "Retry-After": String(seconds) }, ...blameOf(failure) },
  );
}

/**
 * An unavailable key set is logged where it is fetched: any stranger can cause any number of these refusals.
 */
function blameOf(failure: Failure): Pick<RefusalOptions, "cause" | "reason"> {
  if (failure.reason !== KEY_SET_UNAVAILABLE) return { cause: failure };
  return { reason: UNVERIFIABLE_TOKEN };
}
