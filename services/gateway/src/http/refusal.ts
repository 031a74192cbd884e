import { countOf } from "@nutrition/core/count-of";
import { Failure } from "@nutrition/core/failure";
import type { FailureKind } from "@nutrition/core/failure";
import { StacklessError } from "@nutrition/core/stackless-error";
import { KEY_SET_UNAVAILABLE } from "@nutrition/oauth/key-set";
import { UNVERIFIABLE_TOKEN } from "@nutrition/telemetry/metrics/standard";

/** Every error code of an HTTP answer, with its status. The list is closed and documented. */
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

/** What clients are told to wait when a backend does not say how long it will be away. */
const RETRY_AFTER_SECONDS = 2;

export interface RefusalOptions {
  headers?: Readonly<Record<string, string>>;
  /** What went wrong on our side; only ever logged. */
  cause?: unknown;
  /** What logs and metrics call it, one of a few; the code unless given. */
  reason?: string;
}

/** A request that is answered with an error body instead of what it asked for. */
export class HttpRefusal extends StacklessError {
  override readonly name = "HttpRefusal";
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string;

  /** `message` is shown to the caller and says what to do next. */
  constructor(code: ErrorCode, message: string, options: RefusalOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.headers = options.headers ?? {};
    this.reason = options.reason ?? code;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** The refusal that `error` is answered with; a bug becomes `internal_error`. */
export function toRefusal(error: unknown): HttpRefusal {
  if (error instanceof HttpRefusal) return error;
  if (error instanceof Failure && error.kind === "resource_exhausted") return tooMany(error);
  if (isTemporary(error)) return unavailable(error);
  // The router's, for a path that it cannot decode. Its message repeats the path: it is not kept.
  if (error instanceof URIError) return UNREADABLE_ADDRESS;
  return new HttpRefusal(
    "internal_error",
    "Something went wrong on our side. Try again later; if it persists, report the X-Request-Id.",
    { cause: error },
  );
}

const UNREADABLE_ADDRESS = new HttpRefusal(
  "invalid_request",
  "The address cannot be read: a percent sign must be followed by two hexadecimal digits, and the bytes must be UTF-8.",
);

const TEMPORARY: readonly FailureKind[] = [
  "unavailable",
  "deadline_exceeded",
  "cancelled",
  "resource_exhausted",
];

/** Whether the request failed for a reason of ours: not its own, and not a bound that it met. */
export function isOurFault(error: unknown): boolean {
  return toRefusal(error).status >= ERROR_STATUS.internal_error;
}

/** Whether it is a backend's failure which says that the same call may succeed later. */
export function isTemporary(error: unknown): error is Failure {
  return error instanceof Failure && TEMPORARY.includes(error.kind);
}

/** Whole seconds to wait before trying again after `failure`. */
export function retryAfterSecondsOf(failure: Failure): number {
  return failure.retryAfterMs === undefined
    ? RETRY_AFTER_SECONDS
    : Math.max(1, Math.ceil(failure.retryAfterMs / 1_000));
}

/** A backend's own bound on what it does for one caller at a time. */
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

/** That the key set is away is logged where it is fetched; strangers can cause any number of these. */
function blameOf(failure: Failure): Pick<RefusalOptions, "cause" | "reason"> {
  if (failure.reason !== KEY_SET_UNAVAILABLE) return { cause: failure };
  return { reason: UNVERIFIABLE_TOKEN };
}
