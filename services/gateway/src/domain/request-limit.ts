/** State of one request limit. */
export interface RequestLimit {
  /** Name of the policy, such as `key-hour`. */
  readonly name: string;
  readonly max: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Whole seconds until `remaining` increases. */
  readonly resetSeconds: number;
  /** Whether it counts all keys and connections of the account rather than one of them. */
  readonly isOfAccount: boolean;
}

/** Result of counting a request. */
export interface CountDecision {
  readonly limits: readonly RequestLimit[];
  readonly refusal: CountRefusal | undefined;
  /** Token for a refund; empty if the request was refused. */
  readonly receipt: string;
}

/** Why a request was not allowed. */
export interface CountRefusal {
  readonly deciding: RequestLimit;
  /** Whole seconds until the same request may be allowed. */
  readonly retryAfterSeconds: number;
}

/** The field `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11 §3). */
export function rateLimitPolicyField(limits: readonly RequestLimit[]): string {
  return limits
    .map((limit) => `"${limit.name}";q=${limit.max};w=${limit.windowSeconds}`)
    .join(", ");
}

/** The field `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11 §4). */
export function rateLimitField(limits: readonly RequestLimit[]): string {
  return limits
    .map((limit) => `"${limit.name}";r=${limit.remaining};t=${limit.resetSeconds}`)
    .join(", ");
}

const WINDOW_NAMES: ReadonlyMap<number, string> = new Map([
  [60, "minute"],
  [3_600, "hour"],
  [86_400, "day"],
]);

/** The limit in words, such as `120 requests per hour`. */
export function limitInWords(limit: RequestLimit): string {
  return `${limit.max} requests per ${windowInWords(limit.windowSeconds)}`;
}

function windowInWords(seconds: number): string {
  return (
    WINDOW_NAMES.get(seconds) ??
    (seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`)
  );
}
